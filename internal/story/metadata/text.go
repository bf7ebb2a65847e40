package metadata

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/words"
)

// cleanText returns text as it should be displayed: entities decoded, even those
// encoded twice, markup removed and white space collapsed.
func cleanText(s string) string {
	s = html.UnescapeString(html.UnescapeString(s)) // does not copy s if it has no &
	if strings.Contains(s, "<") {
		s = stripMarkup(s)
	}
	return collapseSpace(s)
}

// stripMarkup removes tags such as <em> and </a>, but keeps a lone "<".
func stripMarkup(s string) string {
	var b strings.Builder
	for {
		text, rest, ok := strings.Cut(s, "<")
		b.WriteString(text)
		if !ok {
			return b.String()
		}
		tag, after, closed := strings.Cut(rest, ">")
		if !closed || tag == "" || !strings.ContainsRune("/!", rune(tag[0])) && !isLower(tag[0]|0x20) {
			b.WriteByte('<')
			s = rest
			continue
		}
		if tag = strings.ToLower(tag); tag == "br" || strings.HasPrefix(tag, "br ") || tag == "br/" || tag == "/p" {
			b.WriteByte(' ')
		}
		s = after
	}
}

// collapseSpace replaces each run of white space by one space and removes
// invisible characters.
func collapseSpace(s string) string {
	if strings.ContainsFunc(s, isInvisible) {
		s = strings.Map(func(r rune) rune {
			if isInvisible(r) {
				return -1
			}
			return r
		}, s)
	}
	if s = strings.TrimFunc(s, isSpace); !strings.Contains(s, "  ") && !strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && isSpace(r) }) {
		return s // most texts
	}
	return strings.Join(strings.FieldsFunc(s, isSpace), " ")
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// isInvisible reports whether r is a soft hyphen, a mark of width zero or no
// character at all.
func isInvisible(r rune) bool {
	return r == 0xAD || r == 0x200B || r == 0x200E || r == 0x200F || r == 0x2060 || r == 0xFEFF || r == utf8.RuneError
}

// containsAny reports whether s contains one of the parts.
func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

// bag returns a hash of every word of s.
func bag(s string) []uint32 {
	out := make([]uint32, 0, 16) // most titles and headings have fewer
	r := words.Reader{Text: s}
	for w, ok := r.Next(); ok; w, ok = r.Next() {
		out = append(out, w.Hash)
	}
	return out
}

// dice returns the Dice coefficient of two bags of words, from 0 to 1.
func dice(a, b []uint32) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	var room [32]uint32
	left := append(room[:0], b...)
	for _, x := range a {
		if i := slices.Index(left, x); i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
	}
	return 2 * float64(len(b)-len(left)) / float64(len(a)+len(b))
}

// containsWord reports whether a word of a class or id such as
// "article-byline__author" begins with a word of the list.
func containsWord(name string, list ...string) bool {
	for _, w := range list {
		for rest := name; ; {
			i := strings.Index(rest, w)
			if i < 0 {
				break
			}
			if i == 0 || !isLower(rest[i-1]) {
				return true
			}
			rest = rest[i+len(w):]
		}
	}
	return false
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// truncate cuts a text to at most n bytes, at a rune boundary.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// isLonger reports whether s has more than n characters.
func isLonger(s string, n int) bool {
	return len(s) > n && (len(s) > n*utf8.UTFMax || utf8.RuneCountInString(s) > n)
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
