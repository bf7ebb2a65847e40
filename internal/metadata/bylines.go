package metadata

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// visibleByline returns the byline near the headline that the markup or a word
// such as "by" identifies. If another source names an author, if only by a
// login, the byline must be certain. If no source names one, the whole page is
// searched for a single author.
func (p *page) visibleByline(fallback byline) byline {
	before, after := p.nearHeadline()
	noNames := fallback.isEmpty()
	worst := uint8(lowestRank)
	if len(fallback.authors) > 0 {
		worst = certainRank
	}
	for _, in := range [...]textRange{after, before} {
		if list := p.bylineInElements(p.bylineElements(in), worst); list.persons > 0 && (worst > certainRank || list.persons == 1) || noNames && len(list.authors) > 0 {
			return list
		}
	}
	for _, in := range [...]textRange{after, before} {
		if list := p.bylineInText(in); list.persons > 0 || noNames && len(list.authors) > 0 {
			return list
		}
	}
	if !noNames {
		return byline{}
	}
	if list := p.bylineWithRole(after); len(list.authors) > 0 {
		return list
	}
	whole := p.text()
	elements := p.bylineElements(whole)
	for _, worst := range [...]uint8{certainRank, lowestRank} {
		if list := p.bylineInElements(elements, worst); len(list.authors) == 1 {
			return list
		}
	}
	if list := p.bylineInText(textRange{after.to, whole.to}); list.persons == 1 {
		return list
	}
	return byline{}
}

// Ranks of byline elements: the last that contains nothing but a name, and the
// lowest.
const certainRank, lowestRank = 2, 4

// bylineInElements returns the byline in the most specific elements that name an
// author, down to the rank worst.
func (p *page) bylineInElements(elements []bylineElement, worst uint8) byline {
	var list byline
	rank := uint8(0)
	for _, e := range elements {
		if e.rank > worst {
			break
		}
		if p.d.Chars(e.node) == 0 || p.d.Chars(e.node) > 200 {
			continue
		}
		if len(list.authors) > 0 && e.rank != rank {
			break
		}
		rank = e.rank
		more := p.bylineInElement(e.node)
		if rank > certainRank && more.persons == 0 {
			continue // a single word is too vague
		}
		list.merge(more)
	}
	return list
}

// bylineInElement returns the byline in the first line of an element that names
// an author.
func (p *page) bylineInElement(n dom.Node) (list byline) {
	c := candidate{}
	if p.d.Tag(n) == dom.A {
		c.url = p.d.Attr(n, "href")
	}
	for c.text = range strings.SplitSeq(p.d.Text(n), "\n") {
		if list.add(p, &c, true); !list.isEmpty() {
			break
		}
	}
	return list
}

// bylineInText returns the authors of a line such as "By Ann Lee". The word may
// follow a date, and the name may be in the next element.
func (p *page) bylineInText(in textRange) byline {
	for at, line := range in.lines(p.d) {
		const maxLine = 120
		if len(line) > maxLine {
			continue
		}
		name, ok := afterBy(line)
		if !ok {
			continue
		}
		n := p.nodeAt(at)
		if p.d.InLink(n) || p.d.Closest(n, dom.Nav, dom.Footer, dom.Figure) != dom.None {
			continue // "By product" and "By topic" are menu items
		}
		var list byline
		if name != "" {
			list.add(p, &candidate{text: cutAfterNames(name)}, true)
		}
		if list.persons == 0 {
			list = p.namesAfterBy(n)
		}
		if list.persons > 0 || len(list.authors) > 0 && name == "" {
			return list
		}
	}
	return byline{}
}

// namesAfterBy returns the names in the text nodes after "by": links, separated
// by commas or "and".
func (p *page) namesAfterBy(n dom.Node) byline {
	const reach = 12
	var list byline
	introduced := false
	for end := min(p.d.Len(), int(n)+4*reach); int(n) < end && len(list.authors) < reach; n++ {
		if !p.d.IsText(n) || p.d.Chars(n) == 0 {
			continue
		}
		text := strings.TrimSpace(p.d.Text(n))
		switch {
		case !introduced:
			if introduced = isCertainBy(text); !introduced {
				return list
			}
		case isConjunction(text):
		default:
			before := len(list.authors)
			c := candidate{text: text}
			if link := p.d.Closest(n, dom.A); link != dom.None {
				c.url = p.d.Attr(link, "href")
			}
			if list.add(p, &c, true); len(list.authors) == before {
				return list
			}
			if c.url == "" {
				return list // without links, one text has all names
			}
		}
	}
	return list
}

// isConjunction reports whether a text only separates two names.
func isConjunction(s string) bool {
	s = strings.Trim(s, " ,;&/|")
	return s == "" || bylineWords().and[strings.ToLower(s)]
}

// bylineWithRole returns the author of a line such as "Ann Lee | Senior writer",
// or of two lines with the name and the role.
func (p *page) bylineWithRole(in textRange) byline {
	const maxLines = 8
	last, seen := "", 0
	for _, line := range in.lines(p.d) {
		if seen++; seen > maxLines {
			break
		}
		name, role, split := strings.Cut(line, "|")
		if !split {
			name, role = last, line
		}
		last = line
		name, role = strings.TrimSpace(name), strings.TrimSpace(role)
		if role, _, _ = strings.Cut(role, "|"); len(name) > 40 || len(role) > 40 || !isJobTitle(role) || !looksLikeName(name) || hasRole(name) {
			continue
		}
		var list byline
		if list.add(p, &candidate{text: name}, true); list.persons > 0 {
			return list
		}
	}
	return byline{}
}

// bylineElement is an element whose attributes mark it as a byline.
type bylineElement struct {
	node dom.Node
	rank uint8 // a lower rank is more specific
}

// bylineElements returns the byline elements of a range, the most specific first.
func (p *page) bylineElements(r textRange) []bylineElement {
	var out []bylineElement
	if r.from >= r.to {
		return nil
	}
	const maxElements = 500
	tried := 0
	// The nodes that begin at r.from come after the one at r.from - 1.
	for n, end := p.nodeAt(r.from-1), p.nodeAt(r.to); n <= end; n++ {
		tag := p.d.Tag(n)
		if tag == dom.Text || !r.contains(p.d, n) || p.isEmpty(n) {
			continue
		}
		best := uint8(0)
		for k, v := range p.d.Attrs(n) {
			if rank := bylineRank(tag, k, v); rank > 0 && (best == 0 || rank < best) {
				best = rank
			}
		}
		if best == 0 {
			continue
		}
		if tried++; tried > maxElements {
			break
		}
		if !p.isThirdParty(n) {
			out = append(out, bylineElement{n, best})
		}
	}
	slices.SortStableFunc(out, func(a, b bylineElement) int { return int(a.rank) - int(b.rank) })
	return out
}

// isEmpty reports whether an element has no text. This is cheaper to test than
// its attributes.
func (p *page) isEmpty(n dom.Node) bool {
	from, to := p.d.Span(n)
	return from == to
}

// isThirdParty reports whether a node is in comments, customer reviews, a figure
// or navigation.
func (p *page) isThirdParty(n dom.Node) bool {
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

// bylineRank returns how certainly an attribute marks a byline, from 1 (the most)
// to lowestRank, or 0 if it does not.
func bylineRank(tag dom.Tag, key, value string) uint8 {
	switch key {
	case "rel":
		if tag == dom.A && strings.Contains(value, "author") {
			return 1
		}
		return 0
	case "href":
		if tag == dom.A && isAuthorPath(value) {
			return 2
		}
		return 0
	case "class", "id", "data-testid", "data-qa":
	default:
		return 0
	}
	if len(value) > 400 || !containsAny(value, "uthor", "yline", "riter", "reator") {
		return 0
	}
	value = strings.ToLower(value)
	switch {
	case containsAny(value, "comment", "authori"): // authority, authorization
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

// isAuthorPath reports whether an address is that of an author's page, such as
// /author/ann-lee.
func isAuthorPath(href string) bool {
	href, _, _ = strings.Cut(href, "?")
	href = strings.TrimRight(href, "/")
	i := strings.LastIndexByte(href, '/')
	if i <= 0 || i == len(href)-1 {
		return false
	}
	folder := href[strings.LastIndexByte(href[:i], '/')+1 : i]
	return len(folder) <= bylineWords().longPath && bylineWords().path[strings.ToLower(folder)]
}
