package layout

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// line is the line box that is being filled (CSS 2.2 §9.4.2).
type line struct {
	open         bool
	y            float64
	left, right  float64 // the room, between floats
	used         float64 // of the room
	space        float64 // white space that counts only if a word follows
	above, below float64 // of the base line
	frags        []fragment
}

// fragment is the part of a text, or a whole box, that stands in the line.
type fragment struct {
	n            dom.Node
	x, w         float64 // from the left of the line
	above, below float64 // of the base line, its own extent
	box          bool    // laid out at 0, 0 and to be moved here
}

// startLine opens a line for something w wide.
func (e *estimator) startLine(f *flow, w float64) {
	f.commit(e)
	l, lo, hi := &f.line, f.cur.x, f.cur.x+f.cur.w
	l.y = f.y
	if len(f.left)+len(f.right) > 0 {
		l.y = f.fit(f.y, min(w, f.cur.w), lo, hi)
		lo, hi = f.band(l.y, lo, hi)
	}
	l.open, l.left, l.right, l.used, l.space = true, lo, hi, 0, 0
	l.above, l.below = 0, 0
	if e.mode == standards { // the "strut" of CSS 2.2 §10.8.1
		l.above, l.below = f.cur.style.leading()
	}
	l.frags = l.frags[:0]
	if i := f.cur.style.l[textIndent]; i.px != 0 || i.pct != 0 {
		if e.boxes[f.cur.node].Y >= l.y-0.5 || f.cur.style.frame(f.cur.w).top > 0 { // the first line
			l.used = i.of(f.cur.w)
		}
	}
}

// endLine closes the line: it is as high as its highest part, and its parts
// are aligned in it.
func (e *estimator) endLine(f *flow) {
	l := &f.line
	if !l.open {
		return
	}
	l.open = false
	dx := l.left + f.cur.style.aligned(l.right-l.left-l.used)
	base := l.y + l.above
	for i := range l.frags {
		g := &l.frags[i]
		x, y := dx+g.x, base-g.above
		if g.box {
			e.shift(g.n, x, y)
			continue
		}
		e.boxes[g.n] = union(e.boxes[g.n], method.Box{X: x, Y: y, W: g.w, H: g.above + g.below})
	}
	f.y = l.y + max(0, l.above+l.below)
}

// aligned is how much of the free room of a line stands to its left.
func (s *style) aligned(free float64) float64 {
	if free <= 0 {
		return 0
	}
	a := s.word(textAlign)
	rightToLeft := s.word(direction) == rtl
	switch {
	case a == center || a == legacyCenter:
		return free / 2
	case a == right || a == legacyRight, a == end && !rightToLeft, (a == start || a == justify) && rightToLeft:
		return free
	}
	return 0
}

// lineBreak is <br>.
func (e *estimator) lineBreak(f *flow, s *style) {
	if s.word(clear) != none {
		e.endLine(f)
		e.clear(f, s)
		return
	}
	if !f.line.open {
		e.startLine(f, 0)
		f.line.above, f.line.below = s.leading()
	}
	e.endLine(f)
}

// inlineBox places what stands in an inline element; its own margin, border
// and padding take room on the line only at its ends.
func (e *estimator) inlineBox(f *flow, n dom.Node, s *style) {
	m, fr := s.margins(f.cur.w), s.frame(f.cur.w)
	before, after := m.left+fr.left, m.right+fr.right
	if before != 0 {
		if !f.line.open {
			e.startLine(f, 0)
		}
		f.line.used += before
	}
	e.children(f, n)
	if after != 0 && f.line.open {
		f.line.used += after
	}
}

// text places the words of a text node.
func (e *estimator) text(f *flow, n dom.Node) {
	s := e.style(n)
	words, spaced := e.words(n)
	kept := e.doc.Preformatted(n)
	fc := s.face()
	l := &f.line
	above, below := s.leading()
	if l.open && spaced && l.space == 0 {
		l.space = fc.px(fc.ascii[' '])
	}
	g := fragment{n: n}
	g.above, g.below = s.letters()
	begun := false // g is in the line
	flush := func() {
		if begun {
			l.frags = append(l.frags, g)
			begun = false
		}
	}
	for words != "" {
		p := fc.next(words, kept)
		words = words[p.bytes:]
		w := fc.px(p.word)
		if l.open && fc.breaks && w > 0 && (begun || len(l.frags) > 0) && l.used+l.space+w > l.right-l.left+0.1 {
			flush()
			e.endLine(f)
		}
		if !l.open {
			e.startLine(f, w)
		}
		if w > 0 {
			if !begun {
				g.x, begun = l.used+l.space, true
				l.above, l.below = max(l.above, above), max(l.below, below)
			}
			l.used += l.space + w
			g.w = l.used - g.x
			l.space = 0
		}
		if p.space > 0 {
			l.space = fc.px(p.space)
		}
		if p.row {
			flush()
			e.endLine(f)
		}
	}
	flush()
}

// words is the text of a node as it is set, and whether white space stands
// before it.
func (e *estimator) words(n dom.Node) (words string, spaced bool) {
	if e.doc.Hidden(n) { // from helpers of screen readers, but shown
		raw := e.doc.Raw(n)
		words = trim(raw)
		return words, words != "" && raw[0] != words[0]
	}
	from, to := e.doc.Span(n)
	all := e.doc.AllText()
	return all[from:to], from > 0 && all[from-1] == ' '
}

// atomic places an inline-level box: a picture, an inline block.
func (e *estimator) atomic(f *flow, n dom.Node, s *style) {
	const wordSpace = 0.25 // of the font size; white space nearly always parts boxes
	base := f.cur.w
	m := s.margins(base)
	w := e.shrinkWidth(n, s, base, base)
	outer := w + m.across()
	l := &f.line
	if l.open && len(l.frags) > 0 {
		if l.space == 0 && !e.replaced(n) {
			l.space = wordSpace * float64(f.cur.style.size)
		}
		if l.used+l.space+outer > l.right-l.left+0.5 && f.cur.style.word(whiteSpace) != nowrap {
			e.endLine(f)
		}
	}
	if !l.open {
		e.startLine(f, outer)
	}
	h := e.box(n, 0, 0, w)
	g := fragment{n: n, x: l.used + l.space + m.left, w: w, box: true, above: h + m.bottom}
	_, descent := s.leading()
	switch v := s.word(verticalAlign); {
	case v == middle:
		g.above = h/2 + float64(f.cur.style.size)/4
	case v == top:
		g.above = min(h, l.above)
	case !e.replaced(n) && e.sizes[n].max > 0: // its last line is on ours
		g.above = max(0, h-descent-s.frame(base).bottom)
	}
	l.above = max(l.above, g.above+m.top)
	l.below = max(l.below, h-g.above+m.bottom)
	l.used += l.space + outer
	l.space = 0
	l.frags = append(l.frags, g)
}
