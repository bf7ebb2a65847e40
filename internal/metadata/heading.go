package metadata

import (
	"html"
	"strings"

	"github.com/lede-news/lede/dom"
)

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
