package trees

import (
	"cmp"
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
