package trees

import (
	"cmp"
	"maps"
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

	searches searches // of the columns
	values   *nodeValues
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
	m.searches, m.values = newSearches(m.columns), new(nodeValues)
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
