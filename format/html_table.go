package format

import "github.com/lede-news/lede/article"

func (h *htmlWriter) table(b *article.Block) {
	if len(b.Rows) == 0 {
		h.element("p", b.Spans)
		return
	}
	h.raw("<table>\n")
	h.element("caption", b.Spans)
	head := 0
	for head < len(b.Rows) && isHeader(b.Rows[head]) {
		head++
	}
	h.rows("thead", "col", b.Rows[:head])
	h.rows("tbody", "row", b.Rows[head:])
	h.raw("</table>\n")
}

// rows writes a part of a table. A header cell in the head is that of its
// column, one in the body that of its row.
func (h *htmlWriter) rows(part, scope string, rows [][]article.Cell) {
	if len(rows) == 0 {
		return
	}
	h.raw("<" + part + ">\n")
	for _, row := range rows {
		h.raw("<tr>")
		for _, c := range row {
			h.cell(c, scope)
		}
		h.raw("</tr>\n")
	}
	h.raw("</" + part + ">\n")
}

func (h *htmlWriter) cell(c article.Cell, scope string) {
	name := "td"
	if c.Header {
		name = "th"
	}
	h.raw("<" + name)
	if c.Header {
		h.attr("scope", scope)
	}
	if c.ColSpan > 1 {
		h.number("colspan", c.ColSpan)
	}
	if c.RowSpan > 1 {
		h.number("rowspan", c.RowSpan)
	}
	h.raw(">")
	h.flow(c.Blocks)
	h.raw("</" + name + ">")
}
