package stories

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Terms are the words and names of an article, with their weights.
type Terms struct {
	lang  string
	day   int32
	words []string
	terms []term // in order of hash
}

type term struct {
	hash  uint32
	count float32
}

// NewTerms returns the terms of an article.
func NewTerms(a *Article) *Terms {
	counts := map[uint32]float32{}
	for i, text := range []string{a.Title, a.Text} {
		for _, w := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
			h := fnv.New32a()
			h.Write([]byte(w))
			counts[h.Sum32()] += float32(2 - i)
		}
	}
	t := &Terms{lang: a.Lang, day: int32(a.Published.Unix() / 86400)}
	for _, h := range slices.Sorted(maps.Keys(counts)) {
		t.terms = append(t.terms, term{h, counts[h]})
	}
	return t
}

// MarshalBinary implements encoding.BinaryMarshaler.
func (t *Terms) MarshalBinary() ([]byte, error) {
	b := append([]byte{byte(len(t.lang))}, t.lang...)
	b = binary.LittleEndian.AppendUint32(b, uint32(t.day))
	for _, x := range t.terms {
		b = binary.LittleEndian.AppendUint32(b, x.hash)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x.count))
	}
	return b, nil
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (t *Terms) UnmarshalBinary(b []byte) error {
	if len(b) < 5 || len(b) < 5+int(b[0]) || (len(b)-5-int(b[0]))%8 != 0 {
		return errors.New("damaged terms")
	}
	n := int(b[0])
	t.lang, b = string(b[1:1+n]), b[1+n:]
	t.day, b = int32(binary.LittleEndian.Uint32(b)), b[4:]
	t.terms = nil
	for ; len(b) > 0; b = b[8:] {
		t.terms = append(t.terms, term{binary.LittleEndian.Uint32(b), math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))})
	}
	return nil
}

// Frequencies count in how many articles terms occur.
type Frequencies struct {
	articles uint32
	counts   []uint32
}

const buckets = 1 << 19

// NewFrequencies returns frequencies of no articles.
func NewFrequencies() *Frequencies { return &Frequencies{counts: make([]uint32, buckets)} }

// Add counts the terms of an article.
func (f *Frequencies) Add(t *Terms) {
	f.articles++
	for _, x := range t.terms {
		f.counts[x.hash%buckets]++
	}
}

func (f *Frequencies) weight(h uint32) float64 {
	return math.Log((float64(f.articles) + 2) / (float64(f.counts[h%buckets]) + 1))
}

// MarshalBinary implements encoding.BinaryMarshaler.
func (f *Frequencies) MarshalBinary() ([]byte, error) {
	b := binary.LittleEndian.AppendUint32(nil, f.articles)
	for _, n := range f.counts {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b, nil
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (f *Frequencies) UnmarshalBinary(b []byte) error {
	if len(b) != 4+4*buckets {
		return errors.New("damaged frequencies")
	}
	f.articles, f.counts = binary.LittleEndian.Uint32(b), make([]uint32, buckets)
	for i := range f.counts {
		f.counts[i] = binary.LittleEndian.Uint32(b[4+4*i:])
	}
	return nil
}

// Keys returns the n terms that say most about an article.
func (f *Frequencies) Keys(t *Terms, n int) []uint64 {
	list := slices.Clone(t.terms)
	slices.SortStableFunc(list, func(a, b term) int {
		x, y := float64(a.count)*f.weight(a.hash), float64(b.count)*f.weight(b.hash)
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var keys []uint64
	for _, x := range list[:min(n, len(list))] {
		keys = append(keys, uint64(x.hash))
	}
	return keys
}
