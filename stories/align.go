package stories

import (
	"cmp"
	"slices"
)

const (
	// anchorWords is the length of the passages by which two texts are aligned.
	anchorWords = 4
	// maxCells bounds the product of the lengths of two passages that are compared word
	// by word, and the sum over all passages.
	maxCells = 1 << 24
)

// run is a run of words: a[i:iEnd] was cut and b[j:jEnd] was added, or both
// are the same.
type run struct {
	i, iEnd, j, jEnd int
	same             bool
}

// align returns the runs of words that two texts have in common, and the others
// between them. Texts are aligned by passages that each has once, as in B. Cohen's
// patience diff; what is between them is compared word by word.
func align(a, b []word) (runs []run) {
	cells := maxCells
	i, j := 0, 0
	for _, anchor := range append(anchors(a, b), run{i: len(a), j: len(b)}) {
		for i < anchor.i && j < anchor.j && a[i].hash == b[j].hash {
			runs = appendRun(runs, run{i, i + 1, j, j + 1, true})
			i, j = i+1, j+1
		}
		end := 0 // words that both have at the end
		for i < anchor.i-end && j < anchor.j-end && a[anchor.i-end-1].hash == b[anchor.j-end-1].hash {
			end++
		}
		runs = compareWords(runs, a, b, run{i: i, iEnd: anchor.i - end, j: j, jEnd: anchor.j - end}, &cells)
		runs = appendRun(runs, run{anchor.i - end, anchor.i, anchor.j - end, anchor.j, true})
		i, j = anchor.i, anchor.j
	}
	return runs
}

// anchors returns where passages begin that each text has once: the longest series of
// them that has the same order in both.
func anchors(a, b []word) []run {
	inA, inB := passages(a), passages(b)
	var found []run
	for h, j := range inB {
		if i, ok := inA[h]; ok && i >= 0 && j >= 0 {
			found = append(found, run{i: i, j: j})
		}
	}
	slices.SortFunc(found, func(x, y run) int { return cmp.Compare(x.j, y.j) })
	tails, before := []int{}, make([]int, len(found)) // the end of the best series of each length
	for n := range found {
		k, _ := slices.BinarySearchFunc(tails, found[n].i, func(t, i int) int { return cmp.Compare(found[t].i, i) })
		before[n] = -1
		if k > 0 {
			before[n] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, n)
		} else {
			tails[k] = n
		}
	}
	var series []run
	if len(tails) > 0 {
		for n := tails[len(tails)-1]; n >= 0; n = before[n] {
			series = append(series, found[n])
		}
	}
	slices.Reverse(series)
	return series
}

// passages returns where the passages of a text begin, by their hash; -1 if there are
// several.
func passages(words []word) map[uint64]int {
	where := make(map[uint64]int, len(words))
	for i := range len(words) - anchorWords + 1 {
		h := uint64(0)
		for _, w := range words[i : i+anchorWords] {
			h = mix(h ^ w.hash)
		}
		if _, ok := where[h]; ok {
			where[h] = -1
		} else {
			where[h] = i
		}
	}
	return where
}

// compareWords appends the edit of a[i:iEnd] to b[j:jEnd] that keeps most words, or one change
// of all of it if that would take too long.
func compareWords(runs []run, a, b []word, r run, cells *int) []run {
	n, m := r.iEnd-r.i, r.jEnd-r.j
	if n == 0 || m == 0 || n*m > *cells {
		return appendRun(runs, r)
	}
	*cells -= n * m
	kept := make([]uint16, (n+1)*(m+1)) // words that a[i+x:] and b[j+y:] have in common
	at := func(x, y int) *uint16 { return &kept[x*(m+1)+y] }
	for x := n - 1; x >= 0; x-- {
		for y := m - 1; y >= 0; y-- {
			if a[r.i+x].hash == b[r.j+y].hash {
				*at(x, y) = *at(x+1, y+1) + 1
			} else {
				*at(x, y) = max(*at(x+1, y), *at(x, y+1))
			}
		}
	}
	for x, y := 0, 0; x < n || y < m; {
		i, j := r.i+x, r.j+y
		switch {
		case x < n && y < m && a[i].hash == b[j].hash:
			runs = appendRun(runs, run{i, i + 1, j, j + 1, true})
			x, y = x+1, y+1
		case y == m || x < n && *at(x+1, y) >= *at(x, y+1):
			runs = appendRun(runs, run{i, i + 1, j, j, false})
			x++
		default:
			runs = appendRun(runs, run{i, i, j, j + 1, false})
			y++
		}
	}
	return runs
}

// appendRun appends a run, or makes the last one longer.
func appendRun(runs []run, r run) []run {
	k := len(runs) - 1
	switch {
	case r.i == r.iEnd && r.j == r.jEnd:
	case k >= 0 && runs[k].same == r.same:
		runs[k].iEnd, runs[k].jEnd = r.iEnd, r.jEnd
	default:
		runs = append(runs, r)
	}
	return runs
}
