package layout

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// item is a child of a flex or grid container.
type item struct {
	n      dom.Node
	s      *style
	m      edges
	base   float64 // outer width before it grows or shrinks
	least  float64
	grow   float64
	shrink float64
	w, h   float64 // outer
	x      float64
	frozen bool
}

// items lists the children of a container that take part in its layout. Each
// run of text is an item of its own; display: contents hands its children up.
func (e *estimator) items(n dom.Node, cx, cy, cw float64, out []item) []item {
	for c := range e.doc.Children(n) {
		if !e.shown(c) {
			continue
		}
		if e.doc.IsText(c) { // an anonymous box, on which nothing is set
			out = append(out, item{n: c, s: &initialStyle})
			continue
		}
		s := e.style(c)
		switch {
		case e.waits(c):
			e.boxes[c] = method.Box{X: cx, Y: cy}
			e.absolutes = append(e.absolutes, c)
		case s.word(display) == contents && e.doc.Depth(c) < maxDepth:
			out = e.items(c, cx, cy, cw, out)
		default:
			out = append(out, item{n: c, s: s, m: s.margins(cw)})
		}
	}
	return out
}

// layItem lays out an item whose margin box is at x, y and w wide.
func (e *estimator) layItem(it *item, x, y, w float64) float64 {
	if e.doc.IsText(it.n) {
		f := e.flow()
		f.y, f.cur = y, container{node: e.doc.Parent(it.n), style: e.style(it.n), x: x, w: max(0, w)}
		e.text(f, it.n)
		e.endLine(f)
		h := f.y - y
		e.release(f)
		return h
	}
	if e.doc.Depth(it.n) > maxDepth {
		return 0
	}
	h := e.box(it.n, x+it.m.left, y+it.m.top, max(0, w-it.m.across())) + it.m.down()
	if it.s.word(position) == relativePos {
		e.moveRelative(&flow{cur: container{w: w}}, it.n, it.s)
	}
	return h
}
