package layout_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/layout"
	"github.com/lede-news/lede/method"
)

// TestBadPages checks that hostile pages get a valid layout in time.
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
	for _, c := range []struct{ name, page string }{
		{"empty", "x"},
		{"only a style", "<style>p{}"},
		{"500 levels of div", nested(500, "<div style='padding:1px'>")},
		{"500 levels of tables", nested(500, "<table><tr><td>")},
		{"500 levels of flex", nested(500, "<div style=display:flex>")},
		{"500 levels of grid", nested(500, "<div style='display:grid;grid-template-columns:1fr 1fr'>")},
		{"500 levels of floats", nested(500, "<div style=float:left>")},
		{"500 levels of inline blocks", nested(500, "<span style=display:inline-block>")},
		{"500 levels of absolutes", nested(500, "<div style='position:absolute;left:1px'>")},
		{"500 levels of contents", nested(500, "<div style=display:contents>")},
		{"100,000 siblings", strings.Repeat("<p>x", 100_000)},
		{"100,000 inline blocks", strings.Repeat("<img width=9 height=9>", 100_000)},
		{"100,000 floats that stay", strings.Repeat("<b style='float:left;width:1px;height:1000000px'></b>", 100_000)},
		{"100,000 flex items", "<div style=display:flex>" + strings.Repeat("<p>x", 100_000)},
		{"100,000 grid items", "<div style='display:grid;grid-template-columns:repeat(60,1fr)'>" + strings.Repeat("<p>x</p>", 100_000)},
		{"100,000 cells", "<table><tr>" + strings.Repeat("<td rowspan=9999 colspan=9999>x", 100_000)},
		{"100,000 absolutes", strings.Repeat("<b style='position:absolute;top:50%'>x</b>", 100_000)},
		{"a million letters", strings.Repeat("x", 1_000_000)},
		{"a million words in a pixel", "<p style=width:1px>" + strings.Repeat("x ", 1_000_000)},
		{"a million rules", style(many(1_000_000, ".a{width:%dpx}"))},
		{"20,000 rules for every node", style(strings.Repeat(".a .a .a p{margin:1px}", 20_000)) + strings.Repeat("<div class=a><p class=a>x</div>", 5000)},
		{"a long selector", style("p" + strings.Repeat(".a", 1_000_000) + "{width:1px}")},
		{"a deep selector", style(strings.Repeat("div ", 1_000_000) + "{width:1px}")},
		{"a long list", style(strings.Repeat("p,", 1_000_000) + "p{width:1px}")},
		{"descendants that nearly match", style(strings.Repeat("div ", 20)+"q p{width:1px}") + nested(400, "<div>") + strings.Repeat("<p>x</p>", 5000)},
		{"siblings that nearly match", style("q~p~p~p~p{width:1px}") + strings.Repeat("<p>x</p>", 50_000)},
		{"nested media", style(strings.Repeat("@media all{", 100_000) + "p{width:1px}")},
		{"nested blocks", style("p{" + strings.Repeat("a{", 100_000))},
		{"open parentheses", style("p{width:calc" + strings.Repeat("(", 100_000))},
		{"nested calc", style("p{width:" + strings.Repeat("calc(", 150) + "1px")},
		{"nested min", style("p{width:" + strings.Repeat("min(1px,", 100) + "1px")},
		{"variables that grow", style(":root{--a:x;" + many(60, "--v%d:var(--a) var(--a) var(--a)") + "} p{width:var(--v1)}")},
		{"variables in a circle", style(":root{--a:var(--b);--b:var(--a)} p{width:var(--a)}")},
		{"odd numbers", style("p{width:1e9px;height:99999999999999999999px;margin:-1e9px;padding:NaNpx;font-size:1e9em;line-height:1e9;top:-99999999999%;left:infpx;position:relative;gap:1e30px}")},
		{"calc with large numbers", style("p{width:calc(999999px * 999999 * 999999 * 999999 * 999999 * 999999 * 999999 - 999999px * 999999 * 999999 * 999999 * 999999 * 999999 * 999999);height:calc(1px / 0)}")},
		{"odd sizes", "<table width=-5 border=1e9 cellpadding=99999999><tr><td width=999999999999 height=NaN colspan=-3 rowspan=0>x<td width=%>y</table><img width=1e99 height=1><hr width=0%><font size=99>x<font size=-99>y<textarea rows=99999999 cols=99999999>"},
		{"negative margins", strings.Repeat("<div style='margin:-999999px;width:1px;float:right'>x</div>", 1000)},
		{"odd grids", style(".a{display:grid;grid-template-columns:repeat(99999,repeat(9999,1fr)) [ minmax( -5px;grid-column:99999 / -99999} p{grid-column:span 999999 / span 3;grid-area:1/-1/x/span 0}")},
		{"odd selectors", style("#,.,[,[],[=],:,::,>p,p>,p>>p,+,~,*|p,&,p:not(,p:not(:not(p)),\\,\\{width:1px}")},
		{"frameset", "<frameset cols='50%,*'><frame src=a><frame src=b></frameset>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := dom.Parse(context.Background(), []byte(c.page), dom.Options{Charset: "utf-8"})
			if err != nil {
				t.Fatal(err)
			}
			screens := []method.Screen{screen, {}, {Width: -1, Height: 1e300}, {Width: 1, Height: 1}}
			if d.Len() > 10_000 || len(c.page) > 1<<20 {
				screens = screens[:1]
			}
			for _, s := range screens {
				start := time.Now()
				l := layout.Estimate(d, s)
				// Quadratic time would take longer.
				if took := time.Since(start); took > time.Minute {
					t.Errorf("took %v for %d nodes", took, d.Len())
				}
				if err := check(d, l); err != nil {
					t.Error(err)
				}
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
