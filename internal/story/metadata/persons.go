package metadata

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/lede-news/lede/internal/words"
)

func hasLower(s string) bool { return strings.ContainsFunc(s, unicode.IsLower) }

// isPerson reports whether a name may be the full name of a person. A single
// word may be a login.
func isPerson(name string) bool { return !isOneWord(name) && !isGroup(name) }

// isSameName reports whether two names are those of the same person, in any
// case, with or without accents, titles and middle names.
func isSameName(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	var rooms [2][64]byte
	x, n := appendBareName(rooms[0][:0], a)
	y, m := appendBareName(rooms[1][:0], b)
	switch {
	case n == 0 || m == 0:
		return false
	case n == 2 && m > 2 || m == 2 && n > 2:
		cut := bytes.IndexByte(x, ' ') + 1
		return bytes.HasPrefix(y, x[:cut]) && bytes.Equal(x[bytes.LastIndexByte(x, ' '):], y[bytes.LastIndexByte(y, ' '):])
	}
	return bytes.Equal(x, y)
}

// appendBareName appends the words of a name without what may be left out, with
// spaces between them, for comparisons. It returns their number as well.
func appendBareName(out []byte, s string) (name []byte, words int) {
	var room [12]textRange
	fields := appendFields(room[:0], s)
	for i, f := range fields {
		w := strings.TrimRight(s[f.from:f.to], ",")
		bare := strings.TrimRight(w, ".")
		if i == 0 && len(fields) > 2 && isTitle(bare) || i > 0 && i < len(fields)-1 && utf8.RuneCountInString(bare) == 1 ||
			i > 1 && isDegree(w) && s[fields[i-1].to-1] == ',' {
			continue
		}
		from := len(out)
		if words > 0 {
			out = append(out, ' ')
		}
		start := len(out)
		if out = appendUnaccented(out, bare); len(out) == start {
			out = out[:from]
			continue
		}
		words++
	}
	return out, words
}

// appendUnaccented appends foldAccents(s).
func appendUnaccented(b []byte, s string) []byte {
	if isASCII(s) {
		return appendFolded(b, s)
	}
	for _, r := range norm.NFD.String(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
	}
	return b
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldAccents returns the letters and digits of s in lower case, without
// accents.
func foldAccents(s string) string {
	var room [128]byte
	return string(appendUnaccented(room[:0], s))
}

// isTitle reports whether a word before a name is the title of a person.
func isTitle(w string) bool {
	var room [8]byte
	switch string(appendLower(room[:0], w)) {
	case "dr", "prof", "mr", "mrs", "ms", "sir", "dame", "herr", "frau", "mme":
		return true
	}
	return false
}

// isGroup reports whether a name is that of an organization, by one of its
// words or because it has an address.
func isGroup(name string) bool {
	if strings.Contains(name, "www.") {
		return true
	}
	for w := range strings.FieldsSeq(name) {
		w = strings.Trim(w, ".,()")
		if isKind(w, groupWord) || strings.Contains(w, ".") && isDomain(strings.ToLower(w)) {
			return true
		}
	}
	return false
}

// isDomain reports whether a word looks like the name of a host.
func isDomain(w string) bool {
	i := strings.LastIndexByte(w, '.')
	if i < 3 || len(w)-i < 3 || len(w)-i > 5 {
		return false
	}
	for _, c := range []byte(w[i+1:]) {
		if !isLower(c) {
			return false
		}
	}
	return true
}

// isPhrase reports whether a text has a word in lower case that names do not
// have, besides the first.
func isPhrase(s string) bool {
	i := 0
	for w := range strings.FieldsSeq(s) {
		r, _ := utf8.DecodeRuneInString(w)
		if i > 0 && unicode.IsLower(r) && !isNameParticle(w) {
			return true
		}
		i++
	}
	return i > 6
}

// isDegree reports whether the text after a comma belongs to the name before
// it: MD, Ph.D., RDN, Jr.
func isDegree(s string) bool {
	if len(s) > 9 || strings.Contains(s, " ") && len(s) > 7 {
		return false
	}
	var room [32]byte
	switch string(appendLower(room[:0], strings.Trim(s, "."))) {
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

// roleWords returns the number of words of s that are part of job titles, and the
// number of all words.
func roleWords(s string) (roles, total int) {
	v := bylineWords()
	for w := range words.All(s) {
		total++
		if v.foldedKinds(w, roleWord) != 0 {
			roles++
		}
	}
	return roles, total
}

func hasRole(s string) bool {
	roles, _ := roleWords(s)
	return roles > 0
}

// isRoleOnly reports whether a text consists of two or more words for roles.
func isRoleOnly(s string) bool {
	roles, total := roleWords(s)
	return roles == total && total > 1
}

// isJobTitle reports whether a text has words for roles and not more other words.
func isJobTitle(s string) bool {
	roles, total := roleWords(s)
	return roles > 0 && total-roles <= roles && total <= 5
}

// isLongJobTitle is isJobTitle for two roles or more: "Former Harbour Pilot Editor".
func isLongJobTitle(s string) bool {
	roles, _ := roleWords(s)
	return roles > 1 && isJobTitle(s)
}

// isOffice reports whether a text is a job title that says of what: "Head of
// Sales and Market Research".
func isOffice(s string) bool {
	for w := range strings.FieldsSeq(s) {
		switch w {
		case "of", "for", "at", "to", "der", "des", "für", "du", "de", "del", "di":
			return hasRole(s)
		}
	}
	return false
}

func isOneWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !strings.Contains(s, " ") && !isIdeograph(r)
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
	if strings.Contains(s, "/") && isDomain(strings.ToLower(s[:strings.IndexByte(s, '/')])) {
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

// looksLikeName reports whether visible text may be the name of a person or an
// agency: up to six capitalized words, or two to four Han characters.
func looksLikeName(s string) bool {
	if !isPlausibleName(s) || strings.ContainsAny(s, "?!:;=#%/0123456789") {
		return false
	}
	count := countFields(s)
	if count > 6 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	if isIdeograph(first) {
		n := utf8.RuneCountInString(s)
		return n >= 2 && n <= 4
	}
	capitals, i := 0, -1
	for w := range strings.FieldsSeq(s) {
		i++
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "'’\"“("))
		switch {
		case unicode.IsUpper(r), unicode.IsTitle(r):
			capitals++
		case !unicode.IsLower(r) && unicode.IsLetter(r):
			capitals++ // a script without cases
		case isNameParticle(w) && (i > 0 || count > 1):
		case i > 0 && bylineWords().kinds(w, groupWord) != 0: // "The Harbour editors"
		default:
			return false
		}
		if i == 0 && count < 3 && isKind(w, placeholderWord) {
			return false
		}
	}
	return capitals >= 2 || capitals == 1 && count == 1 && len(s) >= 3
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
