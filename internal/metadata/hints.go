package metadata

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// hint is an element whose attributes say what it may be.
type hint struct {
	node dom.Node
	rank uint8 // lower is more specific
}

// bylineHints lists the elements of a stretch that the page calls a byline,
// the most specific first.
func (p *page) bylineHints(s stretch) []hint {
	var out []hint
	if s.from >= s.to {
		return nil
	}
	const mostHints = 500
	tried := 0
	start := p.nodeAt(s.from - 1) // the nodes that begin right at s.from come after it
	for n, end := start, p.nodeAt(s.to); n <= end; n++ {
		tag := p.d.Tag(n)
		if tag == dom.Text || !s.holds(p.d, n) || p.showsNothing(n) {
			continue
		}
		best := uint8(0)
		for k, v := range p.d.Attrs(n) {
			if r := bylineRank(tag, k, v); r > 0 && (best == 0 || r < best) {
				best = r
			}
		}
		if best == 0 {
			continue
		}
		if tried++; tried > mostHints {
			break
		}
		if !p.othersWords(n) {
			out = append(out, hint{n, best})
		}
	}
	slices.SortStableFunc(out, func(a, b hint) int { return int(a.rank) - int(b.rank) })
	return out
}

// showsNothing reports whether an element has no text, which is quicker to see
// than what it is called.
func (p *page) showsNothing(n dom.Node) bool {
	from, to := p.d.Span(n)
	return from == to
}

// othersWords reports whether a node stands where somebody else speaks: in
// comments, reviews of customers, or the credit of a picture.
func (p *page) othersWords(n dom.Node) bool {
	for a := range p.d.Ancestors(n) {
		switch p.d.Tag(a) {
		case dom.Figure, dom.Figcaption, dom.Nav:
			return true
		case dom.Body:
			return false
		}
		for k, v := range p.d.Attrs(a) {
			if (k == "class" || k == "id") && len(v) < 400 && containsWord(strings.ToLower(v), "comment", "reply", "replies", "testimonial", "customer", "caption") {
				return true
			}
		}
	}
	return false
}

// bylineRank says how surely an attribute marks a byline: 1 is best, 0 not at all.
func bylineRank(tag dom.Tag, key, value string) uint8 {
	switch key {
	case "rel":
		if tag == dom.A && strings.Contains(value, "author") {
			return 1
		}
		return 0
	case "href":
		if tag == dom.A && authorPath(value) {
			return 2
		}
		return 0
	case "class", "id", "data-testid", "data-qa":
	default:
		return 0
	}
	if len(value) > 400 || !strings.Contains(value, "uthor") && !strings.Contains(value, "yline") &&
		!strings.Contains(value, "riter") && !strings.Contains(value, "reator") {
		return 0
	}
	value = strings.ToLower(value)
	switch {
	case strings.Contains(value, "comment"), strings.Contains(value, "authori"): // authority, authorization
		return 0
	case containsWord(value, "author-name", "author_name", "authorname", "byline-name", "byline__name", "author__name", "author-link", "author_link", "creator-name"):
		return 2
	case containsWord(value, "author"), strings.Contains(value, "byline"):
		return 3
	case containsWord(value, "writer"):
		return 4
	}
	return 0
}

// authorPath reports whether an address is that of a page about an author:
// /author/ann-lee.
func authorPath(href string) bool {
	href, _, _ = strings.Cut(href, "?")
	href = strings.TrimRight(href, "/")
	i := strings.LastIndexByte(href, '/')
	if i <= 0 || i == len(href)-1 {
		return false
	}
	folder := href[strings.LastIndexByte(href[:i], '/')+1 : i]
	return len(folder) <= bylineWords().longPath && bylineWords().path[strings.ToLower(folder)]
}

// dateHints lists the elements that the page calls a date, in its order.
func (p *page) dateHints() []dom.Node {
	var out []dom.Node
	for n := range dom.Node(p.d.Len()) {
		if p.d.IsText(n) || p.showsNothing(n) {
			continue
		}
		for k, v := range p.d.Attrs(n) {
			if (k == "class" || k == "id") && isDateName(v) {
				if chars := p.d.Chars(n); chars > 0 && chars <= 120 {
					out = append(out, n)
				}
				break
			}
		}
	}
	return out
}

func isDateName(value string) bool {
	if len(value) < 4 || len(value) > 400 {
		return false
	}
	if !strings.Contains(value, "ate") && !strings.Contains(value, "ime") && !strings.Contains(value, "ublish") && !strings.Contains(value, "osted") {
		return false
	}
	value = strings.ToLower(value)
	if strings.Contains(value, "update") && !strings.Contains(value, "publish") {
		return false
	}
	return containsWord(value, "date", "time", "publish", "pubdate", "posted", "pubtime")
}
