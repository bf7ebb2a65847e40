package trees

import (
	"encoding/binary"
	"fmt"
)

// Scores scores n rows, which have a value for each feature and follow each other.
// It writes Outputs scores for each row to out: log-odds, or one score for each
// class. It does not allocate for models of up to 256 columns.
func (m *Model) Scores(rows []float32, n int, out []float32) {
	if n < 0 || len(rows) != n*len(m.features) || len(out) < n*len(m.bias) {
		panic(fmt.Sprintf("trees: %d values and room for %d scores for %d rows of a model with %d features and %d outputs",
			len(rows), len(out), n, len(m.features), len(m.bias)))
	}
	if n == 1 && len(m.bias) > 1 {
		m.scoreOne(rows, out)
		return
	}
	var room [onStack * batchRows]uint8
	bins := room[:]
	if len(m.columns) > onStack {
		bins = make([]uint8, len(m.columns)*batchRows)
	}
	b := batch{bins: bins}
	for first := 0; first < n; first += batchRows {
		b.count = min(n-first, batchRows)
		m.bin(rows[first*len(m.features):], b.count, b.bins, batchRows)
		for k := range m.bias {
			clear(b.sums[:])
			m.addTrees(&b, k)
			for i, sum := range b.sums[:b.count] {
				out[(first+i)*len(m.bias)+k] = float32(m.bias[k] + m.unit*float64(sum))
			}
		}
	}
}

// bin finds the bins of n rows in the columns of the model: that of row i in column
// k is bins[k*stride+i].
func (m *Model) bin(rows []float32, n int, bins []uint8, stride int) {
	for k := range m.searches.columns {
		c := &m.searches.columns[k]
		m.searches.find(c, rows[c.feature:], len(m.features), bins[k*stride:k*stride+n])
	}
}

// toInt returns 1 for true. The compiler makes no branch of it.
func toInt(b bool) (n int) {
	if b {
		n = 1
	}
	return n
}

// scoreOne scores a single row of several classes, whose trees share their splits.
func (m *Model) scoreOne(row []float32, out []float32) {
	var room [onStack]uint8
	bins := m.binsOf(row, room[:])
	var sums [MaxClasses]int32
	for _, t := range m.trees {
		leaf := m.leafOf(t, bins)
		for k := range m.bias {
			sums[k] += int32(m.leaves[t.leavesFrom(k)+leaf])
		}
	}
	for k, b := range m.bias {
		out[k] = float32(b + m.unit*float64(sums[k]))
	}
}

// binsOf returns the bins of a row, in room if it is large enough.
func (m *Model) binsOf(row []float32, room []uint8) []uint8 {
	if len(m.columns) > len(room) {
		room = make([]uint8, len(m.columns))
	}
	m.bin(row, 1, room, 1)
	return room
}

// leafOf returns the number of the leaf of a row.
func (m *Model) leafOf(t span, bins []uint8) (path int) {
	splits := m.splits[t.split:]
	for level := range int(t.depth) {
		s := splits[level]
		path |= above(bins[s.column], s.above) << (level & 63)
	}
	return path
}

// addTrees adds the leaves of trees for an output.
func (m *Model) addTrees(s *batch, output int) {
	for _, t := range m.trees {
		leaves := (*[maxLeaves]int16)(m.leaves[t.leavesFrom(output):])
		splits := m.splits[t.split : int(t.split)+int(t.depth)]
		if s.count <= wordRows {
			s.addToWord(splits, leaves)
		} else {
			s.addSymmetric(splits, leaves)
		}
	}
}

// Rows are scored in batches of 32. The bins of eight rows in a column are one word.
// A bin is below 128, so that one addition compares eight bins with a cut and leaves
// the results in the upper bits of the bytes.
const (
	batchRows = 32
	wordRows  = 8
	ones      = 0x0101010101010101
	uppers    = 0x8080808080808080
	onStack   = 256 // columns that need no allocation
)

type batch struct {
	count int              // of its rows
	sums  [batchRows]int32 // of leaves
	bins  []uint8          // of the rows in the first column, in the second, and so on
}

// addSymmetric adds the leaves of a tree. The results of a row move down its
// byte, so that in the end the first is the lowest bit.
func (s *batch) addSymmetric(splits []split, leaves *[maxLeaves]int16) {
	var a, b, c, d uint64
	for _, q := range splits {
		w := (*[batchRows]uint8)(s.bins[int(q.column)*batchRows:])
		over := uint64(ColumnCuts-q.above) * ones
		a = a>>1 | (binary.LittleEndian.Uint64(w[0:])+over)&uppers
		b = b>>1 | (binary.LittleEndian.Uint64(w[8:])+over)&uppers
		c = c>>1 | (binary.LittleEndian.Uint64(w[16:])+over)&uppers
		d = d>>1 | (binary.LittleEndian.Uint64(w[24:])+over)&uppers
	}
	rest := (MaxDepth - len(splits)) & 63
	addLeaves((*[8]int32)(s.sums[0:]), leaves, a>>rest)
	addLeaves((*[8]int32)(s.sums[8:]), leaves, b>>rest)
	addLeaves((*[8]int32)(s.sums[16:]), leaves, c>>rest)
	addLeaves((*[8]int32)(s.sums[24:]), leaves, d>>rest)
}

// addToWord is addSymmetric for a batch of up to eight rows, as the last one of a page
// often is.
func (s *batch) addToWord(splits []split, leaves *[maxLeaves]int16) {
	var a uint64
	for _, q := range splits {
		w := (*[wordRows]uint8)(s.bins[int(q.column)*batchRows:])
		a = a>>1 | (binary.LittleEndian.Uint64(w[:])+uint64(ColumnCuts-q.above)*ones)&uppers
	}
	addLeaves((*[wordRows]int32)(s.sums[:]), leaves, a>>((MaxDepth-len(splits))&63))
}

// addLeaves adds to eight sums the leaves whose numbers are the bytes of a
// word.
func addLeaves(sums *[8]int32, leaves *[maxLeaves]int16, numbers uint64) {
	sums[0] += int32(leaves[uint8(numbers)])
	sums[1] += int32(leaves[uint8(numbers>>8)])
	sums[2] += int32(leaves[uint8(numbers>>16)])
	sums[3] += int32(leaves[uint8(numbers>>24)])
	sums[4] += int32(leaves[uint8(numbers>>32)])
	sums[5] += int32(leaves[uint8(numbers>>40)])
	sums[6] += int32(leaves[uint8(numbers>>48)])
	sums[7] += int32(leaves[uint8(numbers>>56)])
}

// above returns 1 if bin is above than and else 0, without a branch.
func above(bin, than uint8) int { return int(uint32(int32(than)-int32(bin)) >> 31) }
