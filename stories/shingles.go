package stories

import (
	"slices"

	"golang.org/x/text/unicode/norm"
)

const (
	// shingleWords is the number of words of a shingle.
	shingleWords = 4
	// shingleBase is the multiplier of the rolling hash.
	shingleBase = 0x9e3779b97f4a7c15
)

// Shingles are the distinct runs of four words of a text: what is compared to
// find copies. Words are normalised, so that house style costs little. A
// shorter text is one shingle, an empty text has none.
//
// Shingles are immutable. Their hashes are the same on all machines.
type Shingles struct {
	hashes []uint32 // distinct, sorted; half of what keys have, since many are kept in memory
	keys   []uint64
	order  []uint32 // as they are in the text
}

// NewShingles returns the shingles of a text.
func NewShingles(text string) *Shingles {
	words := splitWords(norm.NFKC.String(text))
	hashes := make([]uint64, 0, len(words))
	drop := uint64(1) // shingleBase to the power of shingleWords
	for range shingleWords {
		drop *= shingleBase
	}
	var rolling uint64
	for i, w := range words {
		rolling = rolling*shingleBase + w.hash
		if i >= shingleWords {
			rolling -= words[i-shingleWords].hash * drop
		}
		if i >= shingleWords-1 || i == len(words)-1 {
			hashes = append(hashes, mix(rolling))
		}
	}
	s := &Shingles{keys: sampleKeys(hashes), order: make([]uint32, len(hashes))}
	for i, h := range hashes {
		s.order[i] = uint32(h >> 32)
	}
	s.hashes = slices.Clone(s.order)
	slices.Sort(s.hashes)
	s.hashes = slices.Compact(s.hashes)
	return s
}

// Len returns the number of distinct shingles.
func (s *Shingles) Len() int { return len(s.hashes) }
