package metadata

import (
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// visibleHeadline is the heading that shows the title, and its words.
func (p *page) visibleHeadline(claims []claim) (dom.Node, string) {
	if n := p.opts.Title; n != dom.None {
		if t := foldSpace(p.d.Text(n)); t != "" && len(t) < 500 && !p.isSite(t) {
			return n, t
		}
	}
	best, lone, h1s := heading{node: dom.None}, heading{node: dom.None}, 0
	for _, n := range p.headings {
		if p.d.Tag(n) != dom.H1 || p.d.Chars(n) > mostChars {
			continue
		}
		h := heading{node: n, text: foldSpace(p.d.Text(n))}
		if p.isLogo(n, h.text) {
			continue
		}
		lone, h1s = h, h1s+1
		p.rate(&h, claims)
		if h.score >= 0.5 && h.score > best.score {
			best = h
		}
	}
	if best.score >= 0.8 {
		return best.node, best.text
	}
	for _, n := range p.headings {
		if p.d.Tag(n) == dom.H1 || p.d.Chars(n) > mostChars {
			continue
		}
		h := heading{node: n, text: foldSpace(p.d.Text(n))}
		p.rate(&h, claims)
		h.score -= 0.03 * float64(p.d.Tag(n)-dom.H1)
		if h.score >= 0.7 && h.score > best.score {
			best = h
		}
	}
	if best.node != dom.None {
		return best.node, best.text
	}
	told := len(claims) > 0 && !claims[0].bare
	if h1s == 1 && (!told || len(words(lone.text)) >= 3) {
		return lone.node, lone.text
	}
	if !told {
		return p.firstHeading()
	}
	return dom.None, ""
}

// firstHeading is the best guess on a page that does not tell its title.
func (p *page) firstHeading() (dom.Node, string) {
	for _, n := range p.headings {
		t := foldSpace(p.d.Text(n))
		if p.d.Chars(n) <= mostChars && enough(t) && !p.isLogo(n, t) && !p.d.InLink(n) &&
			p.d.Closest(n, dom.Nav, dom.Aside, dom.Footer) == dom.None {
			return n, t
		}
	}
	return dom.None, ""
}

// mostChars is more than any headline has.
const mostChars = 400

// heading is one that may be the headline.
type heading struct {
	node  dom.Node
	text  string
	score float64
}

// rate says how well a heading fits what the page claims.
func (p *page) rate(h *heading, claims []claim) {
	h.text = p.core(h.node, h.text, claims)
	h.score = closeness(h.text, claims)
	if p.d.Closest(h.node, dom.Nav, dom.Aside, dom.Footer) != dom.None {
		h.score -= 0.2
	}
}

// core is the part of a heading that the best claim names word for word, if
// there is one: beside it stand kickers, dates, counts of comments or the
// name of the site.
func (p *page) core(n dom.Node, text string, claims []claim) string {
	key := fold(text)
	for i := range claims {
		c := &claims[i]
		switch {
		case c.from == fromMicrodata: // what a heading says of itself
		case c.key == key || c.whole == key:
			return text
		case len(c.words) >= 3 && strings.Contains(key, c.key):
			if part := p.partOf(n, text, c.key); part != "" {
				return part
			}
		}
	}
	return text
}

// partOf finds the element, the row or the side of a seam that has the key.
func (p *page) partOf(n dom.Node, text, key string) string {
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
	for _, j := range seams(text) {
		for _, part := range [...]string{text[:j.from], text[j.to:]} {
			if fold(part) == key {
				return part
			}
		}
	}
	return ""
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
func closeness(heading string, claims []claim) float64 {
	w, key := words(heading), fold(heading)
	best := 0.0
	for i := range claims {
		c := &claims[i]
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
