package trees

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Model scores rows. It comes from [Train] or from a file, never changes, and may be
// used by many goroutines at once.
type Model struct {
	features  []string
	symmetric bool
	bias      []float64 // of each output
	unit      float64   // of leaves
	columns   []column
	splits    []split
	leaves    []int16 // with room for 256 after the last tree, so that a byte is always an index
	covers    []uint8 // of the leaves of the first output
	trees     []span
	stop      stop

	probes []probe // of the columns
	ladder []float32
}

// column is a feature that the model asks about, with the cuts that it uses. They
// are at most 127, so that a bin leaves a bit of its byte free; a feature with more
// has several columns.
type column struct {
	feature int
	cuts    []float32
	gain    float32 // of all its splits
}

const columnCuts = 127

const leafRoom = 1 << MostDepth

// split asks whether the bin of a column is above one. In an ordinary tree, a node
// that asks nothing asks for a bin above 127, where none is.
type split struct {
	column uint16
	above  uint8
}

// span is where the splits, leaves and covers of a tree start.
type span struct {
	split, leaf, cover uint32
	depth              uint8
}

// leavesOf is where the leaves of an output start.
func (t span) leavesOf(output int) int { return int(t.leaf) + output<<t.depth }

// Features are the names of all features, in the order of a row.
func (m *Model) Features() []string { return slices.Clone(m.features) }

// Trees is how many trees there are.
func (m *Model) Trees() int { return len(m.trees) }

// Width is how many bytes the bins of a row take: one for each feature that the
// model asks about, rarely more, made up to a multiple of eight.
func (m *Model) Width() int { return (len(m.columns) + 7) &^ 7 }

// Outputs is how many scores a row has: one for two classes, or else one a class.
func (m *Model) Outputs() int { return len(m.bias) }

// question is a feature and the number of a cut.
type question struct{ feature, cut int }

// compile keeps of the cuts what trees ask for.
func compile(b *Bins, trees []tree, bias []float64, o Options) *Model {
	m := &Model{features: slices.Clone(b.features), symmetric: o.Symmetric, bias: bias, unit: unit(o.LearningRate)}
	gains := map[question]float64{}
	for _, t := range trees {
		for _, n := range t.nodes {
			if n.gain > 0 {
				gains[question{n.feature, int(n.bin)}] += n.gain
			}
		}
	}
	where := m.addColumns(b, gains)
	for _, t := range trees {
		m.trees = append(m.trees, span{uint32(len(m.splits)), uint32(len(m.leaves)), uint32(len(m.covers)), uint8(t.depth)})
		for _, n := range t.nodes {
			s := split{above: columnCuts}
			if n.gain > 0 {
				s = where[question{n.feature, int(n.bin)}]
			}
			m.splits = append(m.splits, s)
		}
		m.leaves = append(m.leaves, t.leaves...)
		m.covers = append(m.covers, t.covers...)
	}
	m.leaves = append(m.leaves, make([]int16, leafRoom)...)
	m.addProbes()
	return m
}

// addColumns makes columns of the questions, those with few cuts first, so that the
// steps of a search change rarely from one to the next.
func (m *Model) addColumns(b *Bins, gains map[question]float64) map[question]split {
	type draft struct {
		column
		asked []question
	}
	var questions []question
	for q := range gains {
		questions = append(questions, q)
	}
	slices.SortFunc(questions, func(a, b question) int {
		return cmp.Or(cmp.Compare(a.feature, b.feature), cmp.Compare(a.cut, b.cut))
	})
	var drafts []draft
	for _, q := range questions {
		last := len(drafts) - 1
		if last < 0 || drafts[last].feature != q.feature || len(drafts[last].cuts) == columnCuts {
			drafts = append(drafts, draft{column: column{feature: q.feature}})
			last++
		}
		d := &drafts[last]
		d.cuts = append(d.cuts, b.cuts[q.feature][q.cut])
		d.gain += float32(gains[q])
		d.asked = append(d.asked, q)
	}
	slices.SortStableFunc(drafts, func(a, b draft) int { return cmp.Compare(len(a.cuts), len(b.cuts)) })
	where := map[question]split{}
	for k, d := range drafts {
		m.columns = append(m.columns, d.column)
		for i, q := range d.asked {
			where[q] = split{uint16(k), uint8(i)}
		}
	}
	return where
}

// Bin finds the bins of a row, for the features that the model asks about. The row
// has a value for each of Features, and out room for Width bins.
func (m *Model) Bin(row []float32, out []uint8) {
	if len(row) != len(m.features) || len(out) < m.Width() {
		panic(fmt.Sprintf("trees: a row of %d values and room for %d bins, where the model has %d and %d",
			len(row), len(out), len(m.features), m.Width()))
	}
	for k, c := range m.probes {
		v, cuts, at := row[c.feature], m.ladder[c.start:], 0
		switch c.half {
		case 64:
			at += one(v >= cuts[63]) << 6
			fallthrough
		case 32:
			at += one(v >= cuts[at+31]) << 5
			fallthrough
		case 16:
			at += one(v >= cuts[at+15]) << 4
			fallthrough
		case 8:
			at += one(v >= cuts[at+7]) << 3
			fallthrough
		case 4:
			at += one(v >= cuts[at+3]) << 2
		}
		l := cuts[at : at+3]
		out[k] = uint8(at + one(v >= l[0]) + one(v >= l[1]) + one(v >= l[2]))
	}
	clear(out[len(m.probes):m.Width()])
}

// probe is how the bin of a column is found: by halving until three cuts are left,
// without a branch on the value, among cuts that were filled up to a power of two.
type probe struct {
	feature, start uint32
	half           uint8
}

// addProbes lays out the cuts for searching. NaN fills up, since nothing reaches it.
func (m *Model) addProbes() {
	m.probes, m.ladder = nil, nil
	for _, c := range m.columns {
		half := max(2, 1<<bits.Len(uint(len(c.cuts)))>>1)
		m.probes = append(m.probes, probe{uint32(c.feature), uint32(len(m.ladder)), uint8(half)})
		m.ladder = append(m.ladder, c.cuts...)
		for range 2*half - 1 - len(c.cuts) {
			m.ladder = append(m.ladder, float32(math.NaN()))
		}
	}
}

// one is 1 for true; the compiler makes no branch of it.
func one(b bool) (n int) {
	if b {
		n = 1
	}
	return n
}

// Score is the log-odds of class 1, for a model of two classes. It panics for others.
func (m *Model) Score(bins []uint8) float64 {
	if len(m.bias) != 1 {
		panic("trees: Score is for two classes; use Scores")
	}
	if len(bins) < m.Width() {
		panic(m.wrong(bins, 1))
	}
	sum := int32(0)
	for i, t := range m.trees {
		if i == m.stop.after && i > 0 && m.stop.leaves(sum) {
			break
		}
		sum += int32(m.leaves[int(t.leaf)+m.leafOf(t, bins)])
	}
	return m.bias[0] + m.unit*float64(sum)
}

// leafOf is the number of the leaf that a row comes to.
func (m *Model) leafOf(t span, bins []uint8) (answers int) {
	if !m.symmetric {
		splits := m.splits[t.split : int(t.split)+1<<t.depth-1]
		for level := range int(t.depth) {
			s := splits[1<<level-1+answers]
			answers |= above(bins[s.column], s.above) << level
		}
		return answers
	}
	for level, s := range m.splits[t.split : int(t.split)+int(t.depth)] {
		answers |= above(bins[s.column], s.above) << (level & 63)
	}
	return answers
}

func (m *Model) wrong(bins []uint8, n int) string {
	return fmt.Sprintf("trees: %d bins for %d rows of %d", len(bins), n, m.Width())
}

// Scores scores n rows, whose bins stand row after row as Bin makes them. Each row
// gets Outputs scores in out: log-odds, or one a class. It takes no memory for
// models of up to 256 columns.
func (m *Model) Scores(bins []uint8, n int, out []float32) {
	if n < 0 || len(bins) < n*m.Width() || len(out) < n*len(m.bias) {
		panic(m.wrong(bins, n))
	}
	var room [onStack * sheetWords]uint64
	words := room[:]
	if m.Width() > onStack {
		words = make([]uint64, m.Width()*sheetWords)
	}
	now, later := sheet{words: words}, sheet{words: words}
	for i := range n {
		if now.add(i, 0); now.full() || i == n-1 {
			m.score(&now, &later, bins, out)
		}
	}
	if later.count > 0 {
		m.finish(&later, bins, out)
	}
}

// score scores the rows of a sheet and empties it. Where rows may leave early, those
// that stay are gathered in later until they fill a sheet, too.
func (m *Model) score(now, later *sheet, bins []uint8, out []float32) {
	m.turn(now, bins)
	if m.stop.after == 0 {
		for k := range m.bias {
			clear(now.sums[:])
			m.addTrees(now, bins, k, m.trees)
			m.write(now, k, out)
		}
		now.count = 0
		return
	}
	m.addTrees(now, bins, 0, m.trees[:m.stop.after])
	m.write(now, 0, out)
	for i, row := range now.rows[:now.count] {
		if m.stop.leaves(now.sums[i]) {
			continue
		}
		if later.add(int(row), now.sums[i]); later.full() {
			m.finish(later, bins, out)
		}
	}
	now.count = 0
	clear(now.sums[:])
}

// finish scores the rows that stayed, by the trees that are left.
func (m *Model) finish(later *sheet, bins []uint8, out []float32) {
	m.turn(later, bins)
	m.addTrees(later, bins, 0, m.trees[m.stop.after:])
	m.write(later, 0, out)
	later.count = 0
}

func (m *Model) turn(s *sheet, bins []uint8) {
	if m.symmetric {
		s.turn(bins, m.Width())
	}
}

func (m *Model) write(s *sheet, output int, out []float32) {
	for i, row := range s.rows[:s.count] {
		out[int(row)*len(m.bias)+output] = float32(m.bias[output] + m.unit*float64(s.sums[i]))
	}
}

// addTrees adds the leaves that trees have for an output.
func (m *Model) addTrees(s *sheet, bins []uint8, output int, trees []span) {
	width := m.Width()
	for _, t := range trees {
		leaves := (*[leafRoom]int16)(m.leaves[t.leavesOf(output):])
		if m.symmetric {
			s.addSymmetric(m.splits[t.split:int(t.split)+int(t.depth)], leaves)
			continue
		}
		for j, row := range s.rows[:s.count] {
			s.sums[j] += int32(leaves[m.leafOf(t, bins[int(row)*width:(int(row)+1)*width])])
		}
	}
}

// Rows are scored in sheets of 32, turned so that the bins of eight rows in a
// column are one word. A bin is below 128, so one addition compares eight bins with
// a cut and leaves the answers in the upper bits of the bytes.
const (
	sheetRows  = 32
	sheetWords = sheetRows / 8
	ones       = 0x0101010101010101
	uppers     = 0x8080808080808080
	onStack    = 256 // columns of a sheet that ask for no memory
)

type sheet struct {
	count int
	rows  [sheetRows]int32 // their numbers
	sums  [sheetRows]int32 // of leaves
	words []uint64         // by column
}

func (s *sheet) add(row int, sum int32) {
	s.rows[s.count], s.sums[s.count] = int32(row), sum
	s.count++
}

func (s *sheet) full() bool { return s.count == sheetRows }

// turn makes words of columns from rows of bins.
func (s *sheet) turn(bins []uint8, width int) {
	for eight := range (s.count + 7) / 8 {
		rows := s.rows[eight*8 : min(eight*8+8, s.count)]
		for k := 0; k < width; k += 8 {
			var w [8]uint64
			for i, row := range rows {
				w[i&7] = binary.LittleEndian.Uint64(bins[int(row)*width+k:])
			}
			transpose(&w)
			column := s.words[k*sheetWords+eight:]
			for i, word := range w {
				column[i*sheetWords] = word
			}
		}
	}
}

// transpose swaps rows and columns of eight words of eight bytes: first quarters of
// the square, then quarters of these, then bytes.
func transpose(w *[8]uint64) {
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

// addSymmetric adds the leaves of a tree. The answers of a row move down its byte,
// so that the first is the lowest bit in the end.
func (s *sheet) addSymmetric(splits []split, leaves *[leafRoom]int16) {
	var a, b, c, d uint64
	for _, q := range splits {
		w := (*[sheetWords]uint64)(s.words[int(q.column)*sheetWords:])
		over := uint64(columnCuts-q.above) * ones
		a = a>>1 | (w[0]+over)&uppers
		b = b>>1 | (w[1]+over)&uppers
		c = c>>1 | (w[2]+over)&uppers
		d = d>>1 | (w[3]+over)&uppers
	}
	rest := (MostDepth - len(splits)) & 63
	addLeaves((*[8]int32)(s.sums[0:]), leaves, a>>rest)
	addLeaves((*[8]int32)(s.sums[8:]), leaves, b>>rest)
	addLeaves((*[8]int32)(s.sums[16:]), leaves, c>>rest)
	addLeaves((*[8]int32)(s.sums[24:]), leaves, d>>rest)
}

// addLeaves adds to eight sums the leaves whose numbers are the bytes of a word.
func addLeaves(sums *[8]int32, leaves *[leafRoom]int16, numbers uint64) {
	sums[0] += int32(leaves[uint8(numbers)])
	sums[1] += int32(leaves[uint8(numbers>>8)])
	sums[2] += int32(leaves[uint8(numbers>>16)])
	sums[3] += int32(leaves[uint8(numbers>>24)])
	sums[4] += int32(leaves[uint8(numbers>>32)])
	sums[5] += int32(leaves[uint8(numbers>>40)])
	sums[6] += int32(leaves[uint8(numbers>>48)])
	sums[7] += int32(leaves[uint8(numbers>>56)])
}
