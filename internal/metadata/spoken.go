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
