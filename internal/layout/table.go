package layout

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// cell is a cell of a table with its place in the grid.
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
	rows     []dom.Node // None for a row that no element makes
	first    []int      // the first cell of each row
	columns  []tableColumnWidth
	captions []dom.Node
	busy     []int // rows that a cell above still takes, by column
}

// maxColumns is how many columns of a table are told apart; HTML lets a cell
// span a thousand.
const maxColumns = 200

// collect finds the rows and cells below n: rows may stand in groups, and what
// is no part of a table is a cell of its own (§17.2.1).
func (e *estimator) collect(g *tableGrid, n dom.Node) {
	loose := false // in a row that no element makes
	for c := range e.doc.Children(n) {
		if !e.shown(c) {
			continue
		}
		if e.doc.IsText(c) {
			continue
		}
		s := e.style(c)
		if e.waits(c) {
			e.absolutes = append(e.absolutes, c)
			continue
		}
		switch s.word(display) {
		case tableRowGroup, contents:
			if e.doc.Depth(c) < maxDepth {
				e.collect(g, c)
			}
			loose = false
		case tableRow:
			g.row(c)
			for k := range e.doc.Children(c) {
				if !e.shown(k) || e.doc.IsText(k) {
					continue
				}
				if e.waits(k) {
					e.absolutes = append(e.absolutes, k)
					continue
				}
				g.cell(e, k)
			}
			loose = false
		case tableCaption:
			g.captions = append(g.captions, c)
		case tableColumn:
			g.column(e, c)
		default:
			if !loose {
				g.row(dom.None)
				loose = true
			}
			g.cell(e, c)
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
		v, k := number(trim(e.doc.AttrOr(n, key)))
		if k == 0 {
			return 1
		}
		return int(max(1, min(v, float64(most))))
	}
	c := cell{n: n, s: e.style(n), row: len(g.rows) - 1, col: col, rows: span("rowspan", 1000), cols: min(span("colspan", 1000), maxColumns-col)}
	for len(g.columns) < c.col+c.cols {
		g.columns = append(g.columns, tableColumnWidth{})
	}
	for len(g.busy) < len(g.columns) {
		g.busy = append(g.busy, 0)
	}
	for i := c.col; i < c.col+c.cols; i++ {
		g.busy[i] = max(g.busy[i], c.rows)
	}
	g.cells = append(g.cells, c)
}

// column takes the width of a <col>.
func (g *tableGrid) column(e *estimator, n dom.Node) {
	if e.doc.Tag(n) == dom.Colgroup && e.doc.FirstChild(n) != dom.None {
		for c := range e.doc.Children(n) {
			if e.shown(c) && !e.doc.IsText(c) && len(g.columns) < maxColumns {
				g.columns = append(g.columns, tableColumnWidth{said: e.style(c).l[width], isSaid: e.style(c).l[width].set()})
			}
		}
		return
	}
	if l := e.style(n).l[width]; len(g.columns) < maxColumns {
		g.columns = append(g.columns, tableColumnWidth{said: l, isSaid: l.set()})
	}
}

// table lays out a table with its content box at x, y. It returns how wide and
// high that became.
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

// tableRow lays out the cells of a row and returns its height (§17.5.3). What
// spans further rows only has to end above the end of the table.
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

// alignCells makes the cells as high as their row and puts their content in
// place (§17.5.3).
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
		if !e.shown(c) || e.doc.IsText(c) || e.style(c).word(display) != tableRowGroup {
			continue
		}
		for r := range e.doc.Children(c) {
			if e.shown(r) && !e.waits(r) {
				e.boxes[c] = union(e.boxes[c], e.boxes[r])
			}
		}
	}
}
