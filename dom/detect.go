package dom

import (
	"bytes"
	_ "embed"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// candidate is a charset with the letters that one of its languages uses. The
// right charset turns most bytes into these; a wrong one scatters them.
type candidate struct {
	name   string
	common string
}

//go:embed charsets.txt
var charsetTable string

// candidates reads one kind of charsets from the table.
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

// Detect guesses the charset of a page that does not say it, or not truly. It
// never fails: a page without a letter to go by is windows-1252.
func Detect(page []byte) string {
	sample := sampleText(page)
	// More than half of running text are common characters, of a page full of
	// names still a quarter; letters of one byte that are taken for such make none.
	if name, score := detectWide(sample); score > 0.15 {
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

// detectWide gives the best of the multi-byte charsets and the share of its
// characters that are common ones.
func detectWide(sample []byte) (string, float64) {
	var best string
	var bestScore float64
	for c := range candidates("wide") {
		e, _ := lookup(c.name)
		text, err := e.NewDecoder().Bytes(sample)
		if err != nil {
			continue
		}
		var common, chars, broken int
		for _, r := range string(text) {
			switch {
			case r == utf8.RuneError || r >= 0xE000 && r < 0xF900:
				broken++
			case r >= utf8.RuneSelf:
				chars++
				if strings.ContainsRune(c.common, r) {
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

// sampleText takes the text between tags, up to a bound: names of classes and
// code say nothing about the language.
func sampleText(page []byte) []byte {
	const enough = 64 << 10
	out := make([]byte, 0, min(len(page), enough))
	for i := 0; i < len(page) && len(out) < enough; {
		j := bytes.IndexByte(page[i:], '<')
		if j < 0 {
			j = len(page) - i
		}
		if hasHigh(page[i : i+j]) {
			out = append(out, page[i:i+min(j, enough)]...)
			out = append(out, ' ')
		}
		i += j + 1
		if i < len(page) {
			tag, _ := tagAt(page[i:])
			i = closeAngle(page, i)
			if tag == Script || tag == Style {
				i = rawEnd(page, i, tag)
			}
		}
	}
	if len(out) == 0 {
		return page[:min(len(page), enough)]
	}
	return out
}

func hasHigh(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// pair is two bytes after each other, and how often.
type pair struct {
	prev, cur byte
	n         float64
}

// countPairs counts the pairs with a byte beyond ASCII: all that a charset of
// one byte a letter can be told by.
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

// scoreNarrow is the mean worth of the letters that a single-byte charset
// makes of the sample.
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
			sum += p.n * worth(prev, r, c.common)
		} else if unicode.IsLetter(r) && unicode.IsLetter(prev) && !sameScript(prev, r) {
			sum -= p.n
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// worth of r after prev: common letters speak for the charset; capitals inside
// words, letters of two scripts in one word and unassigned bytes against it.
func worth(prev, r rune, common string) float64 {
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
	w := 1.0
	if strings.IndexRune(common, low) < 20 {
		w = 1.2 // the first ten or twenty are the most frequent
	}
	if r != low {
		w -= 0.3
	}
	return w
}

func sameScript(a, b rune) bool {
	return unicode.Is(unicode.Latin, a) == unicode.Is(unicode.Latin, b)
}
