package charset

import (
	"bytes"
	_ "embed" // for charsets.txt
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
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
		known := map[rune]bool{}
		for _, r := range c.common {
			known[r] = true
		}
		var common, chars, broken int
		for _, r := range string(text) {
			switch {
			case r == utf8.RuneError || r >= 0xE000 && r < 0xF900:
				broken++
			case r >= utf8.RuneSelf:
				chars++
				if known[r] {
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

// sampleText returns the text between tags that is not plain ASCII, up to a
// limit. Names of classes and code do not depend on the language.
func sampleText(page []byte) []byte {
	const limit = 64 << 10
	var out []byte
	z, inCode := html.NewTokenizer(bytes.NewReader(page)), false
	for len(out) < limit {
		kind := z.Next()
		switch {
		case kind == html.ErrorToken && len(out) > 0:
			return out
		case kind == html.ErrorToken:
			return page[:min(len(page), limit)]
		case kind == html.TextToken && !inCode && hasHigh(z.Raw()):
			out = append(append(out, z.Raw()[:min(len(z.Raw()), limit)]...), ' ')
		}
		name, _ := z.TagName()
		inCode = kind == html.StartTagToken && (string(name) == "script" || string(name) == "style")
	}
	return out
}

// pairs is how often two bytes, of which one is beyond ASCII, are adjacent. Single-byte
// charsets differ in them.
type pairs [1 << 16]int

func countPairs(sample []byte) *pairs {
	counts, prev := new(pairs), byte(' ')
	for _, b := range sample {
		if b >= utf8.RuneSelf || prev >= utf8.RuneSelf {
			counts[int(prev)<<8|int(b)]++
		}
		prev = b
	}
	return counts
}

// scoreNarrow returns the mean score of the letters beyond ASCII if the sample
// is decoded with a single-byte charset.
func scoreNarrow(counts *pairs, c candidate) float64 {
	charset := singleByte(c.name)
	if charset == nil {
		return 0
	}
	var sum, n float64
	for i, count := range counts {
		if count == 0 {
			continue
		}
		prev, r := charset.DecodeByte(byte(i>>8)), charset.DecodeByte(byte(i))
		if byte(i) >= utf8.RuneSelf {
			n += float64(count)
			sum += float64(count) * scoreLetter(prev, r, c.common)
		} else if unicode.IsLetter(r) && unicode.IsLetter(prev) && !sameScript(prev, r) {
			sum -= float64(count)
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// singleByte returns the table of a single-byte charset, or nil for others.
func singleByte(name string) *charmap.Charmap {
	e, _ := lookup(name)
	table, _ := e.(*charmap.Charmap)
	return table
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
