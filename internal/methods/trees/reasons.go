package trees

import (
	"fmt"
	"math"
)

// Effects explains the first score of a row: it is base plus all effects. It sets the
// effect of a group of features: groups has that of each feature, an index into
// effects.
//
// Effects are those of A. Saabas (Interpreting random forests, 2014): the value
// of a node is the mean of the leaves below, weighted by their share of the
// training weight, and the change of value from a node to its child is
// attributed to the feature of the node. Shares are rounded to powers of two,
// which moves effects between features a little and does not change the sum.
func (m *Model) Effects(row []float32, groups []uint16, effects []float64) (base float64) {
	if len(row) != len(m.features) || len(groups) != len(m.features) {
		panic(fmt.Sprintf("trees: %d values and groups of %d features for a model of %d", len(row), len(groups), len(m.features)))
	}
	clear(effects)
	roots := 0.0
	for i, values := range m.values() {
		value, path := values[0], 0
		roots += value
		for level, s := range m.splitsOf(m.trees[i]) {
			c := &m.columns[s.column]
			if row[c.feature] >= m.cuts[c.first+int(s.above)] {
				path |= 1 << level
			}
			next := values[2<<level-1+path]
			effects[groups[c.feature]] += next - value
			value = next
		}
	}
	for k := range effects {
		effects[k] *= m.unit
	}
	return m.bias[0] + m.unit*roots
}

// nodeValues computes the values of the nodes of each tree for the first output, in
// units: of the root, of the two nodes below, and so on, at last of the leaves.
func (m *Model) nodeValues() (all [][]float64) {
	covers := m.covers
	for _, t := range m.trees {
		n := 1 << t.depth
		values, weights := make([]float64, 2*n-1), make([]float64, n)
		for p, c := range covers[:n] {
			values[n-1+p] = float64(m.leavesOf(t, 0)[p])
			if c != NoCover {
				weights[p] = math.Ldexp(1, -int(c))
			}
		}
		for half := n / 2; half > 0; half /= 2 {
			above, below := values[half-1:], values[2*half-1:]
			for lower := range half {
				upper := lower + half
				above[lower] = below[lower]
				if both := weights[lower] + weights[upper]; both > 0 {
					above[lower] += (below[upper] - below[lower]) * weights[upper] / both
					weights[lower] = both
				}
			}
		}
		all, covers = append(all, values), covers[n:]
	}
	return all
}
