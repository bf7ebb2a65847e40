package layout

import (
	"iter"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/css"
	"github.com/lede-news/lede/method"
)

// cell is a cell of a table with its position in the grid.
type cell struct {
	n        dom.Node
	s        *style
	row, col int
	rows     int
	cols     int
	h        float64
}

// tableGrid is the rows and columns of a table (CSS 2.2 §17.5).
type tableGrid struct {
	cells    []cell
	rows     []dom.Node // None for an anonymous row
	first    []int      // the first cell of each row
	columns  []tableColumnWidth
	captions []dom.Node
	busy     []int // rows that a cell above still spans, by column
}

// maxColumns limits the columns of a table; in HTML a cell may span a thousand.
const maxColumns = 200

// collect finds the rows and cells of n. Other children become cells of anonymous
// rows (§17.2.1).
func (e *estimator) collect(g *tableGrid, n dom.Node) {
	anonymous := false // in an anonymous row
	for c := range e.elementsIn(n) {
		switch e.style(c).word(display) {
		case tableRowGroup, contents:
			if e.doc.Depth(c) < maxDepth {
				e.collect(g, c)
			}
			anonymous = false
		case tableRow:
			g.row(c)
			for k := range e.elementsIn(c) {
				g.cell(e, k)
			}
			anonymous = false
		case tableCaption:
			g.captions = append(g.captions, c)
		case tableColumn:
			g.column(e, c)
		default:
			if !anonymous {
				g.row(dom.None)
				anonymous = true
			}
			g.cell(e, c)
		}
	}
}

// elementsIn yields the child elements of n in the flow. Those with an absolute
// position are placed later.
func (e *estimator) elementsIn(n dom.Node) iter.Seq[dom.Node] {
	return func(yield func(dom.Node) bool) {
		for c := range e.doc.Children(n) {
			switch {
			case !e.isShown(c) || e.doc.IsText(c):
			case e.isAbsolute(c):
				e.absolutes = append(e.absolutes, c)
			case !yield(c):
				return
			}
		}
	}
}

func (g *tableGrid) row(n dom.Node) {
	for i := range g.busy {
		g.busy[i] = max(0, g.busy[i]-1)
	}
	g.rows = append(g.rows, n)
	g.first = append(g.first, len(g.cells))
}

func (g *tableGrid) cell(e *estimator, n dom.Node) {
	col := 0
	if k := len(g.cells); k > g.first[len(g.first)-1] {
		col = g.cells[k-1].col + g.cells[k-1].cols
	}
	for col < len(g.busy) && g.busy[col] > 0 {
		col++
	}
	col = min(col, maxColumns-1)
	span := func(key string, most int) int {
		v, k := css.ParseNumber(strings.TrimSpace(e.doc.Attr(n, key)))
		if k == 0 {
			return 1
		}
		return int(max(1, min(v, float64(most))))
	}
	c := cell{n: n, s: e.style(n), row: len(g.rows) - 1, col: col, rows: span("rowspan", 1000), cols: min(span("colspan", 1000), maxColumns-col)}
	for len(g.columns) < c.col+c.cols {
		g.columns = append(g.columns, tableColumnWidth{specified: auto})
	}
	g.busy = append(g.busy, make([]int, len(g.columns)-len(g.busy))...)
	for i := c.col; i < c.col+c.cols; i++ {
		g.busy[i] = max(g.busy[i], c.rows)
	}
	g.cells = append(g.cells, c)
}

// column takes the width of a <col>.
func (g *tableGrid) column(e *estimator, n dom.Node) {
	if e.doc.Tag(n) == dom.Colgroup && e.doc.FirstChild(n) != dom.None {
		for c := range e.doc.Children(n) {
			if e.isShown(c) && !e.doc.IsText(c) && len(g.columns) < maxColumns {
				g.columns = append(g.columns, tableColumnWidth{specified: e.style(c).l[width]})
			}
		}
	} else if len(g.columns) < maxColumns {
		g.columns = append(g.columns, tableColumnWidth{specified: e.style(n).l[width]})
	}
}

// table lays out a table with its content box at x, y and returns its size.
func (e *estimator) table(n dom.Node, s *style, x, y, w float64) (tw, th float64) {
	var g tableGrid
	e.collect(&g, n)
	gap := s.l[borderSpacing].of(0)
	if s.word(borderCollapse) == collapse {
		gap = 0
	}
	top := y
	w = g.widths(e, w, gap)
	for _, c := range g.captions {
		y += e.box(c, x, y, w)
	}
	at := make([]float64, len(g.columns)+1)
	at[0] = gap
	for i := range g.columns {
		at[i+1] = at[i] + g.columns[i].w + gap
	}
	if len(g.rows) > 0 {
		y += gap
	}
	bottom := y // of cells that span rows
	for r, tr := range g.rows {
		last := len(g.cells)
		if r+1 < len(g.rows) {
			last = g.first[r+1]
		}
		h := e.tableRow(g.cells[g.first[r]:last], at, x, y, w, gap, s.word(direction) == rtl, &bottom)
		if tr != dom.None {
			rs := e.style(tr)
			h = max(h, rs.limitHeight(h, 0))
			e.boxes[tr] = method.Box{X: x + gap, Y: y, W: max(0, w-2*gap), H: h}
		}
		e.alignCells(g.cells[g.first[r]:last], h)
		y += h + gap
	}
	y = max(y, bottom)
	e.groupBoxes(n)
	return w, y - top
}

// tableRow lays out the cells of a row and returns its height (§17.5.3). Cells
// that span rows only extend the table.
func (e *estimator) tableRow(cells []cell, at []float64, x, y, w, gap float64, rightToLeft bool, bottom *float64) float64 {
	high := 0.0
	for i := range cells {
		c := &cells[i]
		cw := max(0, at[c.col+c.cols]-at[c.col]-gap)
		cx := x + at[c.col]
		if rightToLeft {
			cx = x + w - at[c.col] - cw
		}
		c.h = e.box(c.n, cx, y, cw)
		e.boxes[c.n].W = cw
		if c.rows == 1 {
			high = max(high, c.h)
		} else {
			*bottom = max(*bottom, y+c.h)
		}
	}
	return high
}

// alignCells gives cells the height of their row and aligns their content
// (§17.5.3).
func (e *estimator) alignCells(cells []cell, high float64) {
	for i := range cells {
		c := &cells[i]
		free := high - c.h
		if c.rows > 1 || free <= 0 {
			continue
		}
		e.boxes[c.n].H = high
		dy := 0.0
		switch c.s.word(verticalAlign) {
		case middle:
			dy = free / 2
		case bottom:
			dy = free
		}
		if dy > 0 {
			e.shift(c.n, 0, dy)
			e.boxes[c.n].Y -= dy
		}
	}
}

// groupBoxes gives row groups the union of their rows.
func (e *estimator) groupBoxes(n dom.Node) {
	for c := range e.doc.Children(n) {
		if !e.isShown(c) || e.doc.IsText(c) || e.style(c).word(display) != tableRowGroup {
			continue
		}
		for r := range e.doc.Children(c) {
			if e.isShown(r) && !e.isAbsolute(r) {
				e.boxes[c] = union(e.boxes[c], e.boxes[r])
			}
		}
	}
}

// tableColumnWidth has the widths that the cells of a column require.
type tableColumnWidth struct {
	min, max  float64
	specified length  // the largest width of a cell or <col>, or auto
	w         float64 // in the end
}

func (c *tableColumnWidth) specify(l length) {
	if !l.isSet() {
		return
	}
	// Percentages override lengths (CSS Tables 3 §4.3).
	if !c.specified.isSet() || l.pct > c.specified.pct || l.pct == c.specified.pct && l.px > c.specified.px {
		c.specified = l
	}
}

// widths is the automatic table layout (CSS 2.2 §17.5.2.2): every column gets its
// minimum, then its specified width, then its maximum. It returns the width of
// the table, which is at least w.
func (g *tableGrid) widths(e *estimator, w, gap float64) float64 {
	for i := range g.cells {
		if c := &g.cells[i]; c.cols == 1 {
			g.addCell(e, c, &g.columns[c.col])
		}
	}
	for i := range g.cells {
		if c := &g.cells[i]; c.cols > 1 {
			g.addSpanningCell(e, c, gap)
		}
	}
	room := w - gap*float64(len(g.columns)+1)
	var least float64
	for i := range g.columns {
		c := &g.columns[i]
		c.max = max(c.max, c.min)
		least += c.min
	}
	g.distribute(max(room, least))
	total := gap * float64(len(g.columns)+1)
	for i := range g.columns {
		total += g.columns[i].w
	}
	return max(total, w)
}

func (g *tableGrid) addCell(e *estimator, c *cell, col *tableColumnWidth) {
	z := e.sizes[c.n]
	col.min, col.max = max(col.min, float64(z.min)), max(col.max, float64(z.max))
	l := c.s.l[width]
	if l.pct == 0 {
		l.px = float32(c.s.borderBoxed(float64(l.px), c.s.frame(0).across()))
	}
	col.specify(l)
}

// addSpanningCell distributes the widths of a cell over the columns that it
// spans, preferably those without a specified width.
func (g *tableGrid) addSpanningCell(e *estimator, c *cell, gap float64) {
	z := e.sizes[c.n]
	cols := g.columns[c.col : c.col+c.cols]
	var least, most, free float64
	for i := range cols {
		least, most = least+cols[i].min, most+cols[i].max
		if !cols[i].specified.isSet() {
			free++
		}
	}
	within := gap * float64(len(cols)-1)
	moreMin, moreMax := float64(z.min)-within-least, float64(z.max)-within-most
	for i := range cols {
		part := 1 / float64(len(cols))
		if free > 0 {
			if cols[i].specified.isSet() {
				continue
			}
			part = 1 / free
		}
		cols[i].min += max(0, moreMin) * part
		cols[i].max += max(0, moreMax) * part
	}
}

// distribute distributes the available width.
func (g *tableGrid) distribute(room float64) {
	left := room
	for i := range g.columns {
		g.columns[i].w = g.columns[i].min
		left -= g.columns[i].min
	}
	// First to percentages, then to lengths, then to the maximum of the others; the
	// rest at the end.
	grow := func(want func(*tableColumnWidth) float64) {
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
	grow(func(c *tableColumnWidth) float64 {
		if c.specified.isSet() && c.specified.pct > 0 {
			return c.specified.of(room)
		}
		return 0
	})
	grow(func(c *tableColumnWidth) float64 {
		if c.specified.isSet() && c.specified.pct == 0 {
			return float64(c.specified.px)
		}
		return 0
	})
	grow(func(c *tableColumnWidth) float64 {
		if c.specified.isSet() {
			return 0
		}
		return c.max
	})
	g.distributeRest(left)
}

// distributeRest gives the rest to the columns without a specified width, or to
// all if there are none.
func (g *tableGrid) distributeRest(left float64) {
	if left <= 0 {
		return
	}
	sum := 0.0
	free := slices.ContainsFunc(g.columns, func(c tableColumnWidth) bool { return !c.specified.isSet() })
	weight := func(c *tableColumnWidth) float64 {
		switch {
		case free && c.specified.isSet():
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
