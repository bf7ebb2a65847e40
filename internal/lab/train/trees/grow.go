package trees

import (
	"math"
	"math/bits"
	"runtime"

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
type leaf struct {
	from, to  int
	histogram int // number of its first; one for each output
}

// grower grows one tree after another in the same memory.
type grower struct {
	b       *Bins
	depth   int
	outputs int

	unitG, unitH  float64 // of the sums of derivatives
	l2, minWeight float64

	use []bool   // features that this tree may use
	bin [][8]int // number of bins of the features of each octet

	rows, spareRows []int32    // those of a leaf are contiguous
	packed          [][]uint64 // derivatives by output, in the order of rows
	sparePacked     []uint64
	leaves          []leaf
	sums            [][]derivatives // by level, then leaf, then output
	histograms      [][]histogram   // by octet, then leaf, then output
	accumulators    chan *accumulator
	found           []node // the best of each octet
}

func newGrower(b *Bins, depth, outputs int) *grower {
	n, octets, workers := len(b.y), len(b.octets), runtime.GOMAXPROCS(0)
	g := &grower{
		b: b, depth: depth, outputs: outputs, use: make([]bool, len(b.features)), bin: make([][8]int, octets),
		rows: make([]int32, 0, n), spareRows: make([]int32, n),
		packed: make([][]uint64, outputs), sparePacked: make([]uint64, n),
		histograms: make([][]histogram, octets), found: make([]node, octets),
		accumulators: make(chan *accumulator, workers),
	}
	for k := range octets {
		g.bin[k] = [8]int{1, 1, 1, 1, 1, 1, 1, 1} // the last octet may have fewer features
		g.histograms[k] = make([]histogram, outputs<<(depth-1))
	}
	for k, cuts := range b.cuts {
		g.bin[k/8][k%8] = len(cuts) + 1
	}
	for k := range g.packed {
		g.packed[k] = make([]uint64, n)
	}
	for range workers {
		g.accumulators <- new(accumulator)
	}
	return g
}

// grow grows a tree on g.rows, given the packed derivatives of all rows for each
// output. The nodes are the same for all outputs, the leaves are not.
func (g *grower) grow(packed [][]uint64) tree {
	for k := range packed {
		for i, r := range g.rows {
			g.packed[k][i] = packed[k][r]
		}
	}
	g.leaves = append(g.leaves[:0], leaf{to: len(g.rows)})
	g.sums = append(g.sums[:0], make([]derivatives, g.outputs))
	g.sum(g.leaves[0], g.sums[0])
	var t tree
	for len(t.nodes) < g.depth {
		parallel.For(len(g.b.octets), 0, func(octet int) {
			g.fillHistograms(octet)
			g.found[octet] = g.findNode(octet)
		})
		best := node{}
		for _, found := range g.found {
			if found.gain > best.gain {
				best = found
			}
		}
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
		t.covers = append(t.covers, cover(g.weight(len(t.nodes), p), g.weight(0, 0)))
	}
	return t
}

// fillHistograms computes the histograms of an octet for the leaves of this level.
// Of two siblings it computes the smaller from its rows and the other by
// subtraction from the parent's.
func (g *grower) fillHistograms(octet int) {
	acc := <-g.accumulators
	defer func() { g.accumulators <- acc }()
	histograms, bins, column := g.histograms[octet], &g.bin[octet], g.b.octets[octet]
	fill := func(l leaf) {
		for k, packed := range g.packed {
			acc.fill(&histograms[l.histogram+k], bins, column, g.rows[l.from:l.to], packed[l.from:l.to])
		}
	}
	half := len(g.leaves) / 2
	if half == 0 {
		fill(g.leaves[0])
	}
	for p := range half {
		small, large := g.leaves[p], g.leaves[p+half]
		if small.histogram < large.histogram {
			small, large = large, small // the newer histogram is not yet filled
		}
		fill(small)
		for k := range g.outputs {
			histograms[large.histogram+k].subtract(&histograms[small.histogram+k], bins)
		}
	}
}

// findNode finds the best node among the features of an octet.
func (g *grower) findNode(octet int) (found node) {
	var buffer [binSlots]float64
	sums := g.sums[len(g.sums)-1]
	for f, n := range g.bin[octet] {
		feature := octet*8 + f
		if n < 2 || !g.use[feature] {
			continue
		}
		gains := buffer[:n-1]
		clear(gains)
		for p, l := range g.leaves {
			if l.from < l.to {
				for k := range g.outputs {
					g.addGains(gains, g.histograms[octet][l.histogram+k][f][:n], sums[p*g.outputs+k])
				}
			}
		}
		for i, gain := range gains {
			if gain > max(found.gain, minGain) {
				found = node{feature, uint8(i), gain}
			}
		}
	}
	return found
}

// splitLeaves splits all leaves. The child with fewer rows gets a new histogram,
// the other takes over its parent's.
func (g *grower) splitLeaves(node node) {
	n := len(g.leaves)
	g.leaves = append(g.leaves, make([]leaf, n)...)
	before, after := g.sums[len(g.sums)-1], make([]derivatives, 2*n*g.outputs)
	copy(after, before)
	g.sums = append(g.sums, after)
	parallel.For(n, 0, func(p int) {
		l := g.leaves[p]
		lower, upper := l, l
		lower.to = g.partition(l, node)
		upper.from = lower.to
		smaller := &upper
		if lower.to-lower.from < upper.to-upper.from {
			smaller = &lower
		}
		smaller.histogram = (n + p) * g.outputs
		g.leaves[p], g.leaves[n+p] = lower, upper
		lowerSum, upperSum := after[p*g.outputs:(p+1)*g.outputs], after[(n+p)*g.outputs:(n+p+1)*g.outputs]
		g.sum(lower, lowerSum)
		for k := range lowerSum {
			upperSum[k] = before[p*g.outputs+k].minus(lowerSum[k])
		}
	})
}

// partition moves the rows of a leaf that are above the node's bin behind the
// others. Both keep their order, so that columns are read forwards.
func (g *grower) partition(l leaf, node node) (middle int) {
	column, shift := g.b.octets[node.feature/8], 8*(node.feature%8)
	for _, packed := range g.packed {
		partitionBy(packed[l.from:l.to], g.sparePacked[l.from:l.to], g.rows[l.from:l.to], column, shift, node.bin)
	}
	rows := g.rows[l.from:l.to]
	return l.from + partitionBy(rows, g.spareRows[l.from:l.to], rows, column, shift, node.bin)
}

// partitionBy moves the values of rows that are above a bin behind the others.
func partitionBy[T int32 | uint64](values, spare []T, rows []int32, column []uint64, shift int, bin uint8) (middle int) {
	lower, upper := 0, 0
	spare, rows = spare[:len(values)], rows[:len(values)]
	for i, v := range values {
		is := above(uint8(column[rows[i]]>>(shift&63)), bin)
		values[lower], spare[upper] = v, v
		lower += 1 - is
		upper += is
	}
	copy(values[lower:], spare[:upper])
	return lower
}

// above returns 1 if bin is above than and else 0, without a branch.
func above(bin, than uint8) int { return int(uint32(int32(than)-int32(bin)) >> 31) }

// sum computes the sums of a leaf for each output.
func (g *grower) sum(l leaf, sums []derivatives) {
	for k := range sums {
		sums[k] = derivatives{}
		for _, w := range g.packed[k][l.from:l.to] {
			sums[k].add(w)
		}
	}
}

// score returns twice the loss that a leaf saves, G²/(H+λ).
func (g *grower) score(sumG, sumH float64) float64 { return sumG * sumG / (sumH + g.l2) }

// addGains adds the gain of each cut of a feature in a leaf. Cuts with a side that
// is too light gain nothing.
func (g *grower) addGains(gains []float64, bins []derivatives, total derivatives) {
	totalG, totalH := float64(total.g)*g.unitG, float64(total.h)*g.unitH
	before := g.score(totalG, totalH)
	var lower derivatives
	gain := 0.0
	for i := range gains {
		if s := bins[i]; s != (derivatives{}) {
			lower.g += s.g
			lower.h += s.h
			lowerG, lowerH := float64(lower.g)*g.unitG, float64(lower.h)*g.unitH
			gain = 0
			if lowerH >= g.minWeight && totalH-lowerH >= g.minWeight {
				gain = g.score(lowerG, lowerH) + g.score(totalG-lowerG, totalH-lowerH) - before
			}
		}
		gains[i] += gain
	}
}

// minGain is the smallest gain of a node; less is a rounding error.
const minGain = 1e-6

// The two derivatives of a row are packed into one word: the first, signed, in the
// upper half, the second in the lower. Each has 20 bits, so that the halves of a
// sum of 4096 rows do not overlap. Sums of integers are exact: their order does
// not matter, and subtracting a child from its parent gives exactly its sibling.
const (
	scaleG    = 1<<19 - 1
	scaleH    = 1<<20 - 1
	maxPacked = 4096
	binSlots  = 256
)

// derivatives is the sum of the first and second derivatives of some rows.
type derivatives struct{ g, h int64 }

func (d *derivatives) add(packed uint64) {
	d.g += int64(packed) >> 32
	d.h += int64(uint32(packed))
}

func (d derivatives) minus(e derivatives) derivatives { return derivatives{d.g - e.g, d.h - e.h} }

// pack rounds derivatives that are given as shares of their largest values.
func pack(g, h float64) uint64 {
	return uint64(int64(math.RoundToEven(g*scaleG)))<<32 + uint64(math.RoundToEven(h*scaleH))
}

// histogram has the derivatives of every bin of eight features.
type histogram [8][binSlots]derivatives

// accumulator sums packed derivatives by bin, for up to maxPacked rows.
type accumulator [8][binSlots]uint64

// fill sets h to the histogram of some rows. Packed is in the order of rows.
func (a *accumulator) fill(h *histogram, bins *[8]int, octet []uint64, rows []int32, packed []uint64) {
	for k, n := range bins {
		clear(h[k][:n])
	}
	for len(rows) > 0 {
		n := min(len(rows), maxPacked)
		a.add(octet, rows[:n], packed[:n])
		a.flush(h, bins)
		rows, packed = rows[n:], packed[n:]
	}
}

func (a *accumulator) add(octet []uint64, rows []int32, packed []uint64) {
	packed = packed[:len(rows)]
	for i, r := range rows {
		b, w := octet[r], packed[i]
		a[0][uint8(b)] += w
		a[1][uint8(b>>8)] += w
		a[2][uint8(b>>16)] += w
		a[3][uint8(b>>24)] += w
		a[4][uint8(b>>32)] += w
		a[5][uint8(b>>40)] += w
		a[6][uint8(b>>48)] += w
		a[7][uint8(b>>56)] += w
	}
}

// flush adds the accumulator to h and clears it.
func (a *accumulator) flush(h *histogram, bins *[8]int) {
	for k, n := range bins {
		for i, w := range a[k][:n] {
			if w != 0 {
				h[k][i].add(w)
				a[k][i] = 0
			}
		}
	}
}

// subtract turns the histogram of the parent into that of the other child.
func (h *histogram) subtract(child *histogram, bins *[8]int) {
	for k, n := range bins {
		for i, s := range child[k][:n] {
			h[k][i] = h[k][i].minus(s)
		}
	}
}

// maxLeaf is the largest value of a leaf at a learning rate of 1, in log-odds:
// enough for a probability of one in ten million. With it 16 bits suffice.
const maxLeaf = 16

// value returns the value of a leaf, -G/(H+λ). A leaf that is too light, as
// symmetric trees have, takes the value of the nearest node above that is not.
func (g *grower) value(level, leaf, output int) int16 {
	s := g.sums[level][leaf*g.outputs+output]
	for level > 0 && float64(s.h)*g.unitH < g.minWeight {
		level--
		leaf &= 1<<level - 1
		s = g.sums[level][leaf*g.outputs+output]
	}
	v := -float64(s.g) * g.unitG / (float64(s.h)*g.unitH + g.l2)
	return int16(math.Round(min(max(v/maxLeaf, -1), 1) * math.MaxInt16))
}

// cover returns the n for which a leaf has one 2ⁿ-th of the tree's weight.
func cover(part, whole int64) uint8 {
	if part <= 0 {
		return trees.NoCover
	}
	return uint8(min(bits.Len64(uint64(whole/part))-1, trees.NoCover-1))
}

// weight returns the weight of a node, summed over all outputs.
func (g *grower) weight(level, node int) (sum int64) {
	for k := range g.outputs {
		sum += g.sums[level][node*g.outputs+k].h
	}
	return sum
}
