package layout_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/page/layout"
	"github.com/lede-news/lede/method"
)

// TestBadPages checks that hostile pages get a valid layout in linear time.
func TestBadPages(t *testing.T) {
	many := func(n int, f string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, f, i)
		}
		return b.String()
	}
	nested := func(n int, open string) string { return strings.Repeat(open, n) + "story" }
	style := func(css string) string {
		return "<!DOCTYPE html><style>" + css + "</style><div class=a><p id=p class='a b'>story"
	}
	for _, c := range []struct {
		name string
		n    int // the size of a page that is checked for linear time
		page func(n int) string
	}{
		{"empty", 0, func(int) string { return "x" }},
		{"only a style", 0, func(int) string { return "<style>p{}" }},
		{"500 levels of div", 0, func(int) string { return nested(500, "<div style='padding:1px'>") }},
		{"500 levels of tables", 0, func(int) string { return nested(500, "<table><tr><td>") }},
		{"500 levels of flex", 0, func(int) string { return nested(500, "<div style=display:flex>") }},
		{"500 levels of grid", 0, func(int) string { return nested(500, "<div style='display:grid;grid-template-columns:1fr 1fr'>") }},
		{"500 levels of floats", 0, func(int) string { return nested(500, "<div style=float:left>") }},
		{"500 levels of inline blocks", 0, func(int) string { return nested(500, "<span style=display:inline-block>") }},
		{"500 levels of absolutes", 0, func(int) string { return nested(500, "<div style='position:absolute;left:1px'>") }},
		{"500 levels of contents", 0, func(int) string { return nested(500, "<div style=display:contents>") }},
		{"many siblings", 20_000, func(n int) string { return strings.Repeat("<p>x", n) }},
		{"many inline blocks", 20_000, func(n int) string { return strings.Repeat("<img width=9 height=9>", n) }},
		{"many floats that stay", 20_000, func(n int) string { return strings.Repeat("<b style='float:left;width:1px;height:1000000px'></b>", n) }},
		{"many flex items", 20_000, func(n int) string { return "<div style=display:flex>" + strings.Repeat("<p>x", n) }},
		{"many grid items", 20_000, func(n int) string {
			return "<div style='display:grid;grid-template-columns:repeat(60,1fr)'>" + strings.Repeat("<p>x</p>", n)
		}},
		{"many cells", 20_000, func(n int) string { return "<table><tr>" + strings.Repeat("<td rowspan=9999 colspan=9999>x", n) }},
		{"many absolutes", 20_000, func(n int) string { return strings.Repeat("<b style='position:absolute;top:50%'>x</b>", n) }},
		{"many letters", 20_000, func(n int) string { return strings.Repeat("x", 5*n) }},
		{"many words in a pixel", 20_000, func(n int) string { return "<p style=width:1px>" + strings.Repeat("x ", 5*n) }},
		{"many rules", 20_000, func(n int) string { return style(many(5*n, ".a{width:%dpx}")) }},
		{"many rules for every node", 20_000, func(n int) string {
			return style(strings.Repeat(".a .a .a p{margin:1px}", 1000)) + strings.Repeat("<div class=a><p class=a>x</div>", n)
		}},
		{"a long selector", 20_000, func(n int) string { return style("p" + strings.Repeat(".a", 5*n) + "{width:1px}") }},
		{"a deep selector", 20_000, func(n int) string { return style(strings.Repeat("div ", 5*n) + "{width:1px}") }},
		{"a long list", 20_000, func(n int) string { return style(strings.Repeat("p,", 5*n) + "p{width:1px}") }},
		{"descendants that nearly match", 20_000, func(n int) string {
			return style(strings.Repeat("div ", 20)+"q p{width:1px}") + nested(400, "<div>") + strings.Repeat("<p>x</p>", n)
		}},
		{"siblings that nearly match", 20_000, func(n int) string { return style("q~p~p~p~p{width:1px}") + strings.Repeat("<p>x</p>", n) }},
		{"nested media", 20_000, func(n int) string { return style(strings.Repeat("@media all{", n) + "p{width:1px}") }},
		{"nested blocks", 20_000, func(n int) string { return style("p{" + strings.Repeat("a{", n)) }},
		{"open parentheses", 20_000, func(n int) string { return style("p{width:calc" + strings.Repeat("(", n)) }},
		{"nested calc", 0, func(int) string { return style("p{width:" + strings.Repeat("calc(", 150) + "1px") }},
		{"nested min", 0, func(int) string { return style("p{width:" + strings.Repeat("min(1px,", 100) + "1px") }},
		{"variables that grow", 0, func(int) string {
			return style(":root{--a:x;" + many(60, "--v%d:var(--a) var(--a) var(--a)") + "} p{width:var(--v1)}")
		}},
		{"variables in a circle", 0, func(int) string { return style(":root{--a:var(--b);--b:var(--a)} p{width:var(--a)}") }},
		{"odd numbers", 0, func(int) string {
			return style("p{width:1e9px;height:99999999999999999999px;margin:-1e9px;padding:NaNpx;font-size:1e9em;line-height:1e9;top:-99999999999%;left:infpx;position:relative;gap:1e30px}")
		}},
		{"calc with large numbers", 0, func(int) string {
			return style("p{width:calc(999999px * 999999 * 999999 * 999999 * 999999 * 999999 * 999999 - 999999px * 999999 * 999999 * 999999 * 999999 * 999999 * 999999);height:calc(1px / 0)}")
		}},
		{"odd sizes", 0, func(int) string {
			return "<table width=-5 border=1e9 cellpadding=99999999><tr><td width=999999999999 height=NaN colspan=-3 rowspan=0>x<td width=%>y</table><img width=1e99 height=1><hr width=0%><font size=99>x<font size=-99>y<textarea rows=99999999 cols=99999999>"
		}},
		{"negative margins", 0, func(int) string {
			return strings.Repeat("<div style='margin:-999999px;width:1px;float:right'>x</div>", 1000)
		}},
		{"odd grids", 0, func(int) string {
			return style(".a{display:grid;grid-template-columns:repeat(99999,repeat(9999,1fr)) [ minmax( -5px;grid-column:99999 / -99999} p{grid-column:span 999999 / span 3;grid-area:1/-1/x/span 0}")
		}},
		{"odd selectors", 0, func(int) string {
			return style("#,.,[,[],[=],:,::,>p,p>,p>>p,+,~,*|p,&,p:not(,p:not(:not(p)),\\,\\{width:1px}")
		}},
		{"frameset", 0, func(int) string { return "<frameset cols='50%,*'><frame src=a><frame src=b></frameset>" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			prepare := func(page string, s method.Screen) func() {
				d, err := dom.Parse(t.Context(), []byte(page), dom.Options{Charset: "utf-8"})
				if err != nil {
					t.Fatal(err)
				}
				return func() {
					if err := check(d, layout.Estimate(d, s)); err != nil {
						t.Error(err)
					}
				}
			}
			if c.n > 0 {
				testkit.Linear(t, c.n, func(n int) func() { return prepare(c.page(n), screen) })
				return
			}
			for _, s := range []method.Screen{screen, {}, {Width: -1, Height: 1e300}, {Width: 1, Height: 1}} {
				prepare(c.page(0), s)()
			}
		})
	}
}

// TestDeepTree lays out a tree that is deeper than any that the parser returns.
func TestDeepTree(t *testing.T) {
	d, err := dom.Parse(t.Context(), []byte("<p>x"), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := d.HTML(d.First(dom.P))
	for range 20_000 {
		c := *n
		c.Parent, c.FirstChild, c.LastChild, c.NextSibling, c.PrevSibling = nil, nil, nil, nil, nil
		n.AppendChild(&c)
		n = &c
	}
	deep, err := dom.FromNode(d.HTML(0), dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := check(deep, layout.Estimate(deep, screen)); err != nil {
		t.Error(err)
	}
}

// check checks the invariants of layouts.
func check(d *dom.Document, l *method.Layout) error {
	if len(l.Boxes) != d.Len() || len(l.Fonts) != d.Len() {
		return fmt.Errorf("%d boxes and %d types for %d nodes", len(l.Boxes), len(l.Fonts), d.Len())
	}
	if l.Measured {
		return errors.New("an estimate is marked as measured")
	}
	finite := func(vs ...float64) bool {
		for _, v := range vs {
			if math.IsNaN(v) || math.Abs(v) > 4e9 {
				return false
			}
		}
		return true
	}
	if !finite(l.Width, l.Height) {
		return fmt.Errorf("the page is %v by %v", l.Width, l.Height)
	}
	for n := range dom.Node(d.Len()) {
		b, t := l.Boxes[n], l.Fonts[n]
		if !finite(b.X, b.Y, b.W, b.H, t.Size) || b.W < 0 || b.H < 0 {
			return fmt.Errorf("<%s> %d is at %+v", d.Name(n), n, b)
		}
		if t.Size < 0 || t.Weight < 1 || t.Weight > 1000 {
			return fmt.Errorf("<%s> %d is set in %+v", d.Name(n), n, t)
		}
	}
	return nil
}

// TestRealPages checks the invariants on real pages, and that results do not vary.
func TestRealPages(t *testing.T) {
	for _, p := range append(newsroomPages(), realPages(t, 30)...) {
		d, err := dom.Parse(t.Context(), p, dom.Options{Charset: "utf-8"})
		if err != nil {
			continue
		}
		l := layout.Estimate(d, screen)
		if err := check(d, l); err != nil {
			t.Error(err)
		}
		again := layout.Estimate(d, screen)
		for n := range l.Boxes {
			if l.Boxes[n] != again.Boxes[n] || l.Fonts[n] != again.Fonts[n] {
				t.Fatalf("node %d is at %v, then at %v", n, l.Boxes[n], again.Boxes[n])
			}
		}
	}
}

// TestBlocksEncloseBlocks checks that blocks in normal flow are inside of their
// parents and below one another on a page that sets no heights.
func TestBlocksEncloseBlocks(t *testing.T) {
	p := lay(t, "section{padding:7px;margin:11px 5px} .n{margin:20px;border:1px solid}", `
		<section><h1>Head</h1><p>One two three.<div class=n><p>Four<ul><li>five<li>six<p>seven</ul><div></div></div><blockquote>eight</blockquote></section>
		<section><div><div><p>nine</div></div><div class=n>ten</div></section>`)
	block := func(n dom.Node) bool { return p.doc.Tag(n).IsBlock() && p.doc.Chars(n) > 0 }
	for n := range dom.Node(p.doc.Len()) {
		if !block(n) || n == 0 {
			continue
		}
		b, up := p.Box(n), p.Box(p.doc.Parent(n))
		if b.X < up.X-0.01 || b.Y < up.Y-0.01 || b.Right() > up.Right()+0.01 || b.Bottom() > up.Bottom()+0.01 {
			t.Errorf("<%s> at %v is not inside <%s> at %v", p.doc.Name(n), b, p.doc.Name(p.doc.Parent(n)), up)
		}
		if s := p.doc.Prev(n); s != dom.None && block(s) && p.Box(s).Bottom() > b.Y+0.01 {
			t.Errorf("<%s> at %v is not below <%s> at %v", p.doc.Name(n), b, p.doc.Name(s), p.Box(s))
		}
	}
}
