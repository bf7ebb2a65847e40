package trees

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/lede-news/lede/internal/methods/trees"
	"github.com/lede-news/lede/internal/parallel"
)

// tree is a grown symmetric tree: all nodes of a level are the same. Bit k of the
// number of a row's leaf tells whether the row was above the bin of node k.
type tree struct {
	nodes  []node
	leaves []int16 // in units of the model; all of the first output, then of the next
	covers []uint8 // of each leaf: see cover
}

// node splits rows by whether the bin of a feature is above its own.
type node struct {
	cut
	gain float64
}

// cut is the upper end of a bin of a feature.
type cut struct {
	feature int
	bin     uint8
}

// derivatives are the first and second derivatives of the loss for a row, as integers:
// sums of integers are exact, so that their order does not matter, and subtracting a
// child from its parent gives exactly its sibling.
type derivatives struct{ g, h int32 }

// The largest derivatives.
const (
	scaleG = 1<<19 - 1
	scaleH = 1<<20 - 1
)

// scaled rounds a share of the largest derivative.
func scaled(share, scale float64) int32 { return int32(math.RoundToEven(share * scale)) }

// sum is the sum of the derivatives of some rows.
type sum struct{ g, h int64 }

func (s *sum) add(d derivatives) {
	s.g += int64(d.g)
	s.h += int64(d.h)
}

// histogram has the sums of every bin of a feature, for each output.
type histogram [][256]sum

// grower grows one tree after another in the same memory.
type grower struct {
	b *Bins
	o Options
	d [][]derivatives // of each output, by row

	unitG, unitH float64 // of the sums of derivatives

	use        []bool        // features that this tree may use
	leaves     [][]int32     // the rows of each leaf
	spare      []int32       // room for rows
	sums       [][]sum       // by level, then leaf, then output
	histograms [][]histogram // by feature, then leaf
	found      []node        // the best of each feature
}

func newGrower(b *Bins, o Options, outputs int) *grower {
	features := len(b.features)
	g := &grower{
		b: b, o: o, d: make([][]derivatives, outputs), use: make([]bool, features),
		histograms: make([][]histogram, features), found: make([]node, features),
	}
	for k := range g.d {
		g.d[k] = make([]derivatives, len(b.y))
	}
	for f := range g.histograms {
		g.histograms[f] = make([]histogram, 1<<(o.Depth-1))
		for p := range g.histograms[f] {
			g.histograms[f][p] = make(histogram, outputs)
		}
	}
	return g
}

// grow grows a tree on some rows, whose order it changes. The nodes are the same for all
// outputs, the leaves are not.
func (g *grower) grow(rows []int32) (t tree) {
	g.leaves, g.sums = append(g.leaves[:0], rows), g.sums[:0]
	g.addSums()
	for len(t.nodes) < g.o.Depth {
		parallel.For(len(g.b.features), 0, func(f int) {
			g.found[f] = node{}
			if g.use[f] && len(g.b.cuts[f]) > 0 {
				g.fillHistograms(f)
				g.found[f] = g.findNode(f)
			}
		})
		best := slices.MaxFunc(g.found, func(a, b node) int { return cmp.Compare(a.gain, b.gain) })
		if best.gain == 0 {
			break
		}
		t.nodes = append(t.nodes, best)
		g.splitLeaves(best)
		g.addSums()
	}
	for k := range g.d {
		for p := range g.leaves {
			t.leaves = append(t.leaves, g.value(len(t.nodes), p, k))
		}
	}
	for p := range g.leaves {
		t.covers = append(t.covers, g.cover(len(t.nodes), p))
	}
	return t
}

// addSums computes the sums of the leaves of a new level.
func (g *grower) addSums() {
	sums := make([]sum, len(g.leaves)*len(g.d))
	for p, rows := range g.leaves {
		for k, d := range g.d {
			for _, r := range rows {
				sums[p*len(g.d)+k].add(d[r])
			}
		}
	}
	g.sums = append(g.sums, sums)
}

// fillHistograms computes the histograms of a feature for the leaves of this level. Of
// two siblings it computes the smaller from its rows and the other by subtraction from
// the parent's, which is in the place of the lower one.
func (g *grower) fillHistograms(f int) {
	histograms := g.histograms[f]
	half := len(g.leaves) / 2
	if half == 0 {
		g.fill(f, 0)
	}
	for p := range half {
		small, large := p+half, p
		if len(g.leaves[p]) < len(g.leaves[p+half]) {
			small, large = p, p+half
			histograms[small], histograms[large] = histograms[large], histograms[small]
		}
		g.fill(f, small)
		for k := range g.d {
			sums := &histograms[large][k]
			for i, s := range histograms[small][k][:len(g.b.cuts[f])+1] {
				sums[i].g -= s.g
				sums[i].h -= s.h
			}
		}
	}
}

// fill computes the histogram of a feature for the rows of a leaf.
func (g *grower) fill(f, leaf int) {
	column := g.b.columns[f]
	for k, d := range g.d {
		sums := &g.histograms[f][leaf][k]
		clear(sums[:len(g.b.cuts[f])+1])
		for _, r := range g.leaves[leaf] {
			sums[column[r]].add(d[r])
		}
	}
}

// findNode finds the best node of a feature.
func (g *grower) findNode(f int) (found node) {
	gains := make([]float64, len(g.b.cuts[f]))
	sums := g.sums[len(g.sums)-1]
	for p := range g.leaves {
		for k := range g.d {
			g.addGains(gains, &g.histograms[f][p][k], sums[p*len(g.d)+k])
		}
	}
	for i, gain := range gains {
		if gain > max(found.gain, minGain) {
			found = node{cut{f, uint8(i)}, gain}
		}
	}
	return found
}

// splitLeaves splits all leaves. The lower halves take their places, and the upper halves
// follow. Rows keep their order, so that columns are read forwards.
func (g *grower) splitLeaves(node node) {
	column := g.b.columns[node.feature]
	for p, rows := range g.leaves {
		lower, upper := rows[:0], g.spare[:0]
		for _, r := range rows {
			if column[r] > node.bin {
				upper = append(upper, r)
			} else {
				lower = append(lower, r)
			}
		}
		g.spare = upper
		copy(rows[len(lower):], upper)
		g.leaves[p] = lower
		g.leaves = append(g.leaves, rows[len(lower):])
	}
}

// score returns twice the loss that a leaf saves, G²/(H+λ).
func (g *grower) score(sumG, sumH float64) float64 { return sumG * sumG / (sumH + g.o.L2) }

// addGains adds the gain of each cut of a feature in a leaf. Cuts with a side that
// is too light gain nothing.
func (g *grower) addGains(gains []float64, bins *[256]sum, total sum) {
	totalG, totalH := float64(total.g)*g.unitG, float64(total.h)*g.unitH
	before := g.score(totalG, totalH)
	var lower sum
	for i := range gains {
		lower.g += bins[i].g
		lower.h += bins[i].h
		lowerG, lowerH := float64(lower.g)*g.unitG, float64(lower.h)*g.unitH
		if lowerH >= g.o.MinWeight && totalH-lowerH >= g.o.MinWeight {
			gains[i] += g.score(lowerG, lowerH) + g.score(totalG-lowerG, totalH-lowerH) - before
		}
	}
}

// minGain is the smallest gain of a node; less is a rounding error.
const minGain = 1e-6

// maxLeaf is the largest value of a leaf at a learning rate of 1, in log-odds:
// enough for a probability of one in ten million. With it 16 bits suffice.
const maxLeaf = 16

// value returns the value of a leaf, -G/(H+λ). A leaf that is too light, as
// symmetric trees have, takes the value of the nearest node above that is not.
func (g *grower) value(level, leaf, output int) int16 {
	s := g.sums[level][leaf*len(g.d)+output]
	for level > 0 && float64(s.h)*g.unitH < g.o.MinWeight {
		level--
		leaf &= 1<<level - 1
		s = g.sums[level][leaf*len(g.d)+output]
	}
	v := -float64(s.g) * g.unitG / (float64(s.h)*g.unitH + g.o.L2)
	return int16(math.Round(min(max(v/maxLeaf, -1), 1) * math.MaxInt16))
}

// cover returns the n for which a node has one 2ⁿ-th of the tree's weight, over all
// outputs.
func (g *grower) cover(level, node int) uint8 {
	var part, whole int64
	for k := range g.d {
		part += g.sums[level][node*len(g.d)+k].h
		whole += g.sums[0][k].h
	}
	if part <= 0 {
		return trees.NoCover
	}
	return uint8(min(bits.Len64(uint64(whole/part))-1, trees.NoCover-1))
}
