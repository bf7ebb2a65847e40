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
	feature int
	bin     uint8
	gain    float64
}

// leaf is a node that is not yet split: a range of the grower's rows.
type leaf struct{ from, to int }

// derivatives are the first and second derivatives of the loss for a row, as integers:
// sums of integers are exact, so that their order does not matter, and subtracting a
// child from its parent gives exactly its sibling.
type derivatives struct{ g, h int32 }

// The largest derivatives.
const (
	scaleG = 1<<19 - 1
	scaleH = 1<<20 - 1
)

// newDerivatives returns room for those of each output, by row.
func newDerivatives(outputs, rows int) [][]derivatives {
	d := make([][]derivatives, outputs)
	for k := range d {
		d[k] = make([]derivatives, rows)
	}
	return d
}

// scaled rounds a share of the largest derivative.
func scaled(share, scale float64) int32 { return int32(math.RoundToEven(share * scale)) }

// sum is the sum of the derivatives of some rows.
type sum struct{ g, h int64 }

func (s *sum) add(d derivatives) {
	s.g += int64(d.g)
	s.h += int64(d.h)
}

func (s sum) minus(t sum) sum { return sum{s.g - t.g, s.h - t.h} }

// histogram has the sums of every bin of a feature, for each output.
type histogram [][256]sum

// grower grows one tree after another in the same memory.
type grower struct {
	b       *Bins
	o       Options
	outputs int

	unitG, unitH float64 // of the sums of derivatives

	use        []bool          // features that this tree may use
	rows       []int32         // those of a leaf are contiguous
	d          [][]derivatives // by output, in the order of rows
	spareRows  []int32
	spareD     []derivatives
	upper      []bool // in the order of rows: goes to the upper leaf
	leaves     []leaf
	sums       [][]sum       // by level, then leaf, then output
	histograms [][]histogram // by feature, then leaf
	found      []node        // the best of each feature
}

func newGrower(b *Bins, o Options, outputs int) *grower {
	n, features := len(b.y), len(b.features)
	g := &grower{
		b: b, o: o, outputs: outputs, use: make([]bool, features), rows: make([]int32, 0, n), d: newDerivatives(outputs, n),
		spareRows: make([]int32, n), spareD: make([]derivatives, n), upper: make([]bool, n),
		histograms: make([][]histogram, features), found: make([]node, features),
	}
	for f := range g.histograms {
		g.histograms[f] = make([]histogram, 1<<(o.Depth-1))
		for p := range g.histograms[f] {
			g.histograms[f][p] = make(histogram, outputs)
		}
	}
	return g
}

// grow grows a tree on g.rows, given the derivatives of all rows for each output. The
// nodes are the same for all outputs, the leaves are not.
func (g *grower) grow(d [][]derivatives) tree {
	for k := range d {
		for i, r := range g.rows {
			g.d[k][i] = d[k][r]
		}
	}
	g.leaves = append(g.leaves[:0], leaf{to: len(g.rows)})
	g.sums = append(g.sums[:0], make([]sum, g.outputs))
	g.sum(g.leaves[0], g.sums[0])
	var t tree
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
	}
	for k := range g.outputs {
		for p := range g.leaves {
			t.leaves = append(t.leaves, g.value(len(t.nodes), p, k))
		}
	}
	for p := range g.leaves {
		t.covers = append(t.covers, g.cover(len(t.nodes), p))
	}
	return t
}

// fillHistograms computes the histograms of a feature for the leaves of this level. Of
// two siblings it computes the smaller from its rows and the other by subtraction from
// the parent's, which is in the place of the lower one.
func (g *grower) fillHistograms(f int) {
	histograms := g.histograms[f]
	half := len(g.leaves) / 2
	if half == 0 {
		g.fill(f, histograms[0], g.leaves[0])
	}
	for p := range half {
		small, large := p+half, p
		if lower, upper := g.leaves[p], g.leaves[p+half]; lower.to-lower.from < upper.to-upper.from {
			small, large = p, p+half
			histograms[small], histograms[large] = histograms[large], histograms[small]
		}
		g.fill(f, histograms[small], g.leaves[small])
		for k := range g.outputs {
			sums := &histograms[large][k]
			for i, s := range histograms[small][k][:len(g.b.cuts[f])+1] {
				sums[i] = sums[i].minus(s)
			}
		}
	}
}

// fill sets h to the histogram of a feature for the rows of a leaf.
func (g *grower) fill(f int, h histogram, l leaf) {
	column, rows := g.b.columns[f], g.rows[l.from:l.to]
	for k := range h {
		sums, d := &h[k], g.d[k][l.from:l.to]
		clear(sums[:len(g.b.cuts[f])+1])
		for i, r := range rows {
			sums[column[r]].add(d[i])
		}
	}
}

// findNode finds the best node of a feature.
func (g *grower) findNode(f int) (found node) {
	gains := make([]float64, len(g.b.cuts[f]))
	sums := g.sums[len(g.sums)-1]
	for p := range g.leaves {
		for k := range g.outputs {
			g.addGains(gains, g.histograms[f][p][k][:], sums[p*g.outputs+k])
		}
	}
	for i, gain := range gains {
		if gain > max(found.gain, minGain) {
			found = node{f, uint8(i), gain}
		}
	}
	return found
}

// splitLeaves splits all leaves. The lower half stays in its place.
func (g *grower) splitLeaves(node node) {
	n := len(g.leaves)
	g.leaves = append(g.leaves, make([]leaf, n)...)
	before, after := g.sums[len(g.sums)-1], make([]sum, 2*n*g.outputs)
	g.sums = append(g.sums, after)
	parallel.For(n, 0, func(p int) {
		l := g.leaves[p]
		middle := g.split(l, node)
		g.leaves[p], g.leaves[n+p] = leaf{l.from, middle}, leaf{middle, l.to}
		lower, upper := after[p*g.outputs:(p+1)*g.outputs], after[(n+p)*g.outputs:]
		g.sum(g.leaves[p], lower)
		for k, s := range lower {
			upper[k] = before[p*g.outputs+k].minus(s)
		}
	})
}

// split moves the rows of a leaf that are above the node's bin behind the others. Both
// keep their order, so that columns are read forwards.
func (g *grower) split(l leaf, node node) (middle int) {
	column, rows, upper := g.b.columns[node.feature], g.rows[l.from:l.to], g.upper[l.from:l.to]
	for i, r := range rows {
		upper[i] = column[r] > node.bin
	}
	for _, d := range g.d {
		partition(d[l.from:l.to], g.spareD[l.from:l.to], upper)
	}
	return l.from + partition(rows, g.spareRows[l.from:l.to], upper)
}

// partition moves the values that are marked behind the others and returns where they
// begin.
func partition[T any](values, spare []T, marked []bool) (middle int) {
	moved := 0
	for i, v := range values {
		if marked[i] {
			spare[moved] = v
			moved++
		} else {
			values[middle] = v
			middle++
		}
	}
	copy(values[middle:], spare[:moved])
	return middle
}

// sum computes the sums of a leaf for each output.
func (g *grower) sum(l leaf, sums []sum) {
	for k := range sums {
		for _, d := range g.d[k][l.from:l.to] {
			sums[k].add(d)
		}
	}
}

// score returns twice the loss that a leaf saves, G²/(H+λ).
func (g *grower) score(sumG, sumH float64) float64 { return sumG * sumG / (sumH + g.o.L2) }

// addGains adds the gain of each cut of a feature in a leaf. Cuts with a side that
// is too light gain nothing.
func (g *grower) addGains(gains []float64, bins []sum, total sum) {
	totalG, totalH := float64(total.g)*g.unitG, float64(total.h)*g.unitH
	before := g.score(totalG, totalH)
	var lower sum
	gain := 0.0
	for i := range gains {
		if s := bins[i]; s != (sum{}) {
			lower.g += s.g
			lower.h += s.h
			lowerG, lowerH := float64(lower.g)*g.unitG, float64(lower.h)*g.unitH
			gain = 0
			if lowerH >= g.o.MinWeight && totalH-lowerH >= g.o.MinWeight {
				gain = g.score(lowerG, lowerH) + g.score(totalG-lowerG, totalH-lowerH) - before
			}
		}
		gains[i] += gain
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
	s := g.sums[level][leaf*g.outputs+output]
	for level > 0 && float64(s.h)*g.unitH < g.o.MinWeight {
		level--
		leaf &= 1<<level - 1
		s = g.sums[level][leaf*g.outputs+output]
	}
	v := -float64(s.g) * g.unitG / (float64(s.h)*g.unitH + g.o.L2)
	return int16(math.Round(min(max(v/maxLeaf, -1), 1) * math.MaxInt16))
}

// cover returns the n for which a node has one 2ⁿ-th of the tree's weight, over all
// outputs.
func (g *grower) cover(level, node int) uint8 {
	var part, whole int64
	for k := range g.outputs {
		part += g.sums[level][node*g.outputs+k].h
		whole += g.sums[0][k].h
	}
	if part <= 0 {
		return trees.NoCover
	}
	return uint8(min(bits.Len64(uint64(whole/part))-1, trees.NoCover-1))
}
