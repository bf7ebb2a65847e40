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

// HTML writes a as an HTML document without styles, scripts and markup of the
// page. The headline is the only h1, every picture has an alt attribute, and the
// language and its direction are set.
func HTML(w io.Writer, a *article.Article, opts Options) error {
	a = cleanArticle(a)
	bw := bufio.NewWriter(w)
	h := htmlWriter{bw}
	if !opts.Fragment {
		h.head(a)
	}
	h.raw("<article")
	if opts.Fragment {
		h.language(a.Lang)
	}
	h.raw(">\n")
	if !opts.BodyOnly {
		h.header(a)
	}
	h.blocks(a.Body)
	if !opts.BodyOnly {
		h.comments(a)
	}
	h.raw("</article>\n")
	if !opts.Fragment {
		h.raw("</body>\n</html>\n")
	}
	return bw.Flush()
}

// htmlWriter has three ways to write: raw for the markup of this package, text for
// text and attr for attributes. No part of an article is written with raw.
type htmlWriter struct{ w *bufio.Writer }

func (h *htmlWriter) raw(s string) { h.w.WriteString(s) }

var (
	textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	attrEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

func (h *htmlWriter) text(s string) { textEscaper.WriteString(h.w, s) }

// attr writes an attribute, even if its value is empty.
func (h *htmlWriter) attr(name, value string) {
	h.raw(" " + name + `="`)
	attrEscaper.WriteString(h.w, value)
	h.raw(`"`)
}

func (h *htmlWriter) number(name string, n int) { h.attr(name, strconv.Itoa(n)) }

func (h *htmlWriter) language(lang string) {
	tag := languageTag(lang)
	if tag == "" {
		return
	}
	h.attr("lang", tag)
	if d := direction(tag); d != "" {
		h.attr("dir", d)
	}
}

func (h *htmlWriter) head(a *article.Article) {
	h.raw("<!DOCTYPE html>\n<html")
	h.language(a.Lang)
	h.raw(">\n<head>\n<meta charset=\"utf-8\">\n")
	h.meta("name", "viewport", "width=device-width, initial-scale=1")
	h.raw("<title>")
	h.text(a.Title)
	h.raw("</title>\n")
	h.meta("name", "author", a.Byline())
	h.meta("name", "description", oneLine(a.Standfirst))
	h.meta("property", "og:site_name", a.Site)
	h.meta("property", "article:published_time", a.Published.String())
	h.meta("property", "article:modified_time", a.Modified.String())
	if url := cmp.Or(linkURL(a.Canonical), linkURL(a.URL)); url != "" {
		h.raw(`<link rel="canonical"`)
		h.attr("href", url)
		h.raw(">\n")
	}
	h.raw("</head>\n<body>\n")
}

// meta writes nothing if there is no content.
func (h *htmlWriter) meta(kind, name, content string) {
	if content == "" {
		return
	}
	h.raw("<meta")
	h.attr(kind, name)
	h.attr("content", content)
	h.raw(">\n")
}

func (h *htmlWriter) header(a *article.Article) {
	im := leadImage(a)
	names := authors(a)
	if a.Title == "" && len(names) == 0 && a.Published.IsZero() && len(standfirst(a)) == 0 && im == nil {
		return
	}
	h.raw("<header>\n")
	h.element("h1", textSpans(a.Title))
	h.classed("byline", names)
	if !a.Published.IsZero() {
		h.raw(`<p class="date"><time`)
		h.attr("datetime", a.Published.String())
		h.raw(">")
		h.text(dayAndTime(a.Published))
		h.raw("</time></p>\n")
	}
	h.classed("standfirst", standfirst(a))
	if im != nil {
		h.figure(im)
	}
	h.raw("</header>\n")
}

func (h *htmlWriter) comments(a *article.Article) {
	cs := comments(a)
	if len(cs) == 0 {
		return
	}
	h.raw("<section class=\"comments\">\n")
	h.blocks(cs)
	h.raw("</section>\n")
}

// element writes an element with text, unless the text is blank.
func (h *htmlWriter) element(name string, spans []article.Span) {
	if spans = normalize(spans); spans != nil {
		h.raw("<" + name + ">")
		h.inline(spans)
		h.raw("</" + name + ">\n")
	}
}

func (h *htmlWriter) classed(class string, spans []article.Span) {
	if spans = normalize(spans); spans != nil {
		h.raw("<p")
		h.attr("class", class)
		h.raw(">")
		h.inline(spans)
		h.raw("</p>\n")
	}
}

func (h *htmlWriter) blocks(bs []article.Block) {
	for i := range bs {
		h.block(&bs[i])
	}
}

func (h *htmlWriter) block(b *article.Block) {
	if !isNotEmpty(*b) {
		return
	}
	switch b.Kind {
	case article.Paragraph:
		h.element("p", b.Spans)
	case article.Heading:
		h.element("h"+strconv.Itoa(max(b.Level, 2)), b.Spans)
	case article.List:
		h.list(b)
	case article.Quote:
		h.raw("<blockquote>\n")
		h.blocks(b.Blocks)
		h.raw("</blockquote>\n")
	case article.Table:
		h.table(b)
	case article.Code:
		h.code(b)
	case article.Picture:
		h.figure(b.Image)
	case article.Video:
		h.video(b.Video)
	case article.Rule:
		h.raw("<hr>\n")
	}
}

// hasContent reports whether any of the blocks has content.
func hasContent(bs []article.Block) bool { return slices.ContainsFunc(bs, isNotEmpty) }

func isNotEmpty(b article.Block) bool {
	switch b.Kind {
	case article.Paragraph, article.Heading:
		return !isBlankText(b.Spans)
	case article.List:
		return slices.ContainsFunc(b.Items, hasContent)
	case article.Quote:
		return hasContent(b.Blocks)
	case article.Table:
		return !isBlankText(b.Spans) || slices.ContainsFunc(b.Rows, func(row []article.Cell) bool {
			return slices.ContainsFunc(row, func(c article.Cell) bool { return hasContent(c.Blocks) })
		})
	case article.Code:
		return b.Code != ""
	case article.Picture:
		return b.Image != nil
	case article.Video:
		return b.Video != nil
	}
	return b.Kind == article.Rule
}

func (h *htmlWriter) list(b *article.Block) {
	name := "ul"
	if b.Ordered {
		name = "ol"
	}
	h.raw("<" + name)
	if b.Ordered && firstNumber(b) != 1 {
		h.number("start", b.Start)
	}
	h.raw(">\n")
	for _, it := range b.Items {
		if hasContent(it) {
			h.raw("<li>")
			h.flow(it)
			h.raw("</li>\n")
		}
	}
	h.raw("</" + name + ">\n")
}

// flow writes the blocks of an item or a cell. A paragraph that is alone, or
// followed only by lists, has no element of its own.
func (h *htmlWriter) flow(bs []article.Block) {
	if len(bs) > 0 && bs[0].Kind == article.Paragraph && !slices.ContainsFunc(bs[1:], isNotList) {
		h.inline(normalize(bs[0].Spans))
		bs = bs[1:]
	}
	if len(bs) > 0 {
		h.raw("\n")
		h.blocks(bs)
	}
}

func isNotList(b article.Block) bool { return b.Kind != article.List }

func (h *htmlWriter) code(b *article.Block) {
	h.raw("<pre><code")
	if lang := languageName(b.Lang); lang != "" {
		h.attr("class", "language-"+lang)
	}
	h.raw(">")
	h.text(b.Code)
	h.raw("</code></pre>\n")
}

// figure writes a picture with its caption. If the URL of the picture is not
// allowed, only its text is written.
func (h *htmlWriter) figure(im *article.Image) {
	url, caption := imageURL(im.URL), im.Caption
	if url == "" {
		caption = cmp.Or(caption, im.Alt)
	}
	if url == "" && caption == "" && im.Credit == "" {
		return
	}
	h.raw("<figure>\n")
	if url != "" {
		h.image(url, im.Alt, im.Width, im.Height)
		h.raw("\n")
	}
	h.figcaption(caption, im.Credit)
	h.raw("</figure>\n")
}

func (h *htmlWriter) image(url, alt string, width, height int) {
	h.raw("<img")
	h.attr("src", url)
	h.attr("alt", alt)
	if width > 0 && height > 0 {
		h.number("width", width)
		h.number("height", height)
	}
	h.raw(` loading="lazy">`)
}

func (h *htmlWriter) figcaption(caption, credit string) {
	if caption == "" && credit == "" {
		return
	}
	h.raw("<figcaption>")
	h.text(caption)
	if credit != "" {
		if caption != "" {
			h.raw(" ")
		}
		h.raw(`<small class="credit">`)
		h.text(credit)
		h.raw("</small>")
	}
	h.raw("</figcaption>\n")
}

// video writes a link to the video, with its still picture if there is one.
func (h *htmlWriter) video(v *article.Media) {
	url, poster, caption := linkURL(v.URL), imageURL(v.Poster), v.Caption
	title := cmp.Or(v.Title, caption)
	if caption == title && (url != "" || poster != "") {
		caption = ""
	}
	title = cmp.Or(title, url)
	if title == "" && poster == "" {
		return
	}
	h.raw("<figure class=\"video\">\n")
	if url != "" {
		h.raw("<a")
		h.attr("href", url)
		h.raw(">")
	}
	if poster != "" {
		h.image(poster, title, 0, 0)
	} else {
		h.text(title)
	}
	if url != "" {
		h.raw("</a>")
	}
	h.raw("\n")
	h.figcaption(caption, "")
	h.raw("</figure>\n")
}

func (h *htmlWriter) table(b *article.Block) {
	if len(b.Rows) == 0 {
		h.element("p", b.Spans)
		return
	}
	h.raw("<table>\n")
	h.element("caption", b.Spans)
	head := 0
	for head < len(b.Rows) && isHeader(b.Rows[head]) {
		head++
	}
	h.rows("thead", "col", b.Rows[:head])
	h.rows("tbody", "row", b.Rows[head:])
	h.raw("</table>\n")
}

// rows writes the head or the body of a table. Header cells in the head are those
// of their columns, header cells in the body those of their rows.
func (h *htmlWriter) rows(part, scope string, rows [][]article.Cell) {
	if len(rows) == 0 {
		return
	}
	h.raw("<" + part + ">\n")
	for _, row := range rows {
		h.raw("<tr>")
		for _, c := range row {
			h.cell(c, scope)
		}
		h.raw("</tr>\n")
	}
	h.raw("</" + part + ">\n")
}

func (h *htmlWriter) cell(c article.Cell, scope string) {
	name := "td"
	if c.Header {
		name = "th"
	}
	h.raw("<" + name)
	if c.Header {
		h.attr("scope", scope)
	}
	if c.ColSpan > 1 {
		h.number("colspan", c.ColSpan)
	}
	if c.RowSpan > 1 {
		h.number("rowspan", c.RowSpan)
	}
	h.raw(">")
	h.flow(c.Blocks)
	h.raw("</" + name + ">")
}

// inline writes normalized spans.
func (h *htmlWriter) inline(spans []article.Span) {
	for _, e := range moveSpaces(nestSpans(spans)) {
		switch {
		case e.kind == textEvent:
			h.lines(e.text)
		case e.kind == openEvent && e.wrap == link:
			h.raw("<a")
			h.attr("href", e.text)
			h.raw(">")
		case e.kind == openEvent:
			h.raw("<" + e.wrap.element() + ">")
		default:
			h.raw("</" + e.wrap.element() + ">")
		}
	}
}

// lines writes text with its line breaks.
func (h *htmlWriter) lines(s string) {
	first := true
	for l := range strings.SplitSeq(s, "\n") {
		if !first {
			h.raw("<br>\n")
		}
		first = false
		h.text(l)
	}
}

// element returns the HTML element for a wrap.
func (w wrap) element() string { return wrapElements[w] }

var wrapElements = [...]string{
	link: "a", strong: "strong", emphasis: "em", strike: "del", subscript: "sub", superscript: "sup", code: "code",
}
