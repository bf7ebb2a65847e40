package newsroom

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Marks stand in the text of a story for what house styles write differently.
const (
	markNumber    = 0x01 // decimal digits follow
	markNumberEnd = 0x02
	markOpen      = 0x03
	markClose     = 0x04
	markDash      = 0x05
	markPercent   = 0x06
	markUnit      = 0x07 // the number of the unit follows
)

// A wireStyle is how a paper or an agency writes numbers, quotations, dashes and
// units.
type wireStyle struct {
	quotes    [2]string
	dash      string
	percent   string
	thousands string
	words     int  // numbers up to this are written in words
	unit      int  // form of the units
	latin     bool // Latin digits in a language that has its own
}

// newWireStyle draws a style. The agency's has the first of all forms.
func newWireStyle(g *wireGrammar, r *wireRand) wireStyle {
	s := wireStyle{
		quotes: g.quotes[r.intN(len(g.quotes))], dash: g.dashes[r.intN(len(g.dashes))],
		percent: g.percent[r.intN(len(g.percent))], thousands: g.thousands[r.intN(len(g.thousands))],
		unit: r.intN(2), latin: r.chance(50),
	}
	if len(g.numerals) > 0 && r.chance(60) {
		s.words = len(g.numerals) - 1
	}
	return s
}

func agencyStyle(g *wireGrammar) wireStyle {
	return wireStyle{quotes: g.quotes[0], dash: g.dashes[0], percent: g.percent[0], thousands: g.thousands[0]}
}

// render appends text with its marks replaced.
func (s *wireStyle) render(g *wireGrammar, out, text []byte) []byte {
	plain := 0 // where text without marks begins
	for i := 0; i < len(text); i++ {
		if text[i] > markUnit {
			continue
		}
		out = append(out, text[plain:i]...)
		switch text[i] {
		case markNumber:
			n, start := 0, i
			for i++; text[i] != markNumberEnd; i++ {
				n = n*10 + int(text[i]-'0')
			}
			// Of 3,14 or 2:1, no part is written as a word.
			part := i+2 < len(text) && text[i+2] == markNumber || start > 1 && text[start-2] == markNumberEnd
			out = s.number(g, out, n, !part)
		case markOpen:
			out = append(out, s.quotes[0]...)
		case markClose:
			out = append(out, s.quotes[1]...)
		case markDash:
			out = append(out, s.dash...)
		case markPercent:
			out = append(out, s.percent...)
		case markUnit:
			i++
			forms := g.units[text[i]-'1']
			out = append(out, forms[min(s.unit, len(forms)-1)]...)
		}
		plain = i + 1
	}
	return append(out, text[plain:]...)
}

func (s *wireStyle) number(g *wireGrammar, out []byte, n int, words bool) []byte {
	if words && n <= s.words && n < len(g.numerals) && g.numerals[n] != "-" {
		start := len(out) == 0 || out[len(out)-1] == '\n' || bytes.HasSuffix(out, []byte(". "))
		if start {
			return append(out, capitalize(g.numerals[n])...)
		}
		return append(out, g.numerals[n]...)
	}
	digits := strconv.Itoa(n)
	if n >= 10000 {
		digits = digits[:len(digits)-3] + s.thousands + digits[len(digits)-3:]
	}
	if s.latin || g.zero == 0 {
		return append(out, digits...)
	}
	for _, c := range digits {
		if c >= '0' && c <= '9' {
			c += g.zero - '0'
		}
		out = utf8.AppendRune(out, c)
	}
	return out
}
