package format

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/article"
)

// Markdown writes a as CommonMark with the tables and strikethrough of GitHub
// Flavored Markdown. The headline is the only heading of the first level. Text
// that could be read as markup is escaped in a way that other dialects know too,
// and code that could be markup is indented instead of fenced.
func Markdown(w io.Writer, a *article.Article, opts Options) error {
	return writeArticle(w, a, opts, func(bw *bufio.Writer) writer { return &markdownWriter{lineWriter: lineWriter{w: bw}} })
}

// markdownWriter also writes the contents of a cell of a table, which is one line: then its lines
// are joined later, and there are no blocks.
type markdownWriter struct {
	lineWriter
	inCell bool
}

func (m *markdownWriter) header(a *article.Article) {
	if title := inlineMarkdown(normalize(textSpans(a.Title)), inHeading); title != "" {
		m.separate(func() { m.line("# " + title) })
	}
	for _, spans := range [][]article.Span{withMark(byline(a), article.Emphasis), withMark(textSpans(a.Standfirst), article.Strong)} {
		m.separate(func() { m.paragraph(normalize(spans)) })
	}
	if im := leadImage(a); im != nil {
		m.separate(func() { m.figure(pictureFigure(im)) })
	}
}

func (m *markdownWriter) comments(bs []article.Block) { writeBlocks(m.w, m, bs) }

func (m *markdownWriter) paragraph(spans []article.Span) {
	if s := m.inline(spans); s != "" {
		m.text(m.escapeTask(s))
	}
}

func (m *markdownWriter) inline(spans []article.Span) string {
	if m.inCell {
		return inlineMarkdown(spans, inCell)
	}
	return inlineMarkdown(spans, inParagraph)
}

func (m *markdownWriter) heading(level int, spans []article.Span) {
	if m.inCell {
		m.paragraph(spans)
		return
	}
	m.line(strings.Repeat("#", level) + " " + m.escapeTask(inlineMarkdown(spans, inHeading)))
}

// startsItem reports whether the next line is the first of an item.
func (m *markdownWriter) startsItem() bool {
	return m.marker != nil && !m.inCell && !strings.HasSuffix(*m.marker, "> ")
}

// escapeTask keeps an item that starts with a link on "X" from being read as a
// completed task: some parsers look only at the bracket.
func (m *markdownWriter) escapeTask(s string) string {
	if m.startsItem() {
		if rest, ok := strings.CutPrefix(s, "[X]("); ok {
			return "[&#88;](" + rest
		}
		if rest, ok := strings.CutPrefix(s, "[x]("); ok {
			return "[&#120;](" + rest
		}
	}
	return s
}

// maxNumber is the largest start of a list in CommonMark.
const maxNumber = 999999999

// itemIndent is the indentation of items with code. The first Markdown, and
// Python-Markdown, know no other, so that the code would be text.
const itemIndent = 4

// list writes a list. It needs another marker than the previous one of the same kind to be a
// separate list.
func (m *markdownWriter) list(b *article.Block, at place) {
	hasCode := slices.ContainsFunc(b.Items, containsCode)
	tight := isTight(b) && !hasCode
	sign := "-+"
	if b.Ordered {
		sign = ".)"
	}
	if at.odd && !m.inCell {
		sign = sign[1:]
	}
	shift := min(max(firstNumber(b), 0), maxNumber-len(b.Items)) - firstNumber(b)
	for n, it := range items(b) {
		marker := sign[:1] + " "
		if b.Ordered {
			marker = strconv.Itoa(n+shift) + marker
		}
		if hasCode && len(marker) < itemIndent && !m.inCell {
			marker += strings.Repeat(" ", itemIndent-len(marker))
		}
		m.nest(marker, strings.Repeat(" ", len(marker)), tight, it)
	}
}

// nest writes blocks inside a quote or an item. A cell has no quotes, and the lines of an item
// are not indented.
func (m *markdownWriter) nest(first, rest string, tight bool, bs []article.Block) {
	if m.inCell {
		rest, tight = "", true
	}
	m.within(first, rest, tight, func() { writeBlocks(m.w, m, bs) })
}

func (m *markdownWriter) quote(bs []article.Block) {
	if m.inCell {
		m.nest("", "", false, bs)
		return
	}
	m.nest("> ", "> ", false, bs)
}

func (m *markdownWriter) post(p *article.Post) { m.quote(postBlocks(p)) }

func (m *markdownWriter) rule() {
	if !m.inCell {
		m.line("***") // "---" could be read as front matter, or as an item in a list
	}
}

// code writes a fence that is longer than any in the code. Python-Markdown knows
// fences only with an extension, and not in lists and quotes, and would read the
// code as text there: such code is indented, as all parsers know it.
func (m *markdownWriter) code(b *article.Block, at place) {
	if m.inCell {
		m.line(inlineMarkdown(normalize([]article.Span{{Text: b.Code, Mark: article.Monospace}}), inCell))
		return
	}
	if m.prefix == "" && m.marker == nil && !hasMarkup(b.Code) {
		fence := strings.Repeat("`", max(3, longestRun(b.Code, '`')+1))
		m.line(fence + languageName(b.Lang))
		m.text(b.Code)
		m.line(fence)
		return
	}
	if m.startsItem() || at.prev != nil && (at.prev.Kind == article.List || at.prev.Kind == article.Code) {
		// Otherwise it would be part of the list or of the other code.
		m.apart(func() { m.line("<!-- -->") })
	}
	for l := range strings.SplitSeq(b.Code, "\n") {
		if l != "" {
			l = "    " + l
		}
		m.line(l)
	}
}

// hasMarkup reports whether code would have elements with attributes, links or
// pictures if it were read as text.
func hasMarkup(code string) bool {
	for rest := code; ; {
		i := strings.IndexAny(rest, "<]")
		if i < 0 || i+1 == len(rest) {
			return false
		}
		next := rest[i+1]
		if rest[i] == '<' && (isLetter(next) || strings.IndexByte("/!?", next) >= 0) || rest[i] == ']' && (next == '(' || next == ':') {
			return true
		}
		rest = rest[i+1:]
	}
}

// containsCode reports whether any of the blocks or those inside is code. Cells of
// tables have no blocks in Markdown.
func containsCode(bs []article.Block) bool {
	return slices.ContainsFunc(bs, func(b article.Block) bool {
		return b.Kind == article.Code || containsCode(b.Blocks) || slices.ContainsFunc(b.Items, containsCode)
	})
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// figure writes a picture, or a link to a video with its still picture if there is one, and in
// the same paragraph its caption.
func (m *markdownWriter) figure(f figure) {
	shown := ""
	switch {
	case f.src != "":
		shown = "![" + inlineMarkdown(normalize(textSpans(f.alt)), inLabel) + "](" + escapeDestination(f.src) + ")"
		if f.href != "" {
			shown = "[" + shown + "](" + escapeDestination(f.href) + ")"
		}
		if m.inCell {
			shown = strings.ReplaceAll(shown, "|", `\|`)
		}
	case f.kind == "video":
		shown = m.inline(normalize([]article.Span{{Text: cmp.Or(f.alt, f.href), Href: f.href}}))
	}
	caption := m.inline(normalize(withMark(textSpans(f.captionText()), article.Emphasis)))
	lineBreak := "\\\n"
	if m.inCell {
		lineBreak = "\n"
	}
	if s := joinNonEmpty(lineBreak, shown, caption); s != "" {
		m.text(s)
	}
}

// Markdown has no cells that span columns or rows, so empty cells are added: at
// most maxSpanColumns for one cell, and none beyond maxColumns columns.
const maxSpanColumns, maxColumns = 50, 200

// table writes the caption as a paragraph and the rows as a table of GitHub Flavored
// Markdown, which always has a header row, even if it is empty. A table in a cell has a line for
// each row.
func (m *markdownWriter) table(b *article.Block) {
	if m.inCell {
		m.paragraph(normalize(b.Spans))
		for _, row := range b.Rows {
			var fields []string
			for _, c := range row {
				fields = append(fields, cellMarkdown(c.Blocks))
			}
			if s := joinNonEmpty(", ", fields...); s != "" {
				m.line(s)
			}
		}
		return
	}
	m.apart(func() { m.paragraph(normalize(withMark(b.Spans, article.Emphasis))) })
	rows := gridMarkdown(b.Rows)
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
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
	return len(row) > 0 && !slices.ContainsFunc(row, func(c article.Cell) bool { return !c.Header })
}

// gridMarkdown puts cells into their columns, after cells that extend down from
// rows above. Empty fields at the end of a row are omitted.
func gridMarkdown(rows [][]article.Cell) [][]string {
	out := make([][]string, len(rows))
	var taken []int // for each column, how many rows a cell above still spans
	for i, row := range rows {
		g := gridRow{taken: taken}
		for _, c := range row {
			g.add(cellMarkdown(c.Blocks), min(max(c.ColSpan, 1), maxSpanColumns), max(c.RowSpan, 1))
		}
		out[i], taken = g.fields, g.taken
		for j := range taken {
			taken[j] = max(taken[j]-1, 0)
		}
	}
	return out
}

type gridRow struct {
	fields []string
	col    int
	taken  []int
}

func (g *gridRow) add(field string, cols, rows int) {
	for g.col < len(g.taken) && g.taken[g.col] > 0 {
		g.col++
	}
	if g.col >= maxColumns {
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

// cellMarkdown returns blocks in one line, with <br> between them.
func cellMarkdown(bs []article.Block) string {
	var b strings.Builder
	bw := bufio.NewWriterSize(&b, 64)
	m := &markdownWriter{lineWriter: lineWriter{w: bw, tight: true}, inCell: true}
	writeBlocks(bw, m, bs)
	bw.Flush()
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", "<br>")
}
