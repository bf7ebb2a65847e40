package styled

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/internal/story/styled/css"
	"github.com/lede-news/lede/internal/words"
)

// generic are the families that must not be quoted. The last two are older names of Apple's.
var generic = []string{
	"serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math",
	"ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded", "-apple-system", "blinkmacsystemfont",
}

// familyList returns the value of font-family with quoted names and a generic family at its end, or
// "" if it has no family. Names with punctuation, which may be there to end the value, are left out.
func familyList(s string) string {
	const maxValue, maxFamilies, maxName = 2000, 12, 64
	if len(s) > maxValue {
		return ""
	}
	var out []string
	for name := range strings.SplitSeq(s, ",") {
		name = strings.TrimSpace(name)
		if n := len(name); n >= 2 && (name[0] == '"' || name[0] == '\'') && name[n-1] == name[0] {
			name = name[1 : n-1]
		}
		lower := strings.ToLower(name)
		isKeyword := slices.Contains([]string{"", "inherit", "initial", "unset", "revert", "revert-layer", "default"}, lower)
		isName := strings.TrimSpace(name) == name && len(name) <= maxName && !strings.ContainsFunc(name, notInFamily)
		if isKeyword || !isName || len(out) == maxFamilies {
			continue
		}
		if !slices.Contains(generic, lower) {
			name = `"` + name + `"`
		}
		out = append(out, name)
	}
	list := strings.Join(out, ", ")
	if list != "" && !slices.Contains(generic[:5], out[len(out)-1]) { // the page's own fonts are not in the file
		list += ", " + fallback(list)
	}
	return list
}

var (
	sansNames  = regexp.MustCompile(`(?i)sans|arial|helvetica|verdana|gothic|grotesk|system|roboto`)
	serifNames = regexp.MustCompile(`(?i)serif|times|georgia|roman|garamond|palatino|slab|mincho|明朝|宋`)
)

// fallback guesses the generic family of fonts by their names.
func fallback(names string) string {
	if serifNames.MatchString(names) && !sansNames.MatchString(names) {
		return "serif"
	}
	return "sans-serif"
}

func notInFamily(r rune) bool {
	return r != ' ' && r != '-' && r != '_' && !words.IsWord(r)
}

// parseNumber reads a decimal number. It refuses numbers of Go that CSS does not have, such as
// 0x1p-2, 1_000 and Inf.
func parseNumber(s string) (float64, bool) {
	if s == "" || len(s) > 24 || strings.Trim(s, "0123456789.+-") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// parseLength reads a length. em is the length of 1em and of 100%.
func parseLength(s string, em float64) (float64, bool) {
	return css.Units{Em: em, Rem: css.InitialFontSize, Percent: em}.Length(s)
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
