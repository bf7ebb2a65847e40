package css

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// The window for which the look of a page is taken, in CSS pixels.
const width, height = 1280, 800

// InitialFontSize is the font size of browsers, in CSS pixels.
const InitialFontSize = 16

// Units are the lengths, in CSS pixels, that other lengths are relative to.
type Units struct{ Em, Rem, Percent float64 }

// Length returns a length or percentage in CSS pixels.
func (u Units) Length(s string) (px float64, ok bool) {
	v, rest, ok := u.operand(s, maxFunctions)
	ok = ok && rest == "" && (v.isLength || v.value == 0)
	return math.Round(v.value*1e4) / 1e4, ok
}

// quantity is a number, or a length in CSS pixels.
type quantity struct {
	value    float64
	isLength bool
}

// Limits of mathematical functions.
const (
	maxFunctions = 8  // nested in one another
	maxOperands  = 16 // of one function, sum or product
)

// operand reads a number with its unit, or a function (CSS Values 4 §10).
func (u Units) operand(s string, depth int) (v quantity, rest string, ok bool) {
	s = strings.TrimSpace(s)
	if n := numberEnd(s); n > 0 {
		end := n
		for end < len(s) && (s[end] == '%' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z') {
			end++
		}
		v, ok = u.dimension(s[:n], strings.ToLower(s[n:end]))
		rest = s[end:]
	} else if open := strings.IndexByte(s, '('); open >= 0 && depth > 0 {
		end := blockEnd(s, open)
		v, ok = u.function(strings.ToLower(strings.TrimSpace(s[:open])), strings.TrimSuffix(s[open+1:end], ")"), depth-1)
		rest = s[end:]
	}
	return v, strings.TrimSpace(rest), ok
}

// numberEnd returns the length of the number that s begins with. It takes no exponent: 1e3 is
// rare, and 2em must not be one.
func numberEnd(s string) int {
	digits := func(i int) int {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i
	}
	start := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		start = 1
	}
	end := digits(start)
	if end < len(s) && s[end] == '.' {
		if fraction := digits(end + 1); fraction > end+1 {
			return fraction
		}
	}
	if end == start {
		return 0
	}
	return end
}

// dimension returns a number with its unit in lower case (CSS Values 4 §5 and §6).
func (u Units) dimension(number, unit string) (quantity, bool) {
	const maxLength = 1e6 // so that sums stay finite
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return quantity{}, false
	}
	if unit == "" {
		return quantity{min(max(f, -maxLength), maxLength), false}, true
	}
	px, ok := u.pixels(unit)
	return quantity{min(max(f*px, -maxLength), maxLength), true}, ok
}

// pixels returns the length of a unit.
func (u Units) pixels(unit string) (px float64, ok bool) {
	switch unit {
	case "em":
		return u.Em, true
	case "ex", "ch":
		return u.Em / 2, true
	case "rem":
		return u.Rem, true
	case "%":
		return u.Percent / 100, true
	}
	px, ok = absolute[unit]
	return px, ok
}

// absolute are the lengths of the units that do not depend on an element.
var absolute = map[string]float64{
	"px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
	"vw": width / 100.0, "svw": width / 100.0, "dvw": width / 100.0, "lvw": width / 100.0, "vi": width / 100.0, "vmax": width / 100.0,
	"vh": height / 100.0, "svh": height / 100.0, "dvh": height / 100.0, "lvh": height / 100.0, "vb": height / 100.0, "vmin": height / 100.0,
}

func (u Units) function(name, args string, depth int) (quantity, bool) {
	var all []quantity
	for arg := range split(args) {
		v, ok := u.sum(arg, depth)
		if !ok || len(all) == maxOperands || len(all) > 0 && v.isLength != all[0].isLength {
			return quantity{}, false
		}
		all = append(all, v)
	}
	byValue := func(a, b quantity) int { return int(math.Copysign(1, a.value-b.value)) }
	switch {
	case len(all) == 1 && slices.Contains([]string{"", "calc", "-webkit-calc", "-moz-calc"}, name):
		return all[0], true
	case name == "min":
		return slices.MinFunc(all, byValue), true
	case name == "max":
		return slices.MaxFunc(all, byValue), true
	case name == "clamp" && len(all) == 3:
		return quantity{max(all[0].value, min(all[1].value, all[2].value)), all[0].isLength}, true
	}
	return quantity{}, false
}

// sum is the inside of calc(): products joined by + and -, which white space surrounds.
func (u Units) sum(s string, depth int) (quantity, bool) {
	total, rest, ok := u.product(s, depth)
	for n := 1; ok && rest != ""; n++ {
		sign := rest[0]
		if n == maxOperands || len(rest) < 2 || !isSpace(rest[1]) || sign != '+' && sign != '-' {
			return quantity{}, false
		}
		var v quantity
		if v, rest, ok = u.product(rest[1:], depth); v.isLength != total.isLength {
			return quantity{}, false
		}
		if sign == '-' {
			v.value = -v.value
		}
		total.value += v.value
	}
	return total, ok
}

func (u Units) product(s string, depth int) (v quantity, rest string, ok bool) {
	v, rest, ok = u.operand(s, depth)
	for n := 1; ok && n < maxOperands && rest != "" && (rest[0] == '*' || rest[0] == '/'); n++ {
		divides := rest[0] == '/'
		var by quantity
		if by, rest, ok = u.operand(rest[1:], depth); divides {
			ok = ok && !by.isLength && by.value != 0
			by.value = 1 / by.value
		}
		ok = ok && !(v.isLength && by.isLength)
		v = quantity{v.value * by.value, v.isLength || by.isLength}
	}
	return v, rest, ok
}
