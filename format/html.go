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
	if opts.Fragment {
		h.start("article", languageAttrs(a.Lang)...)
	} else {
		h.head(a)
		h.start("article")
	}
	h.raw("\n")
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
// text and start for tags with attributes. No part of an article is written with
// raw.
type htmlWriter struct{ w *bufio.Writer }

func (h *htmlWriter) raw(s string) { h.w.WriteString(s) }

var (
	textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	attrEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

func (h *htmlWriter) text(s string) { textEscaper.WriteString(h.w, s) }

// start writes a start tag. attrs alternate names and values.
func (h *htmlWriter) start(name string, attrs ...string) {
	h.raw("<")
	h.raw(name)
	for i := 0; i < len(attrs); i += 2 {
		h.raw(" ")
		h.raw(attrs[i])
		h.raw(`="`)
		attrEscaper.WriteString(h.w, attrs[i+1])
		h.raw(`"`)
	}
	h.raw(">")
}

// languageAttrs returns the attributes for a language.
func languageAttrs(lang string) []string {
	tag := languageTag(lang)
	if tag == "" {
		return nil
	}
	if d := direction(tag); d != "" {
		return []string{"lang", tag, "dir", d}
	}
	return []string{"lang", tag}
}

func (h *htmlWriter) head(a *article.Article) {
	h.raw("<!DOCTYPE html>\n")
	h.start("html", languageAttrs(a.Lang)...)
	h.raw("\n<head>\n<meta charset=\"utf-8\">\n")
	h.meta("name", "viewport", "width=device-width, initial-scale=1")
	h.raw("<title>")
	h.text(a.Title)
	h.raw("</title>\n")
	h.meta("name", "author", a.Byline())
	h.meta("name", "description", oneLine(cmp.Or(a.Description, a.Standfirst)))
	h.meta("property", "og:site_name", a.Site)
	h.meta("property", "article:published_time", a.Published.String())
	h.meta("property", "article:modified_time", a.Modified.String())
	if url := cmp.Or(linkURL(a.Canonical), linkURL(a.URL)); url != "" {
		h.start("link", "rel", "canonical", "href", url)
		h.raw("\n")
	}
	h.raw("</head>\n<body>\n")
}

// meta writes nothing if there is no content.
func (h *htmlWriter) meta(kind, name, content string) {
	if content != "" {
		h.start("meta", kind, name, "content", content)
		h.raw("\n")
	}
}

func (h *htmlWriter) header(a *article.Article) {
	im := leadImage(a)
	names := authors(a)
	if a.Title == "" && len(names) == 0 && a.Published.IsZero() && len(textSpans(a.Standfirst)) == 0 && im == nil {
		return
	}
	h.raw("<header>\n")
	h.element("h1", textSpans(a.Title))
	h.element("p", names, "class", "byline")
	if !a.Published.IsZero() {
		h.raw(`<p class="date">`)
		h.start("time", "datetime", a.Published.String())
		h.text(dayAndTime(a.Published))
		h.raw("</time></p>\n")
	}
	h.element("p", textSpans(a.Standfirst), "class", "standfirst")
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
func (h *htmlWriter) element(name string, spans []article.Span, attrs ...string) {
	if spans = normalize(spans); spans != nil {
		h.start(name, attrs...)
		h.inline(spans)
		h.raw("</" + name + ">\n")
	}
}

func (h *htmlWriter) blocks(bs []article.Block) {
	for i := range bs {
		if failed(h.w) {
			return
		}
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
	case article.Embed:
		h.post(b.Embed)
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
	case article.Embed:
		return len(postQuote(b.Embed).Blocks) > 0
	}
	return b.Kind == article.Rule
}

func (h *htmlWriter) list(b *article.Block) {
	name := "ul"
	var attrs []string
	if b.Ordered {
		name = "ol"
		if firstNumber(b) != 1 {
			attrs = []string{"start", strconv.Itoa(b.Start)}
		}
	}
	h.start(name, attrs...)
	h.raw("\n")
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
	var attrs []string
	if lang := languageName(b.Lang); lang != "" {
		attrs = []string{"class", "language-" + lang}
	}
	h.raw("<pre>")
	h.start("code", attrs...)
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
	attrs := append(make([]string, 0, 10), "src", url, "alt", alt)
	if width > 0 && height > 0 {
		attrs = append(attrs, "width", strconv.Itoa(width), "height", strconv.Itoa(height))
	}
	h.start("img", append(attrs, "loading", "lazy")...)
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
		h.start("a", "href", url)
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

// post writes the post of a social network.
func (h *htmlWriter) post(p *article.Post) {
	attrs := []string{"class", "post"}
	url := linkURL(p.URL)
	if url != "" {
		attrs = append(attrs, "cite", url)
	}
	h.start("blockquote", attrs...)
	h.raw("\n")
	h.element("p", textSpans(p.Text))
	if label := postLabel(p); label != "" {
		h.element("footer", []article.Span{{Text: label, Href: url}})
	}
	h.raw("</blockquote>\n")
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
	name, attrs := "td", make([]string, 0, 6)
	if c.Header {
		name, attrs = "th", append(attrs, "scope", scope)
	}
	if c.ColSpan > 1 {
		attrs = append(attrs, "colspan", strconv.Itoa(c.ColSpan))
	}
	if c.RowSpan > 1 {
		attrs = append(attrs, "rowspan", strconv.Itoa(c.RowSpan))
	}
	h.start(name, attrs...)
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
			h.start("a", "href", e.text)
		case e.kind == openEvent:
			h.start(e.wrap.element())
		default:
			h.raw("</" + e.wrap.element() + ">")
		}
	}
}

// lines writes text with its line breaks.
func (h *htmlWriter) lines(s string) {
	line, rest, more := strings.Cut(s, "\n")
	h.text(line)
	for more {
		line, rest, more = strings.Cut(rest, "\n")
		h.raw("<br>\n")
		h.text(line)
	}
}

// element returns the HTML element for a wrap.
func (w wrap) element() string { return wrapElements[w] }

var wrapElements = [...]string{
	link: "a", strong: "strong", emphasis: "em", strike: "del", subscript: "sub", superscript: "sup", code: "code",
}
