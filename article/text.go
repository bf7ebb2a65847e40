package article

import "strings"

// Text is the words of blocks, a paragraph a line. Captions and the titles
// of videos are not part of it: they belong to their pictures.
func Text(blocks []Block) string {
	var b strings.Builder
	writeText(&b, blocks)
	return strings.TrimSuffix(b.String(), "\n")
}

func writeText(w *strings.Builder, blocks []Block) {
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case Paragraph, Heading:
			writeLine(w, Plain(b.Spans))
		case List:
			for _, it := range b.Items {
				writeText(w, it)
			}
		case Quote:
			writeText(w, b.Blocks)
		case Table:
			writeLine(w, Plain(b.Spans))
			for _, row := range b.Rows {
				writeRow(w, row)
			}
		case Code:
			writeLine(w, strings.Trim(b.Code, "\n"))
		}
	}
}

// writeRow keeps a row of a table on one line, its fields apart by a tab.
func writeRow(w *strings.Builder, row []Cell) {
	fields := make([]string, 0, len(row))
	for _, c := range row {
		if t := Text(c.Blocks); t != "" {
			fields = append(fields, strings.ReplaceAll(t, "\n", " "))
		}
	}
	writeLine(w, strings.Join(fields, "\t"))
}

func writeLine(w *strings.Builder, s string) {
	if s = strings.TrimSpace(s); s == "" {
		return
	}
	w.WriteString(s)
	w.WriteByte('\n')
}
