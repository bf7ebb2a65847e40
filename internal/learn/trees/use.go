package trees

import (
	"fmt"
	"math"
	"math/bits"
)

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
