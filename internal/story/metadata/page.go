package metadata

import (
	"cmp"
	"iter"
	"net/url"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// page is what one pass over the document collects.
type page struct {
	d          *dom.Document
	opts       Options
	candidates candidates
	offered    []Candidate // see offer

	own  *url.URL // address of the page, or nil
	base *url.URL // base of relative addresses, or nil
	host string   // host of the page without "www.", or empty

	htmlTitle string // cleaned text of <title>
	htmlLang  string
	byLabel   string // number of the twitter:label that means "written by"
	flags     flags
	headings  []dom.Node // h1 to h6 with visible text
	times     []dom.Node // <time> elements

	headline dom.Node                      // visible headline, set by chooseTitle
	dateNode dom.Node                      // that shows the date of publication, set by chooseDates
	names    []string                      // cache of siteNames
	bylines  map[textRange][]bylineElement // cache of elementsOf
	classes  []bylineRank                  // cache of rankOfName by the number of the class
}

func newPage(d *dom.Document, opts Options) *page {
	p := &page{d: d, opts: opts, headline: dom.None, dateNode: dom.None, bylines: map[textRange][]bylineElement{}}
	for _, n := range [...]*dom.Node{&p.opts.Title, &p.opts.Body, &p.opts.End} {
		if *n <= 0 || int(*n) >= d.Len() {
			*n = dom.None
		}
	}
	p.own = parseWebURL(opts.URL)
	p.base = p.own
	var scripts []string
	for n := dom.Node(0); int(n) < d.Len() && !opts.Steps.Done(); n++ {
		switch t := d.Tag(n); t {
		case dom.Text, dom.Root, dom.Br, dom.Style, dom.Head, dom.Body:
		case dom.HTML:
			p.htmlLang = cmp.Or(d.Attr(n, "lang"), d.Attr(n, "xml:lang"))
		case dom.Meta:
			p.readMeta(n)
		case dom.Link:
			p.readLink(n)
		case dom.Base:
			if href, err := url.Parse(strings.TrimSpace(d.Attr(n, "href"))); err == nil && p.base != nil {
				p.base = p.base.ResolveReference(href)
			} else if err == nil && href.IsAbs() {
				p.base = href
			}
		case dom.Title:
			if p.htmlTitle == "" {
				p.htmlTitle = cleanText(truncate(d.Raw(n), 2000))
			}
		case dom.Script:
			if kind, ok := d.LookupAttr(n, "type"); ok && strings.Contains(strings.ToLower(kind), "ld+json") {
				scripts = append(scripts, d.Raw(n))
			}
		default:
			p.readElement(n, t)
		}
	}
	if p.htmlTitle != "" {
		p.candidates.add(factTitle, candidate{text: p.htmlTitle, source: sourceHTML, rank: 7})
	}
	p.findHost()
	if len(scripts) > 0 {
		p.readJSONLD(scripts)
	}
	return p
}

// readElement collects candidates from an element of the body.
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
		if len(p.times) < maxCandidates {
			p.times = append(p.times, n)
		}
	}
	for k, v := range p.d.Attrs(n) {
		switch k {
		case "itemprop", "property":
			p.readProperty(n, v)
		case "itemtype":
			p.readType(schemaName(v))
		case "class", "id":
			if t == dom.Div || t == dom.Section || t == dom.Aside {
				p.readPaywallElement(n, v)
			}
		}
	}
}

// textRange is a range of the text of the page, in bytes.
type textRange struct{ from, to int }

// text returns the range of the whole text.
func (p *page) text() textRange { return textRange{0, len(p.d.AllText())} }

// nearHeadline returns the ranges that may contain the byline and the date: a
// short one before the headline, and one from it to the first paragraphs.
func (p *page) nearHeadline() (before, after textRange) {
	const ahead, behind, longLine, longLines = 1500, 400, 250, 2
	all := p.d.AllText()
	from, to := 0, 0
	if p.headline != dom.None {
		from, to = p.d.Span(p.headline)
	}
	before = textRange{max(0, from-behind), from}
	after = textRange{to, min(len(all), to+ahead)}
	seen := 0
	for at := to; at < after.to; {
		end := strings.IndexByte(all[at:], '\n')
		if end < 0 {
			break
		}
		if end >= longLine {
			if seen++; seen == longLines {
				after.to = at + end
				break
			}
		}
		at += end + 1
	}
	return before, after
}

// contains reports whether the text of n begins inside the range.
func (r textRange) contains(d *dom.Document, n dom.Node) bool {
	at, _ := d.Span(n)
	return r.from <= at && at < r.to
}

// lines iterates over the lines of the range and their positions. The first
// and the last line may be incomplete, but end at a rune boundary.
func (r textRange) lines(d *dom.Document) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		all := d.AllText()
		at, to := r.from, r.to
		for at < to && !utf8.RuneStart(all[at]) {
			at++
		}
		for at < to && to < len(all) && !utf8.RuneStart(all[to]) {
			to--
		}
		for at < to {
			line := all[at:to]
			if i := strings.IndexByte(line, '\n'); i >= 0 {
				line = line[:i]
			}
			if line != "" && !yield(at, line) {
				return
			}
			at += len(line) + 1
		}
	}
}

// nodeAt returns the node that shows the text at a position of AllText.
func (p *page) nodeAt(at int) dom.Node { return max(0, p.firstFrom(at+1)-1) }

// firstFrom returns the first node whose text begins at a position of AllText or after it, or
// Len. The positions of nodes ascend.
func (p *page) firstFrom(at int) dom.Node {
	return dom.Node(sort.Search(p.d.Len(), func(i int) bool {
		from, _ := p.d.Span(dom.Node(i))
		return from >= at
	}))
}
