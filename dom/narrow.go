package dom

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

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
