package compose

import (
	"math/bits"

	"github.com/lede-news/lede/dom"
)

// tally counts the nodes of a mask. It has a bit for each node and a sum for
// every 64 of them, a twentieth of what a sum for each node would take.
type tally struct {
	bits []uint64
	sums []int32 // of the bits before
}

func count(mask []bool) tally {
	t := tally{bits: make([]uint64, len(mask)/64+1), sums: make([]int32, len(mask)/64+1)}
	for n, kept := range mask {
		if kept {
			t.bits[n/64] |= 1 << (n % 64)
		}
	}
	for i := range t.bits[1:] {
		t.sums[i+1] = t.sums[i] + int32(bits.OnesCount64(t.bits[i]))
	}
	return t
}

// before is how many nodes before n are in the mask.
func (t tally) before(n dom.Node) int {
	below := uint64(1)<<(n%64) - 1
	return int(t.sums[n/64]) + bits.OnesCount64(t.bits[n/64]&below)
}
