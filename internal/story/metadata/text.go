package metadata

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// collapseSpace replaces each run of white space by one space and removes
// invisible characters.
func collapseSpace(s string) string {
	if s = strings.TrimSpace(s); isCollapsed(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		switch {
		case isInvisible(r):
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

// isCollapsed reports whether collapseSpace would not change s.
func isCollapsed(s string) bool {
	for i, r := range s {
		if r == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') || r != ' ' && (r < 0x7f && r < ' ' || r >= 0x7f && (isInvisible(r) || unicode.IsSpace(r) || unicode.IsControl(r))) {
			return false
		}
	}
	return true
}

// isInvisible reports whether r is a soft hyphen, a mark of width zero or no
// character at all.
func isInvisible(r rune) bool {
	return r == 0xAD || r == 0x200B || r == 0x200E || r == 0x200F || r == 0x2060 || r == 0xFEFF || r == utf8.RuneError
}

// countFields returns len(strings.Fields(s)).
func countFields(s string) (n int) {
	for range strings.FieldsSeq(s) {
		n++
	}
	return n
}

// fold returns the letters and digits of s in lower case, for comparisons.
func fold(s string) string {
	var short [128]byte // enough for most texts
	return string(appendFolded(short[:0], s))
}

// isFolded reports whether fold(s) is key.
func isFolded(s, key string) bool {
	var short [256]byte
	return string(appendFolded(short[:0], s)) == key
}

// fold is like the function, but keeps its results in one piece of memory.
func (p *page) fold(s string) string {
	const usual = 2048 // bytes, of all results of a page
	if p.folded.Len() == 0 {
		p.folded.Grow(usual)
	}
	var short [128]byte
	from := p.folded.Len()
	p.folded.Write(appendFolded(short[:0], s))
	return p.folded.String()[from:]
}

// appendFolded appends fold(s).
func appendFolded(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case isLower(c), isDigit(c):
				b = append(b, c)
			case isUpper(c):
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
	return b
}

// equalLower reports whether two texts are the same in lower case.
func equalLower(a, b string) bool {
	for a != "" && b != "" {
		r, n := utf8.DecodeRuneInString(a)
		q, m := utf8.DecodeRuneInString(b)
		if unicode.ToLower(r) != unicode.ToLower(q) {
			return false
		}
		a, b = a[n:], b[m:]
	}
	return a == b
}

// isIdeograph reports whether r is a Han or Kana character, which counts as a
// word.
func isIdeograph(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF || r >= 0x20000 && r <= 0x3FFFF
}

// countWords returns the number of words(s), but at most limit.
func countWords(s string, limit int) int {
	n, in := 0, false
	for _, r := range s {
		switch {
		case isIdeograph(r):
			n, in = n+1, false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r >= 0x300 && unicode.Is(unicode.Mn, r):
			if !in {
				n, in = n+1, true
			}
		case r != '\'' && r != '’':
			in = false
		}
		if n >= limit {
			return limit
		}
	}
	return n
}

// containsAny reports whether s contains one of the parts.
func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

// bag returns a hash of every word of s, in memory that all bags of the page share.
func (p *page) bag(s string) []uint32 {
	const usual = 128 // words, of all bags of a page
	if p.hashes == nil {
		p.hashes = make([]uint32, 0, usual)
	}
	from := len(p.hashes)
	p.hashes = appendBag(p.hashes, s)
	return p.hashes[from:len(p.hashes):len(p.hashes)]
}

// appendBag appends a hash of every word of s, as of words(s).
func appendBag(out []uint32, s string) []uint32 {
	const seed, step = 2166136261, 16777619 // FNV-1a
	h, in := uint32(seed), false
	for _, r := range s {
		switch {
		case r|0x20 >= 'a' && r|0x20 <= 'z':
			h, in = (h^uint32(r|0x20))*step, true
		case isIdeograph(r):
			if in {
				out = append(out, h)
			}
			out = append(out, (seed^uint32(r))*step)
			h, in = seed, false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r >= 0x300 && unicode.Is(unicode.Mn, r):
			h, in = (h^uint32(unicode.ToLower(r)))*step, true
		case in && (r == '\'' || r == '’'):
			h = (h ^ uint32(r)) * step
		case in:
			out = append(out, h)
			h, in = seed, false
		}
	}
	if in {
		out = append(out, h)
	}
	return out
}

// dice returns the Dice coefficient of two bags of words, from 0 to 1.
func dice(a, b []uint32) float64 {
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
			if x == y && !used[j] {
				used[j] = true
				same++
				break
			}
		}
	}
	return 2 * float64(same) / float64(len(a)+len(b))
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

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

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

// prefilter rejects most words that are not in a list, by their first byte and
// their length. It has a bit for each length. This is much faster than a map,
// and nearly all words of a page are in no list.
type prefilter [256]uint64

func (f *prefilter) add(word string) { f[word[0]] |= 1 << min(len(word), 63) }

// mayContain reports whether the list may contain the word.
func (f *prefilter) mayContain(word []byte) bool {
	return len(word) > 0 && f[word[0]]>>min(len(word), 63)&1 != 0
}

// isLonger reports whether s has more than n characters.
func isLonger(s string, n int) bool {
	return len(s) > n && (len(s) > n*utf8.UTFMax || utf8.RuneCountInString(s) > n)
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
