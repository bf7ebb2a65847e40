package layout

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// edges are the four sides of a margin, or of border and padding together.
type edges struct{ top, right, bottom, left float64 }

func (e edges) across() float64 { return e.left + e.right }
func (e edges) down() float64   { return e.top + e.bottom }

// margins of a style; auto is 0. Percentages are of the width of the
// containing block on all sides (CSS 2.2 §8.3).
func (s *style) margins(base float64) edges {
	return edges{s.l[marginTop].of(base), s.l[marginRight].of(base), s.l[marginBottom].of(base), s.l[marginLeft].of(base)}
}

// frame is border and padding.
func (s *style) frame(base float64) edges {
	return edges{
		s.l[borderTop].of(base) + max(0, s.l[paddingTop].of(base)),
		s.l[borderRight].of(base) + max(0, s.l[paddingRight].of(base)),
		s.l[borderBottom].of(base) + max(0, s.l[paddingBottom].of(base)),
		s.l[borderLeft].of(base) + max(0, s.l[paddingLeft].of(base)),
	}
}

// borderBoxed turns a width or height that the style sets into that of the
// border box (CSS Sizing 3 §3.3).
func (s *style) borderBoxed(v, frame float64) float64 {
	if s.word(boxSizing) == borderBox {
		return max(v, frame)
	}
	return max(v, 0) + frame
}

// limitWidth keeps a border box between min-width and max-width (CSS 2.2 §10.4).
func (s *style) limitWidth(w, base, frame float64) float64 {
	if l := s.l[maxWidth]; l.set() {
		w = min(w, s.borderBoxed(l.of(base), frame))
	}
	if l := s.l[minWidth]; l.set() {
		w = max(w, s.borderBoxed(l.of(base), frame))
	}
	return max(0, min(w, maxLength))
}

// limitHeight makes a border box as high as the style wants it. A percentage
// is of a height that nearly always depends on the content: it is auto.
func (s *style) limitHeight(h, frame float64) float64 {
	if l := s.l[height]; l.set() && l.pct == 0 {
		h = s.borderBoxed(l.of(0), frame)
	}
	if l := s.l[maxHeight]; l.set() && l.pct == 0 {
		h = min(h, s.borderBoxed(l.of(0), frame))
	}
	if l := s.l[minHeight]; l.set() && l.pct == 0 {
		h = max(h, s.borderBoxed(l.of(0), frame))
	}
	return max(0, h)
}

// fillWidth is the border box of a block in normal flow: as wide as there is
// room, unless it says otherwise (CSS 2.2 §10.3.3).
func (e *estimator) fillWidth(n dom.Node, s *style, base, room float64) float64 {
	frame := s.frame(base).across()
	w := room - s.margins(base).across()
	switch l := s.l[width]; {
	case e.replaced(n):
		return e.replacedWidth(n, s, base)
	case l.set():
		w = s.borderBoxed(l.of(base), frame)
	case l.isFit() || s.word(display) == table || s.word(display) == inlineTable:
		w = e.fitWidth(n, s, base, room)
	}
	return s.limitWidth(max(w, frame), base, frame)
}

// shrinkWidth is the border box of a float, an inline block or the like: as
// wide as its content, if there is room (CSS 2.2 §10.3.5).
func (e *estimator) shrinkWidth(n dom.Node, s *style, base, room float64) float64 {
	frame := s.frame(base).across()
	var w float64
	switch l := s.l[width]; {
	case e.replaced(n):
		return e.replacedWidth(n, s, base)
	case l.set():
		w = s.borderBoxed(l.of(base), frame)
	default:
		w = e.fitWidth(n, s, base, room)
	}
	return s.limitWidth(w, base, frame)
}

// fitWidth is min(max-content, max(min-content, room)).
func (e *estimator) fitWidth(n dom.Node, s *style, base, room float64) float64 {
	z := &e.sizes[n]
	m := s.margins(base).across()
	// Percentages of padding are not in the intrinsic sizes.
	extra := s.frame(base).across() - s.frame(0).across()
	least, most := float64(z.min)-s.margins(0).across()+extra, float64(z.max)-s.margins(0).across()+extra
	return max(0, min(most, max(least, room-m)))
}

// box lays out n as a box of its own with its border box at x, y and w wide,
// and returns how high that is. Nothing in it reaches out of it but what
// overflows.
func (e *estimator) box(n dom.Node, x, y, w float64) float64 {
	s := e.style(n)
	b := &e.boxes[n]
	*b = method.Box{X: x, Y: y, W: w}
	if e.replaced(n) {
		b.H = e.replacedHeight(n, s, w)
		return b.H
	}
	// The base of percentages is gone here; those of paddings are rare.
	fr := s.frame(w)
	cx, cy, cw := x+fr.left, y+fr.top, max(0, w-fr.across())
	var h float64
	switch s.word(display) {
	case flex, inlineFlex:
		h = e.flex(n, s, cx, cy, cw)
	case grid, inlineGrid:
		h = e.grid(n, s, cx, cy, cw)
	case table, inlineTable:
		var tw float64
		tw, h = e.table(n, s, cx, cy, cw)
		b.W = max(w, tw+fr.across())
	default:
		h = e.root(n, s, cx, cy, cw)
	}
	b.H = s.limitHeight(h+fr.down(), fr.down())
	if s.ratio > 0 && !s.l[height].set() {
		b.H = max(b.H, w/float64(s.ratio))
	}
	return b.H
}

// maxDepth is how deep boxes nest; what is deeper is text of the last one.
const maxDepth = 600

// root lays out the content of n as a block formatting context of its own
// (CSS 2.2 §9.4.1) and returns how high it is, floats included.
func (e *estimator) root(n dom.Node, s *style, x, y, w float64) float64 {
	f := e.flow()
	f.y, f.cur = y, container{node: n, style: s, x: x, w: w}
	// In quirks mode margins do not push the content of a cell from its edges
	// (Quirks Mode Standard §3.7).
	flush := e.mode == quirks && s.word(display) == tableCell
	f.flush = flush
	e.children(f, n)
	e.endLine(f)
	f.flush = flush
	f.commit(e)
	h := max(f.y, f.floats.bottom()) - y
	e.release(f)
	return max(0, h)
}
