package layout

import "github.com/lede-news/lede/dom"

// intrinsic is how wide a node wants to be (CSS Sizing 3 §2.1), margins and
// all: at least so wide that nothing overflows, at most so wide that no line
// breaks. run is the width of the line that is being summed up, and content
// what min would be if the style set no width.
type intrinsic struct{ min, max, run, content float32 }

// newLine ends the line that is being summed up.
func (z *intrinsic) newLine() {
	z.max = max(z.max, z.run)
	z.run = 0
}

// measureAll sums up the widths of all nodes, children before parents, which
// in preorder is from the last to the first.
func (e *estimator) measureAll() {
	for n := dom.Node(e.doc.Len() - 1); n > 0; n-- {
		if !e.shown(n) {
			continue
		}
		p := e.doc.Parent(n)
		z, up := &e.sizes[n], &e.sizes[p]
		if e.doc.IsText(n) {
			e.measureText(n, z)
			up.run += z.max
			up.min = max(up.min, z.min)
			continue
		}
		s := e.style(n)
		switch d := s.word(display); {
		case e.doc.Tag(n) == dom.Br:
			up.newLine()
		case e.united(n):
			edges := float32(s.margins(0).across() + s.frame(0).across())
			up.run += z.run + edges
			up.max = max(up.max, z.max)
			up.min = max(up.min, z.min)
		default:
			z.newLine()
			e.measureBox(n, s, z)
			if !e.waits(n) {
				e.contribute(s, d, e.style(p), z, up)
			}
		}
	}
}

func (e *estimator) measureText(n dom.Node, z *intrinsic) {
	words, spaced := e.words(n)
	fc := e.style(n).face()
	most, least := fc.measure(words, e.doc.Preformatted(n))
	if spaced {
		most += fc.px(fc.ascii[' '])
	}
	z.max, z.min = bound(most), bound(least)
}

// measureBox turns the widths of the content of n into those of its margin box.
func (e *estimator) measureBox(n dom.Node, s *style, z *intrinsic) {
	frame := s.frame(0).across()
	least, most := float64(z.min), float64(z.max)
	if g := s.word(display); g == grid || g == inlineGrid {
		if k := float64(s.gridColumns(0, e)); k > 1 {
			most = most*k + s.l[columnGap].of(0)*(k-1)
		}
	}
	least, most = least+frame, most+frame
	content := least
	l := s.l[width]
	cell := s.word(display) == tableCell
	switch {
	case e.replaced(n):
		least = e.replacedWidth(n, s, 0)
		most = least
	case l.set() && l.pct == 0:
		w := s.borderBoxed(l.of(0), frame)
		if most = w; cell { // the content of a cell is never cut off
			most = max(w, least)
		} else {
			least = w
		}
	}
	if l := s.l[maxWidth]; l.set() && l.pct == 0 {
		w := s.borderBoxed(l.of(0), frame)
		least, most = min(least, w), min(most, w)
	}
	if l := s.l[minWidth]; l.set() && l.pct == 0 {
		w := s.borderBoxed(l.of(0), frame)
		least, most = max(least, w), max(most, w)
	}
	m := s.margins(0).across()
	z.min, z.max, z.run = bound(max(0, least+m)), bound(max(0, most+m)), 0
	z.content = bound(max(0, content+m))
}

// contribute adds a box to its parent: beside the others, or below them.
func (e *estimator) contribute(s *style, d word, parent *style, z, up *intrinsic) {
	beside := s.word(float) != none
	switch d {
	case inlineBlock, inlineFlex, inlineGrid, inlineTable:
		beside = true
	case tableCell:
		up.run += z.max
		up.min += z.min
		return
	}
	switch parent.word(display) {
	case flex, inlineFlex:
		if dir := parent.word(flexDirection); dir == row || dir == rowReverse {
			up.run += z.max + float32(parent.l[columnGap].of(0))
			if parent.word(flexWrap) == nowrap {
				up.min += z.min
			} else {
				up.min = max(up.min, z.min)
			}
			return
		}
		beside = false
	case grid, inlineGrid:
		beside = parent.word(gridAutoFlow) == column
		if beside {
			up.run += float32(parent.l[columnGap].of(0))
		}
	}
	if beside {
		up.run += z.max
	} else {
		up.newLine()
		up.max = max(up.max, z.max)
	}
	up.min = max(up.min, z.min)
}
