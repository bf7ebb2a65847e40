package layout

import (
	"math"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// flow is a block formatting context while it is filled from top to bottom.
type flow struct {
	floats
	y      float64    // of the next block without its margin
	margin margin     // not yet added to y, since it may collapse
	open   []dom.Node // blocks whose top edge depends on that margin
	cur    container
	line   line
	flush  bool // the first margin is dropped: see root
}

// container is the block whose content is being placed.
type container struct {
	node  dom.Node
	style *style
	x, w  float64 // of its content box
}

// margin is a set of adjoining margins: they collapse to the largest positive
// and the largest negative one (CSS 2.2 §8.3.1).
type margin struct{ plus, minus float64 }

func (m *margin) add(v float64) {
	m.plus = max(m.plus, v)
	m.minus = min(m.minus, v)
}

func (m *margin) sum() float64 { return m.plus + m.minus }

// commit adds the margin to y, since content follows it.
func (f *flow) commit(e *estimator) {
	if f.flush {
		f.flush, f.margin = false, margin{}
	}
	f.y += f.margin.sum()
	f.margin = margin{}
	for _, n := range f.open {
		e.boxes[n].Y = f.y
	}
	f.open = f.open[:0]
}

func (e *estimator) children(f *flow, n dom.Node) {
	if e.doc.Depth(n) > maxDepth {
		e.deepText(f, n)
		return
	}
	for c, end := n+1, e.doc.End(n); c < end; c = e.doc.End(c) {
		e.place(f, c)
	}
}

// deepText places the text of a subtree that is nested too deeply for boxes.
func (e *estimator) deepText(f *flow, n dom.Node) {
	for c, end := n+1, e.doc.End(n); c < end; c++ {
		if e.doc.IsText(c) && e.isShown(c) {
			e.text(f, c)
		}
	}
}

// place adds a child to the flow by its position, float and display.
func (e *estimator) place(f *flow, n dom.Node) {
	if !e.isShown(n) {
		return
	}
	if e.doc.IsText(n) {
		e.text(f, n)
		return
	}
	s := e.style(n)
	switch {
	case e.isAbsolute(n):
		e.deferAbsolute(f, n)
		return
	case s.word(float) != none:
		e.floatBox(f, n, s)
	case e.doc.Tag(n) == dom.Br:
		e.lineBreak(f, s)
	default:
		e.placeInFlow(f, n, s)
	}
	if s.word(position) == relativePos {
		e.moveRelative(f, n, s)
	}
}

func (e *estimator) placeInFlow(f *flow, n dom.Node, s *style) {
	switch s.word(display) {
	case inline, ruby:
		e.inlineBox(f, n, s)
	case contents:
		e.children(f, n)
	case inlineBlock, inlineFlex, inlineGrid, inlineTable, tableCell:
		e.atomic(f, n, s)
	case tableColumn:
	case flex, grid, table, flowRoot:
		e.rootBlock(f, n, s)
	default:
		if e.isReplaced(n) || s.word(overflow) != visible || e.doc.Tag(n) == dom.HTML {
			e.rootBlock(f, n, s)
		} else {
			e.block(f, n, s)
		}
	}
}

// deferAbsolute records the static position of an absolutely positioned element
// (CSS 2.2 §10.3.7).
func (e *estimator) deferAbsolute(f *flow, n dom.Node) {
	b := method.Box{X: f.cur.x, Y: f.y + f.margin.sum()}
	if f.line.open {
		b.Y = f.line.y
		if e.style(n).word(display) == inline {
			b.X = f.line.left + f.line.used
		}
	}
	e.boxes[n] = b
	e.absolutes = append(e.absolutes, n)
}

// block lays out a block in the block formatting context of its parent.
func (e *estimator) block(f *flow, n dom.Node, s *style) {
	e.endLine(f)
	base := f.cur.w
	m, fr := s.margins(base), s.frame(base)
	f.margin.add(m.top)
	e.clear(f, s)
	w := e.fillWidth(n, s, base, base)
	x := f.cur.x + e.indent(f, s, w, base, m)
	b := &e.boxes[n]
	b.X, b.W = x, w
	wait := len(f.open) // index of n in f.open
	f.open = append(f.open, n)
	if fr.top > 0 {
		f.commit(e)
		f.y += fr.top
	}
	outer := f.cur
	f.cur = container{node: n, style: s, x: x + fr.left, w: max(0, w-fr.across())}
	e.children(f, n)
	e.endLine(f)
	f.cur = outer
	e.closeBlock(f, n, s, fr, wait)
	f.margin.add(m.bottom)
}

// closeBlock computes the bottom edge of n.
func (e *estimator) closeBlock(f *flow, n dom.Node, s *style, fr edges, wait int) {
	b := &e.boxes[n]
	waiting := wait < len(f.open) && f.open[wait] == n
	tall := s.limitHeight(0, fr.down())
	if fr.bottom > 0 || waiting && tall > 0 {
		f.commit(e)
		waiting = false
	}
	if waiting { // nothing in it: its margins collapse through it
		b.Y, b.H = f.y+f.margin.sum(), 0
		f.open = f.open[:wait]
		return
	}
	f.y += fr.bottom
	h := f.y - b.Y
	if used := s.limitHeight(h, fr.down()); used != h {
		f.y, f.margin, f.open = b.Y+used, margin{}, f.open[:min(wait, len(f.open))]
	}
	b.H = max(0, f.y-b.Y)
}

// indent returns the distance of a block of width w from the left of its
// container (CSS 2.2 §10.3.3): auto margins, and the alignment of <center>.
func (e *estimator) indent(f *flow, s *style, w, base float64, m edges) float64 {
	free := base - w - m.across()
	l, r := s.l[marginLeft].isAuto(), s.l[marginRight].isAuto()
	align := f.cur.style.word(textAlign)
	switch {
	case free <= 0:
		return m.left
	case l && r, align == legacyCenter && !l && !r:
		return m.left + free/2
	case l, align == legacyRight && !r:
		return m.left + free
	case !r && f.cur.style.word(direction) == rtl && align != legacyLeft:
		return m.left + free
	}
	return m.left
}

// rootBlock lays out a block that is a formatting context, beside floats.
func (e *estimator) rootBlock(f *flow, n dom.Node, s *style) {
	e.endLine(f)
	base := f.cur.w
	m := s.margins(base)
	f.margin.add(m.top)
	e.clear(f, s)
	f.commit(e)
	lo, hi := f.band(f.y, f.cur.x, f.cur.x+base)
	w := e.fillWidth(n, s, base, hi-lo)
	if w+m.across() > hi-lo+0.5 && len(f.left)+len(f.right) > 0 {
		f.y = f.fit(f.y, w+m.across(), f.cur.x, f.cur.x+base)
		lo, hi = f.band(f.y, f.cur.x, f.cur.x+base)
		w = e.fillWidth(n, s, base, hi-lo)
	}
	x := lo + e.indent(f, s, w, hi-lo, m)
	h := e.box(n, x, f.y, w)
	f.y += h
	f.margin.add(m.bottom)
}

// clear moves the flow below floats (CSS 2.2 §9.5.2).
func (e *estimator) clear(f *flow, s *style) {
	if to := f.cleared(s); to > f.y+f.margin.sum() {
		f.commit(e)
		f.y = max(f.y, to)
	}
}

// floats are the floats of a block formatting context, by side.
type floats struct{ left, right []floated }

// floated is the edge of a float towards the text, its top and its bottom, with
// margins.
type floated struct{ edge, top, bottom float64 }

// maxFloats is the number of floats on a side that are kept; of more, the topmost
// is forgotten.
const maxFloats = 32

// band returns the space between the floats at y.
func (fs *floats) band(y, lo, hi float64) (float64, float64) {
	for _, f := range fs.left {
		if f.top <= y+0.5 && y < f.bottom-0.5 {
			lo = max(lo, f.edge)
		}
	}
	for _, f := range fs.right {
		if f.top <= y+0.5 && y < f.bottom-0.5 {
			hi = min(hi, f.edge)
		}
	}
	return lo, hi
}

// fit returns the first position from y on where w fits between the floats or
// there are none (CSS 2.2 §9.5.1).
func (fs *floats) fit(y, w, lo, hi float64) float64 {
	for range 2 * maxFloats {
		l, r := fs.band(y, lo, hi)
		if r-l >= w-0.5 || l == lo && r == hi {
			return y
		}
		next := math.Inf(1)
		for _, side := range [...][]floated{fs.left, fs.right} {
			for _, f := range side {
				if f.bottom > y+0.5 {
					next = min(next, f.bottom)
				}
			}
		}
		if math.IsInf(next, 1) {
			return y
		}
		y = next
	}
	return y
}

func lowest(side []floated) float64 {
	y := math.Inf(-1)
	for _, f := range side {
		y = max(y, f.bottom)
	}
	return y
}

// cleared returns the bottom of the floats that the style clears.
func (fs *floats) cleared(s *style) float64 {
	switch s.word(clear) {
	case left:
		return lowest(fs.left)
	case right:
		return lowest(fs.right)
	case both:
		return fs.bottom()
	}
	return math.Inf(-1)
}

func (fs *floats) bottom() float64 { return max(lowest(fs.left), lowest(fs.right)) }

// add adds a float, in place of the topmost if there are too many.
func add(side []floated, f floated) []floated {
	if len(side) < maxFloats {
		return append(side, f)
	}
	highest := 0
	for i := range side {
		if side[i].bottom < side[highest].bottom {
			highest = i
		}
	}
	side[highest] = f
	return side
}

// floatBox places a float as high and as far out as possible.
func (e *estimator) floatBox(f *flow, n dom.Node, s *style) {
	base := f.cur.w
	m := s.margins(base)
	w := e.shrinkWidth(n, s, base, base)
	outer := max(0, w+m.across())
	y := f.y + f.margin.sum()
	if f.line.open {
		y = f.line.y
		if f.line.used+f.line.space+outer > f.line.right-f.line.left {
			y += f.line.above + f.line.below // below the current line
		}
	}
	for _, side := range [...][]floated{f.left, f.right} { // not above an earlier float
		if k := len(side); k > 0 {
			y = max(y, side[k-1].top)
		}
	}
	y = f.fit(max(y, f.cleared(s)), outer, f.cur.x, f.cur.x+base)
	lo, hi := f.band(y, f.cur.x, f.cur.x+base)
	toLeft := s.word(float) == left
	x := lo + m.left
	if !toLeft {
		x = hi - outer + m.left
	}
	h := max(0, e.box(n, x, y+m.top, w)+m.down())
	if toLeft {
		f.left = add(f.left, floated{lo + outer, y, y + h})
	} else {
		f.right = add(f.right, floated{hi - outer, y, y + h})
	}
	if f.line.open && y <= f.line.y {
		f.line.left, f.line.right = f.band(f.line.y, f.cur.x, f.cur.x+base)
	}
}

// item is a child of a flex or grid container.
type item struct {
	n      dom.Node
	s      *style
	m      edges
	base   float64 // outer width before growing or shrinking
	least  float64
	grow   float64
	shrink float64
	w, h   float64 // outer
	x      float64
	frozen bool
}

// items appends the items of a flex or grid container to out. Each text is an
// item, and the children of elements with display: contents are items.
func (e *estimator) items(n dom.Node, cx, cy, cw float64, out []item) []item {
	for c := range e.doc.Children(n) {
		if !e.isShown(c) {
			continue
		}
		if e.doc.IsText(c) { // an anonymous box
			out = append(out, item{n: c, s: &initialStyle})
			continue
		}
		s := e.style(c)
		switch {
		case e.isAbsolute(c):
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

// layItem lays out an item with its margin box at x, y and the width w.
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
