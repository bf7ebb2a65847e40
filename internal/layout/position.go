package layout

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// moveRelative moves n from where it stands in the flow (CSS 2.2 §9.4.3).
func (e *estimator) moveRelative(f *flow, n dom.Node, s *style) {
	var dx, dy float64
	switch {
	case s.l[insetLeft].set():
		dx = s.l[insetLeft].of(f.cur.w)
	case s.l[insetRight].set():
		dx = -s.l[insetRight].of(f.cur.w)
	}
	switch { // percentages are of a height that is not known yet
	case s.l[insetTop].set():
		dy = float64(s.l[insetTop].px)
	case s.l[insetBottom].set():
		dy = -float64(s.l[insetBottom].px)
	}
	if dx != 0 || dy != 0 {
		e.shift(n, dx, dy)
	}
}

// containingBlock is the padding box that an absolutely positioned element
// goes by: of the nearest positioned ancestor, or the screen (CSS 2.2 §10.1).
func (e *estimator) containingBlock(n dom.Node, s *style) method.Box {
	if s.word(position) == absolute {
		for p := range e.doc.Ancestors(n) {
			ps := e.style(p)
			if ps.word(position) == static || e.united(p) && e.boxes[p] == (method.Box{}) {
				continue
			}
			b := e.boxes[p]
			b.X += ps.l[borderLeft].of(0)
			b.Y += ps.l[borderTop].of(0)
			b.W = max(0, b.W-ps.l[borderLeft].of(0)-ps.l[borderRight].of(0))
			b.H = max(0, b.H-ps.l[borderTop].of(0)-ps.l[borderBottom].of(0))
			return b
		}
	}
	return method.Box{W: e.screen.Width, H: e.screen.Height}
}

// placeAbsolute lays out an element that stands outside the flow, when its
// containing block has its place (CSS 2.2 §10.3.7 and §10.6.4).
func (e *estimator) placeAbsolute(n dom.Node) {
	s := e.style(n)
	cb := e.containingBlock(n, s)
	at := e.boxes[n] // its static position
	m := s.margins(cb.W)
	l, r, t, b := s.l[insetLeft], s.l[insetRight], s.l[insetTop], s.l[insetBottom]
	room := cb.W - l.of(cb.W) - r.of(cb.W)
	var w float64
	if l.set() && r.set() && !s.l[width].set() {
		w = e.fillWidth(n, s, cb.W, room)
	} else {
		w = e.shrinkWidth(n, s, cb.W, room)
	}
	x, y := at.X+m.left, at.Y+m.top
	switch {
	case l.set() && r.set() && s.l[marginLeft].isAuto() && s.l[marginRight].isAuto():
		x = cb.X + l.of(cb.W) + max(0, (room-w)/2)
	case l.set():
		x = cb.X + l.of(cb.W) + m.left
	case r.set():
		x = cb.Right() - r.of(cb.W) - m.right - w
	}
	if t.set() {
		y = cb.Y + t.of(cb.H) + m.top
	}
	h := e.box(n, x, y, w)
	if hl := s.l[height]; hl.set() && hl.pct != 0 {
		h = hl.of(cb.H)
		e.boxes[n].H = max(0, h)
	} else if t.set() && b.set() && !hl.set() {
		e.boxes[n].H = max(h, cb.H-t.of(cb.H)-b.of(cb.H)-m.down())
	}
	if !t.set() && b.set() {
		e.shift(n, 0, cb.Bottom()-b.of(cb.H)-m.bottom-h-y)
	}
	e.resolve(n, e.doc.End(n))
}
