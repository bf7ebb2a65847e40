// Package layout estimates the layout of a page without a browser: the box and
// the font of every node. It follows CSS 2.2, Flexbox and Grid as far as news
// pages need them, on top of the cascade of package css.
package layout

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/css"
	"github.com/lede-news/lede/method"
)

// Estimate estimates the layout of a page from its elements, its style
// attributes and its <style> elements. It measures text by the widths of common
// fonts and loads nothing: pictures without a size, linked style sheets and
// scripts do not count. It takes about as long as parsing the page.
func Estimate(d *dom.Document, screen method.Screen) *method.Layout {
	screen = validScreen(screen)
	e := &estimator{cascade: newCascade(d, css.Screen(screen)), screen: screen}
	e.run()
	if e.storyHidden() {
		e.restart()
		e.run()
	}
	e.boxes = make([]method.Box, d.Len())
	e.shifts = make([]offset, d.Len()+1)
	e.sizes = make([]intrinsic, d.Len())
	e.measureAll()
	e.page()
	return e.finish()
}

// validScreen replaces sizes that a page cannot be laid out for.
func validScreen(s method.Screen) method.Screen {
	if !(s.Width >= 1 && s.Width <= css.MaxLength) {
		s.Width = 1280
	}
	if !(s.Height >= 1 && s.Height <= css.MaxLength) {
		s.Height = 800
	}
	return s
}

// estimator lays out one page.
type estimator struct {
	*cascade
	screen    method.Screen
	boxes     []method.Box
	shifts    []offset // see shift
	sizes     []intrinsic
	absolutes []dom.Node // placed after the flow
	pool      []*flow
}

type offset struct{ x, y float64 }

func (e *estimator) style(n dom.Node) *style { return &e.styles[e.at[n]] }

func (e *estimator) isShown(n dom.Node) bool { return e.at[n] != notShown }

// page lays out the root element in the initial containing block (CSS 2.2
// §10.1), and then what is positioned in it.
func (e *estimator) page() {
	e.box(0, 0, 0, e.screen.Width)
	e.resolve(0, dom.Node(e.doc.Len()))
	for i := 0; i < len(e.absolutes); i++ { // grows while it is processed
		e.placeAbsolute(e.absolutes[i])
	}
}

// shift moves n and its descendants. Subtrees are ranges, so a shift is added at
// the beginning of a range and subtracted at its end; resolve sums them up.
func (e *estimator) shift(n dom.Node, dx, dy float64) {
	end := e.doc.End(n)
	e.shifts[n].x += dx
	e.shifts[n].y += dy
	e.shifts[end].x -= dx
	e.shifts[end].y -= dy
}

// resolve applies the shifts in [n, end), except inside of absolutely positioned
// elements, which are placed later.
func (e *estimator) resolve(n, end dom.Node) {
	var sum offset
	first := n
	for n < end {
		sum.x += e.shifts[n].x
		sum.y += e.shifts[n].y
		e.shifts[n] = offset{}
		e.boxes[n].X += sum.x
		e.boxes[n].Y += sum.y
		if n != first && e.isAbsolute(n) {
			n = e.doc.End(n)
		} else {
			n++
		}
	}
	e.shifts[end] = offset{}
}

// isAbsolute reports whether n is positioned outside of the flow.
func (e *estimator) isAbsolute(n dom.Node) bool {
	if !e.isShown(n) || e.doc.IsText(n) {
		return false
	}
	p := e.style(n).word(position)
	return p == absolute || p == fixed
}

// finish computes the boxes of inline elements and clears those of nodes that
// are not visible.
func (e *estimator) finish() *method.Layout {
	l := &method.Layout{Screen: e.screen, Boxes: e.boxes, Fonts: make([]method.Font, len(e.boxes))}
	e.uniteInlines()
	for n := range dom.Node(e.doc.Len()) {
		l.Fonts[n] = e.fontOf(n, l.Fonts)
		b := &e.boxes[n]
		if n != 0 && (!e.isShown(n) || e.style(n).word(visibility) != visible || offScreen(*b)) {
			*b = method.Box{}
		}
		*b = method.Box{X: clamp(b.X), Y: clamp(b.Y), W: max(0, clamp(b.W)), H: max(0, clamp(b.H))}
		l.Width, l.Height = max(l.Width, b.Right()), max(l.Height, b.Bottom())
	}
	l.Width = max(l.Width, e.screen.Width)
	e.boxes[0] = method.Box{W: l.Width, H: l.Height}
	return l
}

func (e *estimator) fontOf(n dom.Node, done []method.Font) method.Font {
	if !e.isShown(n) {
		return done[e.doc.Parent(n)]
	}
	s := e.style(n)
	return method.Font{Size: float64(s.size), Weight: int(s.weight)}
}

// offScreen reports whether readers cannot scroll to a box.
func offScreen(b method.Box) bool { return b.X < 0 && b.Right() <= 0 || b.Y < 0 && b.Bottom() <= 0 }

func clamp(v float64) float64 {
	if v != v {
		return 0
	}
	return max(-maxPage, min(v, maxPage))
}

// uniteInlines gives inline elements the union of the boxes of their content
// (CSSOM View §6), children first.
func (e *estimator) uniteInlines() {
	for n := dom.Node(e.doc.Len() - 1); n > 0; n-- {
		if !e.isShown(n) || e.isAbsolute(n) {
			continue
		}
		p := e.doc.Parent(n)
		if e.doc.IsText(n) || !e.isFloat(n) {
			if e.isInline(p) && e.isShown(p) {
				e.boxes[p] = union(e.boxes[p], e.boxes[n])
			}
		}
	}
}

// isInline reports whether the box of n is the union of those of its content.
func (e *estimator) isInline(n dom.Node) bool {
	if e.doc.IsText(n) || !e.isShown(n) {
		return false
	}
	switch e.style(n).word(display) {
	case inline, contents, ruby:
		return !e.isFloat(n) && !e.isAbsolute(n) && !e.isBlockified(n)
	}
	return false
}

// isBlockified reports whether n is an item of a flex or grid container, which
// has a box of its own whatever its display (CSS Display 3 §2.7).
func (e *estimator) isBlockified(n dom.Node) bool {
	p := e.doc.Parent(n)
	if p == dom.None || !e.isShown(p) {
		return false
	}
	switch e.style(p).word(display) {
	case flex, inlineFlex, grid, inlineGrid:
		return true
	}
	return false
}

func (e *estimator) isFloat(n dom.Node) bool { return e.style(n).word(float) != none }

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

// flow takes an empty flow from the pool.
func (e *estimator) flow() *flow {
	if k := len(e.pool); k > 0 {
		f := e.pool[k-1]
		e.pool = e.pool[:k-1]
		*f = flow{
			open: f.open[:0], line: line{frags: f.line.frags[:0]},
			floats: floats{left: f.left[:0], right: f.right[:0]},
		}
		return f
	}
	return &flow{}
}

func (e *estimator) release(f *flow) { e.pool = append(e.pool, f) }

// edges are the four sides of a margin, or of border and padding together.
type edges struct{ top, right, bottom, left float64 }

func (e edges) across() float64 { return e.left + e.right }
func (e edges) down() float64   { return e.top + e.bottom }

// margins returns the margins; auto is 0. Percentages refer to the width of the
// containing block on all sides (CSS 2.2 §8.3).
func (s *style) margins(base float64) edges {
	return edges{s.l[marginTop].of(base), s.l[marginRight].of(base), s.l[marginBottom].of(base), s.l[marginLeft].of(base)}
}

// frame returns border and padding.
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
	if l := s.l[maxWidth]; l.isSet() {
		w = min(w, s.borderBoxed(l.of(base), frame))
	}
	if l := s.l[minWidth]; l.isSet() {
		w = max(w, s.borderBoxed(l.of(base), frame))
	}
	return max(0, min(w, css.MaxLength))
}

// limitHeight applies height, max-height and min-height to a border box.
// Percentages count as auto, since the height of the containing block nearly
// always depends on its content.
func (s *style) limitHeight(h, frame float64) float64 {
	if l := s.l[height]; l.isSet() && l.pct == 0 {
		h = s.borderBoxed(l.of(0), frame)
	}
	if l := s.l[maxHeight]; l.isSet() && l.pct == 0 {
		h = min(h, s.borderBoxed(l.of(0), frame))
	}
	if l := s.l[minHeight]; l.isSet() && l.pct == 0 {
		h = max(h, s.borderBoxed(l.of(0), frame))
	}
	return max(0, h)
}

// fillWidth returns the width of the border box of a block in normal flow: all
// that is available, unless the style sets it (CSS 2.2 §10.3.3).
func (e *estimator) fillWidth(n dom.Node, s *style, base, room float64) float64 {
	d := s.word(display)
	if e.isReplaced(n) || !s.l[width].isAuto() || d == table || d == inlineTable {
		return e.shrinkWidth(n, s, base, room)
	}
	frame := s.frame(base).across()
	return s.limitWidth(max(room-s.margins(base).across(), frame), base, frame)
}

// shrinkWidth returns the width of the border box of a float, an inline block or
// the like: that of its content, if there is room (CSS 2.2 §10.3.5).
func (e *estimator) shrinkWidth(n dom.Node, s *style, base, room float64) float64 {
	if e.isReplaced(n) {
		return e.replacedWidth(n, s, base)
	}
	frame := s.frame(base).across()
	w := e.fitWidth(n, s, base, room)
	if l := s.l[width]; l.isSet() {
		w = s.borderBoxed(l.of(base), frame)
	}
	return s.limitWidth(w, base, frame)
}

// fitWidth returns min(max-content, max(min-content, room)).
func (e *estimator) fitWidth(n dom.Node, s *style, base, room float64) float64 {
	z := &e.sizes[n]
	m := s.margins(base).across()
	// Percentages of padding are not in the intrinsic sizes.
	extra := s.frame(base).across() - s.frame(0).across()
	least, most := float64(z.min)-s.margins(0).across()+extra, float64(z.max)-s.margins(0).across()+extra
	return max(0, min(most, max(least, room-m)))
}

// box lays out n as an independent box with its border box at x, y and the width
// w, and returns its height.
func (e *estimator) box(n dom.Node, x, y, w float64) float64 {
	s := e.style(n)
	b := &e.boxes[n]
	*b = method.Box{X: x, Y: y, W: w}
	if e.isReplaced(n) {
		b.H = e.replacedHeight(n, s, w)
		return b.H
	}
	// Percentages should refer to the containing block; those of paddings are rare.
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
	if s.ratio > 0 && !s.l[height].isSet() {
		b.H = max(b.H, w/float64(s.ratio))
	}
	return b.H
}

// maxDepth is the deepest nesting of boxes; deeper text belongs to the last one.
const maxDepth = 600

// root lays out the content of n as a new block formatting context (CSS 2.2
// §9.4.1) and returns its height with floats.
func (e *estimator) root(n dom.Node, s *style, x, y, w float64) float64 {
	f := e.flow()
	f.y, f.cur = y, container{node: n, style: s, x: x, w: w}
	// In quirks mode the outer margins of the content of a cell are dropped
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

// moveRelative moves n from its position in the flow (CSS 2.2 §9.4.3).
func (e *estimator) moveRelative(f *flow, n dom.Node, s *style) {
	var dx, dy float64
	switch {
	case s.l[insetLeft].isSet():
		dx = s.l[insetLeft].of(f.cur.w)
	case s.l[insetRight].isSet():
		dx = -s.l[insetRight].of(f.cur.w)
	}
	switch { // percentages refer to a height that is not known yet
	case s.l[insetTop].isSet():
		dy = float64(s.l[insetTop].px)
	case s.l[insetBottom].isSet():
		dy = -float64(s.l[insetBottom].px)
	}
	if dx != 0 || dy != 0 {
		e.shift(n, dx, dy)
	}
}

// containingBlock returns the padding box of the nearest positioned ancestor, or
// the screen (CSS 2.2 §10.1).
func (e *estimator) containingBlock(n dom.Node, s *style) method.Box {
	if s.word(position) == absolute {
		for p := range e.doc.Ancestors(n) {
			ps := e.style(p)
			if ps.word(position) == static || e.isInline(p) && e.boxes[p] == (method.Box{}) {
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

// placeAbsolute lays out an absolutely positioned element after its containing
// block (CSS 2.2 §10.3.7 and §10.6.4).
func (e *estimator) placeAbsolute(n dom.Node) {
	s := e.style(n)
	cb := e.containingBlock(n, s)
	at := e.boxes[n] // its static position
	m := s.margins(cb.W)
	l, r, t, b := s.l[insetLeft], s.l[insetRight], s.l[insetTop], s.l[insetBottom]
	room := cb.W - l.of(cb.W) - r.of(cb.W)
	var w float64
	if l.isSet() && r.isSet() && !s.l[width].isSet() {
		w = e.fillWidth(n, s, cb.W, room)
	} else {
		w = e.shrinkWidth(n, s, cb.W, room)
	}
	x, y := at.X+m.left, at.Y+m.top
	switch {
	case l.isSet() && r.isSet() && s.l[marginLeft].isAuto() && s.l[marginRight].isAuto():
		x = cb.X + l.of(cb.W) + max(0, (room-w)/2)
	case l.isSet():
		x = cb.X + l.of(cb.W) + m.left
	case r.isSet():
		x = cb.Right() - r.of(cb.W) - m.right - w
	}
	if t.isSet() {
		y = cb.Y + t.of(cb.H) + m.top
	}
	h := e.box(n, x, y, w)
	if hl := s.l[height]; hl.isSet() && hl.pct != 0 {
		h = hl.of(cb.H)
		e.boxes[n].H = max(0, h)
	} else if t.isSet() && b.isSet() && !hl.isSet() {
		e.boxes[n].H = max(h, cb.H-t.of(cb.H)-b.of(cb.H)-m.down())
	}
	if !t.isSet() && b.isSet() {
		e.shift(n, 0, cb.Bottom()-b.of(cb.H)-m.bottom-h-y)
	}
	e.resolve(n, e.doc.End(n))
}
