package layout

import (
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// tableGrid has the cells of a table by row, and its columns.
type tableGrid struct {
	rows    []gridRow
	columns []gridColumn
}

type gridRow struct {
	node  dom.Node
	cells []cell
}

type cell struct {
	node      dom.Node
	col, cols int
}

type gridColumn struct {
	declared length
	content  float64 // width of the widest cell without line breaks
	busy     int     // rows that a cell from above still spans
}

// maxColumns limits the columns of a table; in HTML a cell may span a thousand.
const maxColumns = 100

// collect finds the rows and cells of a table. Any other element, such as
// a caption, is a row with one cell.
func (e *estimator) collect(g *tableGrid, n dom.Node) {
	for c := range e.doc.Children(n) {
		if !e.isShown(c) || e.doc.IsText(c) || e.doc.Tag(c) == dom.Colgroup || e.doc.Tag(c) == dom.Col {
			continue
		}
		switch e.styles[c].display {
		case tableGroup:
			if e.doc.Depth(c) < maxDepth {
				e.collect(g, c)
			}
		case tableRow:
			g.addRow(c)
			for k := range e.doc.Children(c) {
				if e.isShown(k) && !e.doc.IsText(k) {
					e.addCell(g, k)
				}
			}
		default:
			g.addRow(c)
			g.rows[len(g.rows)-1].cells = []cell{{c, 0, maxColumns}}
		}
	}
}

func (g *tableGrid) addRow(n dom.Node) {
	for i := range g.columns {
		g.columns[i].busy = max(0, g.columns[i].busy-1)
	}
	g.rows = append(g.rows, gridRow{node: n})
}

func (e *estimator) addCell(g *tableGrid, n dom.Node) {
	row := &g.rows[len(g.rows)-1]
	c := cell{node: n}
	if k := len(row.cells); k > 0 {
		c.col = row.cells[k-1].col + row.cells[k-1].cols
	}
	for c.col < len(g.columns) && g.columns[c.col].busy > 0 {
		c.col++
	}
	c.col = min(c.col, maxColumns-1)
	c.cols = min(e.span(n, "colspan"), maxColumns-c.col)
	for len(g.columns) < c.col+c.cols {
		g.columns = append(g.columns, gridColumn{})
	}
	s := &e.styles[n]
	for i := c.col; i < c.col+c.cols; i++ {
		g.columns[i].busy = max(g.columns[i].busy, e.span(n, "rowspan"))
	}
	if column := &g.columns[c.col]; c.cols == 1 {
		column.content = max(column.content, e.width(n, s, maxLength, 0))
		if s.width.set && s.width.of(1) > column.declared.of(1) {
			column.declared = s.width
		}
	}
	row.cells = append(row.cells, c)
}

func (e *estimator) span(n dom.Node, key string) int {
	k, err := strconv.Atoi(strings.TrimSpace(e.doc.Attr(n, key)))
	if err != nil {
		return 1
	}
	return max(1, min(k, 1000))
}

// table lays out a table at x, y and returns its height.
func (e *estimator) table(n dom.Node, x, y, w float64) float64 {
	var g tableGrid
	e.collect(&g, n)
	at := g.edges(w)
	top, bottom := y, y
	for _, row := range g.rows {
		high := 0.0
		for _, c := range row.cells {
			from, to := at[min(c.col, len(at)-1)], at[min(c.col+c.cols, len(at)-1)]
			h := e.box(c.node, x+from, y, to-from)
			if e.span(c.node, "rowspan") == 1 {
				high = max(high, h)
			} else {
				bottom = max(bottom, y+h)
			}
		}
		for _, c := range row.cells {
			e.boxes[c.node].H = max(e.boxes[c.node].H, high)
		}
		if e.styles[row.node].display == tableRow {
			e.boxes[row.node] = method.Box{X: x, Y: y, W: w, H: high}
		}
		y += high
	}
	return max(y, bottom) - top
}

// edges returns the left edges of the columns, and the right edge of the table. Columns
// have their declared widths; the others share the rest by the width of their content.
func (g *tableGrid) edges(w float64) []float64 {
	const least = 8 // pixels of content that any column has
	rest, content := w, 0.0
	for i := range g.columns {
		c := &g.columns[i]
		c.content = max(least, min(c.content, w))
		if c.declared.set {
			rest -= c.declared.of(w)
		} else {
			content += c.content
		}
	}
	at := make([]float64, len(g.columns)+1)
	for i, c := range g.columns {
		at[i+1] = at[i] + c.declared.or(w, max(c.content*rest/content, least))
	}
	scale := w / max(1, at[len(g.columns)])
	for i := range at {
		at[i] *= scale
	}
	return at
}
