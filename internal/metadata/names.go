package metadata

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/lines"
)

// splitNames returns the names in a byline: three for "By Ann Lee, Bo Ek and Cy
// Fox". A visible byline is parsed more strictly than metadata, because it may
// contain dates, places and buttons as well.
func splitNames(s string, visible bool) []string {
	s = cleanText(s)
	if len(s) > 300 {
		return nil
	}
	var names []string
	for _, part := range splitList(cutExtras(trimBy(s))) {
		whole := strings.TrimSpace(part)
		part = trimName(trimBy(part))
		if visible {
			part = trimName(cutDate(part))
		}
		switch {
		case part == "" || bylineWords().placeholder[strings.ToLower(part)]:
		case len(names) > 0 && isDegree(part):
			names[len(names)-1] += ", " + whole // with the full stop of "Ph.D."
		case len(names) > 0 && hasRole(part) || isRoleOnly(part):
		case visible && !looksLikeName(part):
			if len(names) == 0 {
				return nil
			}
		case visible && len(names) > 0 && isOneWord(part) && !isOneWord(names[0]):
			// A place: "Ann Lee, Berlin".
		case !visible && !isPlausibleName(part):
		default:
			names = append(names, part)
		}
	}
	return names
}

// trimBy removes "By", "Von:" and similar words from the beginning.
func trimBy(s string) string {
	s = strings.TrimLeft(s, " -–—|•·:,.")
	for _, w := range bylineWords().by {
		if len(s) <= len(w) || w[0] < utf8.RuneSelf && s[0]|0x20 != w[0] || !strings.EqualFold(s[:len(w)], w) {
			continue
		}
		rest := s[len(w):]
		r, n := utf8.DecodeRuneInString(rest)
		last, _ := utf8.DecodeLastRuneInString(w)
		switch {
		case r == ':' || r == '：' || r == '/' || r == '／':
			return strings.TrimSpace(rest[n:])
		case unicode.IsSpace(r):
			// "Von Trier" may be a name, "von Ann Lee" is not.
			rest = strings.TrimLeft(rest, " :-–")
			if strings.Contains(rest, " ") || isIdeograph(last) || endsWithWord(w, "by") {
				return rest
			}
			return s
		case isIdeograph(last) && isIdeograph(r) && utf8.RuneCountInString(w) > 1:
			return rest
		}
	}
	return s
}

func endsWithWord(w, suffix string) bool { return w == suffix || strings.HasSuffix(w, " "+suffix) }

// cutExtras removes text in brackets or after a bar or dash, and addresses.
func cutExtras(s string) string {
	for _, sep := range [...]string{" | ", "|", " • ", "•", " · ", " – ", " — ", " - ", "\n", " // "} {
		if i := strings.Index(s, sep); i > 0 {
			s = s[:i]
		}
	}
	for {
		open := strings.IndexAny(s, "([<")
		if open < 0 {
			break
		}
		end := strings.IndexAny(s[open:], ")]>")
		if end < 0 {
			s = s[:open]
			break
		}
		s = s[:open] + " " + s[open+end+1:]
	}
	if !strings.ContainsAny(s, "@/") {
		return s
	}
	var keep []string
	for w := range strings.FieldsSeq(s) {
		if !strings.Contains(w, "@") && !strings.Contains(w, "://") && !strings.HasPrefix(w, "www.") {
			keep = append(keep, w)
		}
	}
	return strings.Join(keep, " ")
}

// splitList splits a list at commas and words for "and".
func splitList(s string) []string {
	var out []string
	s = strings.ReplaceAll(s, " / ", ", ") // but "dpa/abc" is one name
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return strings.ContainsRune(",;&+，、；／،", r)
	}) {
		fields := strings.Fields(part)
		from := 0
		for i, w := range fields {
			if !bylineWords().and[strings.ToLower(w)] {
				continue
			}
			if i == from {
				if i == 0 && len(fields) > 2 && w == strings.ToLower(w) {
					from = 1 // after a comma: "A, B, and C"
				}
				continue
			}
			// "Ortega y Gasset" is one name: a short word separates names only
			// if there are two words on both sides.
			if utf8.RuneCountInString(w) <= 2 && (i-from < 2 || len(fields)-i-1 < 2) {
				continue
			}
			if w != strings.ToLower(w) && w != strings.ToUpper(w) {
				continue // "En" and "Con" are names as well
			}
			out = append(out, strings.Join(fields[from:i], " "))
			from = i + 1
		}
		out = append(out, strings.Join(fields[from:], " "))
	}
	return out
}

// trimName removes punctuation and places around a name.
func trimName(s string) string {
	s = strings.Trim(collapseSpace(s), " .:-–—*\"'“”„«»|•·_")
	// "Ann Lee in Berlin"
	for _, in := range [...]string{" in ", " aus ", " à ", " en ", " for ", " at "} {
		if i := strings.Index(s, in); i > 0 && strings.Contains(s[:i], " ") {
			s = s[:i]
		}
	}
	return s
}

// isDegree reports whether the text after a comma belongs to the name before
// it: MD, Ph.D., RDN, Jr.
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

// roleWords returns the number of words of s that are part of job titles, and the
// number of all words.
func roleWords(s string) (roles, total int) {
	list := words(s)
	for _, w := range list {
		if bylineWords().role[w] {
			roles++
		}
	}
	return roles, len(list)
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

// isJobTitle reports whether a text has words for roles and at most one other
// word.
func isJobTitle(s string) bool {
	roles, total := roleWords(s)
	return roles > 0 && total-roles <= 1 && total <= 4
}

func isOneWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !strings.Contains(s, " ") && !isIdeograph(r)
}

// isPlausibleName rejects text that cannot be a name.
func isPlausibleName(s string) bool {
	if utf8.RuneCountInString(s) < 2 || len(s) > 120 || len(strings.Fields(s)) > 9 ||
		strings.HasPrefix(s, "www.") || strings.ContainsAny(s, "{}$:=") {
		return false
	}
	if strings.Count(s, ".") > 2 && !strings.Contains(s, " ") && s == strings.ToLower(s) {
		return false // page.head.author
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
	fields := strings.Fields(s)
	if len(fields) > 6 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	if isIdeograph(first) {
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
		case isNameParticle(w) && (i > 0 || len(fields) > 1):
		default:
			return false
		}
		if i == 0 && bylineWords().placeholder[strings.ToLower(w)] && len(fields) < 3 {
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

// isBy reports whether a text is only a word such as "by".
func isBy(s string) bool { return slices.Contains(bylineWords().by, trimWord(s)) }

// isCertainBy is like isBy, but only for words that are followed by a name even
// without markup: "by", but not "from".
func isCertainBy(s string) bool { return bylineWords().certain[trimWord(s)] }

func trimWord(s string) string { return strings.ToLower(strings.Trim(s, " :：-–—|")) }

// afterBy returns what follows "by" in a line. ok reports whether the line has
// the word at its beginning, after a date or in "This was written by Ann Lee".
func afterBy(line string) (name string, ok bool) {
	line = strings.Trim(line, " -–—|•·:,.")
	if name, ok = beginsWithBy(line); ok {
		return name, true
	}
	var low [48]byte
	v := bylineWords()
	for at := 1; at < len(line); at++ {
		if line[at-1] != ' ' || !v.initial[line[at]] { // rejects most words
			continue
		}
		const longest = 16 // bytes, of such a word in any script
		word, rest, _ := strings.Cut(line[at:], " ")
		if len(word) > longest {
			continue
		}
		by := string(appendLower(low[:0], word))
		if !v.certain[by] {
			continue
		}
		before := line[:at-1]
		last := before[strings.LastIndexByte(before, ' ')+1:]
		if last != "" && (strings.ContainsFunc(before, unicode.IsDigit) || v.certain[last+" "+by]) {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// beginsWithBy is afterBy for the beginning of a line. It tries the longest
// phrase first.
func beginsWithBy(line string) (name string, ok bool) {
	const longest, longWord = 4, 40 // words, bytes
	first := 0
	for first < len(line) && line[first] != ' ' && line[first] != ':' && !strings.HasPrefix(line[first:], "：") {
		if first++; first > longWord {
			return "", false
		}
	}
	var low [96]byte
	v := bylineWords()
	if key := appendLower(low[:0], line[:first]); !v.prefilter.mayContain(key) || !v.first[string(key)] {
		return "", false // rejects most lines
	}
	var ends [longest]int
	n := 0
	for i := 0; i <= len(line) && n < longest; i++ {
		if i == len(line) || line[i] == ' ' || line[i] == ':' || strings.HasPrefix(line[i:], "：") {
			ends[n] = i
			n++
		}
	}
	for _, end := range slices.Backward(ends[:n]) {
		if end > 60 {
			continue
		}
		phrase, rest := string(appendLower(low[:0], line[:end])), line[end:]
		colon := strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：")
		if v.certain[phrase] || colon && slices.Contains(v.by, phrase) {
			return strings.TrimLeft(rest, " :："), true
		}
	}
	return "", false
}

// appendLower appends s in lower case. Unlike strings.ToLower it does not
// allocate if the buffer is on the stack.
func appendLower(b []byte, s string) []byte {
	for _, r := range s {
		b = utf8.AppendRune(b, unicode.ToLower(r))
	}
	return b
}

// cutDate removes a date after a name.
func cutDate(s string) string {
	return cutBefore(s, func(word, rest string) bool {
		return strings.ContainsFunc(word, unicode.IsDigit) || monthOf(strings.Trim(word, ".,")) > 0 && startsWithDigit(rest)
	})
}

// cutAfterNames removes what follows the names after "by".
func cutAfterNames(s string) string {
	return cutBefore(cutDate(s), func(word, _ string) bool {
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsLower(r) && !isNameParticle(word) && !bylineWords().and[word]
	})
}

// cutBefore cuts a text before the first word for which stop is true, except the
// very first.
func cutBefore(s string, stop func(word, rest string) bool) string {
	for at := 0; at < len(s); {
		word, rest, _ := strings.Cut(s[at:], " ")
		if at > 0 && stop(word, rest) {
			return strings.TrimRight(s[:at], " ,")
		}
		at += len(word) + 1
	}
	return s
}

func startsWithDigit(s string) bool { return s != "" && isDigit(s[0]) }

//go:embed data/bylines.txt
var bylinesFile string

// vocabulary is the content of bylines.txt.
type vocabulary struct {
	by          []string        // the longest first
	certain     map[string]bool // words of by that need no markup
	first       map[string]bool // first words of by
	and         map[string]bool
	role        map[string]bool
	placeholder map[string]bool
	path        map[string]bool

	prefilter prefilter // for first
	initial   [256]bool // first bytes of the single words in certain, in any case
	longPath  int       // length of the longest path in bytes
}

var bylineWords = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{and: map[string]bool{}, role: map[string]bool{}, placeholder: map[string]bool{}, path: map[string]bool{}, certain: map[string]bool{}, first: map[string]bool{}}
	sets := map[string]map[string]bool{"certain": v.certain, "and": v.and, "role": v.role, "placeholder": v.placeholder, "path": v.path}
	for line := range lines.Data(bylinesFile) {
		kind, list, _ := strings.Cut(line, ":")
		for w := range strings.SplitSeq(list, ",") {
			w = strings.TrimSpace(w)
			if kind == "by" || kind == "certain" {
				v.by = append(v.by, w)
			}
			if kind != "by" {
				sets[kind][w] = true // panics if there is no such kind
			}
		}
	}
	for w := range v.certain {
		if !strings.Contains(w, " ") {
			v.initial[w[0]], v.initial[w[0]&^0x20] = true, true
		}
	}
	for w := range v.path {
		v.longPath = max(v.longPath, len(w))
	}
	for c := utf8.RuneSelf; c < len(v.initial); c++ {
		v.initial[c] = true // other scripts have no cases that differ in one bit
	}
	slices.SortStableFunc(v.by, func(a, b string) int { return len(b) - len(a) })
	v.by = slices.Compact(v.by)
	for _, w := range v.by {
		word, _, _ := strings.Cut(w, " ")
		v.first[word] = true
		v.prefilter.add(word)
	}
	return v
})
