package css

import (
	"math"
	"regexp"
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
	px, rest, ok := u.operand(s, maxFunctions)
	if _, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && px != 0 {
		return 0, false // a number without a unit
	}
	return math.Round(px*1e4) / 1e4, ok && rest == ""
}

// Limits of mathematical functions.
const (
	maxFunctions = 8  // nested in one another
	maxOperands  = 16 // of one function, sum or product
)

// dimension is a number with its unit. It has no exponent: 1e3 is rare, and 2em must not be one.
var dimension = regexp.MustCompile(`^([-+]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))(%|[A-Za-z]*)`)

// operand reads a number with its unit, or a function (CSS Values 4 §10).
func (u Units) operand(s string, depth int) (v float64, rest string, ok bool) {
	const maxLength = 1e6 // so that sums stay finite
	s = strings.TrimSpace(s)
	if m := dimension.FindStringSubmatch(s); m != nil {
		f, err := strconv.ParseFloat(m[1], 64)
		unit, ok := u.pixels(strings.ToLower(m[2]))
		return min(max(f*unit, -maxLength), maxLength), strings.TrimSpace(s[len(m[0]):]), ok && err == nil
	}
	open := strings.IndexByte(s, '(')
	if open < 0 || depth == 0 {
		return 0, "", false
	}
	end := blockEnd(s, open)
	v, ok = u.function(strings.ToLower(s[:open]), strings.TrimSuffix(s[open+1:end], ")"), depth-1)
	return v, strings.TrimSpace(s[end:]), ok
}

// pixels returns the length of a unit in lower case (CSS Values 4 §5 and §6).
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
	"": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
	"vw": width / 100.0, "vmax": width / 100.0, "vh": height / 100.0, "vmin": height / 100.0,
}

func (u Units) function(name, args string, depth int) (float64, bool) {
	var all []float64
	for arg := range split(args) {
		v, ok := u.sum(arg, depth)
		if !ok || len(all) == maxOperands {
			return 0, false
		}
		all = append(all, v)
	}
	switch {
	case len(all) == 1 && (name == "" || name == "calc"):
		return all[0], true
	case name == "min":
		return slices.Min(all), true
	case name == "max":
		return slices.Max(all), true
	case name == "clamp" && len(all) == 3:
		return max(all[0], min(all[1], all[2])), true
	}
	return 0, false
}

// sum is the inside of calc(): products joined by + and -, which white space surrounds.
func (u Units) sum(s string, depth int) (float64, bool) {
	total, rest, ok := u.product(s, depth)
	for n := 1; ok && rest != ""; n++ {
		sign := rest[0]
		if n == maxOperands || len(rest) < 2 || !isSpace(rest[1]) || sign != '+' && sign != '-' {
			return 0, false
		}
		var v float64
		if v, rest, ok = u.product(rest[1:], depth); sign == '-' {
			v = -v
		}
		total += v
	}
	return total, ok
}

func (u Units) product(s string, depth int) (v float64, rest string, ok bool) {
	v, rest, ok = u.operand(s, depth)
	for n := 1; ok && n < maxOperands && rest != "" && (rest[0] == '*' || rest[0] == '/'); n++ {
		sign := rest[0]
		var by float64
		if by, rest, ok = u.operand(rest[1:], depth); sign == '/' {
			ok = ok && by != 0
			by = 1 / by
		}
		v *= by
	}
	return v, rest, ok
}
