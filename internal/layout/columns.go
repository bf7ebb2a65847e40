package layout

// tableColumnWidth is what the cells of a column ask for.
type tableColumnWidth struct {
	min, max float64
	said     length // the widest that a cell or <col> names
	isSaid   bool
	w        float64 // in the end
}

func (c *tableColumnWidth) say(l length) {
	if !l.set() {
		return
	}
	// A share counts for more than a length (CSS Tables 3 §4.3).
	if !c.isSaid || l.pct > c.said.pct || l.pct == c.said.pct && l.px > c.said.px {
		c.said, c.isSaid = l, true
	}
}

// widths is the automatic table layout (CSS 2.2 §17.5.2.2): every column gets
// what its content needs, then what its width says, then what it would like.
// It returns the width of the whole, which is w, or more if that is too little.
func (g *tableGrid) widths(e *estimator, w, gap float64) float64 {
	for i := range g.cells {
		c := &g.cells[i]
		if c.cols == 1 {
			g.ask(e, c, &g.columns[c.col])
		}
	}
	for i := range g.cells {
		if c := &g.cells[i]; c.cols > 1 {
			g.askTogether(e, c, gap)
		}
	}
	room := w - gap*float64(len(g.columns)+1)
	var least float64
	for i := range g.columns {
		c := &g.columns[i]
		c.max = max(c.max, c.min)
		least += c.min
	}
	g.share(max(room, least))
	total := gap * float64(len(g.columns)+1)
	for i := range g.columns {
		total += g.columns[i].w
	}
	return max(total, w)
}

func (g *tableGrid) ask(e *estimator, c *cell, col *tableColumnWidth) {
	z := e.sizes[c.n]
	col.min, col.max = max(col.min, float64(z.min)), max(col.max, float64(z.max))
	if l := c.s.l[width]; l.set() {
		if l.pct == 0 {
			l.px = float32(c.s.borderBoxed(float64(l.px), c.s.frame(0).across()))
		}
		col.say(l)
	}
}

// askTogether spreads what a cell needs over the columns that it spans: to
// those without a width of their own if there are any.
func (g *tableGrid) askTogether(e *estimator, c *cell, gap float64) {
	z := e.sizes[c.n]
	cols := g.columns[c.col : c.col+c.cols]
	var least, most, free float64
	for i := range cols {
		least, most = least+cols[i].min, most+cols[i].max
		if !cols[i].isSaid {
			free++
		}
	}
	within := gap * float64(len(cols)-1)
	moreMin, moreMax := float64(z.min)-within-least, float64(z.max)-within-most
	for i := range cols {
		part := 1 / float64(len(cols))
		if free > 0 {
			if cols[i].isSaid {
				continue
			}
			part = 1 / free
		}
		cols[i].min += max(0, moreMin) * part
		cols[i].max += max(0, moreMax) * part
	}
}

// share gives room out.
func (g *tableGrid) share(room float64) {
	left := room
	for i := range g.columns {
		g.columns[i].w = g.columns[i].min
		left -= g.columns[i].min
	}
	// First what is said in shares, then in pixels, then what the content of
	// the others would take in one line, then all that is left.
	give := func(want func(*tableColumnWidth) float64) {
		var sum float64
		for i := range g.columns {
			sum += max(0, want(&g.columns[i])-g.columns[i].w)
		}
		if sum <= 0 || left <= 0 {
			return
		}
		part := min(1, left/sum)
		for i := range g.columns {
			c := &g.columns[i]
			more := max(0, want(c)-c.w) * part
			c.w += more
			left -= more
		}
	}
	give(func(c *tableColumnWidth) float64 {
		if c.isSaid && c.said.pct > 0 {
			return c.said.of(room)
		}
		return 0
	})
	give(func(c *tableColumnWidth) float64 {
		if c.isSaid && c.said.pct == 0 {
			return float64(c.said.px)
		}
		return 0
	})
	give(func(c *tableColumnWidth) float64 {
		if c.isSaid {
			return 0
		}
		return c.max
	})
	g.spread(left)
}

// spread gives what is left to the columns that say nothing, by their
// content; if all say something, to all by what they have.
func (g *tableGrid) spread(left float64) {
	if left <= 0 {
		return
	}
	free, sum := false, 0.0
	for i := range g.columns {
		if !g.columns[i].isSaid {
			free = true
		}
	}
	weight := func(c *tableColumnWidth) float64 {
		switch {
		case free && c.isSaid:
			return 0
		case free:
			return c.max + 1
		}
		return c.w + 0.001
	}
	for i := range g.columns {
		sum += weight(&g.columns[i])
	}
	for i := range g.columns {
		g.columns[i].w += left * weight(&g.columns[i]) / sum
	}
}
