package article

import (
	"strings"
	"unicode"
)

// Text returns blocks as plain text: one line for each paragraph, heading and
// table row, with the cells of a row separated by tabs. Captions of images,
// titles of videos and posts of social networks are left out.
func Text(blocks []Block) string {
	var size textWriter
	size.blocks(blocks)
	var b strings.Builder
	b.Grow(size.n)
	w := textWriter{out: &b}
	w.blocks(blocks)
	return b.String()
}

// Text returns the block as plain text. See [Text] for its format.
func (b *Block) Text() string { return Text([]Block{*b}) }

// SpanText returns the text of spans without their styles and links.
func SpanText(spans []Span) string {
	if len(spans) == 1 {
		return spans[0].Text
	}
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// textWriter writes the text of blocks to out. If out is nil, it only counts
// bytes.
type textWriter struct {
	out   *strings.Builder
	n     int    // bytes written
	sep   string // separator before the next line
	inRow bool   // a row of a table is one line, whatever its cells contain
}

func (w *textWriter) blocks(blocks []Block) {
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case Paragraph, Heading:
			w.line(b.Spans)
		case List:
			for _, item := range b.Items {
				w.blocks(item)
			}
		case Quote:
			w.blocks(b.Blocks)
		case Table:
			w.line(b.Spans)
			for _, row := range b.Rows {
				w.row(row)
			}
		case Code:
			w.line([]Span{{Text: b.Code}})
		}
	}
}

// row writes a row of a table as one line.
func (w *textWriter) row(row []Cell) {
	start, nested := w.n, w.inRow
	w.inRow = true
	for i := range row {
		before := w.n
		if w.blocks(row[i].Blocks); w.n > before {
			w.sep = "\t"
		}
	}
	if w.inRow = nested; w.n > start {
		w.endLine()
	}
}

// line writes spans without leading and trailing white space. It writes no
// line if nothing is left.
func (w *textWriter) line(spans []Span) {
	first, last := 0, len(spans)-1
	for first <= last && strings.TrimSpace(spans[first].Text) == "" {
		first++
	}
	for last >= first && strings.TrimSpace(spans[last].Text) == "" {
		last--
	}
	if first > last {
		return
	}
	w.write(w.sep)
	for i := first; i <= last; i++ {
		s := spans[i].Text
		if i == first {
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		}
		if i == last {
			s = strings.TrimRightFunc(s, unicode.IsSpace)
		}
		if w.inRow && w.out != nil {
			s = strings.ReplaceAll(s, "\n", " ")
		}
		w.write(s)
	}
	w.endLine()
}

func (w *textWriter) endLine() {
	w.sep = "\n"
	if w.inRow {
		w.sep = " "
	}
}

func (w *textWriter) write(s string) {
	w.n += len(s)
	if w.out != nil {
		w.out.WriteString(s)
	}
}
