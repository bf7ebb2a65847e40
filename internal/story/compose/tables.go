package compose

import (
	"strconv"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/steps"
)

// IsDataTable distinguishes tables of data from tables that older pages use for
// layout.
func IsDataTable(d *dom.Document, n dom.Node) bool {
	if role := d.Attr(n, "role"); role == "presentation" || role == "none" {
		return false
	}
	const maxCell = 400 // characters; a longer one is a column of the page
	var rows, cells, headers, longest int
	for m := n + 1; m < d.End(n); m++ {
		switch d.Tag(m) {
		case dom.Table:
			return false
		case dom.Tr:
			rows++
		case dom.Th:
			headers++
			cells++
		case dom.Td:
			cells++
			longest = max(longest, d.Chars(m))
			if d.Counts(m).Paras > 2 {
				return false
			}
		}
	}
	if rows == 0 || cells <= rows && headers == 0 { // a single column is layout
		return false
	}
	return headers > 0 || rows > 1 && longest < maxCell
}

func (c *composer) table(n dom.Node, depth int) {
	d := c.doc
	b := article.Block{Kind: article.Table}
	for m := n + 1; m < d.End(n) && !c.opts.Steps.Done(); m++ {
		switch d.Tag(m) {
		case dom.Caption:
			line, media := joinLines(c.nested(m, depth))
			b.Spans = append(b.Spans, line...)
			for _, m := range media {
				c.add(m)
			}
		case dom.Tr:
			c.row(m, depth, &b)
		}
	}
	c.add(b)
}

// row adds a row to a table, unless it is empty.
func (c *composer) row(n dom.Node, depth int, b *article.Block) {
	d := c.doc
	var row []article.Cell
	empty := true
	for k := range d.Children(n) {
		t := d.Tag(k)
		if t != dom.Td && t != dom.Th || d.Hidden(k) || c.opts.Steps.Done() {
			continue
		}
		body := c.nested(k, depth)
		empty = empty && len(body) == 0
		row = append(row, article.Cell{
			Header: t == dom.Th, ColSpan: spanOf(d, k, "colspan"), RowSpan: spanOf(d, k, "rowspan"), Blocks: body,
		})
	}
	if !empty {
		b.Rows = append(b.Rows, row)
	}
}

// spanOf returns the value of a colspan or rowspan attribute, or 0 for 1.
func spanOf(d *dom.Document, n dom.Node, key string) int {
	const maxSpan = 1000 // as in browsers
	v := number(d.Attr(n, key))
	if v <= 1 {
		return 0
	}
	return min(v, maxSpan)
}

// number returns the value of a numeric attribute, or 0. It tests for "" first
// because most cells have no such attribute, and an error for each is expensive.
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

// DataTables returns the data tables inside the selected text that are not
// completely selected. Steps ends the search early; it may be nil.
func DataTables(d *dom.Document, mask []bool, steps *steps.Counter) []dom.Node {
	isText := func(n dom.Node) bool { return mask[n] && d.IsText(n) }
	first, last := dom.Node(0), dom.Node(d.Len())-1
	for first <= last && !isText(first) {
		first++
	}
	for last >= first && !isText(last) {
		last--
	}
	if first > last {
		return nil
	}
	known := make(map[dom.Node]bool) // elements with a selected paragraph; one may have very many tables
	var out []dom.Node
	for n := dom.Node(0); int(n) < d.Len() && !steps.Done(); n++ {
		if d.Tag(n) != dom.Table || d.Hidden(n) || !IsDataTable(d, n) || d.LinkDensity(n) > 0.5 || isSelected(d, mask, n) {
			continue
		}
		if n > first && n < last || isBesideParagraph(d, mask, n, known) {
			out = append(out, n)
		}
	}
	return out
}

// isBesideParagraph reports whether a table, or an element that contains nothing else, is
// the sibling of a selected paragraph. It may follow the last one.
func isBesideParagraph(d *dom.Document, mask []bool, n dom.Node, known map[dom.Node]bool) bool {
	p := d.Parent(n)
	for p != dom.None && d.Chars(p) == d.Chars(n) {
		p = d.Parent(p)
	}
	if p == dom.None {
		return false
	}
	if has, ok := known[p]; ok {
		return has
	}
	for k := range d.Children(p) {
		known[p] = known[p] || d.Tag(k) == dom.P && mask[k] && d.Words(k) > 0
	}
	return known[p]
}

func isSelected(d *dom.Document, mask []bool, n dom.Node) bool {
	for m := n; m < d.End(n); m++ {
		if d.IsText(m) && !mask[m] && d.Words(m) > 0 {
			return false
		}
	}
	return true
}
