package format

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/lede-news/lede/article"
)

// Markdown writes a as CommonMark with the tables and the strike-through of
// GitHub. The headline is the only heading of the first level. Words come out
// of a Markdown reader as they went in: whatever could be read as markup is
// escaped.
func Markdown(w io.Writer, a *article.Article, opts Options) error {
	a = clean(a)
	bw := bufio.NewWriter(w)
	m := markdownWriter{outline{w: bw}}
	if !opts.BodyOnly {
		m.header(a)
	}
	m.blocks(a.Body)
	if !opts.BodyOnly {
		m.blocks(comments(a))
	}
	return bw.Flush()
}

type markdownWriter struct{ outline }

func (m *markdownWriter) header(a *article.Article) {
	m.paragraph(func() { m.heading(1, plain(a.Title)) })
	m.paragraph(func() { m.spans(marked(byline(a), article.Emphasis)) })
	m.paragraph(func() { m.spans(marked(standfirst(a), article.Strong)) })
	if im := lead(a); im != nil {
		m.paragraph(func() { m.picture(im) })
	}
}

func (m *markdownWriter) heading(level int, spans []article.Span) {
	if s := inlineMarkdown(spans, inHeading); s != "" {
		m.line(strings.Repeat("#", level) + " " + m.noTask(s))
	}
}

func (m *markdownWriter) spans(spans []article.Span) {
	if s := inlineMarkdown(spans, inParagraph); s != "" {
		m.text(m.noTask(s))
	}
}

// noTask keeps an item that starts with a link on "X" from being read as a
// task that is done: some readers look no further than the bracket.
func (m *markdownWriter) noTask(s string) string {
	if m.marker != nil && !strings.HasSuffix(*m.marker, "> ") {
		if rest, ok := strings.CutPrefix(s, "[X]("); ok {
			return "[&#88;](" + rest
		}
		if rest, ok := strings.CutPrefix(s, "[x]("); ok {
			return "[&#120;](" + rest
		}
	}
	return s
}

func (m *markdownWriter) blocks(bs []article.Block) {
	var s siblings
	for i := range bs {
		m.paragraph(func() { m.block(&bs[i], &s) })
	}
}

func (m *markdownWriter) block(b *article.Block, s *siblings) {
	before := m.lines
	switch b.Kind {
	case article.Paragraph:
		m.spans(b.Spans)
	case article.Heading:
		m.heading(max(b.Level, 2), b.Spans)
	case article.List:
		m.list(b, s.marker(b))
	case article.Quote:
		m.within("> ", "> ", func() { m.blocks(b.Blocks) })
	case article.Table:
		m.table(b)
	case article.Code:
		m.code(b)
	case article.Picture:
		if b.Image != nil {
			m.picture(b.Image)
		}
	case article.Video:
		if b.Video != nil {
			m.video(b.Video)
		}
	case article.Rule:
		m.line("***") // "---" could be read as front matter, or as an item in a list
	}
	if m.lines > before {
		s.wrote(b)
	}
}

// siblings remembers the list before, since a list that follows one of its
// own kind needs another marker to be a list of its own.
type siblings struct {
	last *article.Block
	odd  bool
}

func (s *siblings) wrote(b *article.Block) {
	s.odd = s.follows(b) && !s.odd
	s.last = b
}

func (s *siblings) follows(b *article.Block) bool {
	return s.last != nil && s.last.Kind == article.List && b.Kind == article.List && s.last.Ordered == b.Ordered
}

func (s *siblings) marker(b *article.Block) string {
	odd := s.follows(b) && !s.odd
	switch {
	case b.Ordered && odd:
		return ")"
	case b.Ordered:
		return "."
	case odd:
		return "+"
	}
	return "-"
}

// maxNumber is the greatest number that a list of CommonMark can start with.
const maxNumber = 999999999

func (m *markdownWriter) list(b *article.Block, sign string) {
	tight := tight(b)
	n := min(max(firstNumber(b), 0), maxNumber-len(b.Items))
	for _, it := range b.Items {
		marker := sign + " "
		if b.Ordered {
			marker = strconv.Itoa(n) + marker
		}
		before := m.lines
		m.within(marker, strings.Repeat(" ", len(marker)), func() {
			var s siblings
			m.item(it, tight, func(b *article.Block) { m.block(b, &s) })
		})
		if m.lines > before {
			n++
		}
	}
}

// code writes a fence that is longer than any in the code.
func (m *markdownWriter) code(b *article.Block) {
	if b.Code == "" {
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(b.Code, '`')+1))
	m.line(fence + languageName(b.Lang))
	m.text(b.Code)
	m.line(fence)
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

func (m *markdownWriter) picture(im *article.Image) {
	img := imageMarkdown(im.URL, im.Alt)
	caption := captionText(im)
	if img == "" && caption == "" {
		caption = im.Alt
	}
	m.illustration(img, caption)
}

func (m *markdownWriter) video(v *article.Media) {
	caption := v.Caption
	if caption == v.Title {
		caption = ""
	}
	m.illustration(clipMarkdown(v), caption)
}

// illustration writes a picture and, in the same paragraph, its caption.
func (m *markdownWriter) illustration(img, caption string) {
	words := inlineMarkdown(marked(plain(caption), article.Emphasis), inParagraph)
	switch {
	case img != "" && words != "":
		m.text(img + "\\\n" + words)
	case img != "" || words != "":
		m.text(img + words)
	}
}

// imageMarkdown is empty if the picture's URL is refused.
func imageMarkdown(url, alt string) string {
	if url = imageURL(url); url == "" {
		return ""
	}
	return "![" + inlineMarkdown(plain(alt), inLabel) + "](" + destination(url) + ")"
}

// clipMarkdown is a link to a video, with its still picture if there is one.
func clipMarkdown(v *article.Media) string {
	url := linkURL(v.URL)
	if poster := imageMarkdown(v.Poster, v.Title); poster != "" {
		if url == "" {
			return poster
		}
		return "[" + poster + "](" + destination(url) + ")"
	}
	title := v.Title
	if title == "" {
		title = url
	}
	return inlineMarkdown([]article.Span{{Text: title, Href: v.URL}}, inParagraph)
}

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
