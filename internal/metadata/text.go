package metadata

import (
	"html"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tidy gives text as a reader should see it: entities decoded, also those
// that were encoded twice, markup dropped, white space folded.
func tidy(s string) string {
	for range 2 {
		if !strings.Contains(s, "&") {
			break
		}
		s = html.UnescapeString(s)
	}
	if strings.Contains(s, "<") {
		s = stripMarkup(s)
	}
	return foldSpace(s)
}

// stripMarkup drops tags such as <em> and </a>, but keeps a lone "<".
func stripMarkup(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 >= len(s) {
			break
		}
		c := s[i+1]
		j := strings.IndexByte(s[i:], '>')
		if j < 0 || c != '/' && c != '!' && (c|0x20 < 'a' || c|0x20 > 'z') {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		b.WriteString(s[:i])
		if tag := strings.ToLower(s[i : i+j]); tag == "<br" || strings.HasPrefix(tag, "<br ") || tag == "</p" {
			b.WriteByte(' ')
		}
		s = s[i+j+1:]
	}
	b.WriteString(s)
	return b.String()
}

// foldSpace makes every run of white space one space and drops characters
// that show nothing.
func foldSpace(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		switch {
		case r == 0xAD || r == 0x200B || r == 0x200E || r == 0x200F || r == 0x2060 || r == 0xFEFF || r == utf8.RuneError:
		case unicode.IsSpace(r) || unicode.IsControl(r):
			gap = b.Len() > 0
		default:
			if gap {
				b.WriteByte(' ')
				gap = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain reports whether there is nothing to fold.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			return false
		}
	}
	return true
}

// fold is what is left for comparing: the letters and digits in lower case.
func fold(s string) string {
	var short [128]byte // most texts are no longer, and need no other room
	b := short[:0]
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case isLower(c), isDigit(c):
				b = append(b, c)
			case 'A' <= c && c <= 'Z':
				b = append(b, c|0x20)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) {
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
	}
	return string(b)
}

// ideograph reports whether r is a word by itself.
func ideograph(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF || r >= 0x20000 && r <= 0x3FFFF
}

// words lists the words of s in lower case; a Han or Kana character is one.
func words(s string) []string {
	out := make([]string, 0, countWords(s, len(s)))
	start := -1
	s = strings.ToLower(s)
	for i, r := range s {
		han := ideograph(r)
		in := !han && (unicode.IsLetter(r) || unicode.IsDigit(r) || r >= 0x300 && unicode.Is(unicode.Mn, r))
		if in && start < 0 {
			start = i
		}
		if !in && start >= 0 && r != '\'' && r != '’' {
			out = append(out, s[start:i])
			start = -1
		}
		if han {
			out = append(out, s[i:i+utf8.RuneLen(r)])
		}
	}
	if start >= 0 {
		out = append(out, s[start:])
	}
	return out
}

// countWords counts those of words, but no more than most.
func countWords(s string, most int) int {
	n, in := 0, false
	for _, r := range s {
		switch {
		case ideograph(r):
			n, in = n+1, false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r >= 0x300 && unicode.Is(unicode.Mn, r):
			if !in {
				n, in = n+1, true
			}
		case r != '\'' && r != '’':
			in = false
		}
		if n >= most {
			return most
		}
	}
	return n
}

// overlap is the Dice coefficient of two bags of words, from 0 to 1.
func overlap(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	var few [64]bool
	used := few[:]
	if len(b) > len(few) {
		used = make([]bool, len(b))
	}
	same := 0
	for _, x := range a {
		for j, y := range b {
			if !used[j] && x == y {
				used[j] = true
				same++
				break
			}
		}
	}
	return 2 * float64(same) / float64(len(a)+len(b))
}

// containsWord reports whether one of the words of a name such as
// "article-byline__author" begins with a word of the list. Names of classes
// are made of words by "-", "_" and capital letters.
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

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// clip bounds a text to a number of bytes without cutting a character.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// dataRows goes through the rows of an embedded file without comments and
// empty rows.
func dataRows(file string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for row := range strings.Lines(file) {
			row = strings.TrimSpace(row)
			if row == "" || row[0] == '#' {
				continue
			}
			if !yield(row) {
				return
			}
		}
	}
}

// sieve refuses most words that are not in a list, by their first byte and
// their length: that is far quicker than to look for them in a map, and nearly
// all words of a page are in no list. It has a bit for each length.
type sieve [256]uint64

func (s *sieve) add(word string) { s[word[0]] |= 1 << min(len(word), 63) }

// holds reports whether the list may have the word.
func (s *sieve) holds(word []byte) bool {
	return len(word) > 0 && s[word[0]]>>min(len(word), 63)&1 != 0
}
