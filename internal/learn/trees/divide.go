package trees

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
