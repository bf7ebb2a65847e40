package format

import (
	"strconv"
	"strings"

	"github.com/lede-news/lede/article"
)

// Markdown has no cells over columns or rows, so empty ones take their place:
// at most widestSpan for one cell, and none beyond widestTable columns.
const widestSpan, widestTable = 50, 200

// table writes the caption as a paragraph and the rows as a table of GitHub's
// Markdown, which has always one header row, be it empty.
func (m *markdownWriter) table(b *article.Block) {
	rows := gridMarkdown(b.Rows)
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	m.paragraph(func() { m.spans(marked(b.Spans, article.Emphasis)) })
	if width == 0 {
		return
	}
	header := make([]string, width)
	if isHeader(b.Rows[0]) {
		copy(header, rows[0])
		rows = rows[1:]
	}
	m.row(header)
	m.line("|" + strings.Repeat(" --- |", width))
	for _, r := range rows {
		if len(r) > 0 {
			m.row(r)
		}
	}
}

func (m *markdownWriter) row(fields []string) {
	m.line("| " + strings.Join(fields, " | ") + " |")
}

func isHeader(row []article.Cell) bool {
	for _, c := range row {
		if !c.Header {
			return false
		}
	}
	return len(row) > 0
}

// gridMarkdown puts cells into their columns, past those that reach down from
// rows above. Empty fields at the end of a row are left out.
func gridMarkdown(rows [][]article.Cell) [][]string {
	out := make([][]string, len(rows))
	var taken []int // for each column, how many rows a cell above still takes
	for i, row := range rows {
		var g gridRow
		g.taken = taken
		for _, c := range row {
			g.place(cellMarkdown(c.Blocks), min(max(c.ColSpan, 1), widestSpan), max(c.RowSpan, 1))
		}
		out[i], taken = g.finish()
	}
	return out
}

type gridRow struct {
	fields []string
	col    int
	taken  []int
}

func (g *gridRow) place(field string, cols, rows int) {
	for g.col < len(g.taken) && g.taken[g.col] > 0 {
		g.col++
	}
	if g.col >= widestTable {
		cols, rows = 1, 1
	}
	if field != "" {
		for len(g.fields) < g.col {
			g.fields = append(g.fields, "")
		}
		g.fields = append(g.fields, field)
	}
	for end := g.col + cols; g.col < end; g.col++ {
		for len(g.taken) <= g.col {
			g.taken = append(g.taken, 0)
		}
		g.taken[g.col] = max(g.taken[g.col], rows)
	}
}

func (g *gridRow) finish() ([]string, []int) {
	for i := range g.taken {
		g.taken[i] = max(g.taken[i]-1, 0)
	}
	return g.fields, g.taken
}

// cellMarkdown writes blocks in one line, with <br> between them.
func cellMarkdown(bs []article.Block) string {
	return strings.Join(cellLines(nil, bs), "<br>")
}

func cellLines(out []string, bs []article.Block) []string {
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	for i := range bs {
		switch b := &bs[i]; b.Kind {
		case article.Paragraph, article.Heading:
			add(inlineMarkdown(b.Spans, inCell))
		case article.List:
			out = append(out, cellList(b)...)
		case article.Quote:
			out = cellLines(out, b.Blocks)
		case article.Table:
			add(inlineMarkdown(b.Spans, inCell))
			for _, row := range b.Rows {
				add(cellRow(row))
			}
		case article.Code:
			add(inlineMarkdown([]article.Span{{Text: b.Code, Mark: article.Monospace}}, inCell))
		case article.Picture:
			if b.Image != nil {
				add(cellPicture(b.Image))
			}
		case article.Video:
			if b.Video != nil {
				add(inlineMarkdown([]article.Span{{Text: b.Video.Title, Href: b.Video.URL}}, inCell))
			}
		}
	}
	return out
}

func cellList(b *article.Block) []string {
	var out []string
	n := firstNumber(b)
	for _, it := range b.Items {
		marker := "- "
		if b.Ordered {
			marker = strconv.Itoa(n) + ". "
		}
		if lines := cellLines(nil, it); len(lines) > 0 {
			lines[0] = marker + lines[0]
			out = append(out, lines...)
			n++
		}
	}
	return out
}

// cellRow is the row of a table inside a cell.
func cellRow(row []article.Cell) string {
	var fields []string
	for _, c := range row {
		if s := cellMarkdown(c.Blocks); s != "" {
			fields = append(fields, s)
		}
	}
	return strings.Join(fields, ", ")
}

func cellPicture(im *article.Image) string {
	img := imageMarkdown(im.URL, im.Alt)
	img = strings.ReplaceAll(img, "|", `\|`)
	words := inlineMarkdown(marked(captionSpans(im), article.Emphasis), inCell)
	return strings.Join(nonEmpty([]string{img, words}), "<br>")
}
