package batch

import "hash/maphash"

// filter tells, with a small doubt, whether an id was seen before, in the same
// memory for a thousand ids as for a hundred million: it is a Bloom filter.
// Among a million ids hardly one is wrongly said to repeat; among ten million,
// one in five hundred.
type filter struct {
	bits []uint64
	seed maphash.Seed
}

const (
	filterBits = 1 << 27 // 16 MB
	filterKeys = 6
)

func (f *filter) again(id string) bool {
	if f.bits == nil {
		f.bits, f.seed = make([]uint64, filterBits/64), maphash.MakeSeed()
	}
	h := maphash.String(f.seed, id)
	step := h>>32 | 1
	seen := true
	for range filterKeys {
		at := h % filterBits
		if f.bits[at/64]&(1<<(at%64)) == 0 {
			seen = false
			f.bits[at/64] |= 1 << (at % 64)
		}
		h += step * 0x9E3779B97F4A7C15
	}
	return seen
}
