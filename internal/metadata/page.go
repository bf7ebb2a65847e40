package metadata

import (
	"iter"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

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

// fact is one of the things that a source can tell.
type fact uint8

const (
	ofTitle fact = iota
	ofAuthor
	ofPublished
	ofModified
	ofLang
	ofSite
	ofSection
	ofCanonical
	ofStandfirst
	ofTag
	ofPicture
	ofType
	factCount
)

// candidate is what one source claims of a fact.
type candidate struct {
	text string
	from string // the source, for Facts.Sources
	node dom.Node
	rank uint8 // lower ranks are believed first

	// Of an author:
	group bool // no person
	url   string

	// Of a picture, where more than its address is told:
	shot *shot
}

// shot is what a source tells of a picture beside its address.
type shot struct {
	alt, caption, credit string
	width, height        int
}

// detail is where to note what is told of a picture.
func (c *candidate) detail() *shot {
	if c.shot == nil {
		c.shot = &shot{}
	}
	return c.shot
}

// found holds all claims by fact, the most believable first; claims of the
// same rank are in the order of the page.
type found [factCount][]candidate

// most bounds the claims for one fact: a page may repeat itself a thousand times.
const most = 64

// few is as many as most pages have for a fact that they tell at all.
const few = 4

func (f *found) add(what fact, c candidate) {
	if c.text == "" || len(f[what]) >= most {
		return
	}
	list := f[what]
	if list == nil {
		list = make([]candidate, 0, few)
	}
	i := len(list)
	for i > 0 && list[i-1].rank > c.rank {
		i--
	}
	f[what] = slices.Insert(list, i, c)
}

// first is the best claim for a fact after cleaning, and its source.
func (f *found) first(what fact, clean func(string) string) (text, source string) {
	for i := range f[what] {
		c := &f[what][i]
		if t := clean(c.text); t != "" {
			return t, c.from
		}
	}
	return "", ""
}

// stretch is a part of the page's text.
type stretch struct{ from, to int }

// around is where byline and dateline may stand: a little before the
// headline, and from it into the first paragraphs of the body.
func (p *page) around() (before, after stretch) {
	const ahead, behind, longRow, longRows = 1500, 400, 250, 2
	all := p.d.AllText()
	from, to := 0, 0
	if p.headline != dom.None {
		from, to = p.d.Span(p.headline)
	}
	before = stretch{max(0, from-behind), from}
	after = stretch{to, min(len(all), to+ahead)}
	if p.opts.Body != dom.None {
		if at, _ := p.d.Span(p.opts.Body); at > to {
			after.to = min(len(all), at+200)
			return before, after
		}
	}
	seen := 0
	for at := to; at < after.to; {
		end := strings.IndexByte(all[at:], '\n')
		if end < 0 {
			break
		}
		if end >= longRow {
			if seen++; seen == longRows {
				after.to = at + end
				break
			}
		}
		at += end + 1
	}
	return before, after
}

// holds reports whether the text of n begins inside the stretch.
func (s stretch) holds(d *dom.Document, n dom.Node) bool {
	at, _ := d.Span(n)
	return s.from <= at && at < s.to
}

// rows goes through the rows of the stretch and where they begin. The first
// and the last may be cut, but never inside a character.
func (s stretch) rows(d *dom.Document) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		all := d.AllText()
		at, to := s.from, s.to
		for at < to && !utf8.RuneStart(all[at]) {
			at++
		}
		for at < to && to < len(all) && !utf8.RuneStart(all[to]) {
			to--
		}
		for at < to {
			row := all[at:to]
			if i := strings.IndexByte(row, '\n'); i >= 0 {
				row = row[:i]
			}
			if row != "" && !yield(at, row) {
				return
			}
			at += len(row) + 1
		}
	}
}
