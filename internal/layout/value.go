package layout

import (
	"math"
	"strings"

	"github.com/lede-news/lede/method"
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

// maxFunctions is how deep functions may nest in a value.
const maxFunctions = 8

// function is the value of a function (CSS Values 4 §10): the arithmetic of
// lengths, and the words of grids that only matter for their arguments.
func (c *viewport) function(name, args string, depth int) (value, bool) {
	if depth == 0 {
		return value{}, false
	}
	switch name {
	case "calc", "-webkit-calc", "-moz-calc":
		return c.sum(args, depth)
	case "min", "max", "clamp":
		return c.choose(name, args, depth)
	case "minmax", "fit-content", "repeat", "env", "rect", "inset", "translate", "translatex", "translatey":
		return value{kind: isText, text: name + "(" + args + ")"}, true
	}
	return value{}, false
}

// choose is min(), max() or clamp(): the argument that wins on a usual page.
func (c *viewport) choose(name, args string, depth int) (value, bool) {
	var all []value
	for args != "" && len(all) < 8 {
		i := topLevel(args, ',')
		v, ok := c.sum(args[:i], depth)
		if !ok {
			return value{}, false
		}
		all = append(all, v)
		args = args[min(i+1, len(args)):]
	}
	nominal := func(i int) float64 { return all[i].rel.nominal(c.screen) }
	switch {
	case len(all) == 0:
		return value{}, false
	case name == "clamp" && len(all) == 3:
		if nominal(1) > nominal(2) {
			all[1] = all[2]
		}
		if nominal(1) < nominal(0) {
			return all[0], true
		}
		return all[1], true
	}
	best := 0
	for i := range all {
		if name == "min" && nominal(i) < nominal(best) || name == "max" && nominal(i) > nominal(best) {
			best = i
		}
	}
	return all[best], true
}

// sum is the inside of calc(): products joined by + and -, which white space
// surrounds.
func (c *viewport) sum(s string, depth int) (value, bool) {
	total := value{kind: isNumber}
	sign := float32(1)
	for n := 0; ; n++ {
		v, rest, ok := c.product(s, depth)
		if !ok || n > 16 {
			return value{}, false
		}
		if v.kind == isLength {
			total.kind = isLength
		}
		total.rel = total.rel.add(v.rel, sign)
		if s = trim(rest); s == "" {
			return total, true
		}
		if s[0] != '+' && s[0] != '-' {
			return value{}, false
		}
		sign = 1
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
}

func (c *viewport) product(s string, depth int) (value, string, bool) {
	v, rest, ok := c.operand(s, depth)
	for n := 0; ok && n < 16; n++ {
		t := trim(rest)
		if t == "" || t[0] != '*' && t[0] != '/' {
			break
		}
		var by value
		by, rest, ok = c.operand(t[1:], depth)
		switch {
		case t[0] == '/' && by.rel.px != 0:
			v.rel = v.rel.times(1 / by.rel.px)
		case t[0] == '/':
			return v, rest, false
		case v.kind == isNumber:
			v = value{kind: by.kind, rel: by.rel.times(v.rel.px)}
		default:
			v.rel = v.rel.times(by.rel.px)
		}
	}
	return v, rest, ok
}

func (c *viewport) operand(s string, depth int) (value, string, bool) {
	s = trim(s)
	if s == "" {
		return value{}, "", false
	}
	if num, n := number(s); n > 0 {
		end := n
		for end < len(s) && (s[end] == '%' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z') {
			end++
		}
		v, ok := c.dimension(num, s[n:end])
		return v, s[end:], ok && v.kind != isText
	}
	open := strings.IndexByte(s, '(')
	if open < 0 {
		return value{}, "", false
	}
	end := open + 1 + topLevel(s[open+1:], ')')
	name := lower(trim(s[:open]))
	if name == "" {
		name = "calc"
	}
	v, ok := c.function(name, s[open+1:min(end, len(s))], depth-1)
	return v, s[min(end+1, len(s)):], ok && v.kind != isText
}

// topLevel is where b stands outside of all parentheses in s, or len(s).
func topLevel(s string, b byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == b && depth == 0:
			return i
		case s[i] == '(' || s[i] == '[':
			depth++
		case s[i] == ')' || s[i] == ']':
			depth--
		case s[i] == '"' || s[i] == '\'':
			i = stringEnd(s, i) - 1
		case s[i] == '\\':
			i++
		}
	}
	return len(s)
}

// length is a used-value-to-be: pixels plus a share of a base that only the
// layout knows, so that calc(100% - 20px) needs nothing special.
type length struct{ px, pct float32 }

// Two lengths are words: auto (and none, for max-width) and fit, the
// content's own width. Shares of real lengths never reach these numbers.
const (
	autoMark = math.MaxFloat32
	fitMark  = -math.MaxFloat32
)

var (
	auto = length{pct: autoMark}
	fit  = length{pct: fitMark}
)

func (l length) isAuto() bool { return l.pct == autoMark }
func (l length) isFit() bool  { return l.pct == fitMark }

// set reports whether l says how long it is.
func (l length) set() bool { return l.pct != autoMark && l.pct != fitMark }

// of resolves l against its base; words are 0.
func (l length) of(base float64) float64 {
	if !l.set() {
		return 0
	}
	return float64(l.px) + float64(l.pct)*base
}

// Everything on a page is kept within these bounds, so that sums of them stay
// exact enough and never become infinite.
const (
	maxLength = 1e6 // of one length, in pixels
	maxPage   = 1e9 // of the whole page
)

// bound makes any number a length of a sane size; NaN is 0.
func bound(v float64) float32 {
	switch {
	case v != v:
		return 0
	case v > maxLength:
		return maxLength
	case v < -maxLength:
		return -maxLength
	}
	return float32(v)
}

// relative is a length as a style sheet says it, before the font sizes that
// it depends on are known.
type relative struct{ px, pct, em, rem float32 }

func (r relative) resolve(em, rem float32) length {
	return length{
		px:  bound(float64(r.px + r.em*em + r.rem*rem)),
		pct: bound(float64(r.pct)),
	}
}

// nominal is what r comes to on a usual page, to choose between the arguments
// of min(), max() and clamp() while the sheet is read.
func (r relative) nominal(screen method.Screen) float64 {
	const usual = 16
	return float64(r.px) + usual*float64(r.em+r.rem) + float64(r.pct)*screen.Width
}

func (r relative) add(s relative, sign float32) relative {
	return relative{r.px + sign*s.px, r.pct + sign*s.pct, r.em + sign*s.em, r.rem + sign*s.rem}
}

func (r relative) times(f float32) relative {
	return relative{r.px * f, r.pct * f, r.em * f, r.rem * f}
}
