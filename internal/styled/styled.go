// Package styled writes an article as one HTML file of its own that looks as
// the story did on its page: the same type, colours and sizes, pictures inside.
//
// The words and their markup come from package format alone, so that what it
// refuses never gets here. This package dresses them: a style sheet made of a
// [Look], pictures as data, and an outline that a screen reader can walk. The
// file holds no script and asks nobody for anything; its own policy forbids it.
//
// It is pure: pictures come from the [Assets] that the caller gives.
package styled

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

// Options say how the article looks and where its pictures are.
type Options struct {
	// Look is the style of the page that the article is from. What it leaves
	// open, and what nobody could read, is set by this package.
	Look Look
	// Assets has the pictures; without it they are links.
	Assets Assets
	// URL is where the page was found, if the article does not say.
	URL string
}

// Write writes a as a styled document. A picture that is not found, too large
// or none at all becomes a link with its words; only an end of ctx, a broken
// writer or an article past all nesting is an error.
func Write(ctx context.Context, w io.Writer, a *article.Article, opts Options) error {
	if a == nil {
		a = &article.Article{}
	}
	var plain bytes.Buffer
	if err := format.HTML(&plain, a, format.Options{}); err != nil {
		return err
	}
	doc, err := html.Parse(&plain)
	if err != nil {
		return fmt.Errorf("styled: reading the article: %w", err)
	}
	look := opts.Look.readable()
	p := newPage(doc, a, opts)
	if err := p.pictures(ctx, opts.Assets); err != nil {
		return err
	}
	p.outline()
	p.tables()
	p.header()
	p.lede(look.Lede.set())
	p.footer()
	p.head(look.sheet())
	if err := html.Render(w, doc); err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}

// page is the document while it is being dressed.
type page struct {
	doc     *html.Node
	article *html.Node
	site    string
	words   words
	base    *url.URL // nil when nobody knows where the page was
	source  string   // address of the story, as format let it pass
}

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

var headings = [...]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

// outline numbers the headings anew, so that none skips a level: pages choose
// them by their size, but a screen reader walks them as a table of contents.
func (p *page) outline() {
	var open []int // the levels, as the page had them, of the headings around
	for _, h := range all(p.article, headings[:]...) {
		level := int(h.Data[1] - '0')
		for len(open) > 0 && open[len(open)-1] >= level {
			open = open[:len(open)-1]
		}
		open = append(open, level)
		a := headings[len(open)-1]
		h.DataAtom, h.Data = a, a.String()
	}
}

// tables puts each table into a frame that scrolls by itself, also with the
// keyboard, so that a wide one does not widen the page.
func (p *page) tables() {
	for _, t := range all(p.article, atom.Table) {
		name := p.words.table
		for c := range elements(t) {
			if c.DataAtom == atom.Caption {
				if s := content(c); s != "" {
					name = s
				}
			}
		}
		wrap(t, element(atom.Div, "class", "table", "role", "region", "aria-label", name, "tabindex", "0"))
	}
}

//go:embed words.txt
var wordsFile string

// words are what this package has to say in the language of a story.
type words struct {
	lang, watch, listen, picture, table string
	foreign                             bool // the story is in a language that is not in the list
}

// wordsFor finds the words for a language; English for one that is not known.
func wordsFor(tag string) words {
	want, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	if want == "iw" {
		want = "he" // as it was called until 1989
	}
	var first words
	for row := range strings.Lines(wordsFile) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(row), " | ")
		w := words{lang: f[0], watch: f[1], listen: f[2], picture: f[3], table: f[4]}
		if first.lang == "" {
			first = w
		}
		if w.lang == want {
			return w
		}
	}
	first.foreign = want != ""
	return first
}
