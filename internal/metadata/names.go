package metadata

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// splitNames takes a byline apart: "By Ann Lee, Bo Ek and Cy Fox" is three
// names. A visible byline is read with more care than a field that is meant
// for names: it holds dates, places and buttons as well.
func splitNames(s string, visible bool) []string {
	s = tidy(s)
	if len(s) > 300 {
		return nil
	}
	s = dropBy(s)
	s = cutAsides(s)
	var names []string
	for _, piece := range splitList(s) {
		whole := strings.TrimSpace(piece)
		piece = trimName(dropBy(piece))
		if visible {
			piece = trimName(cutDate(piece))
		}
		switch {
		case piece == "" || bylineWords().nobody[strings.ToLower(piece)]:
		case len(names) > 0 && isDegree(piece):
			names[len(names)-1] += ", " + whole // with the full stop of "Ph.D."
		case len(names) > 0 && isRole(piece) || allRoles(piece):
		case visible && !looksLikeName(piece):
			if len(names) == 0 {
				return nil
			}
		case visible && len(names) > 0 && oneWord(piece) && !oneWord(names[0]):
			// A place: "Ann Lee, Berlin".
		case !visible && !plausible(piece):
		default:
			names = append(names, piece)
		}
	}
	return names
}

// dropBy cuts "By", "Von:" and their like off the front.
func dropBy(s string) string {
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
			if strings.Contains(rest, " ") || ideograph(last) || asciiWord(w, "by") {
				return rest
			}
			return s
		case ideograph(last) && ideograph(r) && utf8.RuneCountInString(w) > 1:
			return rest
		}
	}
	return s
}

func asciiWord(w, suffix string) bool { return w == suffix || strings.HasSuffix(w, " "+suffix) }

// cutAsides drops what stands in brackets, after a bar or a dash, and
// addresses.
func cutAsides(s string) string {
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

// splitList cuts at commas and words for "and".
func splitList(s string) []string {
	var out []string
	s = strings.ReplaceAll(s, " / ", ", ") // but "dpa/abc" is one
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
			// "Ortega y Gasset" is one name: a short word parts only what are
			// two words on both sides.
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

// trimName drops what clings to a name.
func trimName(s string) string {
	s = strings.Trim(foldSpace(s), " .:-–—*\"'“”„«»|•·_")
	// "Ann Lee in Berlin"
	for _, in := range [...]string{" in ", " aus ", " à ", " en ", " for ", " at "} {
		if i := strings.Index(s, in); i > 0 && strings.Contains(s[:i], " ") {
			s = s[:i]
		}
	}
	return s
}

// isDegree reports whether a piece after a comma belongs to the name before:
// MD, Ph.D., RDN, Jr.
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

func isRole(s string) bool {
	for _, w := range words(s) {
		if bylineWords().role[w] {
			return true
		}
	}
	return false
}

// allRoles reports whether there is no name beside what somebody does.
func allRoles(s string) bool {
	list := words(s)
	for _, w := range list {
		if !bylineWords().role[w] {
			return false
		}
	}
	return len(list) > 1
}

func oneWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !strings.Contains(s, " ") && !ideograph(r)
}

// plausible refuses what cannot be a name, wherever it stands.
func plausible(s string) bool {
	if utf8.RuneCountInString(s) < 2 || len(s) > 120 || len(strings.Fields(s)) > 9 {
		return false
	}
	if strings.Contains(s, "://") || strings.HasPrefix(s, "www.") || strings.ContainsAny(s, "{}$:=") {
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

// isBy reports whether a text is a word such as "by" and nothing else.
func isBy(s string) bool { return slices.Contains(bylineWords().by, bareWord(s)) }

// saysBy is isBy for the words that introduce nothing but a name, whatever
// the markup: "by", but not "from".
func saysBy(s string) bool { return bylineWords().spoken[bareWord(s)] }

func bareWord(s string) string { return strings.ToLower(strings.Trim(s, " :：-–—|")) }

// afterBy is what follows "by" in a row; ok tells that the row has the word,
// at its beginning or after a date, or as in "This was written by Ann Lee".
func afterBy(row string) (name string, ok bool) {
	row = strings.Trim(row, " -–—|•·:,.")
	if name, ok = beginsWithBy(row); ok {
		return name, true
	}
	var low [48]byte
	v := bylineWords()
	for at := 1; at < len(row); at++ {
		if row[at-1] != ' ' || !v.initial[row[at]] { // most words end here
			continue
		}
		const longest = 16 // bytes, of such a word in any script
		word, rest, _ := strings.Cut(row[at:], " ")
		if len(word) > longest {
			continue
		}
		by := string(appendLower(low[:0], word))
		if !v.spoken[by] {
			continue
		}
		before := row[:at-1]
		last := before[strings.LastIndexByte(before, ' ')+1:]
		if last != "" && (strings.ContainsFunc(before, unicode.IsDigit) || v.spoken[last+" "+by]) {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// beginsWithBy tries the first words of a row, the longest phrase first.
func beginsWithBy(row string) (name string, ok bool) {
	const longest, longWord = 4, 40 // words, bytes
	first := 0
	for first < len(row) && row[first] != ' ' && row[first] != ':' && !strings.HasPrefix(row[first:], "：") {
		if first++; first > longWord {
			return "", false
		}
	}
	word := row[:first]
	var low [96]byte
	v := bylineWords()
	if key := appendLower(low[:0], word); !v.sieve.holds(key) || !v.first[string(key)] {
		return "", false // most rows end here
	}
	var ends [longest]int
	n := 0
	for i := 0; i <= len(row) && n < longest; i++ {
		if i == len(row) || row[i] == ' ' || row[i] == ':' || strings.HasPrefix(row[i:], "：") {
			ends[n] = i
			n++
		}
	}
	for _, end := range slices.Backward(ends[:n]) {
		if end > 60 {
			continue
		}
		phrase, rest := string(appendLower(low[:0], row[:end])), row[end:]
		colon := strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：")
		if v.spoken[phrase] || colon && slices.Contains(v.by, phrase) {
			return strings.TrimLeft(rest, " :："), true
		}
	}
	return "", false
}

// appendLower is strings.ToLower for those who only want to compare: it needs
// no memory when the buffer is on the stack.
func appendLower(b []byte, s string) []byte {
	for _, r := range s {
		b = utf8.AppendRune(b, unicode.ToLower(r))
	}
	return b
}

// cutDate drops a date that follows a name in the same row.
func cutDate(s string) string {
	return cutAt(s, func(word, rest string) bool {
		return strings.ContainsFunc(word, unicode.IsDigit) || monthOf(strings.Trim(word, ".,")) > 0 && startsWithDigit(rest)
	})
}

// cutRest drops what follows names after "by": words that no name has.
func cutRest(s string) string {
	return cutAt(cutDate(s), func(word, _ string) bool {
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsLower(r) && !particle(word) && !bylineWords().and[word]
	})
}

// cutAt ends a text before the first word, but one, of some kind.
func cutAt(s string, stop func(word, rest string) bool) string {
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

// onlyRole reports whether all words tell what somebody does.
func onlyRole(s string) bool {
	list := words(s)
	roles := 0
	for _, w := range list {
		if bylineWords().role[w] {
			roles++
		}
	}
	return roles > 0 && len(list)-roles <= 1 && len(list) <= 4
}

//go:embed data/bylines.txt
var bylinesFile string

// vocabulary is the words of bylines.
type vocabulary struct {
	by     []string        // the longest first
	spoken map[string]bool // of these, those that need no markup
	first  map[string]bool // the first words of by
	and    map[string]bool
	role   map[string]bool
	nobody map[string]bool
	path   map[string]bool

	sieve    sieve     // of first
	initial  [256]bool // whether one word that is spoken may begin with this byte, in any case
	longPath int       // bytes of the longest of path
}

var bylineWords = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{and: map[string]bool{}, role: map[string]bool{}, nobody: map[string]bool{}, path: map[string]bool{}, spoken: map[string]bool{}, first: map[string]bool{}}
	for row := range dataRows(bylinesFile) {
		kind, list, _ := strings.Cut(row, ":")
		for w := range strings.SplitSeq(list, ",") {
			w = strings.TrimSpace(w)
			switch kind {
			case "by":
				v.by = append(v.by, w)
			case "spoken":
				v.by, v.spoken[w] = append(v.by, w), true
				if !strings.Contains(w, " ") {
					v.initial[w[0]], v.initial[w[0]&^0x20] = true, true
				}
			case "and":
				v.and[w] = true
			case "role":
				v.role[w] = true
			case "nobody":
				v.nobody[w] = true
			case "path":
				v.path[w] = true
				v.longPath = max(v.longPath, len(w))
			default:
				panic("metadata: bylines.txt: " + row)
			}
		}
	}
	for c := utf8.RuneSelf; c < len(v.initial); c++ {
		v.initial[c] = true // the letters of other scripts have no cases in one byte
	}
	slices.SortStableFunc(v.by, func(a, b string) int { return len(b) - len(a) })
	v.by = slices.Compact(v.by)
	for _, w := range v.by {
		word, _, _ := strings.Cut(w, " ")
		v.first[word] = true
		v.sieve.add(word)
	}
	return v
})
