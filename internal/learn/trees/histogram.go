package trees

import "math"

// A row's two derivatives are one word: the first, signed, in the upper half, the
// second in the lower. Each has 20 bits, so that the halves of a sum of 4096 rows
// stay apart. Sums of integers are exact: their order does not matter, and taking
// one child from its parent leaves just the other.
const (
	unitG    = 1<<19 - 1
	unitH    = 1<<20 - 1
	tallied  = 4096
	binsRoom = 256
)

// slope is the sum of the derivatives of some rows.
type slope struct{ g, h int64 }

func (s *slope) add(word uint64) {
	s.g += int64(word) >> 32
	s.h += int64(uint32(word))
}

func (s slope) less(t slope) slope { return slope{s.g - t.g, s.h - t.h} }

// pack rounds derivatives that are given as parts of their largest values.
func pack(g, h float64) uint64 {
	return uint64(int64(math.RoundToEven(g*unitG)))<<32 + uint64(math.RoundToEven(h*unitH))
}

// histogram has the slope of every bin of eight features.
type histogram [8][binsRoom]slope

// tally sums words by bin, for no more rows than fit.
type tally [8][binsRoom]uint64

// fill makes h the histogram of some rows. Words are in step with rows.
func (t *tally) fill(h *histogram, bins *[8]int, octet []uint64, rows []int32, words []uint64) {
	for k, n := range bins {
		clear(h[k][:n])
	}
	for len(rows) > 0 {
		n := min(len(rows), tallied)
		t.count(octet, rows[:n], words[:n])
		t.pour(h, bins)
		rows, words = rows[n:], words[n:]
	}
}

func (t *tally) count(octet []uint64, rows []int32, words []uint64) {
	words = words[:len(rows)]
	for i, r := range rows {
		b, w := octet[r], words[i]
		t[0][uint8(b)] += w
		t[1][uint8(b>>8)] += w
		t[2][uint8(b>>16)] += w
		t[3][uint8(b>>24)] += w
		t[4][uint8(b>>32)] += w
		t[5][uint8(b>>40)] += w
		t[6][uint8(b>>48)] += w
		t[7][uint8(b>>56)] += w
	}
}

// pour adds the tally to h and empties it.
func (t *tally) pour(h *histogram, bins *[8]int) {
	for k, n := range bins {
		for i, w := range t[k][:n] {
			if w != 0 {
				h[k][i].add(w)
				t[k][i] = 0
			}
		}
	}
}

// take leaves the other child, where h was the parent's.
func (h *histogram) take(child *histogram, bins *[8]int) {
	for k, n := range bins {
		for i, s := range child[k][:n] {
			h[k][i] = h[k][i].less(s)
		}
	}
}
