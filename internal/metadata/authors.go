package metadata

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// chooseAuthors is those named by the best source that names a person. A
// group, a single word that may be a login, and the site itself are authors
// only if nobody else is.
func (p *page) chooseAuthors(site string) (authors []article.Author, source string) {
	var spare byline
	spareFrom := ""
	claims := p.found[ofAuthor]
	for i := 0; i < len(claims); {
		var list byline
		from, rank := claims[i].from, claims[i].rank
		for ; i < len(claims) && claims[i].rank == rank && claims[i].from == from; i++ {
			list.add(p, &claims[i], false)
		}
		if list.persons > 0 {
			return list.people, from
		}
		if list.better(spare) {
			spare, spareFrom = list, from
		}
	}
	list := p.visibleByline(spare)
	if list.persons > 0 {
		return list.people, fromHTML
	}
	if list.better(spare) {
		spare, spareFrom = list, fromHTML
	}
	if len(spare.people) > 0 {
		return spare.people, spareFrom
	}
	if len(spare.houses) > 0 {
		return spare.houses, spareFrom
	}
	return nil, ""
}

// byline is the authors that one source names.
type byline struct {
	people  []article.Author
	persons int              // of people, those with the full name of a person
	houses  []article.Author // names of the site
}

// better reports whether b names somebody where o names nobody.
func (b *byline) better(o byline) bool {
	return len(b.people) > 0 && len(o.people) == 0 || len(b.houses) > 0 && len(o.people)+len(o.houses) == 0
}

// add takes a byline apart and adds everybody who is not there yet.
func (b *byline) add(p *page, c *candidate, visible bool) {
	names := splitNames(c.text, visible)
	if c.group && len(names) > 1 {
		names = []string{tidy(c.text)} // "Research and Markets" is one
	}
	for _, name := range names {
		const mostAuthors = 20
		if len(b.people) >= mostAuthors {
			return
		}
		a := article.Author{Name: name}
		if len(names) == 1 && c.url != "" {
			a.URL = p.resolve(c.url)
		}
		if p.isHouse(name) {
			b.houses, _ = addOnce(b.houses, a)
			continue
		}
		var fresh bool
		if b.people, fresh = addOnce(b.people, a); fresh && !c.group && !oneWord(name) {
			b.persons++
		}
	}
}

func (b *byline) merge(o byline) {
	for _, a := range o.people {
		var fresh bool
		if b.people, fresh = addOnce(b.people, a); fresh && !oneWord(a.Name) {
			b.persons++
		}
	}
	for _, a := range o.houses {
		b.houses, _ = addOnce(b.houses, a)
	}
}

// addOnce keeps names apart whatever their case.
func addOnce(list []article.Author, a article.Author) (all []article.Author, fresh bool) {
	i := slices.IndexFunc(list, func(b article.Author) bool { return strings.EqualFold(a.Name, b.Name) })
	if i < 0 {
		return append(list, a), true
	}
	if list[i].URL == "" {
		list[i].URL = a.URL
	}
	return list, false
}

// isHouse reports whether a name is that of the site.
func (p *page) isHouse(name string) bool {
	key := fold(name)
	if slices.Contains(p.siteNames(), key) {
		return true
	}
	return strings.Contains(name, ".") && !strings.Contains(name, " ") && p.isSite(name)
}

// visibleByline reads the byline that readers see: near the headline where
// the markup or a word such as "by" says so. Where another source names
// somebody, if only by a login, it must be sure. Where no source names anybody
// the whole page is searched, and believed if it has one author.
func (p *page) visibleByline(spare byline) byline {
	before, after := p.around()
	nobody := len(spare.people)+len(spare.houses) == 0
	worst := uint8(worstHint)
	if len(spare.people) > 0 {
		worst = sureHint
	}
	for _, in := range [...]stretch{after, before} {
		if list := p.hintedByline(p.bylineHints(in), worst); list.persons > 0 && (worst > sureHint || list.persons == 1) || nobody && len(list.people) > 0 {
			return list
		}
	}
	for _, in := range [...]stretch{after, before} {
		if list := p.spokenByline(in); list.persons > 0 || nobody && len(list.people) > 0 {
			return list
		}
	}
	if !nobody {
		return byline{}
	}
	if list := p.titledByline(after); len(list.people) > 0 {
		return list
	}
	whole := stretch{0, len(p.d.AllText())}
	hints := p.bylineHints(whole)
	for _, worst := range [...]uint8{sureHint, worstHint} {
		if list := p.hintedByline(hints, worst); len(list.people) == 1 {
			return list
		}
	}
	if list := p.spokenByline(stretch{after.to, whole.to}); list.persons == 1 {
		return list
	}
	return byline{}
}

// The rank of hints that mean a name and nothing else, and of the last.
const sureHint, worstHint = 2, 4

// hintedByline reads the elements that the page calls a byline; of these the
// most specific that name somebody.
func (p *page) hintedByline(hints []hint, worst uint8) byline {
	var list byline
	rank := uint8(0)
	for _, h := range hints {
		if h.rank > worst {
			break
		}
		if p.d.Chars(h.node) == 0 || p.d.Chars(h.node) > 200 {
			continue
		}
		if len(list.people) > 0 && h.rank != rank {
			break
		}
		rank = h.rank
		var more byline
		p.addRows(&more, h.node)
		if rank > sureHint && more.persons == 0 {
			continue // a single word may be anything
		}
		list.merge(more)
	}
	return list
}

// addRows adds the first row of an element that names somebody.
func (p *page) addRows(list *byline, n dom.Node) {
	c := candidate{}
	if p.d.Tag(n) == dom.A {
		c.url = p.d.AttrOr(n, "href")
	}
	for c.text = range strings.SplitSeq(p.d.Text(n), "\n") {
		before := len(list.people) + len(list.houses)
		if list.add(p, &c, true); len(list.people)+len(list.houses) > before {
			return
		}
	}
}

// spokenByline is "By Ann Lee" in a row of its own, after a date, or with the
// name in the next element.
func (p *page) spokenByline(in stretch) byline {
	for at, row := range in.rows(p.d) {
		const longRow = 120
		if len(row) > longRow {
			continue
		}
		name, ok := afterBy(row)
		if !ok {
			continue
		}
		n := p.nodeAt(at)
		if p.d.InLink(n) || p.d.Closest(n, dom.Nav, dom.Footer, dom.Figure) != dom.None {
			continue // "By product", "By topic" are links of a menu
		}
		var list byline
		if name != "" {
			list.add(p, &candidate{text: cutRest(name)}, true)
		}
		if list.persons == 0 {
			list = p.nextName(n)
		}
		if list.persons > 0 || len(list.people) > 0 && name == "" {
			return list
		}
	}
	return byline{}
}

// nextName reads the names in the texts after one that ends in "by": links,
// with commas or "and" between them.
func (p *page) nextName(n dom.Node) byline {
	const reach = 12
	var list byline
	spoken := false
	for end := min(p.d.Len(), int(n)+4*reach); int(n) < end && len(list.people) < reach; n++ {
		if !p.d.IsText(n) || p.d.Chars(n) == 0 {
			continue
		}
		text := strings.TrimSpace(p.d.Text(n))
		switch {
		case !spoken:
			if spoken = saysBy(text); !spoken {
				return list
			}
		case joins(text):
		default:
			before := len(list.people)
			c := candidate{text: text}
			if link := p.d.Closest(n, dom.A); link != dom.None {
				c.url = p.d.AttrOr(link, "href")
			}
			if list.add(p, &c, true); len(list.people) == before {
				return list
			}
			if c.url == "" {
				return list // plain words name all at once
			}
		}
	}
	return list
}

// joins reports whether a text does nothing but stand between two names.
func joins(s string) bool {
	s = strings.Trim(s, " ,;&/|")
	return s == "" || bylineWords().and[strings.ToLower(s)]
}

// titledByline is a name with what its bearer does: "Ann Lee | Senior writer",
// or the same in two rows.
func (p *page) titledByline(in stretch) byline {
	const few = 8
	last, seen := "", 0
	for _, row := range in.rows(p.d) {
		if seen++; seen > few {
			break
		}
		name, role, split := strings.Cut(row, "|")
		if !split {
			name, role = last, row
		}
		last = row
		name, role = strings.TrimSpace(name), strings.TrimSpace(role)
		if role, _, _ = strings.Cut(role, "|"); len(name) > 40 || len(role) > 40 || !onlyRole(role) || !looksLikeName(name) || isRole(name) {
			continue
		}
		var list byline
		if list.add(p, &candidate{text: name}, true); list.persons > 0 {
			return list
		}
	}
	return byline{}
}

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
