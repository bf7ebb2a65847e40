package layout

import (
	"strings"
)

// kind tells what a value is.
type kind uint8

const (
	isWord   kind = iota // a keyword
	isLength             // a length or a percentage
	isNumber             // a number without a unit, in rel.px
	isText               // kept as it is, for the property to read
)

// value is the value of one property.
type value struct {
	kind kind
	word word
	rel  relative
	text string
}

// component reads the first component of s (CSS Values 3 §2) and returns the
// rest. ok is false where s holds nothing that any property here would use.
func (c *viewport) component(s string) (v value, rest string, ok bool) {
	s = trim(s)
	if s == "" {
		return v, "", false
	}
	end := componentEnd(s)
	tok, rest := s[:end], s[end:]
	if open := strings.IndexByte(tok, '('); open > 0 {
		v, ok = c.function(lower(tok[:open]), strings.TrimSuffix(tok[open+1:], ")"), maxFunctions)
		return v, rest, ok
	}
	if b := tok[0]; b >= '0' && b <= '9' || b == '.' || b == '-' || b == '+' {
		if num, n := number(tok); n > 0 {
			v, ok = c.dimension(num, tok[n:])
			return v, rest, ok
		}
	}
	if tok[0] == '"' || tok[0] == '\'' {
		return value{kind: isText, text: strings.Trim(tok, `"'`)}, rest, true
	}
	return value{kind: isWord, word: wordOf(lower(tok)), text: tok}, rest, true
}

// componentEnd is where the first component of s ends; commas and slashes are
// components of their own.
func componentEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '(':
			depth++
		case b == ')':
			if depth--; depth <= 0 {
				return i + 1
			}
		case b == '"' || b == '\'':
			end := stringEnd(s, i)
			if depth == 0 {
				return max(end, 1)
			}
			i = end - 1
		case depth > 0:
		case b == ',' || b == '/':
			return max(i, 1)
		case isSpace(b):
			return i
		}
	}
	return len(s)
}

// dimension is a number with its unit (CSS Values 3 §5 and §6).
func (c *viewport) dimension(num float64, unit string) (value, bool) {
	f := bound(num)
	px := func(per float64) (value, bool) {
		return value{kind: isLength, rel: relative{px: bound(num * per)}}, true
	}
	if len(unit) > 4 {
		return value{}, false
	}
	switch lower(unit) {
	case "":
		return value{kind: isNumber, rel: relative{px: f}}, true
	case "px":
		return px(1)
	case "%":
		return value{kind: isLength, rel: relative{pct: f / 100}}, true
	case "em":
		return value{kind: isLength, rel: relative{em: f}}, true
	case "rem":
		return value{kind: isLength, rel: relative{rem: f}}, true
	case "ex", "ch":
		return value{kind: isLength, rel: relative{em: f / 2}}, true
	case "pt":
		return px(96.0 / 72)
	case "pc":
		return px(16)
	case "in":
		return px(96)
	case "cm":
		return px(96 / 2.54)
	case "mm":
		return px(96 / 25.4)
	case "vw", "svw", "dvw", "lvw", "vi":
		return px(c.screen.Width / 100)
	case "vh", "svh", "dvh", "lvh", "vb":
		return px(c.screen.Height / 100)
	case "vmin":
		return px(min(c.screen.Width, c.screen.Height) / 100)
	case "vmax":
		return px(max(c.screen.Width, c.screen.Height) / 100)
	case "fr":
		return value{kind: isText, text: "fr", rel: relative{px: f}}, true
	}
	return value{}, false
}

// asLength takes a number 0 for a length, and any other in a page without a
// doctype would be one too; we are as lenient (the "unitless length quirk").
func (v value) asLength() (relative, bool) {
	return v.rel, v.kind == isLength || v.kind == isNumber
}

// number reads the number that s begins with and how long it is. It takes no
// exponent: 1e3 is rare, and 2em must not be one.
func number(s string) (v float64, n int) {
	i, sign := 0, 1.0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		if s[i] == '-' {
			sign = -1
		}
		i++
	}
	digits := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if v < 1e12 {
			v = v*10 + float64(s[i]-'0')
		}
		digits++
	}
	if i+1 < len(s) && s[i] == '.' && s[i+1] >= '0' && s[i+1] <= '9' {
		scale := 0.1
		for i++; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			v += float64(s[i]-'0') * scale
			scale /= 10
			digits++
		}
	} else if digits > 0 && i < len(s) && s[i] == '.' {
		i++ // "12." of hand-written attributes
	}
	if digits == 0 {
		return 0, 0
	}
	return sign * v, i
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' }

// trim is strings.TrimSpace for the white space of CSS.
func trim(s string) string {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// lower avoids a copy of what is in lower case already, nearly always.
func lower(s string) string {
	for i := range len(s) {
		if b := s[i]; b >= 'A' && b <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}

// stringEnd is behind the string that begins at i. A string that a line break
// cuts off ends there (CSS Syntax 3 §4.3.5).
func stringEnd(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch s[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(s)
}
