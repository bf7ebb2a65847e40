package trees

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
