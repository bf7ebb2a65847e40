package trees

import (
	"cmp"
	"math"
	"slices"
)

// Reason is the effect of a feature on a score.
type Reason struct {
	Feature string
	Effect  float64 // in log-odds
}

// Reasons explains the score of an output for a row: it is base plus all
// effects. The largest effects come first; features without effect are left
// out.
//
// Effects are those of A. Saabas (Interpreting random forests, 2014): the value
// of a node is the mean of the leaves below, weighted by their share of the
// training weight, and the change of value from a node to its child is
// attributed to the feature of the node. Shares are rounded to powers of two,
// which moves effects between features a little and does not change the sum.
func (m *Model) Reasons(bins []uint8, output int) (base float64, reasons []Reason) {
	if len(bins) < m.Width() {
		panic(m.lengthError(bins, 1))
	}
	effects := make([]float64, len(m.features))
	base, sum := m.bias[output], int32(0)
	for i, t := range m.trees {
		if i == m.exit.after && i > 0 && m.exit.isClear(sum) {
			break
		}
		path := m.leafOf(t, bins)
		leaves := m.leaves[t.leavesFrom(output):]
		sum += int32(leaves[path])
		base += m.unit * m.explain(t, leaves, path, effects)
	}
	for k, e := range effects {
		if e != 0 {
			reasons = append(reasons, Reason{m.features[k], e})
		}
	}
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	return base, reasons
}

// explain adds the effects of the nodes of one tree and returns the value of
// its root.
func (m *Model) explain(t span, leaves []int16, path int, effects []float64) (root float64) {
	var value, weight [maxLeaves]float64
	for p := range 1 << t.depth {
		value[p] = float64(leaves[p])
		if c := m.covers[int(t.cover)+p]; c != noCover {
			weight[p] = math.Ldexp(1, -int(c))
		}
	}
	for level := int(t.depth) - 1; level >= 0; level-- {
		path &= 1<<(level+1) - 1
		after := value[path]
		for lower := range 1 << level {
			upper := lower | 1<<level
			if both := weight[lower] + weight[upper]; both > 0 {
				value[lower] += (value[upper] - value[lower]) * weight[upper] / both
				weight[lower] = both
			}
		}
		path &= 1<<level - 1
		s := m.splits[int(t.split)+nodeAt(m.symmetric, level, path)]
		effects[m.columns[s.column].feature] += m.unit * (after - value[path])
	}
	return value[0]
}

// Importance returns the share of each feature in the gain of training. The
// largest come first; features that are not used are left out.
func (m *Model) Importance() []Reason {
	gains, all := make([]float64, len(m.features)), 0.0
	for _, c := range m.columns {
		gains[c.feature] += float64(c.gain)
		all += float64(c.gain)
	}
	var shares []Reason
	for k, g := range gains {
		if g > 0 {
			shares = append(shares, Reason{m.features[k], g / all})
		}
	}
	slices.SortStableFunc(shares, func(a, b Reason) int { return cmp.Compare(b.Effect, a.Effect) })
	return shares
}
