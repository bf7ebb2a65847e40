package article

import "strings"

// Text returns blocks as plain text: one line for each paragraph, heading and
// table row, with the cells of a row separated by tabs. Captions of images,
// titles of videos and posts of social networks are left out.
func Text(blocks []Block) string {
	var w textWriter
	w.blocks(blocks)
	return w.String()
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

// textWriter writes the text of blocks.
type textWriter struct {
	strings.Builder
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
	start, nested := w.Len(), w.inRow
	w.inRow = true
	for i := range row {
		before := w.Len()
		if w.blocks(row[i].Blocks); w.Len() > before {
			w.sep = "\t"
		}
	}
	if w.inRow = nested; w.Len() > start {
		w.endLine()
	}
}

// line writes spans without leading and trailing white space. It writes no
// line if nothing is left.
func (w *textWriter) line(spans []Span) {
	s := strings.TrimSpace(SpanText(spans))
	if s == "" {
		return
	}
	if w.inRow {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	w.WriteString(w.sep + s)
	w.endLine()
}

func (w *textWriter) endLine() {
	w.sep = "\n"
	if w.inRow {
		w.sep = " "
	}
}
