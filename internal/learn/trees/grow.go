package trees

import (
	"math"
	"math/bits"
)

// tree is one that was grown. The leaf of a row has the number whose bit k says
// whether its answer at level k was yes. A symmetric tree has a node for each
// level; an ordinary one has 1<<k at level k, by the answers before.
type tree struct {
	depth  int
	nodes  []node
	leaves []int16 // in units of the model; all of the first output, then of the next
	covers []uint8 // of each leaf: see cover
}

// nodeAt is the number of the node that rows with these answers meet at a level.
func nodeAt(symmetric bool, level, answers int) int {
	if symmetric {
		return level
	}
	return 1<<level - 1 + answers
}

// leaf is a node that is not yet split: a range of the grower's rows.
type leaf struct {
	from, to  int
	histogram int // the number of its first; one for each output
}

// grower grows one tree after another in the same memory.
type grower struct {
	b       *Bins
	o       Options
	outputs int
	judge
	use []bool   // features that this tree may ask
	bin [][8]int // bins of the features of each octet

	rows, spareRows []int32    // those of a leaf are together
	words           [][]uint64 // by output, then in step with rows
	spareWords      []uint64
	leaves          []leaf
	sums            [][]slope     // by level, then leaf, then output
	histograms      [][]histogram // by octet, then leaf, then output
	tallies         chan *tally
	found           [][]node // by octet, then by leaf
}

func newGrower(b *Bins, o Options, outputs int) *grower {
	n, octets := b.Len(), len(b.octets)
	g := &grower{
		b: b, o: o, outputs: outputs, use: make([]bool, len(b.features)), bin: make([][8]int, octets),
		rows: make([]int32, 0, n), spareRows: make([]int32, n),
		words: make([][]uint64, outputs), spareWords: make([]uint64, n),
		histograms: make([][]histogram, octets), found: make([][]node, octets),
		tallies: make(chan *tally, o.Workers),
	}
	for k := range octets {
		g.bin[k] = [8]int{1, 1, 1, 1, 1, 1, 1, 1} // the last octet may have fewer features
		g.histograms[k] = make([]histogram, outputs<<(o.Depth-1))
		g.found[k] = make([]node, 1<<o.Depth)
	}
	for k, cuts := range b.cuts {
		g.bin[k/8][k%8] = len(cuts) + 1
	}
	for k := range g.words {
		g.words[k] = make([]uint64, n)
	}
	for range o.Workers {
		g.tallies <- new(tally)
	}
	return g
}

// grow grows a tree on g.rows, with the words of all rows for each output. The
// questions are the same for all outputs, the leaves are not.
func (g *grower) grow(words [][]uint64) tree {
	for k := range words {
		for i, r := range g.rows {
			g.words[k][i] = words[k][r]
		}
	}
	g.leaves = append(g.leaves[:0], leaf{to: len(g.rows)})
	g.sums = append(g.sums[:0], make([]slope, g.outputs))
	g.sum(g.leaves[0], g.sums[0])
	var t tree
	for t.depth < g.o.Depth {
		each(len(g.b.octets), g.o.Workers, func(octet int) {
			g.fill(octet)
			g.look(octet)
		})
		nodes := g.choose()
		if nodes == nil {
			break
		}
		t.nodes = append(t.nodes, nodes...)
		g.divide(nodes)
		t.depth++
	}
	for k := range g.outputs {
		for p := range g.leaves {
			t.leaves = append(t.leaves, g.value(t.depth, p, k))
		}
	}
	for p := range g.leaves {
		t.covers = append(t.covers, cover(g.weight(t.depth, p), g.weight(0, 0)))
	}
	return t
}

// fill fills an octet's histograms for the leaves of this level: that of the root, or
// of one of every two children, which leaves that of the other.
func (g *grower) fill(octet int) {
	tally := <-g.tallies
	defer func() { g.tallies <- tally }()
	histograms, bins, column := g.histograms[octet], &g.bin[octet], g.b.octets[octet]
	fill := func(l leaf) {
		for k, words := range g.words {
			tally.fill(&histograms[l.histogram+k], bins, column, g.rows[l.from:l.to], words[l.from:l.to])
		}
	}
	half := len(g.leaves) / 2
	if half == 0 {
		fill(g.leaves[0])
	}
	for p := range half {
		small, large := g.leaves[p], g.leaves[p+half]
		if small.histogram < large.histogram {
			small, large = large, small // the newer histogram is to be filled
		}
		if small.histogram == large.histogram {
			continue // there was no question
		}
		fill(small)
		for k := range g.outputs {
			histograms[large.histogram+k].take(&histograms[small.histogram+k], bins)
		}
	}
}

// look finds the best question of an octet's features: one for all leaves, or one for
// each.
func (g *grower) look(octet int) {
	found := g.found[octet]
	clear(found)
	var room [binsRoom]float64
	sums := g.sums[len(g.sums)-1]
	for f, n := range g.bin[octet] {
		feature := octet*8 + f
		if n < 2 || !g.use[feature] {
			continue
		}
		gains := room[:n-1]
		clear(gains)
		for p, l := range g.leaves {
			if l.from < l.to {
				for k := range g.outputs {
					g.addGains(gains, g.histograms[octet][l.histogram+k][f][:n], sums[p*g.outputs+k])
				}
			}
			if !g.o.Symmetric {
				found[p] = better(found[p], best(gains, feature))
				clear(gains)
			}
		}
		if g.o.Symmetric {
			found[0] = better(found[0], best(gains, feature))
		}
	}
}

// choose picks the nodes of a level from what octets found, nil when nothing gains.
func (g *grower) choose() []node {
	n := len(g.leaves)
	if g.o.Symmetric {
		n = 1
	}
	nodes := make([]node, n)
	gains := false
	for p := range nodes {
		for _, found := range g.found {
			nodes[p] = better(nodes[p], found[p])
		}
		gains = gains || nodes[p].gain > 0
	}
	if !gains {
		return nil
	}
	return nodes
}

// node asks whether a row's bin of a feature is above one. A node with no gain asks
// nothing, and all rows go below.
type node struct {
	feature int
	bin     uint8
	gain    float64
}

// better is the node with the larger gain, or else the earlier question: the order
// in which they were tried must not matter.
func better(a, b node) node {
	switch {
	case a.gain != b.gain && a.gain > b.gain:
		return a
	case a.gain != b.gain:
		return b
	case a.feature < b.feature || a.feature == b.feature && a.bin < b.bin:
		return a
	}
	return b
}

// judge knows what a slope is worth.
type judge struct {
	g, h          float64 // one unit of a slope
	l2, minWeight float64
}

// worth is twice the loss that a leaf of this slope saves, G²/(H+λ).
func (j *judge) worth(g, h float64) float64 {
	return g * g / (h + j.l2)
}

// addGains adds what each cut of a feature gains in a leaf. Halves that are too
// light gain nothing.
func (j *judge) addGains(gains []float64, bins []slope, whole slope) {
	wholeG, wholeH := float64(whole.g)*j.g, float64(whole.h)*j.h
	before := j.worth(wholeG, wholeH)
	var below slope
	gain := 0.0
	for i := range gains {
		if s := bins[i]; s != (slope{}) {
			below.g += s.g
			below.h += s.h
			g, h := float64(below.g)*j.g, float64(below.h)*j.h
			gain = 0
			if h >= j.minWeight && wholeH-h >= j.minWeight {
				gain = j.worth(g, h) + j.worth(wholeG-g, wholeH-h) - before
			}
		}
		gains[i] += gain
	}
}

// leastGain is what a question must gain: less is rounding.
const leastGain = 1e-6

// best is the cut with the largest gain.
func best(gains []float64, feature int) node {
	found := node{}
	for i, gain := range gains {
		if gain > found.gain && gain > leastGain {
			found = node{feature: feature, bin: uint8(i), gain: gain}
		}
	}
	return found
}

// divide splits all leaves. The child with fewer rows gets a new histogram, the
// other takes over its parent's; a leaf that is not split keeps its rows and shares
// its histogram with the empty child.
func (g *grower) divide(nodes []node) {
	n := len(g.leaves)
	g.leaves = append(g.leaves, make([]leaf, n)...)
	before, after := g.sums[len(g.sums)-1], make([]slope, 2*n*g.outputs)
	copy(after, before)
	g.sums = append(g.sums, after)
	each(n, g.o.Workers, func(p int) {
		l, question := g.leaves[p], nodes[min(p, len(nodes)-1)]
		if question.gain == 0 {
			g.leaves[n+p] = leaf{from: l.to, to: l.to, histogram: l.histogram}
			return
		}
		no, yes := l, l
		no.to = g.part(l, question)
		yes.from = no.to
		newer := &yes
		if no.to-no.from < yes.to-yes.from {
			newer = &no
		}
		newer.histogram = (n + p) * g.outputs
		g.leaves[p], g.leaves[n+p] = no, yes
		below, over := after[p*g.outputs:(p+1)*g.outputs], after[(n+p)*g.outputs:(n+p+1)*g.outputs]
		g.sum(no, below)
		for k := range below {
			over[k] = before[p*g.outputs+k].less(below[k])
		}
	})
}

// part moves the rows of a leaf that answer yes behind the others. Both keep their
// order, so that columns are read forwards.
func (g *grower) part(l leaf, question node) (middle int) {
	column, shift := g.b.octets[question.feature/8], 8*(question.feature%8)
	for _, words := range g.words {
		partBy(words[l.from:l.to], g.spareWords[l.from:l.to], g.rows[l.from:l.to], column, shift, question.bin)
	}
	rows := g.rows[l.from:l.to]
	return l.from + partBy(rows, g.spareRows[l.from:l.to], rows, column, shift, question.bin)
}

// partBy moves what belongs to rows that are above a bin behind the rest.
func partBy[T int32 | uint64](what, spare []T, rows []int32, column []uint64, shift int, bin uint8) (middle int) {
	no, yes := 0, 0
	spare, rows = spare[:len(what)], rows[:len(what)]
	for i, v := range what {
		answer := above(uint8(column[rows[i]]>>(shift&63)), bin)
		what[no], spare[yes] = v, v
		no += 1 - answer
		yes += answer
	}
	copy(what[no:], spare[:yes])
	return no
}

// above is 1 when a bin is above another, without a branch.
func above(bin, than uint8) int { return int(uint32(int32(than)-int32(bin)) >> 31) }

// sum sets the slope of a leaf for each output.
func (g *grower) sum(l leaf, slopes []slope) {
	for k := range slopes {
		slopes[k] = slope{}
		for _, w := range g.words[k][l.from:l.to] {
			slopes[k].add(w)
		}
	}
}

// A row's two derivatives are one word: the first, signed, in the upper half, the
// second in the lower. Each has 20 bits, so that the halves of a sum of 4096 rows
// stay apart. Sums of integers are exact: their order does not matter, and taking
// one child from its parent leaves just the other.
const (
	unitG    = 1<<19 - 1
	unitH    = 1<<20 - 1
	tallied  = 4096
	binsRoom = 256
)

// slope is the sum of the derivatives of some rows.
type slope struct{ g, h int64 }

func (s *slope) add(word uint64) {
	s.g += int64(word) >> 32
	s.h += int64(uint32(word))
}

func (s slope) less(t slope) slope { return slope{s.g - t.g, s.h - t.h} }

// pack rounds derivatives that are given as parts of their largest values.
func pack(g, h float64) uint64 {
	return uint64(int64(math.RoundToEven(g*unitG)))<<32 + uint64(math.RoundToEven(h*unitH))
}

// histogram has the slope of every bin of eight features.
type histogram [8][binsRoom]slope

// tally sums words by bin, for no more rows than fit.
type tally [8][binsRoom]uint64

// fill makes h the histogram of some rows. Words are in step with rows.
func (t *tally) fill(h *histogram, bins *[8]int, octet []uint64, rows []int32, words []uint64) {
	for k, n := range bins {
		clear(h[k][:n])
	}
	for len(rows) > 0 {
		n := min(len(rows), tallied)
		t.count(octet, rows[:n], words[:n])
		t.pour(h, bins)
		rows, words = rows[n:], words[n:]
	}
}

func (t *tally) count(octet []uint64, rows []int32, words []uint64) {
	words = words[:len(rows)]
	for i, r := range rows {
		b, w := octet[r], words[i]
		t[0][uint8(b)] += w
		t[1][uint8(b>>8)] += w
		t[2][uint8(b>>16)] += w
		t[3][uint8(b>>24)] += w
		t[4][uint8(b>>32)] += w
		t[5][uint8(b>>40)] += w
		t[6][uint8(b>>48)] += w
		t[7][uint8(b>>56)] += w
	}
}

// pour adds the tally to h and empties it.
func (t *tally) pour(h *histogram, bins *[8]int) {
	for k, n := range bins {
		for i, w := range t[k][:n] {
			if w != 0 {
				h[k][i].add(w)
				t[k][i] = 0
			}
		}
	}
}

// take leaves the other child, where h was the parent's.
func (h *histogram) take(child *histogram, bins *[8]int) {
	for k, n := range bins {
		for i, s := range child[k][:n] {
			h[k][i] = h[k][i].less(s)
		}
	}
}

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
