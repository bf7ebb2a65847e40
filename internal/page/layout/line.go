package layout

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// line is the current line box (CSS 2.2 §9.4.2).
type line struct {
	open         bool
	y            float64
	left, right  float64 // edges of the floats beside it
	used         float64 // width of its content
	space        float64 // white space that counts only if a word follows
	above, below float64 // extent from the baseline
	frags        []fragment
}

// fragment is a box or the part of a text in a line.
type fragment struct {
	n            dom.Node
	x, w         float64 // from the left of the line
	above, below float64 // extent from the baseline
	box          bool    // laid out at 0, 0 and moved at the end of the line
}

// startLine opens a line for content of width w.
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

// endLine closes the line and aligns its fragments.
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

// aligned returns how much of the free space of a line is on its left.
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

// inlineBox places the content of an inline element. Its margin, border and
// padding take space at its two ends only.
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
	g.above, g.below = s.extent()
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

// words returns the text of a node and whether white space precedes it.
func (e *estimator) words(n dom.Node) (words string, spaced bool) {
	if e.doc.Hidden(n) { // from screen readers, but shown
		raw := e.doc.Raw(n)
		words = strings.TrimSpace(raw)
		return words, words != "" && raw[0] != words[0]
	}
	from, to := e.doc.Span(n)
	all := e.doc.AllText()
	return all[from:to], from > 0 && all[from-1] == ' '
}

// atomic places an inline-level box: a picture, an inline block.
func (e *estimator) atomic(f *flow, n dom.Node, s *style) {
	const wordSpace = 0.25 // of the font size; there nearly always is white space between boxes
	base := f.cur.w
	m := s.margins(base)
	w := e.shrinkWidth(n, s, base, base)
	outer := w + m.across()
	l := &f.line
	if l.open && len(l.frags) > 0 {
		if l.space == 0 && !e.isReplaced(n) {
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
	case !e.isReplaced(n) && e.sizes[n].max > 0: // its baseline is that of its last line
		g.above = max(0, h-descent-s.frame(base).bottom)
	}
	l.above = max(l.above, g.above+m.top)
	l.below = max(l.below, h-g.above+m.bottom)
	l.used += l.space + outer
	l.space = 0
	l.frags = append(l.frags, g)
}

//go:embed advances.txt
var advanceTable string

// firstFont is the first of the keywords that index the tables of fonts.
const firstFont = serif

// advances are the widths of ASCII characters in ems in a serif, a sans-serif and
// a monospaced font. They are read only.
var advances = sync.OnceValue(func() *[3][utf8.RuneSelf]float32 {
	var a [3][utf8.RuneSelf]float32
	for line := range strings.Lines(advanceTable) {
		var r int
		var s, h float32
		if n, _ := fmt.Sscan(line, &r, &s, &h); n == 3 && r < utf8.RuneSelf {
			a[serif-firstFont][r], a[sans-firstFont][r] = s/1000, h/1000
		}
	}
	for r := range a[mono-firstFont] {
		a[mono-firstFont][r] = 0.6
	}
	return &a
})

// face has what is needed to measure text of a style.
type face struct {
	ascii  *[utf8.RuneSelf]float32
	size   float64
	wider  float64 // factor for bold letters and capitals
	family word    // serif, sans or mono
	breaks bool    // lines may break between words
}

func (s *style) face() face {
	f := face{size: float64(s.size), wider: 1, family: s.word(fontFamily)}
	f.ascii = &advances()[f.family-firstFont]
	if f.family != mono {
		if s.weight >= 600 {
			f.wider = 1.06
		}
		if s.word(textTransform) == uppercase {
			f.wider *= 1.25
		}
	}
	ws := s.word(whiteSpace)
	f.breaks = ws != pre && ws != nowrap
	return f
}

// px converts a width in ems to pixels.
func (f *face) px(ems float32) float64 { return float64(ems) * f.size * f.wider }

// piece is a part of a text without a possible line break.
type piece struct {
	bytes int     // length with the white space after it
	word  float32 // width in ems
	space float32 // width of the white space after it
	row   bool    // followed by a forced line break
}

// next returns the first piece of s: a word with the space after it, or one
// ideograph, since lines may break between any two (CSS Text 3 §5).
func (f *face) next(s string, kept bool) (p piece) {
	i := 0
	for i < len(s) {
		b := s[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			w, wide := f.advance(r)
			if wide && i > 0 {
				break
			}
			p.word += w
			i += n
			if wide {
				break
			}
			continue
		}
		if b == '\n' || b == ' ' {
			p.row = b == '\n' && kept
			p.space = f.ascii[' ']
			i++
			if p.row {
				p.space = 0
			}
			break
		}
		p.word += f.ascii[b]
		i++
		if b == '-' && i < len(s) {
			break
		}
	}
	p.bytes = i
	return p
}

// advance returns the width of a character beyond ASCII, and whether it is an
// ideograph.
func (f *face) advance(r rune) (ems float32, wide bool) {
	switch {
	case r < 0x0300: // Latin
		if f.family == serif {
			return 0.47, false
		}
		return 0.54, false
	case r < 0x0370: // combining marks
		return 0, false
	case r < 0x0590: // Greek, Cyrillic, Armenian
		if f.family == serif {
			return 0.52, false
		}
		return 0.57, false
	case r < 0x0E00: // Hebrew, Arabic, the scripts of India
		return 0.5, false
	case r < 0x1100:
		return 0.55, false
	case r < 0x1200, r >= 0x2E80 && r < 0xA4D0, r >= 0xAC00 && r < 0xD7B0, r >= 0xF900 && r < 0xFB00, r >= 0xFF00 && r < 0xFF61, r >= 0x1F000:
		return 1, true
	case r == 0x200B || r == 0x200C || r == 0x200D || r == 0xFEFF:
		return 0, false
	case r == 0x2014 || r == 0x2026:
		return 1, false
	case r >= 0x2018 && r <= 0x201F:
		return 0.35, false
	}
	return 0.5, false
}

// measure returns the width of a text on one line and that of its widest piece.
func (f *face) measure(s string, kept bool) (line, widest float64) {
	var sum, most, longest, run float32
	for s != "" {
		p := f.next(s, kept)
		sum += p.word + p.space
		run += p.word + p.space
		if f.breaks {
			most = max(most, p.word)
		}
		if p.row {
			longest = max(longest, run)
			run = 0
		}
		s = s[p.bytes:]
	}
	if kept {
		sum = max(longest, run)
	}
	if !f.breaks {
		most = sum
	}
	return f.px(sum), f.px(most)
}

// metrics are the ascent, the descent and the line gap, in ems, of the fonts that
// browsers use for Times, Helvetica and Courier on Linux.
var metrics = [...][3]float64{
	serif - firstFont: {0.891, 0.216, 0.042},
	sans - firstFont:  {0.905, 0.212, 0.033},
	mono - firstFont:  {0.833, 0.300, 0},
}

// extent returns the ascent and the descent of the font in whole pixels, as
// browsers round them.
func (s *style) extent() (above, below float64) {
	m, size := &metrics[s.word(fontFamily)-firstFont], float64(s.size)
	return math.Round(m[0] * size), math.Round(m[1] * size)
}

// lineHeight returns the line height; normal is that of the font.
func (s *style) lineHeight() float64 {
	switch {
	case s.linePx > 0:
		return float64(s.linePx)
	case s.lineFactor > 0:
		return float64(s.lineFactor) * float64(s.size)
	}
	above, below := s.extent()
	return above + below + math.Round(metrics[s.word(fontFamily)-firstFont][2]*float64(s.size))
}

// leading returns the extent of a line from the baseline: that of the font with
// half of the leading on each side (CSS 2.2 §10.8.1).
func (s *style) leading() (above, below float64) {
	above, below = s.extent()
	half := (s.lineHeight() - above - below) / 2
	return above + half, below + half
}
