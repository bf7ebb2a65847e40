package layout

import (
	"math"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// flow is a column that is filled from top to bottom with blocks and lines, beside
// floats.
type flow struct {
	*estimator
	floats
	x, w   float64    // of the content of the current block
	y      float64    // below everything placed so far
	margin float64    // of the last block, not yet in y: the larger of two margins counts
	empty  []dom.Node // blocks without content so far, whose tops depend on the margin
	line   line
}

// line is the current line of text.
type line struct {
	open        bool
	y, height   float64
	left, right float64 // between the floats
	used        float64 // width of its content
}

// commit adds the margin, since content follows it.
func (f *flow) commit() {
	f.y += f.margin
	f.margin = 0
	for _, n := range f.empty {
		f.boxes[n].Y = f.y
	}
	f.empty = f.empty[:0]
}

func (f *flow) children(n dom.Node) {
	if f.doc.Depth(n) > maxDepth {
		for c := n + 1; c < f.doc.End(n); c++ {
			if f.doc.IsText(c) && f.isShown(c) {
				f.text(c)
			}
		}
		return
	}
	for c := range f.doc.Children(n) {
		if f.isShown(c) {
			f.place(c)
		}
	}
}

// place adds a node to the flow.
func (f *flow) place(n dom.Node) {
	if f.doc.IsText(n) {
		f.text(n)
		return
	}
	s := &f.styles[n]
	switch {
	case s.outOfFlow: // laid out where it would be, but it takes no space
		f.box(n, f.x, f.y+f.margin, f.width(n, s, f.w, f.w))
	case s.float != 0:
		f.float(n, s)
	case f.doc.Tag(n) == dom.Br:
		f.lineBreak(s)
	case s.display == inline:
		f.children(n)
	case s.display == inlineBlock || s.display == replaced:
		f.inlineBox(n, s)
	case s.display == table:
		f.placeTable(n, s)
	default:
		f.block(n, s)
	}
}

// block lays out a block, whose lines are beside the floats of the flow.
func (f *flow) block(n dom.Node, s *style) {
	f.endLine()
	f.margin = max(f.margin, s.margin.top)
	f.clear(s)
	w := s.limit(s.width.or(f.w, f.w-s.margin.across()), f.w)
	x := f.x + f.indent(s, w, f.w)
	f.boxes[n] = method.Box{X: x, Y: f.y + f.margin, W: w}
	f.empty = append(f.empty, n)
	if s.padding.top > 0 || s.height.px > 0 {
		f.commit()
		f.y += s.padding.top
	}
	outerX, outerW := f.x, f.w
	f.x, f.w = x+s.padding.left, max(0, w-s.padding.across())
	f.children(n)
	f.endLine()
	f.x, f.w = outerX, outerW
	if k := len(f.empty); k > 0 && f.empty[k-1] == n { // its margins are one
		f.empty = f.empty[:k-1]
	} else {
		b := &f.boxes[n]
		if s.padding.bottom > 0 {
			f.commit()
		}
		f.y = max(f.y+s.padding.bottom, b.Y+s.height.px)
		b.H = f.y - b.Y
	}
	f.margin = max(f.margin, s.margin.bottom)
}

// indent returns the distance of a block from the left of the column.
func (f *flow) indent(s *style, w, room float64) float64 {
	if free := room - w - s.margin.across(); s.centred && free > 0 {
		return s.margin.left + free/2
	}
	return s.margin.left
}

// placeTable lays out a table, which is not beside floats unless it fits there.
func (f *flow) placeTable(n dom.Node, s *style) {
	f.endLine()
	f.margin = max(f.margin, s.margin.top)
	f.clear(s)
	f.commit()
	w := f.width(n, s, f.w, f.w)
	f.y = f.fit(f.y, w, f.x, f.x+f.w)
	lo, hi := f.band(f.y, f.x, f.x+f.w)
	f.y += f.box(n, lo+f.indent(s, w, hi-lo), f.y, w)
	f.margin = max(f.margin, s.margin.bottom)
}

// startLine opens a line with room for content of width w.
func (f *flow) startLine(w float64) {
	f.commit()
	y := f.fit(f.y, min(w, f.w), f.x, f.x+f.w)
	lo, hi := f.band(y, f.x, f.x+f.w)
	f.line = line{open: true, y: y, left: lo, right: hi}
}

func (f *flow) endLine() {
	if f.line.open {
		f.line.open = false
		f.y = f.line.y + f.line.height
	}
}

func (f *flow) lineBreak(s *style) {
	if !f.line.open {
		f.startLine(0)
	}
	f.line.height = max(f.line.height, s.size*s.lineHeight)
	f.endLine()
	f.clear(s)
}

// text places a text in as many lines as it needs. Lines are broken anywhere, but short
// texts are kept together.
func (f *flow) text(n dom.Node) {
	const word = 4 // ems that are not broken
	s := f.styleOf(n)
	text, spaced := f.words(n)
	letter := letterWidth * s.size
	if f.line.open && spaced {
		f.line.used += letter
	}
	high := s.size * s.lineHeight
	for rest := textWidth(text, s.size); rest > 0; {
		least := min(rest, word*s.size)
		if f.line.open && f.line.used > 0 && f.line.right-f.line.left-f.line.used < least {
			f.endLine()
		}
		if !f.line.open {
			f.startLine(least)
		}
		l := &f.line
		part := min(rest, max(letter, l.right-l.left-l.used))
		f.boxes[n] = union(f.boxes[n], method.Box{X: l.left + l.used, Y: l.y, W: part, H: high})
		l.used += part
		l.height = max(l.height, high)
		rest -= part
	}
}

// inlineBox places a picture or another box in the line.
func (f *flow) inlineBox(n dom.Node, s *style) {
	w := f.width(n, s, f.w, f.w)
	outer := w + s.margin.across()
	l := &f.line
	if l.open && l.used > 0 && l.used+outer > l.right-l.left {
		f.endLine()
	}
	if !l.open {
		f.startLine(outer)
	}
	h := f.box(n, l.left+l.used+s.margin.left, l.y+s.margin.top, w)
	l.used += outer
	l.height = max(l.height, h+s.margin.top+s.margin.bottom)
}

// floats are the floats of a flow, by side, and the top of the last one: no other is above.
type floats struct {
	left, right []floated
	top         float64
}

// floated is the edge of a float towards the text, its top and its bottom, with margins.
type floated struct{ edge, top, bottom float64 }

// maxFloats is the number of floats on a side that are kept; of more, the first is
// forgotten.
const maxFloats = 32

// float places a float as high and as far out as possible (CSS 2.2 §9.5.1).
func (f *flow) float(n dom.Node, s *style) {
	w := f.width(n, s, f.w, f.w)
	outer := max(0, w+s.margin.across())
	y := f.y + f.margin
	if s.clear {
		y = max(y, f.bottom())
	}
	if f.line.open {
		y = f.line.y
		if f.line.used+outer > f.line.right-f.line.left {
			y += f.line.height // below the current line
		}
	}
	y = f.fit(max(y, f.top), outer, f.x, f.x+f.w)
	f.top = y
	lo, hi := f.band(y, f.x, f.x+f.w)
	x := lo
	if s.float == right {
		x = hi - outer
	}
	bottom := y + s.margin.top + f.box(n, x+s.margin.left, y+s.margin.top, w) + s.margin.bottom
	edges, edge := &f.left, x+outer
	if s.float == right {
		edges, edge = &f.right, x
	}
	*edges = append((*edges)[max(0, len(*edges)-maxFloats+1):], floated{edge, y, bottom})
	if f.line.open && y <= f.line.y {
		f.line.left, f.line.right = f.band(f.line.y, f.x, f.x+f.w)
	}
}

// band returns the space between the floats at y.
func (fs *floats) band(y, lo, hi float64) (float64, float64) {
	for _, f := range fs.left {
		if f.top <= y && y < f.bottom {
			lo = max(lo, f.edge)
		}
	}
	for _, f := range fs.right {
		if f.top <= y && y < f.bottom {
			hi = min(hi, f.edge)
		}
	}
	return lo, max(lo, hi)
}

// fit returns the first position from y on where w fits between the floats, or there are
// none.
func (fs *floats) fit(y, w, lo, hi float64) float64 {
	for range 2 * maxFloats {
		l, r := fs.band(y, lo, hi)
		if r-l >= w || l == lo && r == hi {
			break
		}
		next := math.Inf(1)
		for _, side := range [...][]floated{fs.left, fs.right} {
			for _, f := range side {
				if f.bottom > y {
					next = min(next, f.bottom)
				}
			}
		}
		if math.IsInf(next, 1) {
			break
		}
		y = next
	}
	return y
}

// clear moves the flow below the floats if a style asks for it.
func (f *flow) clear(s *style) {
	if to := f.bottom(); s.clear && to > f.y+f.margin {
		f.commit()
		f.y = to
	}
}

// bottom returns the bottom of the lowest float.
func (fs *floats) bottom() float64 {
	y := math.Inf(-1)
	for _, side := range [...][]floated{fs.left, fs.right} {
		for _, f := range side {
			y = max(y, f.bottom)
		}
	}
	return y
}
