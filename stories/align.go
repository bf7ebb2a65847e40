package stories

import (
	"cmp"
	"slices"
)

// align returns the runs of words that two passages have in common, and the
// others between them. Long passages are first aligned by short runs that
// occur once in each (patience diff), and word by word between these.
func (d *differ) align(a, b []word) []run {
	var runs []run
	i, j := 0, 0
	for _, at := range anchors(a, b) {
		if at[0] < i || at[1] < j {
			continue
		}
		runs = d.alignBetween(runs, a, b, i, at[0], j, at[1])
		i, j = at[0], at[1]
		for i < len(a) && j < len(b) && a[i].hash == b[j].hash {
			i++
			j++
		}
		runs = append(runs, run{at[0], i, at[1], j, true})
	}
	return d.alignBetween(runs, a, b, i, len(a), j, len(b))
}

// anchors returns the places of passages that occur once in a and once in b,
// in the order of both.
func anchors(a, b []word) [][2]int {
	if min(len(a), len(b)) < 16*anchorWords {
		return nil
	}
	const several = -1
	where := make(map[uint64][2]int)
	eachAnchor(a, func(i int, h uint64) {
		if _, seen := where[h]; seen {
			i = several
		}
		where[h] = [2]int{i, several - 1}
	})
	eachAnchor(b, func(j int, h uint64) {
		at, ok := where[h]
		if !ok || at[0] == several {
			return
		}
		if at[1] != several-1 {
			j = several
		}
		where[h] = [2]int{at[0], j}
	})
	var groups []group
	for _, at := range where {
		if at[0] >= 0 && at[1] >= 0 {
			groups = append(groups, group{i: at[0], j: at[1]})
		}
	}
	slices.SortFunc(groups, func(x, y group) int { return cmp.Compare(x.j, y.j) })
	markMoved(groups)
	var found [][2]int
	for _, g := range groups {
		if !g.moved {
			found = append(found, [2]int{g.i, g.j})
		}
	}
	return found
}

func eachAnchor(words []word, f func(int, uint64)) {
	for i := 0; i+anchorWords <= len(words); i++ {
		h := uint64(0)
		for _, w := range words[i : i+anchorWords] {
			h = mix(h*3 ^ w.hash)
		}
		f(i, h)
	}
}

// alignBetween appends the runs of a[i:iEnd] and b[j:jEnd].
func (d *differ) alignBetween(runs []run, a, b []word, i, iEnd, j, jEnd int) []run {
	start := i
	for i < iEnd && j < jEnd && a[i].hash == b[j].hash {
		i++
		j++
	}
	runs = append(runs, run{start, i, j - (i - start), j, true})
	tail := 0
	for i < iEnd-tail && j < jEnd-tail && a[iEnd-tail-1].hash == b[jEnd-tail-1].hash {
		tail++
	}
	runs = d.lcs(runs, a, b, i, iEnd-tail, j, jEnd-tail)
	return append(runs, run{iEnd - tail, iEnd, jEnd - tail, jEnd, true})
}

// lcs appends the edit of a[i:iEnd] to b[j:jEnd] that keeps most words, or one change of all of
// it if that would take too long.
func (d *differ) lcs(runs []run, a, b []word, i, iEnd, j, jEnd int) []run {
	n, m := iEnd-i, jEnd-j
	if n == 0 || m == 0 || n*m > min(diffCells, d.work) {
		return append(runs, run{i, iEnd, j, jEnd, false})
	}
	d.work -= n * m
	kept := make([]uint16, (n+1)*(m+1)) // words that a[i+x:] and b[j+y:] have in common
	at := func(x, y int) *uint16 { return &kept[x*(m+1)+y] }
	for x := n - 1; x >= 0; x-- {
		for y := m - 1; y >= 0; y-- {
			if a[i+x].hash == b[j+y].hash {
				*at(x, y) = *at(x+1, y+1) + 1
			} else {
				*at(x, y) = max(*at(x+1, y), *at(x, y+1))
			}
		}
	}
	for i < iEnd || j < jEnd {
		x, y := n-(iEnd-i), m-(jEnd-j)
		switch {
		case i < iEnd && j < jEnd && a[i].hash == b[j].hash:
			runs = append(runs, run{i, i + 1, j, j + 1, true})
			i, j = i+1, j+1
		case j == jEnd || i < iEnd && *at(x+1, y) >= *at(x, y+1):
			runs = append(runs, run{i, i + 1, j, j, false})
			i++
		default:
			runs = append(runs, run{i, i, j, j + 1, false})
			j++
		}
	}
	return runs
}
