package compose

import (
	"testing"

	"github.com/lede-news/lede/article"
)

func TestEqualFolded(t *testing.T) {
	spans := func(texts ...string) (out []article.Span) {
		for _, s := range texts {
			out = append(out, article.Span{Text: s})
		}
		return out
	}
	for _, c := range []struct {
		spans []article.Span
		title string
		want  bool
	}{
		{spans("Cranes stand still"), "CRANES  stand still", true},
		{spans("Cranes ", "stand\n", " still "), "Cranes stand still", true},
		{spans("Cr", "anes stand still"), "Cranes stand still", true},
		{spans("Cranes stand still"), "Cranes stand", false},
		{spans("Cranes stand"), "Cranes stand still", false},
		{spans("Cranesstand still"), "Cranes stand still", false},
		{spans("Ärger im Hafen"), "ärger im hafen", true},
		{nil, "Cranes", false},
		{spans(" "), "Cranes", false},
	} {
		if got := equalFolded(c.spans, fold(c.title)); got != c.want {
			t.Errorf("%q and %q: got %v, want %v", article.SpanText(c.spans), c.title, got, c.want)
		}
		if got := fold(article.SpanText(c.spans)) == fold(c.title); got != c.want {
			t.Errorf("%q and %q folded: got %v, want %v", article.SpanText(c.spans), c.title, got, c.want)
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
	got := DropByline([]article.Block{p("By Ann Lee"), picture, p("14 May 2024"), p("The ferry is back."), p("Ann Lee")}, authors)
	if len(got) != 3 || got[0].Kind != article.Picture || article.Text(got) != "The ferry is back.\nAnn Lee" {
		t.Errorf("%+v", got)
	}
	if got := DropByline([]article.Block{p("Ann Lee")}, authors); len(got) != 1 {
		t.Error("a story of a name alone is gone")
	}
}
