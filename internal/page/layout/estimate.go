// Package layout estimates the layout of a page without a browser: the box and
// the font of every node, from tags, attributes and style attributes.
//
// It is an estimate for pages of 2009 and for pages without their style sheets:
// blocks below one another, lines of text, floats, and tables whose columns have
// the widths that the page declares. Style sheets are not read; package browser
// measures what they do.
package layout

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Estimate estimates the layout of a page. What dom hides takes no space.
// Characters have an average width, and pictures without a size count for nothing.
func Estimate(d *dom.Document, screen method.Screen) *method.Layout {
	e := &estimator{
		doc:    d,
		styles: make([]style, d.Len()),
		widths: make([]contentWidth, d.Len()),
		boxes:  make([]method.Box, d.Len()),
	}
	e.computeStyles()
	e.measureContent()
	e.box(0, 0, 0, screen.Width)
	e.uniteInlines()
	return e.layout(screen)
}

// estimator lays out one page.
type estimator struct {
	doc    *dom.Document
	styles []style        // by node; those of text are not used
	widths []contentWidth // by node
	boxes  []method.Box   // by node
}

// isShown reports whether n takes space, if its parent does. Players and drawings are
// hidden as text.
func (e *estimator) isShown(n dom.Node) bool {
	return !e.doc.Hidden(n) || e.styles[n].display == replaced
}

// styleOf returns the style of an element, or of the parent of a text.
func (e *estimator) styleOf(n dom.Node) *style {
	if e.doc.IsText(n) {
		n = e.doc.Parent(n)
	}
	return &e.styles[n]
}

// maxDepth is the deepest nesting of boxes. Text that is deeper belongs to the last one.
const maxDepth = 600

// box lays out n as a box of its own: x and y are its corner and w is its width. It
// returns its height.
func (e *estimator) box(n dom.Node, x, y, w float64) float64 {
	s := &e.styles[n]
	b := method.Box{X: x, Y: y, W: w}
	switch s.display {
	case replaced:
		b.H = e.pictureHeight(n, s, w)
	case table:
		e.boxes[n] = b
		b.H = e.table(n, x, y, w)
	default:
		f := &flow{estimator: e, y: y + s.padding.top, x: x + s.padding.left, w: max(0, w-s.padding.across())}
		f.children(n)
		f.endLine()
		f.commit()
		b.H = max(f.y, f.bottom()) + s.padding.bottom - y
	}
	b.H = max(b.H, s.height.of(0))
	e.boxes[n] = b
	return b.H
}

// uniteInlines gives inline elements the box around their content, children first.
func (e *estimator) uniteInlines() {
	for n := dom.Node(e.doc.Len() - 1); n > 0; n-- {
		p := e.doc.Parent(n)
		switch e.styles[p].display {
		case inline, tableGroup:
			e.boxes[p] = union(e.boxes[p], e.boxes[n])
		}
	}
}

func union(a, b method.Box) method.Box {
	if b.W <= 0 && b.H <= 0 {
		return a
	}
	if a.W <= 0 && a.H <= 0 {
		return b
	}
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return method.Box{X: x, Y: y, W: max(a.Right(), b.Right()) - x, H: max(a.Bottom(), b.Bottom()) - y}
}

// layout returns the result, with all numbers within the limits of a page.
func (e *estimator) layout(screen method.Screen) *method.Layout {
	const most = 1 << 30 // pixels
	l := &method.Layout{Screen: screen, Width: screen.Width, Boxes: e.boxes, Fonts: make([]method.Font, len(e.boxes))}
	for n := range e.boxes {
		b := &e.boxes[n]
		for _, v := range [...]*float64{&b.X, &b.Y, &b.W, &b.H} {
			*v = max(-most, min(*v, most))
		}
		b.W, b.H = max(0, b.W), max(0, b.H)
		l.Width, l.Height = max(l.Width, b.Right()), max(l.Height, b.Bottom())
		s := e.styleOf(dom.Node(n))
		l.Fonts[n] = method.Font{Size: s.size, Weight: s.weight}
	}
	e.boxes[0] = method.Box{W: l.Width, H: l.Height}
	return l
}
