package metadata

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted reads a string. A quote ends it only when what follows can follow a
// string; otherwise somebody forgot to escape it.
func (r *jsonReader) quoted() string {
	r.i++
	start := r.i
	for quote := -1; r.i < len(r.s); {
		if quote < r.i { // looked for once, however many escapes stand before it
			n := strings.IndexByte(r.s[r.i:], '"')
			if n < 0 {
				break
			}
			quote = r.i + n
		}
		if n := strings.IndexByte(r.s[r.i:quote], '\\'); n >= 0 {
			r.i += n + 2
			continue
		}
		r.i = quote
		if r.ends(r.i + 1) {
			r.i++
			return r.s[start : r.i-1]
		}
		r.i++
	}
	r.i = len(r.s)
	return r.s[start:]
}

// ends reports whether a string may end before position i.
func (r *jsonReader) ends(i int) bool {
	row := false
	for ; i < len(r.s) && r.s[i] <= ' '; i++ {
		row = row || r.s[i] == '\n'
	}
	if i >= len(r.s) {
		return true
	}
	switch r.s[i] {
	case ',', ':', '}', ']', '/':
		return true
	}
	return row // a comma is missing
}

// unescape resolves the escapes of a JSON string.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'n', 't', 'r', 'b', 'f':
			b.WriteByte(' ')
		case 'u':
			r, rest := hexRune(s)
			b.WriteRune(r)
			s = rest
		default:
			b.WriteByte(c)
		}
	}
}

// hexRune reads the digits after \u, and the second half of a pair.
func hexRune(s string) (rune, string) {
	if len(s) < 4 {
		return ' ', s
	}
	u, err := strconv.ParseUint(s[:4], 16, 16)
	if err != nil {
		return ' ', s
	}
	r, s := rune(u), s[4:]
	if utf16.IsSurrogate(r) && len(s) >= 6 && s[:2] == `\u` {
		if low, err := strconv.ParseUint(s[2:6], 16, 16); err == nil {
			if full := utf16.DecodeRune(r, rune(low)); full != utf8.RuneError {
				return full, s[6:]
			}
		}
	}
	return r, s
}
