package format

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// delimiter is a pair of marks around words. Whether "**" opens or closes
// anything depends on the letters beside it, and in scripts without spaces
// it often does neither: CommonMark does not see the end of 「**強い。**と」.
// There the pair is written as HTML.
type delimiter struct {
	wrap   wrap
	html   bool
	nested bool // in or around another of the same sign
}

func (d *delimiter) sign() byte {
	switch d.wrap {
	case strong, emphasis:
		return '*'
	case strike:
		return '~'
	}
	return 0
}

// plain is the sign of a pair that is not written as HTML, or 0.
func (d *delimiter) plain() byte {
	if d == nil || d.html {
		return 0
	}
	return d.sign()
}

func (d *delimiter) nestIn(open []*delimiter) {
	for _, o := range open {
		if o.sign() == d.sign() {
			o.nested, d.nested = true, true
		}
	}
}

func (d *delimiter) string(open bool) string {
	if d.plain() != 0 {
		switch d.wrap {
		case strong:
			return "**"
		case emphasis:
			return "*"
		}
		return "~~"
	}
	if open {
		return "<" + d.wrap.element() + ">"
	}
	return "</" + d.wrap.element() + ">"
}

// settleDelimiters makes HTML of the delimiters that would be misread, and
// looks again until none is, since that changes what the others stand beside.
func settleDelimiters(ps []piece, at place) {
	for demoteMisread(ps, at) {
	}
}

func demoteMisread(ps []piece, at place) (changed bool) {
	for i := 0; i < len(ps); {
		sign := ps[i].delim.plain()
		if sign == 0 {
			i++
			continue
		}
		end := i + 1
		for end < len(ps) && ps[end].delim.plain() == sign {
			end++
		}
		if misread(ps, i, end, at) {
			changed = true
			for ; i < end; i++ {
				ps[i].delim.html = true
			}
		}
		i = end
	}
	return changed
}

// misread reports whether the run of delimiters ps[i:end] does not surely do
// what it should: see "left-flanking delimiter run" in the CommonMark
// specification, section 6.2.
func misread(ps []piece, i, end int, at place) bool {
	open, nested := ps[i].open, false
	for _, p := range ps[i:end] {
		if p.open != open {
			return true // "**one***two*" can be read in many ways
		}
		nested = nested || p.delim.nested
	}
	before, after := ' ', ' '
	if at == inCell { // perhaps between <br> and <br>
		before, after = '>', '<'
	}
	if i > 0 {
		before = ps[i-1].last()
	}
	if end < len(ps) {
		after = ps[end].first()
	}
	if before == '~' && ps[i].delim.sign() == '~' {
		return true // an escaped one, but some readers only see the sign
	}
	for _, b := range classes(before) {
		for _, a := range classes(after) {
			left, right := flanks(b, a), flanks(a, b)
			if open && !left || !open && !right || nested && left && right {
				return true
			}
		}
	}
	return false
}

// class is what CommonMark tells apart beside a delimiter.
type class uint8

const (
	letter class = iota
	space
	punct
)

// classes are what readers may take r for. Symbols are punctuation since
// version 0.31 of the specification, and some readers see only half of a
// character beyond the first 65536.
func classes(r rune) []class {
	switch {
	case unicode.IsSpace(r):
		return []class{space}
	case r < utf8.RuneSelf && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r):
		return []class{punct}
	case unicode.IsSymbol(r) || r > 0xFFFF && unicode.IsPunct(r):
		return []class{letter, punct}
	case unicode.IsPunct(r):
		return []class{punct}
	}
	return []class{letter}
}

// flanks reports whether a run with outer on one side and inner on the other
// clings to inner.
func flanks(outer, inner class) bool {
	return inner == letter || inner == punct && outer != letter
}
