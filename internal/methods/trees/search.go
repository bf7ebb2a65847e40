package trees

import (
	"math"
	"math/bits"
)

// searches find the bins of values: the number of cuts of a column that a value has
// reached.
type searches struct {
	columns []search
	cuts    []float32 // of all columns, padded with NaN, which no value reaches
}

// search tells how to find the bin of a column.
type search struct {
	feature int
	start   int   // of its cuts
	half    uint8 // of its cuts, rounded up to a power of two
}

const (
	// A mask of their numbers saves the check of bounds of cuts.
	cutsRoom = ColumnCuts + 1
	lastCut  = cutsRoom - 1
)

func newSearches(columns []column) searches {
	s := searches{}
	for _, c := range columns {
		half := 1 << bits.Len(uint(len(c.cuts))) >> 1
		s.columns = append(s.columns, search{feature: c.feature, start: len(s.cuts), half: uint8(half)})
		s.cuts = append(s.cuts, c.cuts...)
		for range 2*half - 1 - len(c.cuts) {
			s.cuts = append(s.cuts, float32(math.NaN()))
		}
	}
	s.cuts = append(s.cuts, make([]float32, cutsRoom)...)
	return s
}

// find finds the bins of values that are a stride apart. NaN is in the first. It halves
// the cuts without a branch on the value.
func (s *searches) find(c *search, values []float32, stride int, bins []uint8) {
	cuts := (*[cutsRoom]float32)(s.cuts[c.start:])
	for i := range bins {
		v, at := values[i*stride], 0
		switch c.half {
		case 64:
			at += toInt(v >= cuts[63]) << 6
			fallthrough
		case 32:
			at += toInt(v >= cuts[(at+31)&lastCut]) << 5
			fallthrough
		case 16:
			at += toInt(v >= cuts[(at+15)&lastCut]) << 4
			fallthrough
		case 8:
			at += toInt(v >= cuts[(at+7)&lastCut]) << 3
			fallthrough
		case 4:
			at += toInt(v >= cuts[(at+3)&lastCut]) << 2
			fallthrough
		case 2:
			at += toInt(v >= cuts[(at+1)&lastCut]) << 1
			fallthrough
		default:
			at += toInt(v >= cuts[at&lastCut])
		}
		bins[i] = uint8(at)
	}
}
