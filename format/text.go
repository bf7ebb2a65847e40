package format

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/lede-news/lede/article"
)

// Text writes a as plain text: the headline, the byline and date, the
// standfirst, then the story with a blank line between paragraphs. Links
// leave their words, with Options.Links their addresses too, and a picture stands as "[picture: what it shows]".
func Text(w io.Writer, a *article.Article, opts Options) error {
	a = clean(a)
	bw := bufio.NewWriter(w)
	t := textWriter{outline{w: bw}, opts.Links}
	if !opts.BodyOnly {
		t.paragraph(func() { t.header(a) })
		if im := lead(a); im != nil {
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
	outline
	links bool // with their addresses
}

func (t *textWriter) header(a *article.Article) {
	for _, spans := range [][]article.Span{plain(a.Title), byline(a), standfirst(a)} {
		t.spans(spans)
	}
}

func (t *textWriter) spans(spans []article.Span) {
	if spans = tidy(spans); spans == nil {
		return
	}
	if t.links {
		spans = withAddresses(spans)
	}
	t.text(article.SpanText(spans))
}

// withAddresses puts the address of each link behind its last word, unless
// the words are the address.
func withAddresses(spans []article.Span) []article.Span {
	var out []article.Span
	words := "" // of the link
	for i, s := range spans {
		out = append(out, s)
		if s.Href == "" {
			continue
		}
		words += s.Text
		if i+1 < len(spans) && spans[i+1].Href == s.Href {
			continue
		}
		if url := linkURL(s.Href); url != "" && url != words {
			out = append(out, article.Span{Text: " <" + url + ">"})
		}
		words = ""
	}
	return out
}

func (t *textWriter) blocks(bs []article.Block) {
	for i := range bs {
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
	case article.Rule:
		t.line("* * *")
	}
}

func (t *textWriter) list(b *article.Block) {
	tight, n := tight(b), firstNumber(b)
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

func firstNumber(b *article.Block) int {
	if b.Start == 0 {
		return 1
	}
	return b.Start
}

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

// label is "[what: words]", or "[what]" if there are none.
func label(what string, parts ...string) string {
	parts = nonEmpty(parts)
	if len(parts) == 0 {
		return "[" + what + "]"
	}
	return "[" + what + ": " + strings.Join(parts, " ") + "]"
}

func nonEmpty(in []string) []string {
	var out []string
	for _, s := range in {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// row writes a row of a table in one line.
func (t *textWriter) row(row []article.Cell) {
	fields := make([]string, len(row))
	for i, c := range row {
		fields[i] = t.cellText(c.Blocks)
	}
	if line := strings.Join(fields, " | "); strings.Trim(line, " |") != "" {
		t.line(strings.TrimRight(line, " "))
	}
}

// cellText is what Text writes for blocks, in one line and without the blank
// lines between.
func (t *textWriter) cellText(bs []article.Block) string {
	var b strings.Builder
	bw := bufio.NewWriterSize(&b, 64)
	cell := textWriter{outline{w: bw}, t.links}
	cell.blocks(bs)
	bw.Flush()
	return oneLine(b.String())
}
