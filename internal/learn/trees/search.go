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
	cells   []uint8   // of all tables
}

// search tells how to find the bin of a column. First it finds a place from which on
// at most three cuts are left, without a branch on the value: by a table of cells, or
// where that were too large by halving.
type search struct {
	feature int
	start   int   // of its cuts
	cells   int   // where its table begins
	least   int32 // the number of the first cell
	most    int32 // the last index into its table; 0 if it has none
	shift   uint8 // of the rank of a value, which gives its cell
	half    uint8 // of its cuts, rounded up to a power of two; 2 if three cuts or fewer are left
}

const (
	// left is the number of cuts that are compared one by one.
	left = 3
	// maxCells is how large a table may be: all of them fit into the fastest cache.
	maxCells = 256
	// A mask of their numbers saves the check of bounds of cuts.
	cutsRoom = columnCuts + 1
	lastCut  = cutsRoom - 1
)

func newSearches(columns []column) searches {
	s := searches{}
	for _, c := range columns {
		half := max(2, 1<<bits.Len(uint(len(c.cuts)))>>1)
		x := search{feature: c.feature, start: len(s.cuts), half: uint8(half)}
		if len(c.cuts) > left {
			s.addTable(&x, c.cuts)
		}
		s.cuts = append(s.cuts, c.cuts...)
		for range 2*half - 1 - len(c.cuts) + left {
			s.cuts = append(s.cuts, float32(math.NaN()))
		}
		s.columns = append(s.columns, x)
	}
	s.cuts = append(s.cuts, make([]float32, cutsRoom)...)
	return s
}

// addTable gives a search the smallest table of cells of which none has more cuts
// than are compared, if there is one. The first cell has all that is less, too.
func (s *searches) addTable(x *search, cuts []float32) {
	for shift := uint8(30); shift > 1; shift-- {
		for _, first := range cuts {
			least, cells := rank(first)>>shift, []uint8{0}
			n := 0 // cuts in the last cell
			for i, c := range cuts {
				cell := int64(max(rank(c)>>shift, least)) - int64(least)
				if cell+1 >= maxCells {
					n = left + 1
					break
				}
				for int64(len(cells)) <= cell {
					cells, n = append(cells, uint8(i)), 0
				}
				if n++; n > left {
					break
				}
			}
			if n <= left {
				cells = append(cells, uint8(len(cuts)))
				x.cells, x.least, x.most, x.shift = len(s.cells), least, int32(len(cells)-1), shift
				s.cells = append(s.cells, cells...)
				return
			}
		}
	}
}

// rank returns a number that is larger for larger values. Both zeros have the same.
func rank(v float32) int32 {
	i := int32(math.Float32bits(v + 0))
	return i ^ i>>31&math.MaxInt32
}

// find finds the bins of values that are a stride apart. NaN is in the first.
func (s *searches) find(c *search, values []float32, stride int, bins []uint8) {
	cuts := (*[cutsRoom]float32)(s.cuts[c.start:])
	cells := s.cells[c.cells:]
	from := 0
	for i := range bins {
		v, at := values[from], 0
		from += stride
		switch {
		case c.most > 0 && v == v:
			cell := min(max(rank(v)>>(c.shift&31)-c.least, 0), c.most)
			at = int(cells[cell])
		case c.half == 64:
			at += toInt(v >= cuts[63]) << 6
			fallthrough
		case c.half == 32:
			at += toInt(v >= cuts[(at+31)&lastCut]) << 5
			fallthrough
		case c.half == 16:
			at += toInt(v >= cuts[(at+15)&lastCut]) << 4
			fallthrough
		case c.half == 8:
			at += toInt(v >= cuts[(at+7)&lastCut]) << 3
			fallthrough
		case c.half == 4:
			at += toInt(v >= cuts[(at+3)&lastCut]) << 2
		}
		bins[i] = uint8(at + toInt(v >= cuts[at&lastCut]) + toInt(v >= cuts[(at+1)&lastCut]) + toInt(v >= cuts[(at+2)&lastCut]))
	}
}
