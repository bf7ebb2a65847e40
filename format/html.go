package format

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/lede-news/lede/article"
)

// HTML writes a as a document of its own: no styles, no scripts, and nothing
// of the page's markup. The headline is its only h1, every picture has an alt
// text, be it empty, and the language and its direction are set.
func HTML(w io.Writer, a *article.Article, opts Options) error {
	a = clean(a)
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

// htmlWriter writes through three doors: raw for the markup of this package,
// text for words and attr for the values of attributes. Nothing of an article
// goes through raw.
type htmlWriter struct{ w *bufio.Writer }

func (h *htmlWriter) raw(s string) { h.w.WriteString(s) }

var (
	textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	attrEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

func (h *htmlWriter) text(s string) { textEscaper.WriteString(h.w, s) }

// attr writes an attribute, also if its value is empty.
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
	url := linkURL(a.Canonical)
	if url == "" {
		url = linkURL(a.URL)
	}
	if url != "" {
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
	im := lead(a)
	names := authors(a)
	if a.Title == "" && len(names) == 0 && a.Published.IsZero() && len(standfirst(a)) == 0 && im == nil {
		return
	}
	h.raw("<header>\n")
	h.element("h1", plain(a.Title))
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

// element writes a line with an element of words, unless these are blank.
func (h *htmlWriter) element(name string, spans []article.Span) {
	if spans = tidy(spans); spans != nil {
		h.raw("<" + name + ">")
		h.inline(spans)
		h.raw("</" + name + ">\n")
	}
}

func (h *htmlWriter) classed(class string, spans []article.Span) {
	if spans = tidy(spans); spans != nil {
		h.raw("<p")
		h.attr("class", class)
		h.raw(">")
		h.inline(spans)
		h.raw("</p>\n")
	}
}
