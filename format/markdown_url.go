package format

import "strings"

// Many readers make links of bare URLs, and take them as they stand in the
// source, with every backslash that was put there to escape something. So a
// URL that would need one is written between < and >, where nothing is
// escaped; and where that cannot be, its start is escaped.

var urlStarts = [...]string{"https://", "http://", "ftp://", "www."}

// startsURL reports whether a reader could see a URL at the start of s.
func startsURL(s string, prev rune) bool {
	switch s[0] | 0x20 {
	case 'h', 'f':
		return urlStart(s) != "" // also after a letter, in scripts without spaces
	case 'w':
		return urlStart(s) != "" && !isWordRune(prev)
	}
	return false
}

func urlStart(s string) string {
	for _, p := range urlStarts {
		if len(s) > len(p) && strings.EqualFold(s[:len(p)], p) {
			return s[:len(p)]
		}
	}
	return ""
}

// url writes the URL at s[i:], or at least its start, and returns where it
// stopped.
func (e *escaper) url(s string, i int) int {
	start := urlStart(s[i:])
	if i >= e.wordEnd {
		e.word(s, i)
	}
	if !e.wordMarked {
		e.out.WriteString(s[i:e.wordEnd])
		return e.wordEnd
	}
	if start[0]|0x20 == 'h' && !e.inLink && e.at != inLabel {
		if n := bareURL(s[i:]); n > len(start) {
			e.out.WriteString("<" + s[i:i+n] + ">")
			return i + n
		}
	}
	sign := strings.IndexAny(start, ":.")
	e.out.WriteString(start[:sign] + `\` + start[sign:])
	return i + len(start)
}

// word looks for the end of the word at s[i:], once for all the URLs in it,
// and whether it has markup inside or right behind.
func (e *escaper) word(s string, i int) {
	n := strings.IndexAny(s[i:], " \n")
	if n < 0 {
		n = len(s) - i
	}
	e.wordEnd = i + n
	e.wordMarked = e.wordEnd == len(s) && !e.last || strings.ContainsAny(s[i:e.wordEnd], "\\`*_~[]<>&|!")
}

// bareURL is how much of s is a URL, without the punctuation that ends its
// sentence.
func bareURL(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || strings.IndexByte("-._~:/?#@!$&'()*+,;=%", s[n]) >= 0) {
		n++
	}
	spare := strings.Count(s[:n], ")") - strings.Count(s[:n], "(")
	for n > 0 && (strings.IndexByte("?!.,:;*_~'", s[n-1]) >= 0 || s[n-1] == ')' && spare > 0) {
		if s[n-1] == ')' {
			spare--
		}
		n--
	}
	return n
}
