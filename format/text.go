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

// Text writes a as plain text: the headline, the byline and date, the standfirst,
// then the body with a blank line between paragraphs. A picture is written as
// "[picture: alternative text]". The URLs of links are omitted, unless
// Options.Links is set.
func Text(w io.Writer, a *article.Article, opts Options) error {
	a = cleanArticle(a)
	bw := bufio.NewWriter(w)
	t := textWriter{lineWriter{w: bw}, opts.Links}
	if !opts.BodyOnly {
		t.paragraph(func() { t.header(a) })
		if im := leadImage(a); im != nil {
			t.paragraph(func() { t.picture(im) })
		}
	}
	t.blocks(a.Body)
	if !opts.BodyOnly {
		t.blocks(comments(a))
	}
	return bw.Flush()
}

type textWriter struct {
	lineWriter
	links bool // write the URLs of links
}

func (t *textWriter) header(a *article.Article) {
	for _, spans := range [][]article.Span{textSpans(a.Title), byline(a), textSpans(a.Standfirst)} {
		t.spans(spans)
	}
}

func (t *textWriter) spans(spans []article.Span) {
	if spans = normalize(spans); spans == nil {
		return
	}
	if t.links {
		spans = withURLs(spans)
	}
	t.text(article.SpanText(spans))
}

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
		if url := linkURL(s.Href); url != "" && url != text {
			out = append(out, article.Span{Text: " <" + url + ">"})
		}
		text = ""
	}
	return out
}

func (t *textWriter) blocks(bs []article.Block) {
	for i := range bs {
		if failed(t.w) {
			return
		}
		t.paragraph(func() { t.block(&bs[i]) })
	}
}

func (t *textWriter) block(b *article.Block) {
	switch b.Kind {
	case article.Paragraph, article.Heading:
		t.spans(b.Spans)
	case article.List:
		t.list(b)
	case article.Quote:
		t.within("> ", "> ", func() { t.blocks(b.Blocks) })
	case article.Table:
		t.spans(b.Spans)
		for _, row := range b.Rows {
			t.row(row)
		}
	case article.Code:
		if b.Code != "" {
			t.text(b.Code)
		}
	case article.Picture:
		if b.Image != nil {
			t.picture(b.Image)
		}
	case article.Video:
		if b.Video != nil {
			t.video(b.Video)
		}
	case article.Embed:
		q := postQuote(b.Embed)
		t.block(&q)
	case article.Rule:
		t.line("* * *")
	}
}

func (t *textWriter) list(b *article.Block) {
	tight, n := isTight(b), firstNumber(b)
	for _, it := range b.Items {
		marker := "- "
		if b.Ordered {
			marker = strconv.Itoa(n) + ". "
		}
		before := t.lines
		t.within(marker, "  ", func() { t.item(it, tight, t.block) })
		if t.lines > before {
			n++
		}
	}
}

func firstNumber(b *article.Block) int { return cmp.Or(b.Start, 1) }

func (t *textWriter) picture(im *article.Image) {
	caption := captionText(im)
	if im.Alt == "" || im.Alt == im.Caption {
		t.line(label("picture", caption))
		return
	}
	t.line(label("picture", im.Alt))
	if caption != "" {
		t.line(caption)
	}
}

func (t *textWriter) video(v *article.Media) {
	t.line(label("video", v.Title, linkURL(v.URL)))
	if v.Caption != "" && v.Caption != v.Title {
		t.line(v.Caption)
	}
}

// label returns "[kind: text]", or "[kind]" if there is no text.
func label(kind string, parts ...string) string {
	text := joinNonEmpty(" ", parts...)
	if text == "" {
		return "[" + kind + "]"
	}
	return "[" + kind + ": " + text + "]"
}

func joinNonEmpty(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// row writes a row of a table as a line.
func (t *textWriter) row(row []article.Cell) {
	fields := make([]string, len(row))
	for i, c := range row {
		fields[i] = t.cellText(c.Blocks)
	}
	if line := strings.Join(fields, " | "); strings.Trim(line, " |") != "" {
		t.line(strings.TrimRight(line, " "))
	}
}

// cellText returns the text of blocks in one line.
func (t *textWriter) cellText(bs []article.Block) string {
	var b strings.Builder
	bw := bufio.NewWriterSize(&b, 64)
	cell := textWriter{lineWriter{w: bw}, t.links}
	cell.blocks(bs)
	bw.Flush()
	return oneLine(b.String())
}
