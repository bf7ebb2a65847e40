package layout_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/layout"
	"github.com/lede-news/lede/method"
)

// check holds what is true of every layout, whatever the page.
func check(d *dom.Document, l *method.Layout) error {
	if len(l.Boxes) != d.Len() || len(l.Fonts) != d.Len() {
		return fmt.Errorf("%d boxes and %d types for %d nodes", len(l.Boxes), len(l.Fonts), d.Len())
	}
	if l.Measured {
		return fmt.Errorf("an estimate is not measured")
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

// TestRealPages holds every page to what is true of all, and to being the same
// every time.
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

// TestBlocksEncloseBlocks wants blocks in normal flow inside their parents,
// one below the other, on a page that sets no heights.
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
