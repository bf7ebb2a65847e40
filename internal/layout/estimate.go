package layout

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Estimate guesses the layout of a page from its markup alone: its tags, its
// style attributes and its <style> elements. It follows CSS where that is
// simple, measures letters by the widths of common fonts, and loads nothing:
// pictures without a size, linked sheets and scripts do not count. It takes
// about as long as parsing the page, whatever the page.
func Estimate(d *dom.Document, screen method.Screen) *method.Layout {
	screen = sane(screen)
	e := &estimator{cascade: newCascade(d, sheets(d, screen)), screen: screen}
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

// sane is a screen that a page can be laid out on.
func sane(s method.Screen) method.Screen {
	if !(s.Width >= 1 && s.Width <= maxLength) {
		s.Width = 1280
	}
	if !(s.Height >= 1 && s.Height <= maxLength) {
		s.Height = 800
	}
	return s
}

// sheets reads the <style> elements of a page.
func sheets(d *dom.Document, screen method.Screen) *sheet {
	s := newSheet(screen, d)
	for n := range d.All(0, dom.Style) {
		if t := trim(d.AttrOr(n, "type")); t != "" && lower(t) != "text/css" {
			continue
		}
		if s.media(d.AttrOr(n, "media")) {
			s.add(d.Raw(n))
		}
	}
	s.resolveVars()
	return s
}

// estimator lays out one page.
type estimator struct {
	*cascade
	screen    method.Screen
	boxes     []method.Box
	shifts    []offset // see shift
	sizes     []intrinsic
	absolutes []dom.Node // to be placed once the rest is
	pool      []*flow
}

type offset struct{ x, y float64 }

func (e *estimator) style(n dom.Node) *style { return &e.styles[e.at[n]] }

func (e *estimator) shown(n dom.Node) bool { return e.at[n] != notShown }

// page lays out the root element in the initial containing block (CSS 2.2
// §10.1), and then what is positioned in it.
func (e *estimator) page() {
	e.box(0, 0, 0, e.screen.Width)
	e.resolve(0, dom.Node(e.doc.Len()))
	for i := 0; i < len(e.absolutes); i++ { // grows while it is worked off
		e.placeAbsolute(e.absolutes[i])
	}
}

// shift moves n and all below it. Subtrees are ranges, so a shift is a change
// at the beginning of a range and its opposite at the end; resolve adds them up.
func (e *estimator) shift(n dom.Node, dx, dy float64) {
	end := e.doc.End(n)
	e.shifts[n].x += dx
	e.shifts[n].y += dy
	e.shifts[end].x -= dx
	e.shifts[end].y -= dy
}

// resolve carries out the shifts in [n, end), but not inside what is yet to
// be placed.
func (e *estimator) resolve(n, end dom.Node) {
	var sum offset
	first := n
	for n < end {
		sum.x += e.shifts[n].x
		sum.y += e.shifts[n].y
		e.shifts[n] = offset{}
		e.boxes[n].X += sum.x
		e.boxes[n].Y += sum.y
		if n != first && e.waits(n) {
			n = e.doc.End(n)
		} else {
			n++
		}
	}
	e.shifts[end] = offset{}
}

// waits reports whether n is placed after the flow.
func (e *estimator) waits(n dom.Node) bool {
	if !e.shown(n) || e.doc.IsText(n) {
		return false
	}
	p := e.style(n).word(position)
	return p == absolute || p == fixed
}

// finish gives inline elements their boxes and takes away those of nodes that
// show nothing.
func (e *estimator) finish() *method.Layout {
	l := &method.Layout{Screen: e.screen, Boxes: e.boxes, Fonts: make([]method.Font, len(e.boxes))}
	e.unite()
	for n := range dom.Node(e.doc.Len()) {
		l.Fonts[n] = e.typeOf(n, l.Fonts)
		b := &e.boxes[n]
		if n != 0 && (!e.shown(n) || e.style(n).word(visibility) != visible || offScreen(*b)) {
			*b = method.Box{}
		}
		*b = method.Box{X: clamp(b.X), Y: clamp(b.Y), W: max(0, clamp(b.W)), H: max(0, clamp(b.H))}
		l.Width, l.Height = max(l.Width, b.Right()), max(l.Height, b.Bottom())
	}
	l.Width = max(l.Width, e.screen.Width)
	e.boxes[0] = method.Box{W: l.Width, H: l.Height}
	return l
}

func (e *estimator) typeOf(n dom.Node, done []method.Font) method.Font {
	if !e.shown(n) {
		return done[e.doc.Parent(n)]
	}
	s := e.style(n)
	return method.Font{Size: float64(s.size), Weight: int(s.weight)}
}

// offScreen boxes are where no reader can scroll to.
func offScreen(b method.Box) bool { return b.X < 0 && b.Right() <= 0 || b.Y < 0 && b.Bottom() <= 0 }

func clamp(v float64) float64 {
	if v != v {
		return 0
	}
	return max(-maxPage, min(v, maxPage))
}

// unite gives inline elements the union of what stands in them (CSSOM View
// §6), children first.
func (e *estimator) unite() {
	for n := dom.Node(e.doc.Len() - 1); n > 0; n-- {
		if !e.shown(n) || e.waits(n) {
			continue
		}
		p := e.doc.Parent(n)
		if e.doc.IsText(n) || !e.floats(n) {
			if e.united(p) && e.shown(p) {
				e.boxes[p] = union(e.boxes[p], e.boxes[n])
			}
		}
	}
}

// united reports whether the box of n is that of its content.
func (e *estimator) united(n dom.Node) bool {
	if e.doc.IsText(n) || !e.shown(n) {
		return false
	}
	switch e.style(n).word(display) {
	case inline, contents, ruby:
		return !e.floats(n) && !e.waits(n) && !e.blockified(n)
	}
	return false
}

// blockified elements are items of a flex or grid container: the children
// have boxes of their own whatever their display (CSS Display 3 §2.7).
func (e *estimator) blockified(n dom.Node) bool {
	p := e.doc.Parent(n)
	if p == dom.None || !e.shown(p) {
		return false
	}
	switch e.style(p).word(display) {
	case flex, inlineFlex, grid, inlineGrid:
		return true
	}
	return false
}

func (e *estimator) floats(n dom.Node) bool { return e.style(n).word(float) != none }

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
		open, frags := f.open[:0], f.line.frags[:0]
		l, r := f.left[:0], f.right[:0]
		*f = flow{open: open, line: line{frags: frags}}
		f.left, f.right = l, r
		return f
	}
	return &flow{}
}

func (e *estimator) release(f *flow) { e.pool = append(e.pool, f) }
