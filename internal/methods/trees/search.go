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
// few cuts are left, without a branch on the value: by a table of cells, or by halving
// if that were too large. Then it compares these.
type search struct {
	feature int
	start   int   // of its cuts
	cells   int   // where its table begins
	least   int32 // the number of the first cell
	last    int32 // the last index into its table; 0 if it has none
	shift   uint8 // of the rank of a value, which gives its cell
	half    uint8 // of its cuts, rounded up to a power of two; 2 if three or fewer are left
	left    uint8 // cuts to compare: 1, or up to maxLeft
}

const (
	// maxLeft is the number of cuts that are left after halving.
	maxLeft = 3
	// maxCells is how large a table may be. The parts of all of them that most values
	// are in fit into the fastest cache.
	maxCells = 1024
	// A mask of their numbers saves the check of bounds of cuts.
	cutsRoom = ColumnCuts + 1
	lastCut  = cutsRoom - 1
)

func newSearches(columns []column) searches {
	s := searches{}
	for _, c := range columns {
		half := max(2, 1<<bits.Len(uint(len(c.cuts)))>>1)
		x := search{feature: c.feature, start: len(s.cuts), half: uint8(half), left: maxLeft}
		if len(c.cuts) == 1 {
			x.left = 1
		} else if len(c.cuts) > maxLeft && !s.addTable(&x, c.cuts, 1) {
			s.addTable(&x, c.cuts, maxLeft)
		}
		s.cuts = append(s.cuts, c.cuts...)
		for range 2*half - 1 - len(c.cuts) + maxLeft {
			s.cuts = append(s.cuts, float32(math.NaN()))
		}
		s.columns = append(s.columns, x)
	}
	s.cuts = append(s.cuts, make([]float32, cutsRoom)...)
	return s
}

// addTable gives a search the smallest table of cells with at most that many cuts
// in each, and reports whether there is one. The first cell has all that is less, too.
func (s *searches) addTable(x *search, cuts []float32, left uint8) bool {
	for shift := uint8(30); shift > 1; shift-- {
		for _, first := range cuts[:left+1] { // the first cell would have more cuts otherwise
			least := rank(first) >> shift
			from := len(s.cells)
			if s.addCells(cuts, shift, least, int(left)) {
				x.cells, x.least, x.last, x.shift, x.left = from, least, int32(len(s.cells)-1-from), shift, left
				return true
			}
			s.cells = s.cells[:from]
		}
	}
	return false
}

// addCells adds for each cell how many cuts are in those before it, and at last
// their number. It reports whether there are not too many cells, or cuts in one.
func (s *searches) addCells(cuts []float32, shift uint8, least int32, left int) bool {
	from := len(s.cells)
	s.cells = append(s.cells, 0)
	for i, c := range cuts {
		cell := int(max(rank(c)>>shift, least) - least)
		if cell+1 >= maxCells {
			return false
		}
		for len(s.cells)-from <= cell {
			s.cells = append(s.cells, uint8(i))
		}
		if i+1-int(s.cells[from+cell]) > left {
			return false
		}
	}
	s.cells = append(s.cells, uint8(len(cuts)))
	return true
}

// rank returns a number that is larger for larger values. Both zeros have the same,
// and NaN the least.
func rank(v float32) int32 {
	if v != v {
		return math.MinInt32
	}
	i := int32(math.Float32bits(v + 0))
	return i ^ i>>31&math.MaxInt32
}

// find finds the bins of values that are a stride apart. NaN is in the first.
func (s *searches) find(c *search, values []float32, stride int, bins []uint8) {
	cuts := (*[cutsRoom]float32)(s.cuts[c.start:])
	switch {
	case c.left == 1 && c.last == 0:
		for i := range bins {
			bins[i] = uint8(toInt(values[i*stride] >= cuts[0]))
		}
	case c.left == 1:
		cells := s.cells[c.cells : c.cells+int(c.last)+1]
		for i := range bins {
			v := values[i*stride]
			at := int(cells[c.cell(v)])
			bins[i] = uint8(at + toInt(v >= cuts[at&lastCut]))
		}
	default:
		for i := range bins {
			v, at := values[i*stride], 0
			if c.last > 0 {
				at = int(s.cells[c.cells+int(c.cell(v))])
			} else {
				at = halve(cuts, c.half, v)
			}
			bins[i] = uint8(at + toInt(v >= cuts[at&lastCut]) + toInt(v >= cuts[(at+1)&lastCut]) + toInt(v >= cuts[(at+2)&lastCut]))
		}
	}
}

// cell returns the index of a value into the table of a search, within its bounds.
// The compiler would make branches of min and max, which are hard to predict.
func (c *search) cell(v float32) int32 {
	x := rank(v)>>(c.shift&31) - c.least
	x &^= x >> 31
	over := x - c.last
	return c.last + over&(over>>31)
}

// halve returns the place after which at most three cuts are left.
func halve(cuts *[cutsRoom]float32, half uint8, v float32) int {
	at := 0
	switch half {
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
	}
	return at
}
