package charset

import (
	"bytes"
	_ "embed" // for charsets.txt
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

//go:embed charsets.txt
var charsetTable string

// candidate is a charset and the letters of one of its languages. The right
// charset turns most bytes into these letters; a wrong one does not.
type candidate struct {
	name   string
	common string
}

// candidates reads the charsets of one kind, "wide" or "narrow", from the table.
func candidates(kind string) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		for line := range strings.Lines(charsetTable) {
			f := strings.Fields(line)
			if len(f) == 3 && f[0] == kind && !yield(candidate{f[1], f[2]}) {
				return
			}
		}
	}
}

// detect guesses the charset of a page from its letters. Without letters
// beyond ASCII the answer is windows-1252.
func detect(page []byte) string {
	sample := sampleText(page)
	// More than half of running text are common characters, and a quarter on a
	// page full of names; misread single-byte letters make hardly any.
	if name, score := detectWide(beginning(sample)); score > 0.15 {
		return name
	}
	best, bestScore := "windows-1252", 0.0
	pairs := countPairs(sample)
	for c := range candidates("narrow") {
		if s := scoreNarrow(pairs, c); s > bestScore {
			best, bestScore = c.name, s
		}
	}
	return best
}

// beginning returns the part of a sample with as many bytes beyond ASCII as are needed to
// tell multi-byte charsets apart.
func beginning(sample []byte) []byte {
	enough := 8 << 10
	for i, b := range sample {
		if b < utf8.RuneSelf {
			continue
		}
		if enough--; enough == 0 {
			return sample[:i]
		}
	}
	return sample
}

// detectWide returns the best of the multi-byte charsets and the share of
// characters that are common in it.
func detectWide(sample []byte) (string, float64) {
	var best string
	var bestScore float64
	for c := range candidates("wide") {
		text, _, err := convert(sample, c.name)
		if err != nil {
			continue
		}
		known := newRuneSet(c.common)
		var common, chars, broken int
		for _, r := range string(text) {
			switch {
			case r == utf8.RuneError || r >= 0xE000 && r < 0xF900:
				broken++
			case r >= utf8.RuneSelf:
				chars++
				if known.has(r) {
					common++
				}
			}
		}
		if chars < 4 || broken*20 > chars {
			continue
		}
		if s := float64(common-2*broken) / float64(chars); s > bestScore {
			best, bestScore = c.name, s
		}
	}
	return best, bestScore
}

// runeSet is a set of characters of the Basic Multilingual Plane, one bit for each.
type runeSet [1 << 16 / 64]uint64

func newRuneSet(s string) *runeSet {
	set := new(runeSet)
	for _, r := range s {
		set[r>>6&(1<<10-1)] |= 1 << (r & 63)
	}
	return set
}

func (s *runeSet) has(r rune) bool { return r < 1<<16 && s[r>>6]>>(r&63)&1 != 0 }

// sampleText returns the text between tags that is not plain ASCII, up to a
// limit. Names of classes and code do not depend on the language.
func sampleText(page []byte) []byte {
	const limit = 64 << 10
	out := make([]byte, 0, min(len(page), limit))
	for i := 0; i < len(page) && len(out) < limit; {
		j := bytes.IndexByte(page[i:], '<')
		if j < 0 {
			j = len(page) - i
		}
		if hasHigh(page[i : i+j]) {
			out = append(out, page[i:i+min(j, limit)]...)
			out = append(out, ' ')
		}
		i = tagEnd(page, i+j)
	}
	if len(out) == 0 {
		return page[:min(len(page), limit)]
	}
	return out
}

// tagEnd returns the index after the tag that begins at i. Scripts and style
// sheets are skipped as a whole.
func tagEnd(page []byte, i int) int {
	rest := page[i:]
	for _, name := range []string{"script", "style"} {
		if len(rest) <= len(name) || !strings.EqualFold(string(rest[1:1+len(name)]), name) {
			continue
		}
		for {
			j := bytes.Index(rest, []byte("</"))
			if j < 0 {
				return len(page)
			}
			rest = rest[j+2:]
			if len(rest) >= len(name) && strings.EqualFold(string(rest[:len(name)]), name) {
				break
			}
		}
	}
	j := bytes.IndexByte(rest, '>')
	if j < 0 {
		return len(page)
	}
	return len(page) - len(rest) + j + 1
}

// pair is two adjacent bytes and how often they occur.
type pair struct {
	prev, cur byte
	n         float64
}

// countPairs counts the pairs with a byte beyond ASCII, which distinguish
// single-byte charsets.
func countPairs(sample []byte) []pair {
	counts := make([]uint32, 1<<16)
	prev := byte(' ')
	for _, b := range sample {
		if b >= utf8.RuneSelf || prev >= utf8.RuneSelf {
			counts[int(prev)<<8|int(b)]++
		}
		prev = b
	}
	var pairs []pair
	for i, n := range counts {
		if n > 0 {
			pairs = append(pairs, pair{byte(i >> 8), byte(i), float64(n)})
		}
	}
	return pairs
}

// scoreNarrow returns the mean score of the letters beyond ASCII if the sample
// is decoded with a single-byte charset.
func scoreNarrow(pairs []pair, c candidate) float64 {
	e, _ := lookup(c.name)
	charset, ok := e.(*charmap.Charmap)
	if !ok {
		return 0
	}
	var sum, n float64
	for _, p := range pairs {
		prev, r := charset.DecodeByte(p.prev), charset.DecodeByte(p.cur)
		if p.cur >= utf8.RuneSelf {
			n += p.n
			sum += p.n * scoreLetter(prev, r, c.common)
		} else if unicode.IsLetter(r) && unicode.IsLetter(prev) && !sameScript(prev, r) {
			sum -= p.n
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// scoreLetter scores r after prev: common letters count for the charset;
// capitals inside words, two scripts in one word and unassigned bytes against it.
func scoreLetter(prev, r rune, common string) float64 {
	low := unicode.ToLower(r)
	switch {
	case r == utf8.RuneError || unicode.IsControl(r):
		return -3
	case !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r):
		if strings.ContainsRune(common, r) || r == 0xA0 {
			return 0.2
		}
		return -0.5
	case unicode.IsLetter(prev) && !sameScript(prev, r):
		return -1
	case unicode.IsUpper(r) && unicode.IsLower(prev):
		return -1
	case !strings.ContainsRune(common, low):
		return -0.5
	}
	score := 1.0
	if strings.IndexRune(common, low) < 20 {
		score = 1.2 // the first ten or twenty are the most frequent
	}
	if r != low {
		score -= 0.3
	}
	return score
}

func sameScript(a, b rune) bool {
	return unicode.Is(unicode.Latin, a) == unicode.Is(unicode.Latin, b)
}
