package article

import (
	"strings"
	"unicode"
)

// Text is the words of blocks, a paragraph a line. Captions and the titles
// of videos are not part of it: they belong to their pictures.
func Text(blocks []Block) string {
	var paper strings.Builder
	paper.Grow(TextLen(blocks)) // so that a long story is written once
	t := typist{paper: &paper}
	t.blocks(blocks)
	return paper.String()
}

// TextLen is the length of Text in bytes, without writing it.
func TextLen(blocks []Block) int {
	var t typist
	t.blocks(blocks)
	return t.size
}

// typist writes the text of blocks. Without paper it only counts the bytes.
type typist struct {
	paper *strings.Builder
	size  int
	gap   string // what stands between the last line and the next
	inRow bool   // a row of a table is one line, whatever its fields hold
}

func (t *typist) blocks(blocks []Block) {
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case Paragraph, Heading:
			t.line(b.Spans)
		case List:
			for _, it := range b.Items {
				t.blocks(it)
			}
		case Quote:
			t.blocks(b.Blocks)
		case Table:
			t.line(b.Spans)
			for _, row := range b.Rows {
				t.row(row)
			}
		case Code:
			t.line([]Span{{Text: b.Code}})
		}
	}
}

// row keeps a row of a table on one line, its fields apart by a tab.
func (t *typist) row(row []Cell) {
	from, outer := t.size, t.inRow
	t.inRow = true
	for i := range row {
		before := t.size
		if t.blocks(row[i].Blocks); t.size > before {
			t.gap = "\t"
		}
	}
	if t.inRow = outer; t.size > from {
		t.endLine()
	}
}

// line writes spans without the white space around them; if nothing is left,
// there is no line.
func (t *typist) line(spans []Span) {
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
	t.write(t.gap)
	for i := first; i <= last; i++ {
		s := spans[i].Text
		if i == first {
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		}
		if i == last {
			s = strings.TrimRightFunc(s, unicode.IsSpace)
		}
		if t.inRow && t.paper != nil {
			s = strings.ReplaceAll(s, "\n", " ")
		}
		t.write(s)
	}
	t.endLine()
}

func (t *typist) endLine() {
	t.gap = "\n"
	if t.inRow {
		t.gap = " "
	}
}

func (t *typist) write(s string) {
	t.size += len(s)
	if t.paper != nil {
		t.paper.WriteString(s)
	}
}
