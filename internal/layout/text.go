package layout

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

//go:embed advances.txt
var advanceTable string

// advances are the widths of ASCII characters in ems, by kind of font. It is
// read only.
var advances = readAdvances()

type fontKind uint8

const (
	serifFont fontKind = iota
	sansFont
	monoFont
)

func readAdvances() (a [3][utf8.RuneSelf]float32) {
	for line := range strings.Lines(advanceTable) {
		var r int
		var s, h float32
		if n, _ := fmt.Sscan(line, &r, &s, &h); n == 3 && r < utf8.RuneSelf {
			a[serifFont][r], a[sansFont][r] = s/1000, h/1000
		}
	}
	for r := range a[monoFont] {
		a[monoFont][r] = 0.6
	}
	return a
}

func (s *style) font() fontKind {
	switch s.word(fontFamily) {
	case sans:
		return sansFont
	case mono:
		return monoFont
	}
	return serifFont
}

// face is how the letters of a style measure.
type face struct {
	ascii  *[utf8.RuneSelf]float32
	size   float64
	wider  float64 // than the regular letters, for bold ones and capitals
	kind   fontKind
	folds  bool // runs of white space count as one
	breaks bool // lines may break between words
}

func (s *style) face() face {
	f := face{size: float64(s.size), wider: 1, kind: s.font()}
	f.ascii = &advances[f.kind]
	if f.kind != monoFont {
		if s.weight >= 600 {
			f.wider = 1.06
		}
		if s.word(textTransform) == uppercase {
			f.wider *= 1.25
		}
	}
	ws := s.word(whiteSpace)
	f.folds = ws != pre && ws != preWrap
	f.breaks = ws != pre && ws != nowrap
	return f
}

// px is the width of so many ems of these letters in pixels.
func (f *face) px(ems float32) float64 { return float64(ems) * f.size * f.wider }

// piece is the next part of a text that no line break parts.
type piece struct {
	bytes int     // of the text, with the white space behind
	word  float32 // its width in ems
	space float32 // of the white space behind, 0 where there is none
	row   bool    // a line ends behind it whatever comes
}

// next takes the first piece off s: a word with the space behind it, or one
// ideograph, between any two of which a line may break (CSS Text 3 §5).
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

// advance is the width of a character beyond ASCII, and whether it is as wide
// as an ideograph.
func (f *face) advance(r rune) (ems float32, wide bool) {
	switch {
	case r < 0x0300: // Latin
		if f.kind == serifFont {
			return 0.47, false
		}
		return 0.54, false
	case r < 0x0370: // combining marks
		return 0, false
	case r < 0x0590: // Greek, Cyrillic, Armenian
		if f.kind == serifFont {
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

// measure is the width of a text on one line, and of its widest piece.
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

// metrics are the ascent, the descent and the gap between lines, in ems, of the
// fonts that stand in for Times, Helvetica and Courier nearly everywhere.
var metrics = [3][3]float64{
	serifFont: {0.891, 0.216, 0.042},
	sansFont:  {0.905, 0.212, 0.033},
	monoFont:  {0.833, 0.300, 0},
}

// letters is how far letters of the style reach above and below the line that
// they are written on; browsers round both to whole pixels.
func (s *style) letters() (above, below float64) {
	m, size := &metrics[s.font()], float64(s.size)
	return math.Round(m[0] * size), math.Round(m[1] * size)
}

// lineHeight of a style; "normal" is what the font asks for.
func (s *style) lineHeight() float64 {
	switch {
	case s.linePx > 0:
		return float64(s.linePx)
	case s.lineFactor > 0:
		return float64(s.lineFactor) * float64(s.size)
	}
	above, below := s.letters()
	return above + below + math.Round(metrics[s.font()][2]*float64(s.size))
}

// leading is how far a line of this style reaches above and below the base
// line: the letters, with what line-height adds on both sides (CSS 2.2 §10.8.1).
func (s *style) leading() (above, below float64) {
	above, below = s.letters()
	half := (s.lineHeight() - above - below) / 2
	return above + half, below + half
}
