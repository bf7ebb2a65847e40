package metadata

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/words"
)

func hasLower(s string) bool { return strings.ContainsFunc(s, unicode.IsLower) }

func isOneWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !strings.Contains(s, " ") && !words.IsIdeograph(r)
}

var capitals = regexp.MustCompile(`^\p{Lu}\D*\p{Lu}\D*$`)

// isDegree reports whether the text after a comma belongs to the name before it: MD, Ph.D.,
// RDN, Jr.
func isDegree(s string) bool {
	switch strings.ToLower(strings.Trim(s, ".")) {
	case "jr", "sr", "esq", "dr", "pharmd":
		return true
	}
	const maxLen = 7
	return len(s) <= maxLen && capitals.MatchString(s) && !isKind(s, groupWord)
}

// isGroup reports whether a name is that of an organization, by one of its words or, in
// Chinese, by the last character: a network, a paper, an office.
func isGroup(name string) bool {
	if last, _ := utf8.DecodeLastRuneInString(name); strings.ContainsRune("网網社报報部局组組台臺室站", last) {
		return true
	}
	return slices.ContainsFunc(strings.Fields(name), func(w string) bool { return isKind(strings.Trim(w, ".,()"), groupWord) })
}

// isPerson reports whether a name may be the full name of a person. A single word may be a
// login.
func isPerson(name string) bool {
	return !isOneWord(name) && !isGroup(name) && !beginsLower(name) && !strings.HasPrefix(name, "the ")
}

// hasRole reports whether a text has a word that is part of job titles.
func hasRole(s string) bool {
	for w := range words.All(s) {
		if isKind(w, roleWord) {
			return true
		}
	}
	return false
}

// beginsLower reports whether a text begins with a word in lower case that is not part of the
// names of persons.
func beginsLower(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(r) && !isNameParticle(word)
}

// isNameParticle reports whether a lower-case word may be part of a name: "de", "d'Aulnoy".
func isNameParticle(w string) bool {
	if i := strings.IndexAny(w, "'’"); i > 0 {
		w = w[:i]
	}
	return isKind(w, particleWord)
}

// endsWithInitial reports whether the last word of a name is a letter with or without its full
// stop.
func endsWithInitial(s string) bool {
	last := strings.TrimSuffix(s[strings.LastIndexByte(s, ' ')+1:], ".")
	r, n := utf8.DecodeRuneInString(last)
	return n == len(last) && unicode.IsUpper(r) && n < len(s)
}

var twoLetters = regexp.MustCompile(`\pL.*\pL`)

// isPlausibleName rejects text that cannot be a name.
func isPlausibleName(s string) bool {
	const maxLen, maxWords = 120, 9
	return len(s) <= maxLen && len(strings.Fields(s)) <= maxWords && !strings.ContainsAny(s, "{}$:=") && twoLetters.MatchString(s)
}

// looksLikeName reports whether visible text may be the name of a person or an agency: up to
// six capitalized words, or two to four Han characters.
func looksLikeName(s string) bool {
	const maxWords = 6
	fields := strings.Fields(s)
	if !isPlausibleName(s) || strings.ContainsAny(s, "?!;#%/0123456789") || len(fields) > maxWords {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(s); words.IsIdeograph(first) {
		n := utf8.RuneCountInString(s)
		return n >= 2 && n <= 4
	}
	capitals := 0
	for i, w := range fields {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "'’\"“("))
		switch {
		case unicode.IsLetter(r) && !unicode.IsLower(r): // or a script without cases
			capitals++
		case isNameParticle(w) && len(fields) > 1:
		case i > 0 && isKind(w, groupWord): // "The Harbour editors"
		default:
			return false
		}
	}
	return capitals >= 2 || capitals == 1 && len(fields) == 1 && len(s) >= 3
}

// isPlainName reports whether a text is nothing but the name of a person: two to four words,
// of which the first and the last are capitalized and not in capitals, and the first does not
// begin the name of a place or section.
func isPlainName(s string) bool {
	const minWords, maxWords, maxLen = 2, 4, 40
	if len(s) > maxLen {
		return false
	}
	fields := strings.Fields(s)
	if len(fields) < minWords || len(fields) > maxWords {
		return false
	}
	not := buttonWord | placeholderWord | tailWord | roleWord | groupWord | placeWord
	for i, w := range fields {
		first, n := utf8.DecodeRuneInString(w)
		outer := i == 0 || i == len(fields)-1
		if outer && (!unicode.IsUpper(first) || !hasLower(w[n:]) && !strings.HasSuffix(w, ".")) ||
			strings.ContainsAny(w, ",:&") || isKind(strings.Trim(w, "."), not) {
			return false
		}
		not &^= placeWord
	}
	return looksLikeName(s)
}

// plainNames returns the names of persons that a text consists of, but for what may stand after
// names: "Ann Lee and Bo Ek" for "Ann Lee and Bo Ek in Opinion". It is empty for other texts.
func plainNames(s string) string {
	names, rest := cutBefore(s, func(tail string) bool { return beginsLower(tail) && !isKind(firstField(tail), andWord) })
	if rest != "" && !startsAfterName(rest) {
		return ""
	}
	list := splitList(names)
	if !isNameList(names, len(list)) || slices.ContainsFunc(list, func(name string) bool { return !isPlainName(name) }) {
		return ""
	}
	return names
}

// isNameList reports whether n names in a text are those of persons. Of two that only a comma
// separates, the second may be a place or a company.
func isNameList(s string, n int) bool {
	return n != 2 || slices.ContainsFunc(strings.Fields(s), func(w string) bool { return isKind(w, andWord) })
}
