package format

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/article"
)

// Text writes a as plain text: the headline, the byline and date, the standfirst,
// then the body with a blank line between paragraphs. A picture is written as
// "[picture: alternative text]". The URLs of links are omitted, unless
// Options.Links is set.
func Text(w io.Writer, a *article.Article, opts Options) error {
	return writeArticle(w, a, opts, func(bw *bufio.Writer) writer { return newTextWriter(bw, opts.Links) })
}

// textWriter also writes the cells of tables in Markdown, which have no blocks: see cellWriter.
type textWriter struct {
	lineWriter
	inline func(spans []article.Span) string
	cell   func(bs []article.Block) string // blocks in one line
	column string                          // between the cells of a row
}

func newTextWriter(w *bufio.Writer, links bool) *textWriter {
	t := &textWriter{lineWriter: lineWriter{w: w}, inline: article.SpanText, column: " | "}
	if links {
		t.inline = func(spans []article.Span) string { return article.SpanText(withURLs(spans)) }
	}
	t.cell = func(bs []article.Block) string {
		return oneLine(inBuffer(bs, func(w *bufio.Writer) writer { return newTextWriter(w, links) }))
	}
	t.self = t
	return t
}

func (t *textWriter) header(a *article.Article) {
	t.separate(func() {
		for _, spans := range [][]article.Span{textSpans(a.Title), byline(a), textSpans(a.Standfirst)} {
			t.paragraph(normalize(spans))
		}
	})
	if im := leadImage(a); im != nil {
		t.separate(func() { t.figure(pictureFigure(im)) })
	}
}

func (t *textWriter) paragraph(spans []article.Span) {
	if len(spans) > 0 {
		t.text(t.inline(spans))
	}
}

func (t *textWriter) heading(_ int, spans []article.Span) { t.paragraph(spans) }

// withURLs adds the URL of each link after its text, unless the text is the URL.
func withURLs(spans []article.Span) []article.Span {
	var out []article.Span
	text := "" // of the link
	for i, s := range spans {
		out = append(out, s)
		if s.Href == "" {
			continue
		}
		text += s.Text
		if i+1 < len(spans) && spans[i+1].Href == s.Href {
			continue
		}
		if s.Href != text {
			out = append(out, article.Span{Text: " <" + s.Href + ">"})
		}
		text = ""
	}
	return out
}

func (t *textWriter) list(b *article.Block, _ place) {
	tight := isTight(b)
	for i, it := range b.Items {
		marker := "- "
		if b.Ordered {
			marker = strconv.Itoa(firstNumber(b)+i) + ". "
		}
		t.within(marker, "  ", tight, it)
	}
}

func (t *textWriter) quote(bs []article.Block) { t.within("> ", "> ", false, bs) }

func (t *textWriter) code(b *article.Block, _ place) { t.text(b.Code) }

func (t *textWriter) rule() { t.line("* * *") }

func (t *textWriter) figure(f figure) {
	caption := f.captionText()
	if f.alt == "" || f.alt == f.caption {
		f.alt, caption = caption, ""
	}
	if label := joinNonEmpty(" ", f.alt, f.href); label != "" {
		t.line("[" + f.kind + ": " + label + "]")
	} else {
		t.line("[" + f.kind + "]")
	}
	if caption != "" {
		t.line(caption)
	}
}

func joinNonEmpty(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// table writes a row as a line.
func (t *textWriter) table(b *article.Block) {
	t.paragraph(normalize(b.Spans))
	for _, row := range b.Rows {
		fields := make([]string, len(row))
		for i, c := range row {
			fields[i] = t.cell(c.Blocks)
		}
		if line := strings.Join(fields, t.column); strings.Trim(line, t.column) != "" {
			t.line(strings.TrimRight(line, " "))
		}
	}
}
