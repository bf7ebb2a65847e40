package format

import (
	"bufio"
	"cmp"
	"io"
	"regexp"
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
	return writeArticle(w, a, opts, func(bw *bufio.Writer) writer {
		m := &markdownWriter{lineWriter{w: bw}}
		m.self = m
		return m
	})
}

type markdownWriter struct{ lineWriter }

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

func (m *markdownWriter) paragraph(spans []article.Span) {
	if len(spans) > 0 {
		m.text(inlineMarkdown(spans, inParagraph))
	}
}

func (m *markdownWriter) heading(level int, spans []article.Span) {
	m.line(strings.Repeat("#", level) + " " + inlineMarkdown(spans, inHeading))
}

// startsItem reports whether the next line is the first of an item.
func (m *markdownWriter) startsItem() bool {
	return m.marker != nil && !strings.HasSuffix(*m.marker, "> ")
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
	if at.odd {
		sign = sign[1:]
	}
	start := min(max(firstNumber(b), 0), maxNumber-len(b.Items))
	for i, it := range b.Items {
		marker := sign[:1] + " "
		if b.Ordered {
			marker = strconv.Itoa(start+i) + marker
		}
		if hasCode && len(marker) < itemIndent {
			marker += strings.Repeat(" ", itemIndent-len(marker))
		}
		m.within(marker, strings.Repeat(" ", len(marker)), tight, it)
	}
}

func (m *markdownWriter) quote(bs []article.Block) { m.within("> ", "> ", false, bs) }

func (m *markdownWriter) rule() { m.line("***") } // "---" could be read as front matter, or as an item in a list

// code writes a fence that is longer than any in the code. Python-Markdown knows
// fences only with an extension, and not in lists and quotes, and would read the
// code as text there: such code is indented, as all parsers know it.
func (m *markdownWriter) code(b *article.Block, at place) {
	if m.prefix == "" && m.marker == nil && !markup.MatchString(b.Code) {
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

// markup matches what would begin elements, links or pictures if code were read as text.
var markup = regexp.MustCompile(`<[A-Za-z/!?]|\][(:]`)

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

func (m *markdownWriter) figure(f figure) {
	if s := figureMarkdown(f, inParagraph); s != "" {
		m.text(s)
	}
}

// figureMarkdown returns a picture, or a link to a video with its still picture if there is one,
// and in the same paragraph its caption.
func figureMarkdown(f figure, at context) string {
	shown := ""
	switch {
	case f.src != "":
		shown = "![" + inlineMarkdown(normalize(textSpans(f.alt)), inLabel) + "](" + escapeDestination(f.src) + ")"
		if f.href != "" {
			shown = "[" + shown + "](" + escapeDestination(f.href) + ")"
		}
		if at == inCell {
			shown = strings.ReplaceAll(shown, "|", `\|`)
		}
	case f.kind == "video":
		shown = inlineMarkdown(normalize([]article.Span{{Text: cmp.Or(f.alt, f.href), Href: f.href}}), at)
	}
	caption := inlineMarkdown(normalize(withMark(textSpans(f.captionText()), article.Emphasis)), at)
	return joinNonEmpty(at.lineBreak(), shown, caption)
}

// Markdown has no cells that span columns or rows, so empty cells are added: at
// most maxSpanColumns for one cell, and none beyond maxColumns columns.
const maxSpanColumns, maxColumns = 50, 200

// table writes the caption as a paragraph and the rows as a table of GitHub Flavored
// Markdown, which always has a header row, even if it is empty.
func (m *markdownWriter) table(b *article.Block) {
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
	var taken []int // for each column, how many rows from this one on a cell spans
	for i, row := range rows {
		col := 0
		for _, c := range row {
			for col < len(taken) && taken[col] > 0 {
				col++
			}
			if field := cellMarkdown(c.Blocks); field != "" {
				out[i] = append(out[i], make([]string, col-len(out[i]))...)
				out[i] = append(out[i], field)
			}
			cols := min(max(c.ColSpan, 1), maxSpanColumns, max(maxColumns-col, 1))
			for end := col + cols; col < end; col++ {
				taken = append(taken, make([]int, max(col+1-len(taken), 0))...)
				taken[col] = max(c.RowSpan, 1)
			}
		}
		for j := range taken {
			taken[j] = max(taken[j]-1, 0)
		}
	}
	return out
}

// cellWriter writes the contents of a cell of a table, which is one line: as in plain text, but
// with inline Markdown.
type cellWriter struct{ textWriter }

func (c *cellWriter) code(b *article.Block, _ place) {
	c.paragraph(normalize([]article.Span{{Text: b.Code, Mark: article.Monospace}}))
}

func (c *cellWriter) figure(f figure) {
	if s := figureMarkdown(f, inCell); s != "" {
		c.line(s)
	}
}

func (c *cellWriter) quote(bs []article.Block) { c.within("", "", true, bs) }

func (c *cellWriter) rule() {}

// cellMarkdown returns blocks in one line, with <br> between them.
func cellMarkdown(bs []article.Block) string {
	s := inBuffer(bs, func(w *bufio.Writer) writer {
		c := &cellWriter{textWriter{
			lineWriter: lineWriter{w: w, tight: true},
			inline:     func(spans []article.Span) string { return inlineMarkdown(spans, inCell) },
			cell:       cellMarkdown, column: ", ",
		}}
		c.self = c
		return c
	})
	return strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "<br>")
}
