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
	words := newScanner(norm.NFC.String(text))
	var window [shingleWords]uint64
	var rolling uint64
	drop := uint64(1) // shingleBase to the power of shingleWords
	for range shingleWords {
		drop *= shingleBase
	}
	hashes := make([]uint64, 0, len(text)/6+1)
	n := 0
	for {
		w, ok := words.next()
		if !ok {
			break
		}
		rolling = rolling*shingleBase + w.hash - window[n%shingleWords]*drop
		window[n%shingleWords] = w.hash
		if n++; n >= shingleWords {
			hashes = append(hashes, mix(rolling))
		}
	}
	if 0 < n && n < shingleWords {
		hashes = append(hashes, mix(rolling))
	}
	order := make([]uint32, len(hashes))
	for i, h := range hashes {
		order[i] = uint32(h >> 32)
	}
	return &Shingles{order: order, hashes: distinct(slices.Clone(order)), keys: sampleKeys(hashes)}
}

// Len returns the number of distinct shingles.
func (s *Shingles) Len() int { return len(s.hashes) }

// distinct sorts hashes and drops repeated ones.
func distinct(hashes []uint32) []uint32 {
	slices.Sort(hashes)
	return slices.Compact(hashes)
}
