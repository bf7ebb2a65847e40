package metadata

import (
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
