package trees

import (
	"fmt"
	"math"
	"sync"
)

// Effects explains the score of an output for a row: it is base plus all
// effects. It sets the effect of a group of features: groups has that of each
// feature, an index into effects. Effects does not allocate but for the first call of
// a model.
//
// Effects are those of A. Saabas (Interpreting random forests, 2014): the value
// of a node is the mean of the leaves below, weighted by their share of the
// training weight, and the change of value from a node to its child is
// attributed to the feature of the node. Shares are rounded to powers of two,
// which moves effects between features a little and does not change the sum.
func (m *Model) Effects(row []float32, output int, groups []uint16, effects []float64) (base float64) {
	if len(row) != len(m.features) || len(groups) != len(m.features) {
		panic(fmt.Sprintf("trees: %d values and groups of %d features for a model of %d", len(row), len(groups), len(m.features)))
	}
	var binRoom [onStack]uint8
	bins := m.binsOf(row, binRoom[:])
	var room [onStack]uint16
	byColumn := room[:]
	if len(m.columns) > onStack {
		byColumn = make([]uint16, len(m.columns))
	}
	for k := range m.columns {
		byColumn[k] = groups[m.columns[k].feature]
	}
	clear(effects)
	nodes := m.values.get(m)[2*output*len(m.covers):]
	roots := 0.0
	for _, t := range m.trees {
		values := nodes[2*t.cover : 2*(t.cover+1<<t.depth)]
		splits := m.splits[t.split:]
		value, path := values[0], 0
		roots += value
		for level := range int(t.depth) {
			s := splits[level]
			path |= above(bins[s.column], s.above) << (level & 63)
			next := values[2<<(level&63)-1+path]
			effects[byColumn[s.column]] += next - value
			value = next
		}
	}
	for k := range effects {
		effects[k] *= m.unit
	}
	return m.bias[output] + m.unit*roots
}

// nodeValues are the values of all nodes, in units. Only explanations need them, so
// they are computed on their first use.
type nodeValues struct {
	once sync.Once
	// values has, for each output and tree, room for twice its leaves: the values
	// of the root, of the two nodes below, and so on, at last of the leaves.
	values []float64
}

func (v *nodeValues) get(m *Model) []float64 {
	v.once.Do(func() {
		v.values = make([]float64, 2*len(m.bias)*len(m.covers))
		for k := range m.bias {
			for _, t := range m.trees {
				at := 2 * (k*len(m.covers) + int(t.cover))
				m.readValues(t, m.leaves[t.leavesFrom(k):], v.values[at:at+2<<t.depth])
			}
		}
	})
	return v.values
}

// readValues computes the values of the nodes of a tree.
func (m *Model) readValues(t span, leaves []int16, out []float64) {
	var value, weight [maxLeaves]float64
	for p := range 1 << t.depth {
		value[p] = float64(leaves[p])
		if c := m.covers[int(t.cover)+p]; c != NoCover {
			weight[p] = math.Ldexp(1, -int(c))
		}
		out[1<<t.depth-1+p] = float64(leaves[p])
	}
	for level := int(t.depth) - 1; level >= 0; level-- {
		for lower := range 1 << level {
			upper := lower | 1<<level
			if both := weight[lower] + weight[upper]; both > 0 {
				value[lower] += (value[upper] - value[lower]) * weight[upper] / both
				weight[lower] = both
			}
			out[1<<level-1+lower] = value[lower]
		}
	}
}
