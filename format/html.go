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
	return writeArticle(w, a, opts, func(bw *bufio.Writer) writer { return &htmlWriter{bw, opts} })
}

// htmlWriter has three ways to write: raw for the markup of this package, text for
// text and start for tags with attributes. No part of an article is written with
// raw.
type htmlWriter struct {
	w    *bufio.Writer
	opts Options
}

func (h *htmlWriter) begin(a *article.Article) {
	if h.opts.Fragment {
		h.start("article", languageAttrs(a.Lang)...)
	} else {
		h.head(a)
		h.start("article")
	}
	h.raw("\n")
}

func (h *htmlWriter) end() {
	h.raw("</article>\n")
	if !h.opts.Fragment {
		h.raw("</body>\n</html>\n")
	}
}

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
	h.raw("<header>\n")
	h.element("h1", textSpans(a.Title))
	h.element("p", authors(a), "class", "byline")
	if !a.Published.IsZero() {
		h.raw(`<p class="date">`)
		h.start("time", "datetime", a.Published.String())
		h.text(dayAndTime(a.Published))
		h.raw("</time></p>\n")
	}
	h.element("p", textSpans(a.Standfirst), "class", "standfirst")
	if im := leadImage(a); im != nil {
		h.figure(pictureFigure(im))
	}
	h.raw("</header>\n")
}

func (h *htmlWriter) comments(bs []article.Block) {
	h.raw("<section class=\"comments\">\n")
	writeBlocks(h.w, h, bs)
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

func (h *htmlWriter) separate(write func()) { write() }

func (h *htmlWriter) paragraph(spans []article.Span) { h.element("p", spans) }

func (h *htmlWriter) heading(level int, spans []article.Span) {
	h.element("h"+strconv.Itoa(level), spans)
}

func (h *htmlWriter) list(b *article.Block, _ place) {
	name := "ul"
	var attrs []string
	if b.Ordered {
		name = "ol"
		if n := firstNumber(b); n != 1 {
			attrs = []string{"start", strconv.Itoa(n)}
		}
	}
	h.start(name, attrs...)
	h.raw("\n")
	for _, it := range b.Items {
		h.raw("<li>")
		h.flow(it)
		h.raw("</li>\n")
	}
	h.raw("</" + name + ">\n")
}

// flow writes the blocks of an item or a cell. A paragraph that is alone, or
// followed only by lists, has no element of its own.
func (h *htmlWriter) flow(bs []article.Block) {
	isNotList := func(b article.Block) bool { return b.Kind != article.List }
	if len(bs) > 0 && bs[0].Kind == article.Paragraph && !slices.ContainsFunc(bs[1:], isNotList) {
		h.inline(normalize(bs[0].Spans))
		bs = bs[1:]
	}
	if len(bs) > 0 {
		h.raw("\n")
		writeBlocks(h.w, h, bs)
	}
}

func (h *htmlWriter) quote(bs []article.Block) {
	h.raw("<blockquote>\n")
	writeBlocks(h.w, h, bs)
	h.raw("</blockquote>\n")
}

func (h *htmlWriter) rule() { h.raw("<hr>\n") }

func (h *htmlWriter) code(b *article.Block, _ place) {
	var attrs []string
	if lang := languageName(b.Lang); lang != "" {
		attrs = []string{"class", "language-" + lang}
	}
	h.raw("<pre>")
	h.start("code", attrs...)
	h.text(b.Code)
	h.raw("</code></pre>\n")
}

// figure writes a picture, or a link to a video with its still picture if there is one, and the
// caption.
func (h *htmlWriter) figure(f figure) {
	var attrs []string
	isVideo := f.kind == "video"
	if isVideo {
		attrs = []string{"class", "video"}
		f.alt = cmp.Or(f.alt, f.href)
	}
	h.start("figure", attrs...)
	h.raw("\n")
	if f.href != "" {
		h.start("a", "href", f.href)
	}
	if f.src != "" {
		attrs := []string{"src", f.src, "alt", f.alt}
		if f.width > 0 && f.height > 0 {
			attrs = append(attrs, "width", strconv.Itoa(f.width), "height", strconv.Itoa(f.height))
		}
		h.start("img", append(attrs, "loading", "lazy")...)
	} else if isVideo {
		h.text(f.alt)
	}
	if f.href != "" {
		h.raw("</a>")
	}
	if f.src != "" || isVideo {
		h.raw("\n")
	}
	if f.caption+f.credit != "" {
		h.raw("<figcaption>")
		h.text(f.caption)
		if f.caption != "" && f.credit != "" {
			h.raw(" ")
		}
		if f.credit != "" {
			h.raw(`<small class="credit">`)
			h.text(f.credit)
			h.raw("</small>")
		}
		h.raw("</figcaption>\n")
	}
	h.raw("</figure>\n")
}

func (h *htmlWriter) post(p *article.Post) {
	h.start("blockquote", "class", "post")
	h.raw("\n")
	writeBlocks(h.w, h, postBlocks(p))
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
	for _, e := range nestSpans(spans) {
		switch {
		case e.kind == textEvent:
			for i, l := range strings.Split(e.text, "\n") {
				if i > 0 {
					h.raw("<br>\n")
				}
				h.text(l)
			}
		case e.kind == openEvent && e.mark == link:
			h.start("a", "href", e.text)
		case e.kind == openEvent:
			h.start(elements[e.mark])
		default:
			h.raw("</" + elements[e.mark] + ">")
		}
	}
}
