package label

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// Texts are compared by their letters: white space and what nobody sees, such as
// soft hyphens, come and go with the program that writes a page.
func isLetter(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) }

// hashBytes is how much of a SHA-256 tells texts of one page apart.
const hashBytes = 8

// hashText is the hash of the letters of a text.
func hashText(text string) string {
	h := sha256.New()
	writeLetters(h, text)
	return hex.EncodeToString(h.Sum(nil)[:hashBytes])
}

// writeLetters writes whole runs of letters: texts are long.
func writeLetters(h hash.Hash, text string) {
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isLetter(r) }) {
		_, _ = io.WriteString(h, run)
	}
}

func countLetters(text string) int {
	count := 0
	for _, r := range text {
		if isLetter(r) {
			count++
		}
	}
	return count
}

// beginning is the first characters of a text on one row.
func beginning(text string, chars int) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(text) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		if b.Len() > chars*utf8.UTFMax {
			break
		}
	}
	runes := []rune(strings.ToValidUTF8(b.String(), "\uFFFD"))
	return strings.TrimSpace(string(runes[:min(len(runes), chars)]))
}

// snippet is the beginning of a text, with a sign that there is more.
func snippet(text string, chars int) string {
	short := beginning(text, chars)
	if countLetters(short) < countLetters(text) {
		return short + "…"
	}
	return short
}

// ruler measures the text of every node of a page in letters.
type ruler struct {
	d      *dom.Document
	before []int32 // letters before each byte of the page's text
}

func newRuler(d *dom.Document) ruler {
	text := d.AllText()
	before := make([]int32, len(text)+1)
	count, last := int32(0), 0
	for i, r := range text {
		for ; last <= i; last++ {
			before[last] = count
		}
		if isLetter(r) {
			count++
		}
	}
	for ; last <= len(text); last++ {
		before[last] = count
	}
	return ruler{d, before}
}

// stretch is a piece of the page's text in letters. Elements that hold the same
// letters, such as a wrapper and what it wraps, have the same one.
type stretch struct{ from, to int32 }

func (r ruler) stretch(n dom.Node) stretch {
	from, to := r.d.Span(n)
	return stretch{r.before[from], r.before[to]}
}

func (s stretch) len() int { return int(s.to - s.from) }

// A sketch tells how alike two long texts are without the texts: Broder's
// resemblance of the sets of their shingles, estimated by one permutation that is
// cut into bins (Li, Owen and Zhang, One Permutation Hashing, NIPS 2012).
const (
	sketchBins = 64
	longRun    = 8 // letters of a shingle; texts on different matters share next to none
	shortRun   = 4 // letters of a shingle of a headline, in which one word more is much
)

// shingles calls f with a hash of every run of so many letters.
func shingles(text string, length int, f func(uint64)) {
	window := make([]rune, 0, length)
	for _, r := range text {
		if !isLetter(r) {
			continue
		}
		if len(window) == length {
			copy(window, window[1:])
			window = window[:length-1]
		}
		if window = append(window, unicode.ToLower(r)); len(window) == length {
			f(hashRunes(window))
		}
	}
	if n := len(window); n > 0 && n < length {
		f(hashRunes(window)) // a text shorter than a shingle is one
	}
}

// hashRunes is FNV-1a over the runes, with its bits mixed once more.
func hashRunes(runes []rune) uint64 {
	h := uint64(14695981039346656037)
	for _, r := range runes {
		h = (h ^ uint64(r)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// sketch holds the least hash in every bin, as a byte of it; 0 is an empty bin.
type sketch [sketchBins]byte

func newSketch(text string) sketch {
	var least [sketchBins]uint64
	shingles(text, longRun, func(h uint64) {
		bin, value := h%sketchBins, h/sketchBins+1
		if least[bin] == 0 || value < least[bin] {
			least[bin] = value
		}
	})
	var s sketch
	for i, v := range least {
		if v != 0 {
			s[i] = byte(v%255) + 1
		}
	}
	return s
}

func (s sketch) String() string { return base64.RawURLEncoding.EncodeToString(s[:]) }

func parseSketch(text string) (s sketch, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) != sketchBins {
		return s, false
	}
	return sketch(b), true
}

// alike is the share of bins with the same least hash.
func (s sketch) alike(o sketch) float64 {
	same, filled := 0, 0
	for i := range s {
		switch {
		case s[i] == 0 && o[i] == 0:
			continue
		case s[i] == o[i]:
			same++
		}
		filled++
	}
	if filled == 0 {
		return 0
	}
	return float64(same) / float64(filled)
}

// shingleSet is for short texts, which are compared in full.
type shingleSet map[uint64]bool

func newShingleSet(text string) shingleSet {
	set := shingleSet{}
	shingles(text, shortRun, func(h uint64) { set[h] = true })
	return set
}

// shared is how many shingles both have.
func (a shingleSet) shared(b shingleSet) int {
	n := 0
	for h := range a {
		if b[h] {
			n++
		}
	}
	return n
}

// alike is the share of common shingles among all.
func (a shingleSet) alike(b shingleSet) float64 {
	n := a.shared(b)
	if all := len(a) + len(b) - n; all > 0 {
		return float64(n) / float64(all)
	}
	return 0
}
