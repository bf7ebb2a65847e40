package stories

// align returns the runs of words that two passages have in common, and the
// others between them.
func (d *differ) align(a, b []word) []run {
	head := 0
	for head < min(len(a), len(b)) && a[head].hash == b[head].hash {
		head++
	}
	i, j := len(a), len(b) // of the end that both have
	for i > head && j > head && a[i-1].hash == b[j-1].hash {
		i, j = i-1, j-1
	}
	runs := d.lcs([]run{{0, head, 0, head, true}}, a, b, head, i, head, j)
	return append(runs, run{i, len(a), j, len(b), true})
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
