package trees

import "math/rand/v2"

// lots are what rows are drawn by: their groups, or each on its own.
type lots struct {
	of    []int32 // the lot of each row; nil when each is its own
	taken []bool  // by lot
	rows  int
}

func newLots(b *Bins) lots {
	if b.groups == nil {
		return lots{taken: make([]bool, b.Len()), rows: b.Len()}
	}
	numbers := map[int32]int32{}
	l := lots{of: make([]int32, b.Len()), rows: b.Len()}
	for i, g := range b.groups {
		n, known := numbers[g]
		if !known {
			n = int32(len(numbers))
			numbers[g] = n
		}
		l.of[i] = n
	}
	l.taken = make([]bool, len(numbers))
	return l
}

// draw appends the rows of a share of the lots, in their order.
func (l lots) draw(rows []int32, share float64, rng *rand.Rand) []int32 {
	choose(l.taken, share, rng)
	for i := range l.rows {
		lot := i
		if l.of != nil {
			lot = int(l.of[i])
		}
		if l.taken[lot] {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// choose sets a share of the flags, one at least, at random.
func choose(flags []bool, share float64, rng *rand.Rand) {
	wanted := max(1, int(share*float64(len(flags))+0.5))
	for i := range flags {
		left := len(flags) - i
		flags[i] = wanted == left || rng.IntN(left) < wanted
		if flags[i] {
			wanted--
		}
	}
}
