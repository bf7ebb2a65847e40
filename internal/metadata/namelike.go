package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// looksLikeName reports whether words on the page may be the name of a person
// or an agency: two to six words with capitals, or two to four Han characters.
func looksLikeName(s string) bool {
	if !plausible(s) || strings.ContainsAny(s, "?!:;=#%/0123456789") {
		return false
	}
	fields := strings.Fields(s)
	if len(fields) > 6 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	if ideograph(first) {
		n := utf8.RuneCountInString(s)
		return n >= 2 && n <= 4
	}
	capitals := 0
	for i, w := range fields {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "'’\"“("))
		switch {
		case unicode.IsUpper(r), unicode.IsTitle(r):
			capitals++
		case !unicode.IsLower(r) && unicode.IsLetter(r):
			capitals++ // a script without cases
		case particle(w) && (i > 0 || len(fields) > 1):
		default:
			return false
		}
		if i == 0 && bylineWords().nobody[strings.ToLower(w)] && len(fields) < 3 {
			return false
		}
	}
	return capitals >= 2 || capitals == 1 && len(fields) == 1 && len(s) >= 3
}

// particle reports whether a word in lower case may stand in a name.
func particle(w string) bool {
	switch strings.TrimRight(w, "'’") {
	case "de", "da", "do", "dos", "das", "del", "della", "di", "du", "des", "la", "le", "el", "al", "van", "von", "vom",
		"der", "den", "ter", "ten", "zu", "zur", "bin", "ibn", "bint", "ben", "st", "y", "e", "af", "av", "d", "l", "of", "the", "and", "für":
		return true
	}
	r, _ := utf8.DecodeRuneInString(w)
	return (r == 'd' || r == 'l' || r == 'o') && len(w) > 2 && (w[1] == '\'' || strings.HasPrefix(w[1:], "’"))
}
