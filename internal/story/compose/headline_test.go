package compose

import (
	"reflect"
	"testing"

	"github.com/lede-news/lede/article"
)

// A heading with the headline may have a kicker, and a standfirst in a heading element is no
// sub-heading.
func TestDropTop(t *testing.T) {
	h := func(s string) article.Block {
		return article.Block{Kind: article.Heading, Level: 2, Spans: []article.Span{{Text: s}}}
	}
	p := func(s string) article.Block {
		return article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: s}}}
	}
	header := Header{Title: "Cranes stand still", Standfirst: "Crews want more pay.", Authors: []article.Author{{Name: "Ann Lee"}}}
	for _, c := range []struct {
		name string
		body []article.Block
		want []article.Block
	}{
		{"kicker and headline in one heading", []article.Block{h("Harbour strike: Cranes stand still"), p("Text.")}, []article.Block{p("Text.")}},
		{"standfirst as heading, and again", []article.Block{h("Crews want more pay."), p("By Ann Lee"), p("Text."), p("Crews want more pay.")}, []article.Block{p("Text.")}},
		{"a sub-heading first", []article.Block{h("The vote"), p("Text.")}, []article.Block{h("The vote"), p("Text.")}},
	} {
		if got := DropTop(bodyOf(c.body...), header).Article(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestDropByline(t *testing.T) {
	authors := []article.Author{{Name: "Odile Farrow"}, {Name: "Ann Lee"}}
	for line, want := range map[string]bool{
		"3 August 2021 by Odile Farrow":           true,
		"By Ann Lee and Odile Farrow, Staff":      true,
		"2023年7月17日":                              true,
		"14 May 2024":                             true,
		"Ann Lee went home.":                      false,
		"In 2024 nobody came to the pier at all":  false,
		"Ann Lee tells how the ferry came to be.": false,
		"The ferry is back":                       false,
		"":                                        false,
	} {
		if got := isByline(line, authors); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	p := func(s string) article.Block {
		return article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: s}}}
	}
	picture := article.Block{Kind: article.Picture, Image: &article.Image{URL: "a.jpg"}}
	got := dropByline(bodyOf(p("By Ann Lee"), picture, p("14 May 2024"), p("The ferry is back."), p("Ann Lee")), authors).Article()
	if len(got) != 3 || got[0].Kind != article.Picture || article.Text(got) != "The ferry is back.\nAnn Lee" {
		t.Errorf("%+v", got)
	}
	if got := dropByline(bodyOf(p("Ann Lee")), authors).Article(); len(got) != 1 {
		t.Error("a story of a name alone is gone")
	}
}

func bodyOf(blocks ...article.Block) Body {
	return Body{blocks: blocks, ends: make([]int, len(blocks))}
}
