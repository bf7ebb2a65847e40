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
}

// maxColumns limits the columns of a table; in HTML a cell may span a thousand.
const maxColumns = 100

// collect finds the rows and cells of a table. Any other element, such as
// a caption, is a row with one cell. Cells that span rows count in their first.
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
			g.rows = append(g.rows, gridRow{node: c})
			for k := range e.doc.Children(c) {
				if e.isShown(k) && !e.doc.IsText(k) {
					e.addCell(g, k)
				}
			}
		default:
			g.rows = append(g.rows, gridRow{node: c, cells: []cell{{c, 0, maxColumns}}})
		}
	}
}

func (e *estimator) addCell(g *tableGrid, n dom.Node) {
	row := &g.rows[len(g.rows)-1]
	c := cell{node: n}
	if k := len(row.cells); k > 0 {
		c.col = row.cells[k-1].col + row.cells[k-1].cols
	}
	c.col = min(c.col, maxColumns-1)
	span, _ := strconv.Atoi(strings.TrimSpace(e.doc.Attr(n, "colspan")))
	c.cols = min(max(1, span), maxColumns-c.col)
	for len(g.columns) < c.col+c.cols {
		g.columns = append(g.columns, gridColumn{})
	}
	s := &e.styles[n]
	if column := &g.columns[c.col]; c.cols == 1 {
		column.content = max(column.content, e.width(n, s, maxLength, 0))
		if s.width.set && s.width.of(1) > column.declared.of(1) {
			column.declared = s.width
		}
	}
	row.cells = append(row.cells, c)
}

// table lays out a table at x, y and returns its height.
func (e *estimator) table(n dom.Node, x, y, w float64) float64 {
	var g tableGrid
	e.collect(&g, n)
	at := g.edges(w)
	top := y
	for _, row := range g.rows {
		high := 0.0
		for _, c := range row.cells {
			from, to := at[min(c.col, len(at)-1)], at[min(c.col+c.cols, len(at)-1)]
			high = max(high, e.box(c.node, x+from, y, to-from))
		}
		for _, c := range row.cells {
			e.boxes[c.node].H = max(e.boxes[c.node].H, high)
		}
		if e.styles[row.node].display == tableRow {
			e.boxes[row.node] = method.Box{X: x, Y: y, W: w, H: high}
		}
		y += high
	}
	return y - top
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
