package styled

import (
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/article"
)

// newPage takes over a document that package format has written.
func newPage(doc *html.Node, a *article.Article, opts Options) *page {
	p := &page{doc: doc, article: first(doc, atom.Article), words: wordsFor(get(first(doc, atom.Html), "lang"))}
	for _, m := range all(doc, atom.Meta) {
		if get(m, "property") == "og:site_name" {
			p.site = get(m, "content")
		}
	}
	if l := first(doc, atom.Link); l != nil {
		p.source = get(l, "href")
	}
	for _, s := range []string{opts.URL, a.URL, p.source} {
		if u := webURL(s, nil); u != nil && p.base == nil {
			p.base = u
		}
	}
	if p.source == "" && p.base != nil {
		p.source = p.base.String()
	}
	if u := webURL(p.source, p.base); u != nil {
		p.source = u.String()
	} else {
		p.source = ""
	}
	for _, l := range all(p.article, atom.A) {
		// Beside the file lies nothing of the page, so that no link can be relative.
		if u := webURL(get(l, "href"), p.base); u != nil {
			set(l, "href", u.String())
		}
	}
	return p
}

// webURL is an address on the web, or nil. An address that hides something is
// none, as in package format: this one may come from a caller.
func webURL(s string, base *url.URL) *url.URL {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || s == "" || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return nil
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	u.User = nil
	return u
}

// head writes what a browser must know: what the file may do, which is to show
// itself, and how it looks.
func (p *page) head(sheet string) {
	sum := sha256.Sum256([]byte(sheet))
	policy := "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
	head := first(p.doc, atom.Head)
	charset := first(head, atom.Meta)
	for _, m := range []*html.Node{
		line(), element(atom.Meta, "http-equiv", "Content-Security-Policy", "content", policy),
		line(), element(atom.Meta, "name", "referrer", "content", "no-referrer"),
	} {
		head.InsertBefore(m, charset.NextSibling)
		charset = m
	}
	title := first(head, atom.Title)
	if content(title) == "" {
		add(title, text(p.name()))
	}
	add(head, add(element(atom.Style), text(sheet)), line())
}

// name is what the source of the story is called.
func (p *page) name() string {
	if p.site != "" {
		return p.site
	}
	if u := webURL(p.source, nil); u != nil {
		return strings.TrimPrefix(u.Host, "www.")
	}
	return "lede"
}

// header puts the words at the head in the order of a newspaper, and the lead
// picture after them.
func (p *page) header() {
	h := first(p.article, atom.Header)
	if h == nil || h.Parent != p.article {
		return
	}
	headline := first(h, atom.H1)
	for c := range elements(h) {
		switch {
		case c.DataAtom == atom.Figure:
			h.RemoveChild(c)
			p.article.InsertBefore(c, h.NextSibling)
			p.article.InsertBefore(line(), c)
		case get(c, "class") == "standfirst":
			h.RemoveChild(c)
			before := h.FirstChild
			if headline != nil {
				before = headline.NextSibling
			}
			h.InsertBefore(c, before)
			h.InsertBefore(line(), c)
		}
	}
	if content(h) == "" {
		p.article.RemoveChild(h)
	}
}

// lede marks the first paragraph, where that is set in a way of its own.
func (p *page) lede(own bool) {
	for c := range elements(p.article) {
		if own && c.DataAtom == atom.P {
			set(c, "class", "lede")
			return
		}
	}
}

// footer says where the story is from, and when.
func (p *page) footer() {
	var parts []*html.Node
	switch {
	case p.source != "":
		parts = append(parts, add(element(atom.A, "href", p.source), text(p.name())))
	case p.site != "":
		parts = append(parts, text(p.site+" "))
	}
	if t := first(p.article, atom.Time); t != nil {
		parts = append(parts, text(" "), add(element(atom.Time, "datetime", get(t, "datetime")), text(content(t))))
	}
	wrap(p.article, element(atom.Main)) // a footer beside it, not in it, is that of the page
	if len(parts) > 0 {
		add(first(p.doc, atom.Body), add(element(atom.Footer), add(element(atom.P), parts...)), line())
	}
}
