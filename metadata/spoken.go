package metadata

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
	digits, last := false, ""
	for at := 0; at < len(row); {
		word, rest, _ := strings.Cut(row[at:], " ")
		const longest = 16 // bytes, of such a word in any script
		if last != "" && len(word) <= longest && (digits || bylineWords().first[last]) {
			by := strings.ToLower(word)
			if bylineWords().spoken[by] && (digits || bylineWords().spoken[last+" "+by]) {
				return strings.TrimSpace(rest), true
			}
		}
		digits = digits || strings.ContainsFunc(word, unicode.IsDigit)
		last = word
		at += len(word) + 1
	}
	return "", false
}

// beginsWithBy tries the first words of a row, the longest phrase first.
func beginsWithBy(row string) (name string, ok bool) {
	const longest = 4
	word, _, _ := strings.Cut(row, " ")
	word, _, _ = strings.Cut(word, ":")
	if word, _, _ = strings.Cut(word, "："); len(word) > 40 {
		return "", false
	}
	var low [48]byte
	if key := appendLower(low[:0], word); !bylineWords().first[string(key)] {
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
		phrase, rest := strings.ToLower(row[:end]), row[end:]
		colon := strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：")
		if bylineWords().spoken[phrase] || colon && slices.Contains(bylineWords().by, phrase) {
			return strings.TrimLeft(rest, " :："), true
		}
	}
	return "", false
}

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
