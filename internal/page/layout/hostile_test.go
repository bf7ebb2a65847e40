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
	nested := func(n int, open string) string { return strings.Repeat(open, n) + "story" }
	for _, c := range []struct {
		name string
		n    int // the size of a page that is checked for linear time
		page func(n int) string
	}{
		{"empty", 0, func(int) string { return "x" }},
		{"500 levels of div", 0, func(int) string { return nested(500, "<div style='padding:1px'>") }},
		{"500 levels of tables", 0, func(int) string { return nested(500, "<table><tr><td>") }},
		{"500 levels of floats", 0, func(int) string { return nested(500, "<div style=float:left>") }},
		{"500 levels of inline blocks", 0, func(int) string { return nested(500, "<span style=display:inline-block>") }},
		{"many siblings", 20_000, func(n int) string { return strings.Repeat("<p>x", n) }},
		{"many inline blocks", 20_000, func(n int) string { return strings.Repeat("<img width=9 height=9>", n) }},
		{"many floats that stay", 20_000, func(n int) string { return strings.Repeat("<b style='float:left;width:1px;height:1000000px'></b>", n) }},
		{"many cells", 20_000, func(n int) string { return "<table><tr>" + strings.Repeat("<td rowspan=9999 colspan=9999>x", n) }},
		{"many letters", 20_000, func(n int) string { return strings.Repeat("x", 5*n) }},
		{"many words in a pixel", 20_000, func(n int) string { return "<p style=width:1px>" + strings.Repeat("x ", 5*n) }},
		{"odd numbers", 0, func(int) string {
			return "<p style='width:1e9px;height:99999999999999999999px;margin:-1e9px;padding:NaNpx;font-size:1e9em;line-height:1e9;float:infpx;width:.;height:-'>story"
		}},
		{"wider and wider", 0, func(int) string {
			return nested(500, "<div style='width:999999%;padding:999999px;font-size:999999%;line-height:9999'>")
		}},
		{"a long style", 20_000, func(n int) string { return "<p style='" + strings.Repeat("margin:1px;", n) + "'>story" }},
		{"odd sizes", 0, func(int) string {
			return "<table width=-5 border=1e9 cellpadding=99999999><tr><td width=999999999999 height=NaN colspan=-3 rowspan=0>x<td width=%>y</table>" +
				"<img width=1e99 height=1><hr width=0%><font size=99>x<font size=-99>y<textarea rows=99999999 cols=99999999>"
		}},
		{"negative margins", 0, func(int) string {
			return strings.Repeat("<div style='margin:-999999px;width:1px;float:right'>x</div>", 1000)
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
			for _, s := range []method.Screen{screen, {Width: 1, Height: 1}} {
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
	page := `<section><h1>Head</h1><p>One two three.<div class=n><p>Four<ul><li>five<li>six<p>seven</ul><div></div></div><blockquote>eight</blockquote></section>
		<section><div><div><p>nine</div></div><div class=n>ten</div></section>`
	page = strings.ReplaceAll(page, "<section>", "<section style='padding:7px;margin:11px 5px'>")
	p := lay(t, strings.ReplaceAll(page, "class=n", "style='margin:20px;padding:1px'"))
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
