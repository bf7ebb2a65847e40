package compose

import (
	"strconv"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// isData tells a table of figures from one that lays out the page, as pages
// did before they had style sheets.
func isData(d *dom.Document, n dom.Node) bool {
	if role := d.AttrOr(n, "role"); role == "presentation" || role == "none" {
		return false
	}
	const longCell = 400 // characters: a column of the page, not a field
	var rows, cells, heads, most int
	for m := n + 1; m < d.End(n); m++ {
		switch d.Tag(m) {
		case dom.Table:
			return false
		case dom.Tr:
			rows++
		case dom.Th:
			heads++
			cells++
		case dom.Td:
			cells++
			most = max(most, d.Chars(m))
			if d.Counts(m).Paras > 2 {
				return false
			}
		}
	}
	if rows == 0 || cells <= rows && heads == 0 { // one column is a stack of boxes
		return false
	}
	return heads > 0 || rows > 1 && most < longCell
}

func (c *compositor) table(n dom.Node, depth int) {
	d := c.doc
	b := article.Block{Kind: article.Table}
	for m := n + 1; m < d.End(n); m++ {
		switch d.Tag(m) {
		case dom.Caption:
			spans, pictures := oneLine(c.item(m, depth))
			b.Spans = append(b.Spans, spans...)
			c.flush()
			c.blocks = append(c.blocks, pictures...)
		case dom.Tr:
			if row := c.row(m, depth); len(row) > 0 {
				b.Rows = append(b.Rows, row)
			}
		}
	}
	c.add(b)
}

func (c *compositor) row(n dom.Node, depth int) []article.Cell {
	d := c.doc
	if d.Hidden(n) || !c.touched(n) {
		return nil
	}
	var row []article.Cell
	var some bool
	for k := range d.Children(n) {
		t := d.Tag(k)
		if t != dom.Td && t != dom.Th || d.Hidden(k) {
			continue
		}
		cell := article.Cell{
			Header:  t == dom.Th,
			ColSpan: spanOf(d, k, "colspan"),
			RowSpan: spanOf(d, k, "rowspan"),
			Blocks:  c.item(k, depth),
		}
		some = some || len(cell.Blocks) > 0
		row = append(row, cell)
	}
	if !some {
		return nil
	}
	return row
}

// spanOf is 0 for the usual span of one field.
func spanOf(d *dom.Document, n dom.Node, key string) int {
	const most = 1000 // as browsers allow
	v := number(d.AttrOr(n, key))
	if v <= 1 {
		return 0
	}
	return min(v, most)
}

// number is the value of an attribute, or 0. Most fields have no such
// attribute, and an error for each would cost more than the field.
func number(s string) int {
	if s == "" {
		return 0
	}
	v, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return v
}

// DataTables finds the tables of figures that stand inside the story and of
// which the mask does not keep all.
func DataTables(d *dom.Document, mask []bool) []dom.Node {
	first, last := dom.None, dom.None
	for n := range mask {
		if mask[n] && d.IsText(dom.Node(n)) {
			if first == dom.None {
				first = dom.Node(n)
			}
			last = dom.Node(n)
		}
	}
	if first == dom.None {
		return nil
	}
	var out []dom.Node
	for n := range d.All(d.Root(), dom.Table) {
		inside := n > first && n < last || besideStory(d, mask, n)
		if inside && !d.Hidden(n) && isData(d, n) && !isLinks(d, n) && !allKept(d, mask, n) {
			out = append(out, n)
		}
	}
	return out
}

// besideStory reports whether a table, or a box that holds nothing else, is
// the sibling of a paragraph of the story. So may one at its end be.
func besideStory(d *dom.Document, mask []bool, n dom.Node) bool {
	p := d.Parent(n)
	for p != dom.None && d.Chars(p) == d.Chars(n) {
		n, p = p, d.Parent(p)
	}
	if p == dom.None {
		return false
	}
	for k := range d.Children(p) {
		if d.Tag(k) == dom.P && mask[k] && d.Words(k) > 0 {
			return true
		}
	}
	return false
}

// isLinks tells a table that leads elsewhere, such as one of further stories.
func isLinks(d *dom.Document, n dom.Node) bool {
	const most = 0.5
	return d.LinkDensity(n) > most
}

func allKept(d *dom.Document, mask []bool, n dom.Node) bool {
	for m := n; m < d.End(n); m++ {
		if d.IsText(m) && !mask[m] && d.Words(m) > 0 {
			return false
		}
	}
	return true
}
