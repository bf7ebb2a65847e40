package trees

import (
	"encoding/binary"
	"fmt"
)

// Rows are scored in batches of 32. The bins of eight rows in a column are one word.
// A bin is below 128, so that one addition compares eight bins with a cut and leaves
// the results in the upper bits of the bytes. With one word at a time, Select of the
// default method takes a tenth longer.
const (
	batchRows = 32
	ones      = 0x0101010101010101
	uppers    = 0x8080808080808080
	onStack   = 256 // columns that need no allocation
)

// Scores scores n rows, which have a value for each feature and follow each other.
// It writes Outputs scores for each row to out: log-odds, or one score for each
// class. It does not allocate for models of up to 256 columns.
func (m *Model) Scores(rows []float32, n int, out []float32) {
	f, outputs := len(m.features), len(m.bias)
	if len(rows) != n*f || len(out) < n*outputs {
		panic(fmt.Sprintf("trees: %d values and room for %d scores for %d rows of a model with %d features and %d outputs",
			len(rows), len(out), n, f, outputs))
	}
	var room [onStack * batchRows]uint8
	bins := room[:] // of all rows in the first column, in the second, and so on
	if len(m.columns) > onStack {
		bins = make([]uint8, len(m.columns)*batchRows)
	}
	if n == 1 {
		m.scoreRow(rows, bins, out)
		return
	}
	for first := 0; first < n; first += batchRows {
		count := min(n-first, batchRows)
		m.findBins(rows[first*f:], count, bins)
		for k, bias := range m.bias {
			var sums [batchRows]int32
			m.addTrees(bins, k, &sums)
			for i, sum := range sums[:count] {
				out[(first+i)*outputs+k] = float32(bias + m.unit*float64(sum))
			}
		}
	}
}

// scoreRow scores a single row. Its outputs share the way through a tree: as a batch, the three rows
// of a page would take a sixth of Select.
func (m *Model) scoreRow(row []float32, bins []uint8, out []float32) {
	m.findBins(row, 1, bins)
	var sums [MaxClasses]int32
	for _, t := range m.trees {
		leaf := 0
		for level, s := range m.splitsOf(t) {
			leaf |= toInt(bins[int(s.column)*batchRows] > s.above) << (level & 63)
		}
		for k := range m.bias {
			sums[k] += int32(m.leaves[int(t.leaf)+k<<(t.depth&63)+leaf])
		}
	}
	for k, bias := range m.bias {
		out[k] = float32(bias + m.unit*float64(sums[k]))
	}
}

// addTrees adds the leaves of a batch for an output. The results of a row move down its
// byte, so that in the end the first is the lowest bit.
func (m *Model) addTrees(bins []uint8, output int, sums *[batchRows]int32) {
	for _, t := range m.trees {
		var a, b, c, d uint64
		for _, s := range m.splitsOf(t) {
			w := (*[batchRows]uint8)(bins[int(s.column)*batchRows:])
			over := uint64(ColumnCuts-s.above) * ones
			a = a>>1 | (binary.LittleEndian.Uint64(w[0:])+over)&uppers
			b = b>>1 | (binary.LittleEndian.Uint64(w[8:])+over)&uppers
			c = c>>1 | (binary.LittleEndian.Uint64(w[16:])+over)&uppers
			d = d>>1 | (binary.LittleEndian.Uint64(w[24:])+over)&uppers
		}
		leaves, rest := m.leavesOf(t, output), (MaxDepth-t.depth)&63
		addLeaves((*[8]int32)(sums[0:]), leaves, a>>rest)
		addLeaves((*[8]int32)(sums[8:]), leaves, b>>rest)
		addLeaves((*[8]int32)(sums[16:]), leaves, c>>rest)
		addLeaves((*[8]int32)(sums[24:]), leaves, d>>rest)
	}
}

// addLeaves adds to eight sums the leaves whose numbers are the bytes of a word.
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

// findBins finds the bins of rows: the number of cuts of a column that a value has reached,
// 0 for NaN. It halves the cuts without a branch on the value.
func (m *Model) findBins(rows []float32, count int, bins []uint8) {
	for k := range m.columns {
		c := &m.columns[k]
		cuts, out := (*[ColumnCuts + 1]float32)(m.cuts[c.first:]), bins[k*batchRows:][:count]
		for i := range out {
			v, at := rows[i*len(m.features)+c.feature], 0
			switch c.half { // a loop over the halves takes a twentieth of Select
			case 64:
				at += toInt(v >= cuts[63]) << 6
				fallthrough
			case 32:
				at += toInt(v >= cuts[(at+31)&ColumnCuts]) << 5
				fallthrough
			case 16:
				at += toInt(v >= cuts[(at+15)&ColumnCuts]) << 4
				fallthrough
			case 8:
				at += toInt(v >= cuts[(at+7)&ColumnCuts]) << 3
				fallthrough
			case 4:
				at += toInt(v >= cuts[(at+3)&ColumnCuts]) << 2
				fallthrough
			case 2:
				at += toInt(v >= cuts[(at+1)&ColumnCuts]) << 1
				fallthrough
			default:
				at += toInt(v >= cuts[at&ColumnCuts])
			}
			out[i] = uint8(at)
		}
	}
}

// toInt returns 1 for true. The compiler makes no branch of it.
func toInt(b bool) (n int) {
	if b {
		n = 1
	}
	return n
}
