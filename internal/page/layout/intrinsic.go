package layout

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/css"
)

// intrinsic has the min-content and max-content widths of a node with margins
// (CSS Sizing 3 §2.1). run is the width of the current line, and content is what
// min would be if the style set no width.
type intrinsic struct{ min, max, run, content float32 }

// newLine ends the current line.
func (z *intrinsic) newLine() {
	z.max = max(z.max, z.run)
	z.run = 0
}

// measureAll computes the intrinsic widths of all nodes, children first.
func (e *estimator) measureAll() {
	for n := dom.Node(e.doc.Len() - 1); n > 0; n-- {
		if !e.isShown(n) {
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
		case e.isInline(n):
			edges := float32(s.margins(0).across() + s.frame(0).across())
			up.run += z.run + edges
			up.max = max(up.max, z.max)
			up.min = max(up.min, z.min)
		default:
			z.newLine()
			e.measureBox(n, s, z)
			if !e.isAbsolute(n) {
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
	z.max, z.min = css.Bound(most), css.Bound(least)
}

// measureBox computes the widths of the margin box of n from those of its content.
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
	case e.isReplaced(n):
		least = e.replacedWidth(n, s, 0)
		most = least
	case l.isSet() && l.pct == 0:
		w := s.borderBoxed(l.of(0), frame)
		if most = w; cell { // cells are never narrower than their content
			most = max(w, least)
		} else {
			least = w
		}
	}
	if l := s.l[maxWidth]; l.isSet() && l.pct == 0 {
		w := s.borderBoxed(l.of(0), frame)
		least, most = min(least, w), min(most, w)
	}
	if l := s.l[minWidth]; l.isSet() && l.pct == 0 {
		w := s.borderBoxed(l.of(0), frame)
		least, most = max(least, w), max(most, w)
	}
	m := s.margins(0).across()
	z.min, z.max, z.run = css.Bound(max(0, least+m)), css.Bound(max(0, most+m)), 0
	z.content = css.Bound(max(0, content+m))
}

// contribute adds a box to the widths of its parent.
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

// isReplaced reports whether n is a replaced element: a picture, a player or a
// form field.
func (e *estimator) isReplaced(n dom.Node) bool {
	switch e.doc.Tag(n) {
	case dom.Img, dom.Video, dom.Audio, dom.Canvas, dom.Iframe, dom.Embed, dom.SVG, dom.Input, dom.Select, dom.Textarea, dom.Meter, dom.Progress:
		return true
	}
	return false
}

// natural returns the size of a replaced element for which none is set (CSS 2.2
// §10.3.2, and as browsers do for form fields). Pictures are not loaded, so it is
// zero for them.
func (e *estimator) natural(n dom.Node, s *style) (w, h float64) {
	em := float64(s.size)
	switch e.doc.Tag(n) {
	case dom.Img:
		return 0, 0
	case dom.Video, dom.Canvas, dom.Iframe, dom.Embed, dom.SVG:
		return 300, 150
	case dom.Audio:
		if _, controls := e.doc.LookupAttr(n, "controls"); controls {
			return 300, 54
		}
		return 0, 0
	case dom.Input:
		return e.naturalInput(n, em)
	case dom.Select:
		return e.longestOption(n, s) + 24, 17
	case dom.Textarea:
		return e.numberAttr(n, "cols", 20)*0.6*em + 20, e.numberAttr(n, "rows", 2) * 1.15 * em
	}
	return 10 * em, em
}

// longestOption returns the width of the longest option of a select element.
func (e *estimator) longestOption(n dom.Node, s *style) (w float64) {
	fc := s.face()
	seen := 0
	for o := range e.doc.All(n, dom.Option) {
		if seen++; seen > 200 {
			break
		}
		line, _ := fc.measure(e.doc.Text(o), false)
		w = max(w, min(line, 1000))
	}
	return w
}

func (e *estimator) naturalInput(n dom.Node, em float64) (w, h float64) {
	const fieldWidth, fieldHeight = 147, 15.5
	switch strings.ToLower(strings.TrimSpace(e.doc.Attr(n, "type"))) {
	case "checkbox", "radio":
		return 13, 13
	case "submit", "button", "reset":
		return 12 + 0.5*em*float64(min(len(e.doc.Attr(n, "value")), 200)), fieldHeight
	case "image":
		return 0, 0
	}
	if chars := e.numberAttr(n, "size", 0); chars > 0 {
		return chars * 0.55 * em, fieldHeight
	}
	return fieldWidth, fieldHeight
}

// numberAttr returns an attribute that is a number from 1 on, of at most 200.
func (e *estimator) numberAttr(n dom.Node, key string, otherwise float64) float64 {
	if v, _ := css.ParseNumber(e.doc.Attr(n, key)); v >= 1 {
		return min(v, 200)
	}
	return otherwise
}

// replacedWidth returns the width of the border box of a replaced element.
func (e *estimator) replacedWidth(n dom.Node, s *style, base float64) float64 {
	frame := s.frame(base).across()
	w, _ := e.natural(n, s)
	switch lw, lh := s.l[width], s.l[height]; {
	case lw.isSet():
		w = s.borderBoxed(lw.of(base), frame) - frame
	case lh.isSet() && lh.pct == 0:
		if r := e.ratio(n, s); r > 0 {
			w = lh.of(0) * r
		}
	case e.doc.Tag(n) == dom.SVG && e.ratio(n, s) > 0:
		w = max(0, base-frame-s.margins(base).across()) // as wide as there is room
	}
	return s.limitWidth(w+frame, base, frame)
}

// usualRatio is the aspect ratio of most news pictures, for those of which only
// one side is known.
const usualRatio = 3.0 / 2

// ratio returns width divided by height from the style, the attributes (HTML
// §15.4.3) or the view box of an SVG, or 0.
func (e *estimator) ratio(n dom.Node, s *style) float64 {
	if s.ratio > 0 {
		return float64(s.ratio)
	}
	tag := e.doc.Tag(n)
	switch tag {
	case dom.Img, dom.Video, dom.Canvas, dom.SVG:
		w, i := css.ParseNumber(strings.TrimSpace(e.doc.Attr(n, "width")))
		h, j := css.ParseNumber(strings.TrimSpace(e.doc.Attr(n, "height")))
		if i > 0 && j > 0 && w > 0 && h > 0 {
			return w / h
		}
	}
	switch tag {
	case dom.Img:
		return usualRatio
	case dom.SVG:
		if f := strings.FieldsFunc(e.doc.Attr(n, "viewBox"), func(r rune) bool { return r == ' ' || r == ',' }); len(f) == 4 {
			w, _ := css.ParseNumber(f[2])
			if h, _ := css.ParseNumber(f[3]); w > 0 && h > 0 {
				return w / h
			}
		}
	}
	return 0
}

// replacedHeight returns the height of a border box of width w.
func (e *estimator) replacedHeight(n dom.Node, s *style, w float64) float64 {
	frame := s.frame(w)
	_, h := e.natural(n, s)
	if l := s.l[height]; !l.isSet() || l.pct != 0 {
		inner := max(0, w-frame.across())
		if r := e.ratio(n, s); r > 0 {
			h = inner / r
		} else if e.doc.Tag(n) == dom.Video {
			h = inner / 2
		}
	}
	return min(s.limitHeight(h+frame.down(), frame.down()), css.MaxLength)
}
