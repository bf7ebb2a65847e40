package styled

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/page/css"
)

const (
	maxFamilies   = 12 // in a stack
	maxFamilyName = 64 // in characters
)

// generic are the families that must not be quoted. The last two are older names
// of Apple's.
var generic = []string{
	"serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math",
	"ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded", "-apple-system", "blinkmacsystemfont",
}

// parseFamilies reads the value of font-family. It skips names with punctuation,
// which may be there to end the value.
func parseFamilies(s string) []string {
	if len(s) > 2000 {
		return nil
	}
	var out []string
	for name := range strings.SplitSeq(s, ",") {
		name = strings.TrimSpace(name)
		if n := len(name); n >= 2 && (name[0] == '"' || name[0] == '\'') && name[n-1] == name[0] {
			name = name[1 : n-1]
		}
		if isFamily(name) && len(out) < maxFamilies && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func isFamily(name string) bool {
	switch strings.ToLower(name) {
	case "", "inherit", "initial", "unset", "revert", "revert-layer", "default":
		return false
	}
	return strings.TrimSpace(name) == name && utf8.RuneCountInString(name) <= maxFamilyName &&
		strings.IndexFunc(name, notInFamily) < 0
}

func notInFamily(r rune) bool {
	return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) && r != ' ' && r != '-' && r != '_'
}

// familyList returns a value of font-family that ends with a generic family.
func familyList(names []string) string {
	var out []string
	last := ""
	for _, name := range names {
		if !isFamily(name) || len(out) == maxFamilies {
			continue
		}
		if lower := strings.ToLower(name); slices.Contains(generic, lower) {
			out, last = append(out, name), lower
			continue
		}
		out, last = append(out, `"`+name+`"`), ""
	}
	if end := fallback(names); last != end && !slices.Contains([]string{"serif", "sans-serif", "monospace", "cursive", "fantasy"}, last) {
		out = append(out, end)
	}
	return strings.Join(out, ", ")
}

// fallback guesses the generic family of fonts by their names.
func fallback(names []string) string {
	for _, name := range names {
		words := strings.ToLower(name)
		switch {
		case containsAny(words, "mono", "courier", "consolas", "menlo", "code"):
			return "monospace"
		case containsAny(words, "sans", "arial", "helvetica", "verdana", "gothic", "grotesk", "ui", "system", "roboto", "黑"):
			return "sans-serif"
		case containsAny(words, "serif", "times", "georgia", "roman", "garamond", "palatino", "baskerville", "caslon",
			"didot", "bodoni", "cambria", "slab", "book", "text", "mincho", "ming", "song", "明朝", "宋"):
			return "serif"
		}
	}
	return "sans-serif"
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// parseNumber reads a decimal number. It refuses numbers of Go that CSS does not
// have, such as 0x1p-2, 1_000 and Inf.
func parseNumber(s string) (float64, bool) {
	if s == "" || len(s) > 24 || strings.Trim(s, "0123456789.+-") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// sizeNames are the named font sizes in CSS pixels.
var sizeNames = map[string]float64{
	"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "xxx-large": 48,
}

// parseLength reads a length. em is the length of 1em and of 100%.
func parseLength(s string, em float64) (float64, bool) {
	return parseLengths(s, em, css.InitialFontSize)
}

func parseLengths(s string, em, rem float64) (float64, bool) {
	v, rest, ok := screen.Component(s)
	if !ok || rest != "" || v.Kind != css.Size && (v.Kind != css.Number || v.Length.Px != 0) {
		return 0, false
	}
	return math.Round(v.Length.Pixels(em, rem, em)*1e4) / 1e4, true
}

// parseSize reads a font size. parent is the font size of the parent.
func parseSize(s string, parent float64) (float64, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "smaller":
		return parent / 1.2, true
	case "larger":
		return parent * 1.2, true
	}
	if v, ok := sizeNames[s]; ok {
		return v, true
	}
	v, ok := parseLength(s, parent)
	return v, ok && v >= 0 && v < 1000
}

// parseWeight reads a font weight.
func parseWeight(s string) (int, bool) {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "normal":
		return 400, true
	case "bold", "bolder":
		return 700, true
	case "lighter":
		return 300, true
	}
	v, ok := parseNumber(s)
	return int(v), ok && 1 <= v && v <= 1000
}

// decimal formats a number with up to four decimal places.
func decimal(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64)
}
