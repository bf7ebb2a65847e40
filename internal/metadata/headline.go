package metadata

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// visibleHeadline is the heading that shows the title, and its words. What a
// method took for the headline is looked at like an <h1>.
func (p *page) visibleHeadline(claims []claim) (dom.Node, string) {
	best, lone, crumb, h1s := noHeading, noHeading, noHeading, 0
	given := p.givenHeadline(claims)
	for _, n := range p.headings {
		if p.d.Tag(n) != dom.H1 || p.d.Chars(n) > mostChars {
			continue
		}
		h := heading{node: n, text: p.headingText(n)}
		if p.isLogo(n, h.text) {
			continue
		}
		p.rate(&h, claims)
		if p.isCrumb(n) {
			crumb = h
			continue
		}
		lone, h1s = h, h1s+1
		if h.score >= 0.5 && h.score > best.score {
			best = h
		}
	}
	if given.score >= 0.5 && given.score > best.score {
		best = given
	}
	if best.score < 0.8 {
		best = p.lowerHeading(claims, best, lone)
	}
	if best.node != dom.None {
		return best.node, best.text
	}
	told := len(claims) > 0 && !claims[0].bare
	switch {
	case given.node != dom.None && (!told || given.score >= 0.3):
		return given.node, given.text
	case h1s == 1 && (!told || countWords(lone.text, 3) == 3):
		return lone.node, lone.text
	case crumb.score >= 0.8:
		return crumb.node, crumb.text
	case !told:
		return p.firstHeading()
	}
	return dom.None, ""
}

// givenHeadline is the one that a method chose, rated.
func (p *page) givenHeadline(claims []claim) heading {
	n := p.opts.Title
	if n == dom.None {
		return noHeading
	}
	h := heading{node: n, text: p.headingText(n)}
	if h.text == "" || len(h.text) >= 500 || p.isLogo(n, h.text) || p.isCrumb(n) {
		return noHeading
	}
	p.rate(&h, claims)
	return h
}

// lowerHeading finds a better one among the headings below <h1>. Those that
// stand after the first <h1> and some prose are of parts of the story.
func (p *page) lowerHeading(claims []claim, best, lone heading) heading {
	for _, n := range p.headings {
		if p.d.Tag(n) == dom.H1 || p.d.Chars(n) > mostChars {
			continue
		}
		h := heading{node: n, text: p.headingText(n)}
		p.rate(&h, claims)
		h.score -= 0.03 * float64(p.d.Tag(n)-dom.H1)
		if h.score >= 0.7 && h.score > best.score && !p.isCrumb(n) && !p.proseBetween(lone.node, n) {
			best = h
		}
	}
	return best
}

// proseBetween reports whether a paragraph stands between two nodes.
func (p *page) proseBetween(a, b dom.Node) bool {
	if a == dom.None || a > b {
		return false
	}
	const paragraph = 200
	_, from := p.d.Span(a)
	to, _ := p.d.Span(b)
	for _, row := range (stretch{from, to}).rows(p.d) {
		if len(row) >= paragraph {
			return true
		}
	}
	return false
}

// firstHeading is the best guess on a page that does not tell its title.
func (p *page) firstHeading() (dom.Node, string) {
	for _, n := range p.headings {
		t := p.headingText(n)
		if p.d.Chars(n) <= mostChars && enough(t) && !p.isLogo(n, t) && !p.d.InLink(n) &&
			p.d.Closest(n, dom.Nav, dom.Aside, dom.Footer) == dom.None {
			return n, t
		}
	}
	return dom.None, ""
}

// withKicker puts the kicker above a headline before it if the page's own
// title does: "Harbour strike: Cranes stand still".
func (p *page) withKicker(n dom.Node, text string, claims []claim) string {
	key := fold(text)
	from, _ := p.d.Span(n)
	above := p.d.AllText()[max(0, from-200):from]
	for i := range claims {
		c := &claims[i]
		if len(c.key) <= len(key) || !strings.HasSuffix(c.key, key) {
			continue
		}
		for _, j := range seams(c.text) {
			if !j.weak || fold(c.text[j.to:]) != key {
				continue
			}
			if kicker := fold(c.text[:j.from]); kicker != "" && strings.HasSuffix(fold(above), kicker) {
				return c.text
			}
		}
	}
	return text
}

// isLogo reports whether a heading is the name of the site on top of the page.
func (p *page) isLogo(n dom.Node, text string) bool {
	if p.isSite(text) {
		return true
	}
	link := p.d.Closest(n, dom.A)
	if link == dom.None {
		for a := range p.d.All(n, dom.A) {
			if p.d.Text(a) == p.d.Text(n) {
				link = a
			}
			break
		}
	}
	if link == dom.None {
		return false
	}
	href := strings.TrimSpace(p.d.AttrOr(link, "href"))
	if href == "/" {
		return true
	}
	u := absolute(p.resolve(href))
	return u != nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == ""
}

// closeness says how well a heading fits the best of the claims, from 0 to 1.
func closeness(heading, key string, claims []claim) float64 {
	w := words(heading)
	best := 0.0
	for i := range claims {
		c := &claims[i]
		if c.twin {
			continue // it cannot be closer than the earlier one
		}
		s := overlap(w, c.words)
		// One that goes on where the other was cut is as good as the same.
		short, long := key, c.key
		if len(short) > len(long) {
			short, long = long, short
		}
		if utf8.RuneCountInString(short) >= 12 && strings.Contains(long, short) {
			s = max(s, 0.75)
			if strings.HasPrefix(long, short) {
				s = max(s, 0.85)
			}
		}
		// The first claims are the most believable.
		s -= 0.01 * float64(min(i, 5))
		best = max(best, s)
	}
	return best
}

// mostChars is more than any headline has.
const mostChars = 400

// heading is one that may be the headline.
type heading struct {
	node  dom.Node
	text  string
	score float64
}

var noHeading = heading{node: dom.None}

// headingText is the words of a heading. Some pages encode them twice; what
// looks like a tag is meant to be read.
func (p *page) headingText(n dom.Node) string {
	return foldSpace(html.UnescapeString(clip(p.d.Text(n), 4*mostChars)))
}

// rate says how well a heading fits what the page claims.
func (p *page) rate(h *heading, claims []claim) {
	key := fold(h.text)
	if core := p.core(h.node, h.text, key, claims); core != h.text {
		h.text, key = core, fold(core)
	}
	h.score = closeness(h.text, key, claims)
	if p.d.Closest(h.node, dom.Nav, dom.Aside, dom.Footer) != dom.None {
		h.score -= 0.2
	}
}

// core is the part of a heading that the best claim names word for word, if
// there is one: beside it stand kickers, dates, counts of comments or the
// name of the site. A heading that some claim repeats in
// full is cut only where its markup says so.
func (p *page) core(n dom.Node, text, key string, claims []claim) string {
	whole := false // some claim repeats all of it
	for i := range claims {
		c := &claims[i]
		if c.from == fromMicrodata { // what a heading says of itself
			continue
		}
		if c.key == key || c.whole == key {
			if i == 0 && c.key == key {
				return text
			}
			whole = true
		}
	}
	for i := range claims {
		c := &claims[i]
		if c.from == fromMicrodata || len(c.words) < 3 {
			continue
		}
		if c.key != key && strings.Contains(key, c.key) {
			if part := p.pieceOf(n, c.key); part != "" {
				return part
			}
			if part := sideOf(text, c.key); part != "" && !whole {
				return part
			}
		}
		// The claim may have another kicker than the heading, or a section.
		for _, side := range [...]string{c.rest, c.head} {
			if !whole && side != "" && strings.HasSuffix(key, side) {
				if part := p.pieceOf(n, side); part != "" {
					return part
				}
			}
		}
	}
	return text
}

// sideOf finds the side of a seam that has the key.
func sideOf(text, key string) string {
	for _, j := range seams(text) {
		for _, part := range [...]string{text[:j.from], text[j.to:]} {
			if fold(part) == key {
				return part
			}
		}
	}
	return ""
}

// pieceOf finds the element or the row of a heading that has the key.
func (p *page) pieceOf(n dom.Node, key string) string {
	for c := n + 1; c < p.d.End(n); c++ {
		if part := p.d.Text(c); part != "" && fold(part) == key {
			return foldSpace(part)
		}
	}
	for row := range strings.SplitSeq(p.d.Text(n), "\n") {
		if fold(row) == key {
			return row
		}
	}
	return ""
}

// isCrumb reports whether a heading ends the row of links that leads to its
// page. Such a one says what search engines shall read; the headline is below.
func (p *page) isCrumb(n dom.Node) bool {
	const levels = 4
	up := 0
	for a := n; a > 0 && up < levels; a, up = p.d.Parent(a), up+1 {
		for k, v := range p.d.Attrs(a) {
			if k == "class" || k == "id" || strings.HasPrefix(k, "data-") || k == "itemtype" || k == "aria-label" {
				if crumbName(k) || crumbName(v) {
					return true
				}
			}
		}
		all, own := p.d.Counts(a), p.d.Counts(n)
		if all.Chars == own.Chars {
			continue
		}
		// Before it stand links alone, at least two, and nothing after it.
		return all.Links-own.Links >= 2 && all.LinkChars-own.LinkChars >= (all.Chars-own.Chars)*8/10 && p.endsWith(a, n)
	}
	return false
}

func crumbName(s string) bool {
	return strings.Contains(s, "crumb") || strings.Contains(s, "Crumb") || strings.Contains(s, "CRUMB")
}

// endsWith reports whether nothing is shown in a after n.
func (p *page) endsWith(a, n dom.Node) bool {
	_, end := p.d.Span(n)
	_, to := p.d.Span(a)
	return strings.TrimSpace(p.d.AllText()[min(end, to):to]) == ""
}
