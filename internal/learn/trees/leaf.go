package trees

import (
	"math"
	"math/bits"
)

// steepest is how far a leaf may go at a learning rate of 1, in log-odds: far
// enough for a probability of one in ten million. It makes leaves of 16 bits do.
const steepest = 16

// unit is what 1 in a leaf stands for.
func unit(rate float64) float64 { return rate * steepest / math.MaxInt16 }

// value is that of a leaf, -G/(H+λ). One that is too light, as symmetric trees
// have, takes the value of the nearest node above that is not.
func (g *grower) value(level, leaf, output int) int16 {
	s := g.sums[level][leaf*g.outputs+output]
	for level > 0 && float64(s.h)*g.h < g.minWeight {
		level--
		leaf &= 1<<level - 1
		s = g.sums[level][leaf*g.outputs+output]
	}
	v := -float64(s.g) * g.g / (float64(s.h)*g.h + g.l2)
	if math.IsNaN(v) {
		return 0 // nothing by nothing
	}
	return int16(math.Round(min(max(v/steepest, -1), 1) * math.MaxInt16))
}

// noCover marks a leaf without rows.
const noCover = 15

// cover says how much of a tree's weight a leaf has: one in 2ⁿ, where n is the cover.
func cover(part, whole int64) uint8 {
	if part <= 0 {
		return noCover
	}
	return uint8(min(bits.Len64(uint64(whole/part))-1, noCover-1))
}

// weight is that of a node, of all outputs.
func (g *grower) weight(level, node int) (sum int64) {
	for k := range g.outputs {
		sum += g.sums[level][node*g.outputs+k].h
	}
	return sum
}
