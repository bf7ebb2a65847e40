package css

import (
	"math"
	"strings"
)

// Screen is the size of the window, which media queries and some units depend
// on, in CSS pixels.
type Screen struct{ Width, Height float64 }

// InitialFontSize is the font size of browsers, in CSS pixels.
const InitialFontSize = 16

// Kind says what a Value is.
type Kind uint8

// The kinds of values.
const (
	Word   Kind = iota // a keyword or anything else, in Text
	Size               // a length or a percentage
	Number             // a number without a unit, in Length.Px
	Text               // a function or a string, in Text; "fr" has its number in Length.Px
)

// Value is one component of the value of a property.
type Value struct {
	Kind   Kind
	Length Length
	Text   string
}

// Length is a sum of lengths in units that depend on the element.
type Length struct{ Px, Percent, Em, Rem float32 }

// MaxLength bounds every length, so that sums stay exact and finite.
const MaxLength = 1e6

// Bound limits v to MaxLength; NaN becomes 0.
func Bound(v float64) float32 {
	if math.IsNaN(v) {
		return 0
	}
	return float32(max(-MaxLength, min(v, MaxLength)))
}

// Pixels resolves l for an element whose font size is em and whose percentages
// refer to base, on a page whose root has the font size rem.
func (l Length) Pixels(em, rem, base float64) float64 {
	return float64(l.Px) + float64(l.Em)*em + float64(l.Rem)*rem + float64(l.Percent)*base
}

// nominal is l in pixels on a usual page. It decides between the arguments of
// min(), max() and clamp() before the page is laid out.
func (m Screen) nominal(l Length) float64 {
	return l.Pixels(InitialFontSize, InitialFontSize, m.Width)
}

func (l Length) plus(k Length) Length {
	return Length{l.Px + k.Px, l.Percent + k.Percent, l.Em + k.Em, l.Rem + k.Rem}
}

func (l Length) times(f float32) Length { return Length{l.Px * f, l.Percent * f, l.Em * f, l.Rem * f} }

// Component reads the first component of s (CSS Values 4 §2) and returns the
// rest. ok is false where there is none or its unit or function is unknown.
func (m Screen) Component(s string) (v Value, rest string, ok bool) {
	token, rest := CutComponent(s)
	if token == "" {
		return v, "", false
	}
	switch b := token[0]; {
	case b == '"' || b == '\'':
		return Value{Kind: Text, Text: Unquote(token)}, rest, true
	case b >= '0' && b <= '9' || b == '.' || b == '-' || b == '+':
		if number, n := ParseNumber(token); n > 0 {
			v, ok = m.dimension(number, token[n:])
			return v, rest, ok
		}
	}
	if open := strings.IndexByte(token, '('); open > 0 {
		v, ok = m.function(strings.ToLower(token[:open]), strings.TrimSuffix(token[open+1:], ")"), maxFunctions)
		return v, rest, ok
	}
	return Value{Kind: Word, Text: token}, rest, true
}

// CutComponent slices s after its first component as it is written. Commas
// and slashes are components of their own.
func CutComponent(s string) (component, rest string) {
	s = strings.TrimSpace(s)
	i := componentStops.find(s, 0)
	switch {
	case i == len(s):
	case s[i] == '(' || s[i] == '[':
		i = blockEnd(s, i)
	case i > 0:
	case s[i] == '"' || s[i] == '\'':
		i = stringEnd(s, i)
	default:
		i = 1
	}
	return s[:i], strings.TrimSpace(s[i:])
}

// dimension returns a number with its unit (CSS Values 4 §5 and §6).
func (m Screen) dimension(number float64, unit string) (Value, bool) {
	f := Bound(number)
	px := 0.0 // per unit
	switch strings.ToLower(unit) {
	case "":
		return Value{Kind: Number, Length: Length{Px: f}}, true
	case "fr":
		return Value{Kind: Text, Text: "fr", Length: Length{Px: f}}, true
	case "%":
		return Value{Kind: Size, Length: Length{Percent: f / 100}}, true
	case "em":
		return Value{Kind: Size, Length: Length{Em: f}}, true
	case "rem":
		return Value{Kind: Size, Length: Length{Rem: f}}, true
	case "ex", "ch":
		return Value{Kind: Size, Length: Length{Em: f / 2}}, true
	case "px":
		px = 1
	case "pt":
		px = 96.0 / 72
	case "pc":
		px = 16
	case "in":
		px = 96
	case "cm":
		px = 96 / 2.54
	case "mm":
		px = 96 / 25.4
	case "vw", "svw", "dvw", "lvw", "vi":
		px = m.Width / 100
	case "vh", "svh", "dvh", "lvh", "vb":
		px = m.Height / 100
	case "vmin":
		px = min(m.Width, m.Height) / 100
	case "vmax":
		px = max(m.Width, m.Height) / 100
	default:
		return Value{}, false
	}
	return Value{Kind: Size, Length: Length{Px: Bound(number * px)}}, true
}

// ParseNumber reads the number that s begins with and returns its length. It
// takes no exponent: 1e3 is rare, and 2em must not be one.
func ParseNumber(s string) (v float64, n int) {
	i, digits := 0, 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		i++
	}
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
	}
	if digits == 0 {
		return 0, 0
	}
	if s[0] == '-' {
		v = -v
	}
	return v, i
}

// Limits of mathematical functions.
const (
	maxFunctions = 8  // nested in one another
	maxOperands  = 16 // of one sum or product
)

// function returns the value of a function (CSS Values 4 §10): the arithmetic
// of lengths. The others are kept as they are.
func (m Screen) function(name, args string, depth int) (Value, bool) {
	if depth == 0 {
		return Value{}, false
	}
	switch name {
	case "calc", "-webkit-calc", "-moz-calc":
		return m.sum(args, depth)
	case "min", "max", "clamp":
		return m.choose(name, args, depth)
	}
	return Value{Kind: Text, Text: name + "(" + args + ")"}, true
}

// choose is min(), max() or clamp(): the argument that wins on a usual page.
func (m Screen) choose(name, args string, depth int) (Value, bool) {
	var all []Value
	for arg := range Split(args) {
		v, ok := m.sum(arg, depth)
		if !ok || len(all) == maxOperands {
			return Value{}, false
		}
		all = append(all, v)
	}
	pick := func(a, b Value, greater bool) Value {
		if x, y := m.nominal(a.Length), m.nominal(b.Length); x != y && x > y == greater {
			return a
		}
		return b
	}
	if name == "clamp" {
		if len(all) != 3 {
			return Value{}, false
		}
		return pick(all[0], pick(all[2], all[1], false), true), true
	}
	best := all[0]
	for _, v := range all[1:] {
		best = pick(v, best, name == "max")
	}
	return best, true
}

// sum is the inside of calc(): products joined by + and -, which white space
// surrounds.
func (m Screen) sum(s string, depth int) (Value, bool) {
	total, rest, ok := m.product(s, depth)
	for n := 1; ok && rest != ""; n++ {
		if n == maxOperands || len(rest) < 2 || !isSpace(rest[1]) {
			return Value{}, false
		}
		v, after, valid := m.product(rest[1:], depth)
		switch rest[0] {
		case '+':
		case '-':
			v.Length = v.Length.times(-1)
		default:
			return Value{}, false
		}
		rest, ok = after, valid && v.Kind == total.Kind
		total.Length = total.Length.plus(v.Length)
	}
	return total, ok
}

func (m Screen) product(s string, depth int) (v Value, rest string, ok bool) {
	v, rest, ok = m.operand(s, depth)
	for n := 1; ok && n < maxOperands && rest != "" && (rest[0] == '*' || rest[0] == '/'); n++ {
		divides := rest[0] == '/'
		var by Value
		if by, rest, ok = m.operand(rest[1:], depth); !ok {
			break
		}
		if v.Kind == Number && !divides {
			v, by = by, v
		}
		f := by.Length.Px
		if divides {
			f = 1 / f
		}
		ok = by.Kind == Number && !math.IsInf(float64(f), 0)
		v.Length = v.Length.times(f)
	}
	return v, rest, ok
}

func (m Screen) operand(s string, depth int) (v Value, rest string, ok bool) {
	s = strings.TrimSpace(s)
	if number, n := ParseNumber(s); n > 0 {
		end := n
		for end < len(s) && (s[end] == '%' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z') {
			end++
		}
		v, ok = m.dimension(number, s[n:end])
		rest = s[end:]
	} else if open := strings.IndexByte(s, '('); open >= 0 {
		name := strings.ToLower(strings.TrimSpace(s[:open]))
		if name == "" {
			name = "calc"
		}
		end := blockEnd(s, open)
		v, ok = m.function(name, strings.TrimSuffix(s[open+1:end], ")"), depth-1)
		rest = s[end:]
	}
	return v, strings.TrimSpace(rest), ok && v.Kind != Text
}
