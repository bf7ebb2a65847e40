package metadata

import (
	"net/url"
	"strings"

	"github.com/lede-news/lede/dom"
)

// page is what one walk gathers.
type page struct {
	d     *dom.Document
	opts  Options
	found found

	own  *url.URL // the address of the page; may be nil
	base *url.URL // relative addresses are resolved against it; may be nil
	host string   // of the page, without "www."; may be empty

	htmlTitle string // <title>, tidied
	byLabel   string // the number of the card's label that says "written by"
	htmlLang  string
	marks     marks
	headings  []dom.Node // h1 to h6 that show something
	times     []dom.Node // <time>

	headline dom.Node // the visible headline, once chosen
	names    []string // names of the site, folded, once asked for
}

// gather walks over the page once.
func gather(d *dom.Document, opts Options) *page {
	p := &page{d: d, opts: opts, headline: dom.None}
	if opts.Title <= 0 || int(opts.Title) >= d.Len() {
		p.opts.Title = dom.None
	}
	if opts.Body <= 0 || int(opts.Body) >= d.Len() {
		p.opts.Body = dom.None
	}
	p.own = absolute(opts.URL)
	p.base = p.own
	var scripts []string
	for n := range dom.Node(d.Len()) {
		switch t := d.Tag(n); t {
		case dom.Text, dom.Root, dom.Br, dom.Style, dom.Head, dom.Body:
		case dom.HTML:
			p.htmlLang = d.AttrOr(n, "lang")
			if p.htmlLang == "" {
				p.htmlLang = d.AttrOr(n, "xml:lang")
			}
		case dom.Meta:
			p.readMeta(n)
		case dom.Link:
			p.readLink(n)
		case dom.Base:
			if href, err := url.Parse(strings.TrimSpace(d.AttrOr(n, "href"))); err == nil && p.base != nil {
				p.base = p.base.ResolveReference(href)
			} else if err == nil && href.IsAbs() {
				p.base = href
			}
		case dom.Title:
			if p.htmlTitle == "" {
				p.htmlTitle = tidy(clip(d.Raw(n), 2000))
			}
		case dom.Script:
			if kind, ok := d.Attr(n, "type"); ok && strings.Contains(strings.ToLower(kind), "ld+json") {
				scripts = append(scripts, d.Raw(n))
			}
		default:
			p.readElement(n, t)
		}
	}
	if p.htmlTitle != "" {
		p.found.add(ofTitle, candidate{text: p.htmlTitle, from: fromHTML, rank: 7})
	}
	p.findHost()
	if len(scripts) > 0 {
		p.readJSONLD(scripts)
	}
	return p
}

// readElement notes what an element of the body may tell.
func (p *page) readElement(n dom.Node, t dom.Tag) {
	if p.d.Hidden(n) && t != dom.Time && t != dom.Span {
		return
	}
	switch t {
	case dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6:
		if len(p.headings) < 300 && p.d.Chars(n) > 0 {
			p.headings = append(p.headings, n)
		}
	case dom.Time:
		if len(p.times) < most {
			p.times = append(p.times, n)
		}
	}
	for k, v := range p.d.Attrs(n) {
		switch k {
		case "itemprop", "property":
			p.readProperty(n, v)
		case "itemtype":
			p.markType(schemaName(v))
		case "class", "id":
			if t == dom.Div || t == dom.Section || t == dom.Aside {
				p.markElement(n, v)
			}
		}
	}
}
