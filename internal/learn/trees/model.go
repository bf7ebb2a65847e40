package trees

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// Model scores rows. It comes from [Train] or from a file, and is safe for
// concurrent use.
type Model struct {
	features  []string
	symmetric bool
	bias      []float64 // of each output
	unit      float64   // of leaves
	columns   []column
	splits    []split
	leaves    []int16 // with 256 more after those of the last tree, so that a byte is always an index
	covers    []uint8 // of the leaves of the first output
	trees     []span
	exit      earlyExit

	searches   []binarySearch // of the columns
	paddedCuts []float32
	values     *nodeValues
}

// column is a feature that the model uses, with the cuts of its nodes. There
// are at most 127, so that a bin leaves one bit of its byte free. A feature
// with more cuts has several columns.
type column struct {
	feature int
	cuts    []float32
	gain    float32 // of all its splits
}

const columnCuts = 127

const maxLeaves = 1 << maxDepth

// split is a node: it tests whether the bin of a column is above a number. A
// node of an ordinary tree that splits nothing has the number 127, which no bin
// is above.
type split struct {
	column uint16
	above  uint8
}

// span has the positions of a tree's splits, leaves and covers.
type span struct {
	split, leaf, cover uint32
	depth              uint8
}

// leavesFrom returns the position of the leaves of an output.
func (t span) leavesFrom(output int) int { return int(t.leaf) + output<<t.depth }

// Features returns the names of the features, in the order of a row.
func (m *Model) Features() []string { return slices.Clone(m.features) }

// Trees returns the number of trees.
func (m *Model) Trees() int { return len(m.trees) }

// Width returns the number of bytes for the bins of a row: one for each feature
// that the model uses, rarely more, rounded up to a multiple of eight.
func (m *Model) Width() int { return (len(m.columns) + 7) &^ 7 }

// Outputs returns the number of scores of a row: one for two classes, or else
// one for each class.
func (m *Model) Outputs() int { return len(m.bias) }

// cutID is a feature and the number of a cut.
type cutID struct{ feature, cut int }

// compile makes a model with only the cuts that trees use.
func compile(b *Bins, trees []tree, bias []float64, o Options) *Model {
	m := &Model{features: slices.Clone(b.features), symmetric: o.Symmetric, bias: bias, unit: leafUnit(o.LearningRate)}
	gains := map[cutID]float64{}
	for _, t := range trees {
		for _, n := range t.nodes {
			if n.gain > 0 {
				gains[cutID{n.feature, int(n.bin)}] += n.gain
			}
		}
	}
	where := m.addColumns(b, gains)
	for _, t := range trees {
		m.trees = append(m.trees, span{uint32(len(m.splits)), uint32(len(m.leaves)), uint32(len(m.covers)), uint8(t.depth)})
		for _, n := range t.nodes {
			s := split{above: columnCuts}
			if n.gain > 0 {
				s = where[cutID{n.feature, int(n.bin)}]
			}
			m.splits = append(m.splits, s)
		}
		m.leaves = append(m.leaves, t.leaves...)
		m.covers = append(m.covers, t.covers...)
	}
	m.leaves = append(m.leaves, make([]int16, maxLeaves)...)
	m.initSearches()
	return m
}

// addColumns makes columns of the cuts. Columns with few cuts come first, so
// that the steps of the binary search rarely change from one column to the
// next.
func (m *Model) addColumns(b *Bins, gains map[cutID]float64) map[cutID]split {
	type columnIDs struct {
		column
		ids []cutID
	}
	ids := slices.SortedFunc(maps.Keys(gains), func(a, b cutID) int {
		return cmp.Or(cmp.Compare(a.feature, b.feature), cmp.Compare(a.cut, b.cut))
	})
	var columns []columnIDs
	for _, id := range ids {
		last := len(columns) - 1
		if last < 0 || columns[last].feature != id.feature || len(columns[last].cuts) == columnCuts {
			columns = append(columns, columnIDs{column: column{feature: id.feature}})
			last++
		}
		c := &columns[last]
		c.cuts = append(c.cuts, b.cuts[id.feature][id.cut])
		c.gain += float32(gains[id])
		c.ids = append(c.ids, id)
	}
	slices.SortStableFunc(columns, func(a, b columnIDs) int { return cmp.Compare(len(a.cuts), len(b.cuts)) })
	where := map[cutID]split{}
	for k, c := range columns {
		m.columns = append(m.columns, c.column)
		for i, id := range c.ids {
			where[id] = split{uint16(k), uint8(i)}
		}
	}
	return where
}

// Bin computes the bins of a row for the columns of the model. The row must
// have a value for each feature, and out space for Width bins.
func (m *Model) Bin(row []float32, out []uint8) {
	if len(row) != len(m.features) || len(out) < m.Width() {
		panic(fmt.Sprintf("trees: row of %d values and space for %d bins for a model of %d and %d",
			len(row), len(out), len(m.features), m.Width()))
	}
	for k, c := range m.searches {
		v, cuts, at := row[c.feature], m.paddedCuts[c.start:], 0
		switch c.half {
		case 64:
			at += toInt(v >= cuts[63]) << 6
			fallthrough
		case 32:
			at += toInt(v >= cuts[at+31]) << 5
			fallthrough
		case 16:
			at += toInt(v >= cuts[at+15]) << 4
			fallthrough
		case 8:
			at += toInt(v >= cuts[at+7]) << 3
			fallthrough
		case 4:
			at += toInt(v >= cuts[at+3]) << 2
		}
		l := cuts[at : at+3]
		out[k] = uint8(at + toInt(v >= l[0]) + toInt(v >= l[1]) + toInt(v >= l[2]))
	}
	clear(out[len(m.searches):m.Width()])
}

// binarySearch tells how to find the bin of a column: by halving until three
// cuts are left, without a branch on the value, among cuts that were padded to
// a power of two.
type binarySearch struct {
	feature, start uint32
	half           uint8
}

// initSearches lays out the cuts for searching. They are padded with NaN, which
// no value reaches. Values of nodes that were computed before are forgotten.
func (m *Model) initSearches() {
	m.searches, m.paddedCuts, m.values = nil, nil, new(nodeValues)
	for _, c := range m.columns {
		half := max(2, 1<<bits.Len(uint(len(c.cuts)))>>1)
		m.searches = append(m.searches, binarySearch{uint32(c.feature), uint32(len(m.paddedCuts)), uint8(half)})
		m.paddedCuts = append(m.paddedCuts, c.cuts...)
		for range 2*half - 1 - len(c.cuts) {
			m.paddedCuts = append(m.paddedCuts, float32(math.NaN()))
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

// Score returns the log-odds of class 1 for a model of two classes. It panics
// for other models.
func (m *Model) Score(bins []uint8) float64 {
	if len(m.bias) != 1 {
		panic("trees: Score is for two classes; use Scores")
	}
	if len(bins) < m.Width() {
		panic(m.lengthError(bins, 1))
	}
	sum := int32(0)
	for i, t := range m.trees {
		if i == m.exit.after && i > 0 && m.exit.isClear(sum) {
			break
		}
		sum += int32(m.leaves[int(t.leaf)+m.leafOf(t, bins)])
	}
	return m.bias[0] + m.unit*float64(sum)
}

// leafOf returns the number of the leaf of a row.
func (m *Model) leafOf(t span, bins []uint8) (path int) {
	if !m.symmetric {
		splits := m.splits[t.split : int(t.split)+1<<t.depth-1]
		for level := range int(t.depth) {
			s := splits[1<<level-1+path]
			path |= above(bins[s.column], s.above) << level
		}
		return path
	}
	for level, s := range m.splits[t.split : int(t.split)+int(t.depth)] {
		path |= above(bins[s.column], s.above) << (level & 63)
	}
	return path
}

func (m *Model) lengthError(bins []uint8, n int) string {
	return fmt.Sprintf("trees: %d bins for %d rows of %d", len(bins), n, m.Width())
}

// Scores scores n rows, whose bins are in bins row after row. It writes Outputs
// scores for each row to out: log-odds, or one score for each class. It does
// not allocate for models of up to 256 columns.
func (m *Model) Scores(bins []uint8, n int, out []float32) {
	if n < 0 || len(bins) < n*m.Width() || len(out) < n*len(m.bias) {
		panic(m.lengthError(bins, n))
	}
	if n == 1 && len(m.bias) > 1 {
		m.scoreOne(bins, out)
		return
	}
	var buffer [onStack * batchWords]uint64
	words := buffer[:]
	if m.Width() > onStack {
		words = make([]uint64, m.Width()*batchWords)
	}
	now, later := batch{words: words}, batch{words: words}
	for i := range n {
		if now.add(i, 0); now.full() || i == n-1 {
			m.score(&now, &later, bins, out)
		}
	}
	if later.count > 0 {
		m.finish(&later, bins, out)
	}
}

// scoreOne scores a single row of several classes, whose trees share their splits.
func (m *Model) scoreOne(bins []uint8, out []float32) {
	var sums [maxClasses]int32
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

// score scores the rows of a batch and empties it. If the model has an early
// exit, the rows that are not clear are collected in later until they fill a
// batch.
func (m *Model) score(now, later *batch, bins []uint8, out []float32) {
	m.transpose(now, bins)
	if m.exit.after == 0 {
		for k := range m.bias {
			clear(now.sums[:])
			m.addTrees(now, bins, k, m.trees)
			m.write(now, k, out)
		}
		now.count = 0
		return
	}
	m.addTrees(now, bins, 0, m.trees[:m.exit.after])
	m.write(now, 0, out)
	for i, row := range now.rows[:now.count] {
		if m.exit.isClear(now.sums[i]) {
			continue
		}
		if later.add(int(row), now.sums[i]); later.full() {
			m.finish(later, bins, out)
		}
	}
	now.count = 0
	clear(now.sums[:])
}

// finish scores the rows that did not exit with the remaining trees.
func (m *Model) finish(later *batch, bins []uint8, out []float32) {
	m.transpose(later, bins)
	m.addTrees(later, bins, 0, m.trees[m.exit.after:])
	m.write(later, 0, out)
	later.count = 0
}

func (m *Model) transpose(s *batch, bins []uint8) {
	if m.symmetric {
		s.transpose(bins, m.Width())
	}
}

func (m *Model) write(s *batch, output int, out []float32) {
	for i, row := range s.rows[:s.count] {
		out[int(row)*len(m.bias)+output] = float32(m.bias[output] + m.unit*float64(s.sums[i]))
	}
}

// addTrees adds the leaves of trees for an output.
func (m *Model) addTrees(s *batch, bins []uint8, output int, trees []span) {
	width := m.Width()
	for _, t := range trees {
		leaves := (*[maxLeaves]int16)(m.leaves[t.leavesFrom(output):])
		if m.symmetric {
			s.addSymmetric(m.splits[t.split:int(t.split)+int(t.depth)], leaves)
			continue
		}
		for j, row := range s.rows[:s.count] {
			s.sums[j] += int32(leaves[m.leafOf(t, bins[int(row)*width:(int(row)+1)*width])])
		}
	}
}

// Rows are scored in batches of 32, transposed so that the bins of eight rows in a
// column are one word. A bin is below 128, so that one addition compares eight
// bins with a cut and leaves the results in the upper bits of the bytes.
const (
	batchRows  = 32
	batchWords = batchRows / 8
	ones       = 0x0101010101010101
	uppers     = 0x8080808080808080
	onStack    = 256 // columns of a batch that need no allocation
)

type batch struct {
	count int
	rows  [batchRows]int32 // their numbers
	sums  [batchRows]int32 // of leaves
	words []uint64         // by column
}

func (s *batch) add(row int, sum int32) {
	s.rows[s.count], s.sums[s.count] = int32(row), sum
	s.count++
}

func (s *batch) full() bool { return s.count == batchRows }

// transpose turns rows of bins into columns.
func (s *batch) transpose(bins []uint8, width int) {
	for eight := range (s.count + 7) / 8 {
		rows := s.rows[eight*8 : min(eight*8+8, s.count)]
		for k := 0; k < width; k += 8 {
			var w [8]uint64
			for i, row := range rows {
				w[i&7] = binary.LittleEndian.Uint64(bins[int(row)*width+k:])
			}
			transpose8(&w)
			column := s.words[k*batchWords+eight:]
			for i, word := range w {
				column[i*batchWords] = word
			}
		}
	}
}

// transpose8 transposes a square of eight words of eight bytes: first its
// quarters, then quarters of these, then bytes.
func transpose8(w *[8]uint64) {
	for i := range 4 {
		swap(&w[i], &w[i+4], 32, 0x00000000ffffffff)
	}
	for _, i := range [4]int{0, 1, 4, 5} {
		swap(&w[i], &w[i+2], 16, 0x0000ffff0000ffff)
	}
	for i := 0; i < 8; i += 2 {
		swap(&w[i], &w[i+1], 8, 0x00ff00ff00ff00ff)
	}
}

// swap exchanges the upper parts of a with the lower parts of b.
func swap(a, b *uint64, shift uint, lower uint64) {
	t := (*a>>(shift&63) ^ *b) & lower
	*b ^= t
	*a ^= t << (shift & 63)
}

// addSymmetric adds the leaves of a tree. The results of a row move down its
// byte, so that in the end the first is the lowest bit.
func (s *batch) addSymmetric(splits []split, leaves *[maxLeaves]int16) {
	var a, b, c, d uint64
	for _, q := range splits {
		w := (*[batchWords]uint64)(s.words[int(q.column)*batchWords:])
		over := uint64(columnCuts-q.above) * ones
		a = a>>1 | (w[0]+over)&uppers
		b = b>>1 | (w[1]+over)&uppers
		c = c>>1 | (w[2]+over)&uppers
		d = d>>1 | (w[3]+over)&uppers
	}
	rest := (maxDepth - len(splits)) & 63
	addLeaves((*[8]int32)(s.sums[0:]), leaves, a>>rest)
	addLeaves((*[8]int32)(s.sums[8:]), leaves, b>>rest)
	addLeaves((*[8]int32)(s.sums[16:]), leaves, c>>rest)
	addLeaves((*[8]int32)(s.sums[24:]), leaves, d>>rest)
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
