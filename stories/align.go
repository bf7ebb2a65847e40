package stories

import (
	"cmp"
	"slices"
)

// align returns the runs of words that two passages have in common, and the
// others between them. Long passages are first aligned by short runs that
// occur once in each (patience diff), and word by word between these (Myers:
// An O(ND) difference algorithm, 1986).
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
	runs = d.myers(runs, a, b, i, iEnd-tail, j, jEnd-tail)
	return append(runs, run{iEnd - tail, iEnd, jEnd - tail, jEnd, true})
}

// myers appends the shortest edit of a[i:iEnd] to b[j:jEnd], or one change of
// all of it if that would take too long.
func (d *differ) myers(runs []run, a, b []word, i, iEnd, j, jEnd int) []run {
	n, m := iEnd-i, jEnd-j
	whole := run{i, iEnd, j, jEnd, false}
	if n == 0 || m == 0 {
		return append(runs, whole)
	}
	limit := min(n+m, diffEdits)
	// reach[limit+k] is how far in a the diagonal k is reached; trace has a copy
	// of the part that was in use before each step.
	reach := make([]int, 2*limit+2)
	var trace [][]int
	for step := 0; step <= limit; step++ {
		trace = append(trace, slices.Clone(reach[limit-step:limit+step+1]))
		for k := -step; k <= step; k += 2 {
			var x int
			if k == -step || k != step && reach[limit+k-1] < reach[limit+k+1] {
				x = reach[limit+k+1]
			} else {
				x = reach[limit+k-1] + 1
			}
			y := x - k
			from := x
			for x < n && y >= 0 && y < m && a[i+x].hash == b[j+y].hash {
				x++
				y++
			}
			reach[limit+k] = x
			if d.work -= x - from + 1; d.work < 0 {
				return append(runs, whole)
			}
			if x >= n && y >= m {
				return retrace(runs, trace, i, j, n, m)
			}
		}
	}
	return append(runs, whole)
}

// retrace appends the path of myers, which is found from its end.
func retrace(runs []run, trace [][]int, i, j, x, y int) []run {
	first := len(runs)
	for step := len(trace) - 1; step >= 0; step-- {
		k := x - y
		at := func(k int) int {
			if k < -step || k > step {
				return -1
			}
			return trace[step][step+k]
		}
		var px, py int
		switch {
		case step == 0:
			px, py = 0, 0
		case k == -step || k != step && at(k-1) < at(k+1):
			px = at(k + 1)
			py = px - k - 1
		default:
			px = at(k - 1)
			py = px - k + 1
		}
		// The step goes one word down or right, and then along equal words.
		sx, sy := px, py
		if step > 0 {
			if px-py > k {
				sy++
			} else {
				sx++
			}
		}
		if x > sx {
			runs = append(runs, run{i + sx, i + x, j + sy, j + y, true})
		}
		if step > 0 {
			runs = append(runs, run{i + px, i + sx, j + py, j + sy, false})
		}
		x, y = px, py
	}
	slices.Reverse(runs[first:])
	return runs
}
