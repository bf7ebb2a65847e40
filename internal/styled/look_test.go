package styled_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/styled"
)

const tide = `<html lang="en"><head><title>The tide turns</title><style>
/* a } in a comment */
:root { --ink: #222831; }
body { font: 17px/1.6 "Source Serif Pro", Georgia, serif; color: var(--ink); background: #fffaf0 url(x.png) no-repeat }
#story h1 { font: italic 900 2em/1.1 Didot, serif; text-transform: uppercase; letter-spacing: .05em; color: #700 !important }
h1.headline { color: blue }
.story > p a { color: #0a6 }
.hero { background: #101820 }
.byline { font-size: small; color: gray }
blockquote { font-size: 1.25em; font-style: italic; background-color: rgba(0,0,0,.1) }
@media print { p { color: red } }
@media screen and (min-width: 600px) { .story p { font-size: 18px } }
@media (max-width: 600px) { .story p { font-size: 5px } }
@font-face { font-family: x; src: url(x) }
p:first-child { color: lime }
</style></head><body><nav><a href="/">The tide turns</a></nav>
<div id="story"><div class="hero"><h1 class="headline"><span>The tide turns</span></h1></div>
<p class="byline">By <a href="/ann">Ann Ferry</a></p>
<div class="story"><p style="font-weight:bold">The harbour was dry by noon.</p>
<p>Boats lay on their sides, and <a href="/gulls">the gulls</a> walked home.</p><p>Nobody was surprised at all.</p>
<h2>What the mayor said</h2><blockquote>Water comes back.</blockquote>
<figure><img src="a.png"><figcaption>Boats at rest.</figcaption></figure></div></div></body></html>`

func tideStory() *article.Article {
	say := func(k article.Kind, s string) article.Block {
		return article.Block{Kind: k, Level: 2, Spans: []article.Span{{Text: s}}}
	}
	return &article.Article{
		Title: "The tide turns", Authors: []article.Author{{Name: "Ann Ferry"}},
		Body: []article.Block{
			say(article.Paragraph, "The harbour was dry by noon."),
			say(article.Paragraph, "Boats lay on their sides, and the gulls walked home."),
			say(article.Paragraph, "Nobody was surprised at all."),
			say(article.Heading, "What the mayor said"),
			{Kind: article.Quote, Blocks: []article.Block{say(article.Paragraph, "Water comes back.")}},
			{Kind: article.Picture, Image: &article.Image{URL: "https://x.example/a.png", Caption: "Boats at rest."}},
		},
	}
}

func TestFind(t *testing.T) {
	d := parse(t, tide)
	p := styled.Find(d, tideStory())
	for name, c := range map[string]struct {
		nodes []dom.Node
		want  string
	}{
		"headline": {p.Headline, "span"}, "byline": {p.Byline, "p"}, "lede": {p.Lede, "p"}, "body": {p.Body, "p p"}, "heading": {p.Heading, "h2"},
		"quote": {p.Quote, "blockquote"}, "caption": {p.Caption, "figcaption"}, "link": {p.Link, "a"}, "standfirst": {p.Standfirst, ""},
	} {
		var tags []string
		for _, n := range c.nodes {
			tags = append(tags, d.Name(n))
		}
		if got := strings.Join(tags, " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestFindBetweenBreaks has paragraphs without elements.
func TestFindBetweenBreaks(t *testing.T) {
	d := parse(t, `<body><td><font face="Verdana" color="#000066">First words here.<br><br>Second words here.<br><br>Third <b>words</b>.</font></td>`)
	say := func(s string) article.Block {
		return article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: s}}}
	}
	a := &article.Article{Body: []article.Block{say("First words here."), say("Second words here."), say("Third words.")}}
	l := styled.LookOf(d, styled.Find(d, a))
	if !slices.Equal(l.Body.Families, []string{"Verdana"}) || l.Body.Color != styled.RGB(0, 0, 0x66) {
		t.Errorf("got %+v", l.Body)
	}
}

// TestFindInOneRun has a story that is one run of text.
func TestFindInOneRun(t *testing.T) {
	d := parse(t, "<body><h1>A wall</h1><pre>HARBOUR (Wire) -\nFirst words\nof it.\n\nIt holds.</pre>")
	p := styled.Find(d, smallStory())
	if len(p.Body) != 1 || d.Name(p.Body[0]) != "pre" {
		t.Errorf("got %+v", p)
	}
}

func TestLookOf(t *testing.T) {
	d := parse(t, tide)
	l := styled.LookOf(d, styled.Find(d, tideStory()))
	ink := styled.RGB(0x22, 0x28, 0x31)
	if l.Background != styled.RGB(0xff, 0xfa, 0xf0) || l.Link != styled.RGB(0, 0xaa, 0x66) {
		t.Errorf("ground %v, links %v", l.Background, l.Link)
	}
	if b := l.Body; b.Size != 18 || b.Color != ink || b.Leading != 1.6 || !slices.Equal(b.Families, []string{"Source Serif Pro", "Georgia", "serif"}) {
		t.Errorf("body %+v", b)
	}
	if h := l.Headline; h.Size != 34 || h.Weight != 900 || !h.Italic || h.Case != styled.Uppercase || h.Color != styled.RGB(0x77, 0, 0) ||
		h.Background != styled.RGB(0x10, 0x18, 0x20) || h.Leading != 1.1 || h.Spacing < 0.049 || h.Spacing > 0.051 {
		t.Errorf("headline %+v", h)
	}
	if f := l.Lede; f.Weight != 700 || f.Size != 18 {
		t.Errorf("lede %+v", f)
	}
	if f := l.Byline; f.Size != 13 || f.Color != styled.RGB(0x80, 0x80, 0x80) {
		t.Errorf("byline %+v", f)
	}
	if f := l.Quote; f.Size != 21.25 || !f.Italic || !f.Background.Set {
		t.Errorf("quote %+v", f)
	}
	if f := l.Heading; f.Size != 25.5 || f.Weight != 700 {
		t.Errorf("heading %+v", f)
	}
}

// TestLookOfSheet sets the colour of a paragraph in #d > .x > .y > .y, and that
// of its ground.
func TestLookOfSheet(t *testing.T) {
	want := styled.RGB(1, 2, 3)
	for _, c := range []struct{ name, sheet string }{
		{"variable with a fallback", ":root{--x:#010203} p{color:var(--x, rgb(9,9,9));background:#010203}"},
		{"fallback with commas", "p{color:var(--none, rgb(1,2,3));background:var(--none, #010203)}"},
		{"variable in a function", ":root{--c:1,2,3} p{color:rgba(var(--c),1);background-color:rgb(var(--c))}"},
		{"data URL", "p{background:url(data:image/png;base64,AA==) #010203;color:#010203}"},
		{"backtracking", ".x > .y p{color:rgb(1,2,3);background:rgb(1,2,3)} .x > p{color:red}"},
		{"attribute", "p{color:red} [lang|=en] p{color:rgb(1,2,3);background:#010203} [lang|=e] p{color:blue}"},
		{"sibling", "h1 + #d p{color:#010203;background:#010203}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, "<style>"+c.sheet+"</style><body><h1>A wall</h1><div id=d lang=en-GB><div class=x><div class=y><div class=y><p>First words of it.</p><p>It holds.</p>")
			if l := styled.LookOf(d, styled.Find(d, smallStory())); l.Body.Color != want || l.Background != want {
				t.Errorf("color is %v on %v, want %v", l.Body.Color, l.Background, want)
			}
		})
	}
}

func TestOldMarkup(t *testing.T) {
	d := parse(t, `<body bgcolor="ffffee" text="#222244" link="#660000"><center><font face="Arial, Helvetica" size="5" color="navy"><b>A wall</b></font></center>
<p align="justify">First words of it.</p><p align="justify">It <a href="/x">holds</a>.</p>`)
	l := styled.LookOf(d, styled.Find(d, smallStory()))
	if l.Background != styled.RGB(0xff, 0xff, 0xee) || l.Link != styled.RGB(0x66, 0, 0) || l.Body.Color != styled.RGB(0x22, 0x22, 0x44) || l.Body.Align != styled.Justify {
		t.Errorf("got %+v", l)
	}
	if h := l.Headline; h.Size != 24 || h.Weight != 700 || h.Color != styled.RGB(0, 0, 0x80) || h.Align != styled.Center || !slices.Equal(h.Families, []string{"Arial", "Helvetica"}) {
		t.Errorf("headline %+v", h)
	}
}

// table is styles by the name of the element.
type table struct {
	d      *dom.Document
	styles map[string]map[string]string
}

func (s table) Style(n dom.Node, prop string) string { return s.styles[s.d.Name(n)][prop] }

func TestLookFrom(t *testing.T) {
	d := parse(t, small)
	l := styled.LookFrom(d, table{d, map[string]map[string]string{
		"body": {"background-color": "rgba(0, 0, 0, 0.5)"},
		"h1":   {"font-family": `"Playfair Display", serif`, "font-size": "44px", "font-weight": "800", "color": "rgb(10, 20, 30)", "line-height": "52.8px", "text-align": "center", "letter-spacing": "-0.44px"},
		"p":    {"font-family": "Georgia", "font-size": "18px", "color": "rgba(255, 255, 255, 0.5)", "line-height": "normal", "text-transform": "none"},
		"a":    {"color": "rgb(0, 0, 238)"},
	}}, styled.Find(d, smallStory()))
	if l.Background != styled.RGB(128, 128, 128) || l.Body.Color != styled.RGB(192, 192, 192) || l.Link != styled.RGB(0, 0, 238) {
		t.Errorf("ground %v, text %v, links %v", l.Background, l.Body.Color, l.Link)
	}
	if h := l.Headline; h.Size != 44 || h.Weight != 800 || h.Align != styled.Center || h.Leading < 1.19 || h.Leading > 1.21 || h.Spacing > -0.009 {
		t.Errorf("headline %+v", h)
	}
	if l.Lede.Size != 0 || l.Body.Leading != 0 {
		t.Errorf("lede %+v, body %+v", l.Lede, l.Body)
	}
}
