package label

import (
	"encoding/base64"
	"unicode"
)

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
