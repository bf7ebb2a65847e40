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
	a = cleanArticle(a)
	bw := bufio.NewWriter(w)
	m := markdownWriter{lineWriter{w: bw}}
	if !opts.BodyOnly {
		m.header(a)
	}
	m.blocks(a.Body)
	if !opts.BodyOnly {
		m.blocks(comments(a))
	}
	return bw.Flush()
}

type markdownWriter struct{ lineWriter }

func (m *markdownWriter) header(a *article.Article) {
	m.paragraph(func() { m.heading(1, textSpans(a.Title)) })
	m.paragraph(func() { m.spans(withMark(byline(a), article.Emphasis)) })
	m.paragraph(func() { m.spans(withMark(textSpans(a.Standfirst), article.Strong)) })
	if im := leadImage(a); im != nil {
		m.paragraph(func() { m.picture(im) })
	}
}

func (m *markdownWriter) heading(level int, spans []article.Span) {
	if s := inlineMarkdown(spans, inHeading); s != "" {
		m.line(strings.Repeat("#", level) + " " + m.escapeTask(s))
	}
}

func (m *markdownWriter) spans(spans []article.Span) {
	if s := inlineMarkdown(spans, inParagraph); s != "" {
		m.text(m.escapeTask(s))
	}
}

// startsItem reports whether the next line is the first of an item.
func (m *markdownWriter) startsItem() bool {
	return m.marker != nil && !strings.HasSuffix(*m.marker, "> ")
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

func (m *markdownWriter) blocks(bs []article.Block) {
	var s listSiblings
	for i := range bs {
		if failed(m.w) {
			return
		}
		m.paragraph(func() { m.block(&bs[i], &s) })
	}
}

func (m *markdownWriter) block(b *article.Block, s *listSiblings) {
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
		m.code(b, s)
	case article.Picture:
		if b.Image != nil {
			m.picture(b.Image)
		}
	case article.Video:
		if b.Video != nil {
			m.video(b.Video)
		}
	case article.Embed:
		m.within("> ", "> ", func() { m.blocks(postQuote(b.Embed).Blocks) })
	case article.Rule:
		m.line("***") // "---" could be read as front matter, or as an item in a list
	}
	if m.lines > before {
		s.wrote(b)
	}
}

// listSiblings remembers the previous list, since a list needs another marker than
// the previous one of the same kind to be a separate list.
type listSiblings struct {
	last *article.Block
	odd  bool
}

func (s *listSiblings) wrote(b *article.Block) {
	s.odd = s.follows(b) && !s.odd
	s.last = b
}

func (s *listSiblings) follows(b *article.Block) bool {
	return s.last != nil && s.last.Kind == article.List && b.Kind == article.List && s.last.Ordered == b.Ordered
}

func (s *listSiblings) marker(b *article.Block) string {
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

// maxNumber is the largest start of a list in CommonMark.
const maxNumber = 999999999

// itemIndent is the indentation of items with code. The first Markdown, and
// Python-Markdown, know no other, so that the code would be text.
const itemIndent = 4

func (m *markdownWriter) list(b *article.Block, sign string) {
	hasCode := slices.ContainsFunc(b.Items, containsCode)
	tight := isTight(b) && !hasCode
	n := min(max(firstNumber(b), 0), maxNumber-len(b.Items))
	for _, it := range b.Items {
		marker := sign + " "
		if b.Ordered {
			marker = strconv.Itoa(n) + marker
		}
		if hasCode && len(marker) < itemIndent {
			marker += strings.Repeat(" ", itemIndent-len(marker))
		}
		before := m.lines
		m.within(marker, strings.Repeat(" ", len(marker)), func() {
			var s listSiblings
			m.item(it, tight, func(b *article.Block) { m.block(b, &s) })
		})
		if m.lines > before {
			n++
		}
	}
}

// code writes a fence that is longer than any in the code. Python-Markdown knows
// fences only with an extension, and not in lists and quotes, and would read the
// code as text there: such code is indented, as all parsers know it.
func (m *markdownWriter) code(b *article.Block, s *listSiblings) {
	if b.Code == "" {
		return
	}
	if m.prefix == "" && m.marker == nil && !hasMarkup(b.Code) {
		fence := strings.Repeat("`", max(3, longestRun(b.Code, '`')+1))
		m.line(fence + languageName(b.Lang))
		m.text(b.Code)
		m.line(fence)
		return
	}
	if m.startsItem() || s.last != nil && (s.last.Kind == article.List || s.last.Kind == article.Code) {
		// Otherwise it would be part of the list or of the other code.
		m.paragraph(func() { m.line("<!-- -->") })
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

func (m *markdownWriter) picture(im *article.Image) {
	img := imageMarkdown(im.URL, im.Alt)
	caption := captionText(im)
	if img == "" {
		caption = cmp.Or(caption, im.Alt)
	}
	m.figure(img, caption)
}

func (m *markdownWriter) video(v *article.Media) {
	caption := v.Caption
	if caption == v.Title {
		caption = ""
	}
	m.figure(clipMarkdown(v), caption)
}

// figure writes a picture and, in the same paragraph, its caption.
func (m *markdownWriter) figure(img, caption string) {
	text := inlineMarkdown(withMark(textSpans(caption), article.Emphasis), inParagraph)
	if img != "" || text != "" {
		m.text(joinNonEmpty("\\\n", img, text))
	}
}

// imageMarkdown returns "" if the URL of the picture is not allowed.
func imageMarkdown(url, alt string) string {
	if url = imageURL(url); url == "" {
		return ""
	}
	return "![" + inlineMarkdown(textSpans(alt), inLabel) + "](" + escapeDestination(url) + ")"
}

// clipMarkdown returns a link to a video, with its still picture if there is one.
func clipMarkdown(v *article.Media) string {
	url := linkURL(v.URL)
	if poster := imageMarkdown(v.Poster, v.Title); poster != "" {
		if url == "" {
			return poster
		}
		return "[" + poster + "](" + escapeDestination(url) + ")"
	}
	return inlineMarkdown([]article.Span{{Text: cmp.Or(v.Title, url), Href: v.URL}}, inParagraph)
}

// Markdown has no cells that span columns or rows, so empty cells are added: at
// most maxSpanColumns for one cell, and none beyond maxColumns columns.
const maxSpanColumns, maxColumns = 50, 200

// table writes the caption as a paragraph and the rows as a table of GitHub Flavored
// Markdown, which always has a header row, even if it is empty.
func (m *markdownWriter) table(b *article.Block) {
	rows := gridMarkdown(b.Rows)
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	m.paragraph(func() { m.spans(withMark(b.Spans, article.Emphasis)) })
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
		case article.Embed:
			out = cellLines(out, postQuote(b.Embed).Blocks)
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

// cellRow returns the row of a table inside a cell.
func cellRow(row []article.Cell) string {
	var fields []string
	for _, c := range row {
		fields = append(fields, cellMarkdown(c.Blocks))
	}
	return joinNonEmpty(", ", fields...)
}

func cellPicture(im *article.Image) string {
	img := imageMarkdown(im.URL, im.Alt)
	img = strings.ReplaceAll(img, "|", `\|`)
	return joinNonEmpty("<br>", img, inlineMarkdown(withMark(textSpans(captionText(im)), article.Emphasis), inCell))
}
