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

// isLetter reports whether a character counts in comparisons of texts: neither
// white space nor invisible, such as a soft hyphen.
func isLetter(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) }

// hashBytes is the length of the SHA-256 prefix in a Mark.
const hashBytes = 8

// hashText returns the hash of the letters of a text.
func hashText(text string) string {
	h := sha256.New()
	writeLetters(h, text)
	return hex.EncodeToString(h.Sum(nil)[:hashBytes])
}

// writeLetters writes the letters of a text.
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

// beginning returns the first characters of a text on one line.
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

// snippet returns the beginning of a text, with an ellipsis if there is more.
func snippet(text string, chars int) string {
	short := beginning(text, chars)
	if countLetters(short) < countLetters(text) {
		return short + "…"
	}
	return short
}

// letterIndex has the positions of the nodes of a page in letters.
type letterIndex struct {
	d      *dom.Document
	before []int32 // number of letters before each byte of the text
}

func newLetterIndex(d *dom.Document) letterIndex {
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
	return letterIndex{d, before}
}

// letterRange is the range of a node in letters. Nodes with the same letters, such
// as a wrapper and its only child, have the same range.
type letterRange struct{ from, to int32 }

func (x letterIndex) letters(n dom.Node) letterRange {
	from, to := x.d.Span(n)
	return letterRange{x.before[from], x.before[to]}
}

func (r letterRange) len() int { return int(r.to - r.from) }

// A sketch estimates the similarity of two long texts: Broder's resemblance of
// their sets of shingles, by one permutation that is divided into bins (Li, Owen
// and Zhang, One Permutation Hashing, NIPS 2012).
const (
	sketchBins  = 64
	longLength  = 8 // letters of a shingle; unrelated texts share almost none
	shortLength = 4 // letters of a shingle of a short text, such as a headline
)

// eachShingle calls f with a hash of every run of letters of the given length.
func eachShingle(text string, length int, f func(uint64)) {
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
		f(hashRunes(window)) // a shorter text is a single shingle
	}
}

// hashRunes is FNV-1a with additional mixing.
func hashRunes(runes []rune) uint64 {
	h := uint64(14695981039346656037)
	for _, r := range runes {
		h = (h ^ uint64(r)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// sketch has one byte of the lowest hash in every bin; 0 is an empty bin.
type sketch [sketchBins]byte

func newSketch(text string) sketch {
	var lowest [sketchBins]uint64
	eachShingle(text, longLength, func(h uint64) {
		bin, value := h%sketchBins, h/sketchBins+1
		if lowest[bin] == 0 || value < lowest[bin] {
			lowest[bin] = value
		}
	})
	var s sketch
	for i, v := range lowest {
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

// similarity returns the share of bins with the same lowest hash.
func (s sketch) similarity(o sketch) float64 {
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

// shingleSet has the shingles of a short text.
type shingleSet map[uint64]bool

func newShingleSet(text string) shingleSet {
	set := shingleSet{}
	eachShingle(text, shortLength, func(h uint64) { set[h] = true })
	return set
}

// shared returns the number of common shingles.
func (a shingleSet) shared(b shingleSet) int {
	n := 0
	for h := range a {
		if b[h] {
			n++
		}
	}
	return n
}

// similarity returns the Jaccard similarity of the two sets.
func (a shingleSet) similarity(b shingleSet) float64 {
	n := a.shared(b)
	if all := len(a) + len(b) - n; all > 0 {
		return float64(n) / float64(all)
	}
	return 0
}
