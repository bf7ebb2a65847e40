package metadata

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/lede-news/lede/internal/words"
)

func hasLower(s string) bool { return strings.ContainsFunc(s, unicode.IsLower) }

func isOneWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !strings.Contains(s, " ") && !words.IsIdeograph(r)
}

// isSameName reports whether two names are those of the same person, in any case, with or
// without accents, titles and middle names.
func isSameName(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	x, y := bareName(a), bareName(b)
	n, m := len(x), len(y)
	switch {
	case n == 0 || m == 0:
		return false
	case n == 2 && m > 2 || m == 2 && n > 2:
		return x[0] == y[0] && x[n-1] == y[m-1]
	}
	return slices.Equal(x, y)
}

// bareName returns the words of a name without what may be left out, for comparisons.
func bareName(s string) (out []string) {
	fields := strings.Fields(s)
	for i, w := range fields {
		bare := strings.TrimRight(w, ".,")
		title := i == 0 && len(fields) > 2 && isTitle(bare)
		initial := i > 0 && i < len(fields)-1 && utf8.RuneCountInString(bare) == 1
		degree := i > 1 && strings.HasSuffix(fields[i-1], ",") && isDegree(strings.TrimRight(w, ","))
		if bare = foldAccents(bare); bare != "" && !title && !initial && !degree {
			out = append(out, bare)
		}
	}
	return out
}

// foldAccents returns the letters and digits of s in lower case, without accents.
func foldAccents(s string) string {
	return words.Fold(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}

// isTitle reports whether a word before a name is the title of a person.
func isTitle(w string) bool {
	switch strings.ToLower(w) {
	case "dr", "prof", "mr", "mrs", "ms", "sir", "dame", "herr", "frau", "mme":
		return true
	}
	return false
}

// isDegree reports whether the text after a comma belongs to the name before it: MD, Ph.D.,
// RDN, Jr.
func isDegree(s string) bool {
	if len(s) > 9 || strings.Contains(s, " ") && len(s) > 7 {
		return false
	}
	switch strings.ToLower(strings.Trim(s, ".")) {
	case "jr", "sr", "phd", "ph.d", "md", "esq", "ii", "iii", "iv", "msc", "bsc", "dds", "psyd", "dr", "pharmd":
		return true
	case "dpa", "afp", "ap", "upi", "ians", "pti", "ansa", "efe", "apa", "sda", "kna", "epd", "sid", "ani":
		return false // news agencies
	}
	upper := 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r) && upper == 0, unicode.IsDigit(r):
			return false
		}
	}
	return upper >= 2 && len(s) <= 7 && s[0] < utf8.RuneSelf
}

// isGroup reports whether a name is that of an organization, by one of its words or because
// it has an address.
func isGroup(name string) bool {
	if strings.Contains(name, "www.") {
		return true
	}
	for w := range strings.FieldsSeq(name) {
		w = strings.Trim(w, ".,()")
		if isKind(w, groupWord) || isDomain(w) {
			return true
		}
	}
	return false
}

// isDomain reports whether a word looks like the name of a host.
func isDomain(w string) bool {
	i := strings.LastIndexByte(w, '.')
	return i >= 3 && len(w)-i >= 3 && len(w)-i <= 5 && strings.Trim(strings.ToLower(w[i+1:]), "abcdefghijklmnopqrstuvwxyz") == ""
}

// roleWords returns the number of words of s that are part of job titles, and the number of
// all words.
func roleWords(s string) (roles, total int) {
	for w := range words.All(s) {
		total++
		if isKind(w, roleWord) {
			roles++
		}
	}
	return roles, total
}

func hasRole(s string) bool {
	roles, _ := roleWords(s)
	return roles > 0
}

// isJobTitle reports whether a text has two words for roles or more, and nothing else, or at
// most as many other words as may be in a title: "Former Harbour Pilot Editor".
func isJobTitle(s string, most int) bool {
	roles, total := roleWords(s)
	return roles > 1 && total-roles <= min(roles, most) && total <= 5
}

// isOffice reports whether a text is a job title that says of what: "Head of Sales and Market
// Research".
func isOffice(s string) bool {
	for w := range strings.FieldsSeq(s) {
		switch w {
		case "of", "for", "at", "to", "der", "des", "für", "du", "de", "del", "di":
			return hasRole(s)
		}
	}
	return false
}

// isPhrase reports whether a text has a word in lower case that names do not have, besides the
// first.
func isPhrase(s string) bool {
	fields := strings.Fields(s)
	for i, w := range fields {
		if i > 0 && beginsLower(w) {
			return true
		}
	}
	return len(fields) > 6
}

// beginsLower reports whether a text begins with a word in lower case that is not part of the
// names of persons.
func beginsLower(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(r) && !isNameParticle(word)
}

// endsWithInitial reports whether the last word of a name is a letter with or without its full
// stop.
func endsWithInitial(s string) bool {
	last := strings.TrimSuffix(s[strings.LastIndexByte(s, ' ')+1:], ".")
	r, n := utf8.DecodeRuneInString(last)
	return n == len(last) && unicode.IsUpper(r) && n < len(s)
}

// isPlausibleName rejects text that cannot be a name.
func isPlausibleName(s string) bool {
	if utf8.RuneCountInString(s) < 2 || len(s) > 120 || countFields(s) > 9 ||
		strings.HasPrefix(s, "www.") || strings.ContainsAny(s, "{}$:=") {
		return false
	}
	if strings.Count(s, ".") > 2 && !strings.Contains(s, " ") && s == strings.ToLower(s) {
		return false // page.head.author
	}
	if host, _, ok := strings.Cut(s, "/"); ok && isDomain(host) {
		return false // social.example/ann
	}
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 2
}

// looksLikeName reports whether visible text may be the name of a person or an agency: up to
// six capitalized words, or two to four Han characters.
func looksLikeName(s string) bool {
	fields := strings.Fields(s)
	if !isPlausibleName(s) || strings.ContainsAny(s, "?!:;=#%/0123456789") || len(fields) > 6 {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(s); words.IsIdeograph(first) {
		n := utf8.RuneCountInString(s)
		return n >= 2 && n <= 4
	}
	if len(fields) < 3 && isKind(fields[0], placeholderWord) {
		return false
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

// isNameParticle reports whether a lower-case word may be part of a name.
func isNameParticle(w string) bool {
	switch strings.TrimRight(w, "'’") {
	case "de", "da", "do", "dos", "das", "del", "della", "di", "du", "des", "la", "le", "el", "al", "van", "von", "vom",
		"der", "den", "ter", "ten", "zu", "zur", "bin", "ibn", "bint", "ben", "st", "y", "e", "af", "av", "d", "l", "of", "the", "and", "für":
		return true
	}
	r, _ := utf8.DecodeRuneInString(w)
	return (r == 'd' || r == 'l' || r == 'o') && len(w) > 2 && (w[1] == '\'' || strings.HasPrefix(w[1:], "’"))
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
	not := buttonWord | placeholderWord | tailWord | placeWord
	for i, w := range fields {
		first, n := utf8.DecodeRuneInString(w)
		outer := i == 0 || i == len(fields)-1
		if outer && (!unicode.IsUpper(first) || !hasLower(w[n:]) && !strings.HasSuffix(w, ".")) || strings.ContainsAny(w, ",:&") {
			return false
		}
		if bare := strings.Trim(w, ".,"); isKind(bare, not) || monthOf(bare) > 0 {
			return false
		}
		not &^= placeWord
	}
	return looksLikeName(s) && !isGroup(s) && !hasRole(s)
}

// plainNames returns the names of persons that a text consists of, but for what may stand after
// names: "Ann Lee and Bo Ek" for "Ann Lee and Bo Ek in Opinion". It is empty for other texts.
func plainNames(s string) string {
	names := cutBefore(s, func(word, _ string) bool { return beginsLower(word) && !isKind(word, andWord) })
	if len(names) < len(s) && !startsAfterName(strings.TrimLeft(s[len(names):], " ,")) {
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
