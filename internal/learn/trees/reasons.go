package trees

import (
	"cmp"
	"math"
	"slices"
)

// Reason is how far a feature moved a score.
type Reason struct {
	Feature string
	Effect  float64 // on the score: log-odds
}

// Reasons explain a score of a row, that of an output (0 where there is only one):
// it is base plus all effects. Largest effects come first; features that changed
// nothing are left out.
//
// Effects are those of A. Saabas (Interpreting random forests, 2014): every node is
// worth the mean of the leaves below, each by its share of the training weight, and
// what is gained or lost with an answer is put down to the feature that was asked.
// Shares are rounded to powers of two, which moves effects between features a little
// and the sum not at all.
func (m *Model) Reasons(bins []uint8, output int) (base float64, reasons []Reason) {
	if len(bins) < m.Width() {
		panic(m.wrong(bins, 1))
	}
	effects := make([]float64, len(m.features))
	base, sum := m.bias[output], int32(0)
	for i, t := range m.trees {
		if i == m.stop.after && i > 0 && m.stop.leaves(sum) {
			break
		}
		answers := m.leafOf(t, bins)
		leaves := m.leaves[t.leavesOf(output):]
		sum += int32(leaves[answers])
		base += m.unit * m.explain(t, leaves, answers, effects)
	}
	for k, e := range effects {
		if e != 0 {
			reasons = append(reasons, Reason{m.features[k], e})
		}
	}
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	return base, reasons
}

// explain adds the effects of the answers in one tree, and tells what its root is worth.
func (m *Model) explain(t span, leaves []int16, answers int, effects []float64) (root float64) {
	var worth, weight [leafRoom]float64
	for p := range 1 << t.depth {
		worth[p] = float64(leaves[p])
		if c := m.covers[int(t.cover)+p]; c != noCover {
			weight[p] = math.Ldexp(1, -int(c))
		}
	}
	for level := int(t.depth) - 1; level >= 0; level-- {
		answers &= 1<<(level+1) - 1
		after := worth[answers]
		for no := range 1 << level {
			yes := no | 1<<level
			if both := weight[no] + weight[yes]; both > 0 {
				worth[no] += (worth[yes] - worth[no]) * weight[yes] / both
				weight[no] = both
			}
		}
		answers &= 1<<level - 1
		s := m.splits[int(t.split)+nodeAt(m.symmetric, level, answers)]
		effects[m.columns[s.column].feature] += m.unit * (after - worth[answers])
	}
	return worth[0]
}

// Importance is what each feature gained in training, as a share of all. The largest
// come first; features that were never asked about are left out.
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
