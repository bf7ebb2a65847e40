// Package styled writes an article as a self-contained HTML file that looks like
// the story on its page, as the paper of the visual wrapper shows: the elements of
// the page from the common root of the story down to its texts and pictures, with
// their styles, and without everything else.
//
// Elements are copied by a list, and none of their attributes but addresses and
// spans of cells. The style of an element is read property by property, limited
// to what leaves the story readable, and written anew. The rest is from package
// format, which has removed whatever is unsafe: headline, byline and date, in the
// style that they have on the page. Pictures become data URLs. The file has no
// scripts and loads nothing; its content security policy forbids both.
//
// The package does not read files or use the network: pictures come from the
// [Assets] of the caller.
package styled

import (
	"bytes"
	"cmp"
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
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/page/steps"
)

// Options are the options of Write.
type Options struct {
	// Computed returns the value of one of Properties that a browser has computed for an element,
	// or "" if it is not shown. If it is nil, styles are read from the style attributes, <style>
	// elements and presentational attributes of the page, without linked sheets.
	Computed func(n dom.Node, property string) string
	// Assets provide the pictures, the first that has one. Without them pictures become links.
	Assets []Assets
}

// Write writes an article as a styled document. d is the page of the article and nodes are those
// of its body, in page order: texts, rules, pictures and players, and the elements and texts of
// captions. A picture that is missing, too large or in an unknown format becomes a link. Write
// fails only if ctx ends or if w fails.
func Write(ctx context.Context, w io.Writer, d *dom.Document, a *article.Article, nodes []dom.Node, opts Options) error {
	steps := steps.New(ctx)
	styles := newStyles(d, opts.Computed)
	found := findParts(d, a, nodes, styles, steps)
	if err := steps.Look(); err != nil {
		return err
	}
	t := newSubtree(d, nodes, a, links.Base(d, cmp.Or(a.URL, a.Canonical)))
	frame := *a
	frame.Body, frame.Lead = nil, nil
	if found.standfirst != dom.None && t.has(found.standfirst) {
		frame.Standfirst = "" // part of the story
	}
	p, err := newPage(&frame)
	if err != nil {
		return err
	}
	t.base, t.steps = links.Base(d, ""), steps
	if p.base != nil {
		t.base = links.Base(d, p.base.String())
	}
	t.embed = &embedder{ctx: ctx, assets: opts.Assets, base: p.base, labels: p.labels, left: MaxPictures}
	if a.Lead != nil && !t.shows(a.Lead) && !t.placeLead(a.Lead, found.headline, styles) && len(t.media) == 0 {
		if fig := t.embed.figure(a.Lead); fig != nil { // the page shows neither this nor another picture
			p.insert(fig)
		}
	}
	rules := p.story(t, styles, found)
	if err := steps.Look(); err != nil {
		return err
	}
	p.outline()
	p.tables()
	p.header()
	p.footer()
	p.head(rules)
	if err := html.Render(w, p.doc); err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}

// page is the document that is being written.
type page struct {
	doc     *html.Node
	article *html.Node
	site    string
	labels  labels
	base    *url.URL // of the page, nil if unknown
	source  string   // address of the story
}

// newPage returns what surrounds the story, as package format writes it.
func newPage(a *article.Article) (*page, error) {
	var plain bytes.Buffer
	if err := format.HTML(&plain, a, format.Options{}); err != nil {
		return nil, err
	}
	doc, err := html.Parse(&plain)
	if err != nil {
		return nil, fmt.Errorf("styled: parse the article: %w", err)
	}
	p := &page{doc: doc, article: first(doc, atom.Article), labels: labelsFor(get(first(doc, atom.Html), "lang")), site: cleanLine(a.Site)}
	p.base = webURL(a.URL, nil)
	canonical := ""
	if l := first(doc, atom.Link); l != nil {
		canonical = get(l, "href")
	}
	if u := webURL(canonical, p.base); u != nil {
		p.source = u.String()
		p.base = cmp.Or(p.base, u)
	}
	for _, l := range all(p.article, atom.A) {
		// Relative links would point to files beside the document.
		if u := webURL(get(l, "href"), p.base); u != nil {
			set(l, "href", u.String())
		}
	}
	return p, nil
}

// webURL resolves an HTTP address, or returns nil. It refuses control characters
// as package format does, since the address may come from a caller.
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

// head adds the content security policy and the style sheet.
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

// name returns the name of the site.
func (p *page) name() string {
	if p.site != "" {
		return p.site
	}
	if u := webURL(p.source, nil); u != nil {
		return strings.TrimPrefix(u.Host, "www.")
	}
	return "lede"
}

// header moves the standfirst after the headline, as in a newspaper.
func (p *page) header() {
	headline := first(p.article, atom.H1)
	if headline == nil || headline.Parent.DataAtom != atom.Header {
		return
	}
	for c := range elements(headline.Parent) {
		if get(c, "class") == "standfirst" {
			c.Parent.RemoveChild(c)
			headline.Parent.InsertBefore(c, headline.NextSibling)
			c.Parent.InsertBefore(line(), c)
		}
	}
}

// insert puts the lead picture or the story after what is there and before the comments.
func (p *page) insert(n *html.Node) {
	var before *html.Node
	for c := range elements(p.article) {
		if c.DataAtom == atom.Section {
			before = c
		}
	}
	p.article.InsertBefore(n, before)
	p.article.InsertBefore(line(), before)
}

// footer adds the source and the date of the story.
func (p *page) footer() {
	var parts []*html.Node
	switch {
	case p.source != "":
		parts = append(parts, add(element(atom.A, "href", p.source), text(p.name())))
	case p.site != "":
		parts = append(parts, text(p.site+" "))
	}
	if h := first(p.article, atom.Header); h != nil {
		if t := first(h, atom.Time); t != nil {
			parts = append(parts, text(" "), add(element(atom.Time, "datetime", get(t, "datetime")), text(content(t))))
		}
	}
	wrap(p.article, element(atom.Main)) // so that the footer is that of the page
	if len(parts) > 0 {
		add(first(p.doc, atom.Body), add(element(atom.Footer), add(element(atom.P), parts...)), line())
	}
}

var headings = [...]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

// outline changes the levels of headings so that none is skipped. Pages choose
// them by size, but screen readers use them as a table of contents.
func (p *page) outline() {
	var open []int // original levels of the enclosing headings
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

// tables wraps each table in a box that scrolls, also by keyboard, so that wide
// tables do not widen the page.
func (p *page) tables() {
	for _, t := range all(p.article, atom.Table) {
		name := p.labels.table
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
var labelFile string

// labels are the texts that this package adds, in one language.
type labels struct {
	lang, watch, listen, picture, table string
	foreign                             bool // the story is in a language that is not in the list
}

// labelsFor returns the labels for a language, by default English.
func labelsFor(tag string) labels {
	want, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	if want == "iw" {
		want = "he" // the code was iw until 1989
	}
	var first labels
	for row := range lines.Data(labelFile) {
		f := strings.Split(row, " | ")
		l := labels{lang: f[0], watch: f[1], listen: f[2], picture: f[3], table: f[4]}
		if l.lang == want {
			return l
		}
		first = cmp.Or(first, l)
	}
	first.foreign = want != ""
	return first
}
