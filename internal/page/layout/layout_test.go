package layout_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/layout"
	"github.com/lede-news/lede/method"
)

// page is a page with its estimated layout.
type page struct {
	*method.Layout
	t   *testing.T
	doc *dom.Document
}

// lay lays out the content of a body without margins.
func lay(t *testing.T, body string) page {
	t.Helper()
	return layAll(t, "<!DOCTYPE html><body style='margin:0'>"+body)
}

func layAll(t *testing.T, html string) page {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(html), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	p := page{layout.Estimate(d, screen), t, d}
	if err := check(d, p.Layout); err != nil {
		t.Error(err)
	}
	return p
}

func (p page) node(id string) dom.Node {
	p.t.Helper()
	for n := range dom.Node(p.doc.Len()) {
		if p.doc.Attr(n, "id") == id {
			return n
		}
	}
	p.t.Fatalf("no #%s", id)
	return dom.None
}

func (p page) at(id string) method.Box {
	p.t.Helper()
	return p.Box(p.node(id))
}

// has checks the box of the element with an id; NaN matches any number.
func (p page) has(id string, x, y, w, h float64) {
	p.t.Helper()
	b := p.at(id)
	for i, v := range [...][2]float64{{b.X, x}, {b.Y, y}, {b.W, w}, {b.H, h}} {
		if !math.IsNaN(v[1]) && math.Abs(v[0]-v[1]) > 0.6 {
			p.t.Errorf("#%s is at %+v, want %s = %v", id, b, "XYWH"[i:i+1], v[1])
		}
	}
}

func (p page) is(what string, ok bool) {
	p.t.Helper()
	if !ok {
		p.t.Error("not so: ", what)
	}
}

var any = math.NaN()

func TestBlocksStack(t *testing.T) {
	p := lay(t, `<div id=a style="height:50px"></div><div id=b style="height:50px;width:25%"></div>
		<div id=c style="HEIGHT: 4em !important; width:300px; margin:0 auto; padding:10px"></div><div id=d style="max-width:400px;min-height:9pt"></div>`)
	p.has("a", 0, 0, 1280, 50)
	p.has("b", 0, 50, 320, 50)
	p.has("c", 490, 100, 300, 64)
	p.has("d", 0, 164, 400, 12)
}

func TestMarginsCollapse(t *testing.T) {
	p := lay(t, `<div id=a style="margin-bottom:30px;height:10px"></div><div id=b style="margin-top:20px;height:10px"></div>
		<div id=c style="margin-top:5px"><div id=d style="margin-top:40px;height:10px"></div></div><div style="margin:50px 0"></div>
		<div id=e style="height:10px"></div><div id=f style="padding-top:1px"><div id=g style="margin-top:9px;height:10px"></div></div>`)
	p.has("a", 0, 0, any, 10)
	p.has("b", 0, 40, any, 10) // the larger of the two margins
	p.has("c", 0, 90, any, 10) // the margin of the first child is that of its parent
	p.has("d", 0, 90, any, 10)
	p.has("e", 0, 150, any, 10) // through an empty block
	p.has("f", 0, 160, any, 20)
	p.has("g", 0, 170, any, 10) // but not through padding
}

func TestBodyMargin(t *testing.T) {
	p := layAll(t, "<!DOCTYPE html><body id=b><p id=p>text")
	p.has("b", 8, 16, 1264, 18.4)
	p.has("p", 8, 16, 1264, 18.4)
}

func TestTextMakesHeight(t *testing.T) {
	words := strings.Repeat("common words of usual length ", 40) // 1160 letters of half an em
	p := lay(t, "<div style='line-height:20px'><p style='margin:0' id=a>"+words+"<p style='margin:0;width:400px' id=b>"+words+
		"<p id=c style='margin:0;width:400px;font-size:32px;line-height:1.5'>"+words)
	a, b, c := p.at("a"), p.at("b"), p.at("c")
	p.is("8500 pixels of words take seven lines", a.H == 140)
	p.is("three times as many of a third of the width", b.H >= 3*a.H-20 && b.H <= 3.6*a.H)
	p.is("larger letters take more lines, and higher ones", c.H > 4*b.H)
	p.is("one below the other", b.Y == a.Bottom() && c.Y == b.Bottom())
}

func TestIdeographs(t *testing.T) {
	p := lay(t, "<p style='margin:0;width:320px;line-height:20px' id=a>"+strings.Repeat("新聞", 40)) // 20 to a line
	p.has("a", 0, 0, 320, 80)
}

func TestInlineBoxes(t *testing.T) {
	p := lay(t, "<div>one <b id=b>two</b> three <a id=a>four</a></div><div id=p>a<br>b<br><br>c</div><div style='width:200px'>"+
		strings.Repeat("x ", 24)+"<i id=i>together</i>")
	b, a, i := p.at("b"), p.at("a"), p.at("i")
	p.is("beside one another", b.X > 0 && a.X > b.Right() && a.Y == b.Y)
	p.is("as wide as their words", b.W > 15 && b.W < 40 && b.H > 10 && b.H < 20)
	p.is("bold", p.Fonts[p.node("b")].Weight == 700)
	p.has("p", 0, 18.4, 1280, 73.6)
	p.is("a word is not broken", i.H < 20 && i.X == 0)
}

func TestLists(t *testing.T) {
	p := lay(t, "<ul id=u><li id=a>one<li id=b>two<ul id=v><li id=c>three</ul></ul>")
	p.has("a", 40, 16, 1240, 18.4)
	p.has("c", 80, any, 1200, 18.4)
	p.is("one below the other", p.at("b").Y == p.at("a").Bottom() && p.at("v").Y > p.at("b").Y)
}

func TestFonts(t *testing.T) {
	p := lay(t, `<h1 id=h1>a</h1><h2 id=h2>b</h2><p id=p>d<small id=s>e</small><div style="font-size:20px"><b id=q style="font-size:150%">x`)
	for id, size := range map[string]float64{"h1": 32, "h2": 24, "p": 16, "s": 13.3, "q": 30} {
		if got := p.Fonts[p.node(id)].Size; got < size-0.05 || got > size+0.05 {
			t.Errorf("#%s is set in %v, want %v", id, got, size)
		}
	}
	for id, weight := range map[string]int{"h1": 700, "p": 400, "q": 700} {
		if got := p.Fonts[p.node(id)].Weight; got != weight {
			t.Errorf("#%s has weight %d, want %d", id, got, weight)
		}
	}
}

func TestPictures(t *testing.T) {
	p := lay(t, `<div><img id=a width=200 height=100></div><div><img id=b width=600 height=300 style="width:50%;height:auto"></div>
		<div><iframe id=c width="50%" height=90></iframe></div><img id=d><video id=e width=400 height=225></video><input id=f type=hidden>`)
	p.has("a", 0, 0, 200, 100)
	p.has("b", 0, 100, 640, 320)
	p.has("c", 0, 420, 640, 90)
	p.is("a picture that says nothing of its size shows nothing", !p.Shown(p.node("d")))
	p.has("e", any, any, 400, 225)
	p.is("nor does a hidden field", !p.Shown(p.node("f")))
}

func TestFloats(t *testing.T) {
	p := lay(t, `<div id=l style="float:left;width:200px;height:100px"></div><div id=r style="float:right;width:300px;height:100px;margin-left:10px"></div>
		<p id=p style="margin:0"><b id=w>word</b></p><table id=t width=700><tr><td>x</table><div id=c style="clear:both;height:9px"></div>`)
	p.has("l", 0, 0, 200, 100)
	p.has("r", 980, 0, 300, 100)
	p.has("p", 0, 0, 1280, 18.4) // the block is behind the floats, its lines are between them
	p.is("words beside the float", p.at("w").X >= 200 && p.at("w").X < 201)
	p.has("t", 200, 18.4, 700, any)
	p.has("c", 0, 100, 1280, 9)
}

func TestFloatsWrap(t *testing.T) {
	float := func(id string) string { return "<i id=" + id + " style='float:left;width:600px;height:50px'></i>" }
	p := lay(t, float("a")+float("b")+float("c")+"<b id=d style=float:left>menu</b>")
	p.has("a", 0, 0, 600, 50)
	p.has("b", 600, 0, 600, 50)
	p.has("c", 0, 50, 600, 50)
	p.is("a float is as wide as its words", p.at("d").X == 600 && p.at("d").W > 20 && p.at("d").W < 60)
}

func TestFloatsWithinColumns(t *testing.T) {
	p := lay(t, `<div id=m style="width:1000px;margin:0 auto"><div id=s style="float:left;width:30%">menu</div>
		<div id=a style="float:right;width:70%">story</div></div>
		<div id=f style="clear:both">foot</div>`)
	p.has("m", 140, 0, 1000, 0)
	p.has("s", 140, 0, 300, 18.4)
	p.has("a", 440, 0, 700, 18.4)
	p.has("f", 0, 18.4, 1280, 18.4)
}

func TestTableOfTheNineties(t *testing.T) {
	p := layAll(t, `<html><body style="margin:0"><table id=t width=780 cellspacing=0 cellpadding=0 border=0 align=center>
		<tr><td id=h colspan=3 height=60>head</td></tr>
		<tr valign=top><td id=a width=140>menu</td><td id=b><p>story<p>story</td><td id=c width=170>more</td></tr></table>`)
	p.has("t", 250, 0, 780, any)
	p.has("h", 250, 0, 780, 60)
	p.has("a", 250, 60, 140, any)
	p.has("b", 390, 60, 470, any)
	p.has("c", 860, 60, 170, any)
	p.is("cells are as high as their row", p.at("a").H == p.at("b").H && p.at("a").H > 40)
}

func TestTableShares(t *testing.T) {
	p := lay(t, `<table id=t width=100%><tr height=20><td id=a width=25%>x<td id=b>y y y<td id=c width=320>z</table>
		<table id=u><caption>w<tr><td id=f>some words<td id=g>w</table><table><tr><td id=w width=100%>some words</table>`)
	p.has("a", 0, 0, 320, any)
	p.has("b", 320, 0, 640, any)
	p.has("c", 960, 0, 320, any)
	p.is("a share of an unknown width is that of the content", p.at("w").W > 60)
	p.is("a table is as wide as its content", p.at("u").W < 120 && p.at("f").W > 3*p.at("g").W)
}

func TestInlineBlocks(t *testing.T) {
	span := func(id string) string {
		return "<span id=" + id + " style='display:inline-block;width:500px;height:40px'></span> "
	}
	p := lay(t, "<div id=d>"+span("a")+span("b")+span("c")+"</div>")
	a, b, c := p.at("a"), p.at("b"), p.at("c")
	p.is("beside one another", b.X >= 500 && b.X < 510 && a.Y == b.Y)
	p.is("below when there is no room", c.X == 0 && c.Y >= 40)
	p.is("inside", p.at("d").H >= 80)
}

func TestHidden(t *testing.T) {
	p := lay(t, `<p>A page with some words that are shown to all readers.</p><div id=f hidden>x</div><div id=g style="display:none"><p id=h>x</p></div>
		<script id=k>x</script><span id=s class=sr-only>x</span><style>p{display:none}</style><p id=p>shown, since style sheets are not read`)
	for _, id := range []string{"f", "g", "h", "k", "s"} {
		if p.Shown(p.node(id)) {
			t.Errorf("#%s is shown at %v", id, p.at(id))
		}
	}
	p.is("shown", p.Shown(p.node("p")))
}
