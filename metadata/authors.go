package metadata

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// chooseAuthors is those named by the best source that names somebody. The
// site itself is an author only if nobody else is.
func (p *page) chooseAuthors(site string) (authors []article.Author, source string) {
	var fallback []article.Author
	fallbackFrom := ""
	settle := func(list byline, from string) bool {
		if len(list.people) > 0 {
			authors, source = list.people, from
			return true
		}
		if fallback == nil && len(list.houses) > 0 {
			fallback, fallbackFrom = list.houses, from
		}
		return false
	}
	claims := p.found[ofAuthor]
	for i := 0; i < len(claims); {
		var list byline
		from, rank := claims[i].from, claims[i].rank
		for ; i < len(claims) && claims[i].rank == rank && claims[i].from == from; i++ {
			list.add(p, claims[i].text, claims[i].url, false)
		}
		if settle(list, from) {
			return authors, source
		}
	}
	if settle(p.visibleByline(), fromHTML) {
		return authors, source
	}
	return fallback, fallbackFrom
}

// byline is the authors that one source names.
type byline struct {
	people []article.Author
	houses []article.Author // names of the site
}

// add takes a byline apart and adds everybody who is not there yet.
func (b *byline) add(p *page, text, address string, visible bool) {
	names := splitNames(text, visible)
	for _, name := range names {
		const mostAuthors = 20
		if len(b.people) >= mostAuthors {
			return
		}
		a := article.Author{Name: name}
		if len(names) == 1 && address != "" {
			a.URL = p.resolve(address)
		}
		if p.isHouse(name) {
			b.houses = addOnce(b.houses, a)
		} else {
			b.people = addOnce(b.people, a)
		}
	}
}

func (b *byline) merge(o byline) {
	for _, a := range o.people {
		b.people = addOnce(b.people, a)
	}
	for _, a := range o.houses {
		b.houses = addOnce(b.houses, a)
	}
}

// addOnce keeps names apart whatever their case.
func addOnce(list []article.Author, a article.Author) []article.Author {
	i := slices.IndexFunc(list, func(b article.Author) bool { return strings.EqualFold(a.Name, b.Name) })
	if i < 0 {
		return append(list, a)
	}
	if list[i].URL == "" {
		list[i].URL = a.URL
	}
	return list
}

// isHouse reports whether a name is that of the site.
func (p *page) isHouse(name string) bool {
	key := fold(name)
	if slices.Contains(p.siteNames(), key) {
		return true
	}
	return strings.Contains(name, ".") && !strings.Contains(name, " ") && p.isSite(name)
}

// visibleByline reads the byline near the headline.
func (p *page) visibleByline() byline {
	first, last := p.around()
	for _, in := range [...]stretch{last, first} {
		var list byline
		rank := uint8(0)
		for _, h := range p.bylineHints(in) {
			if p.d.Chars(h.node) == 0 || p.d.Chars(h.node) > 200 {
				continue
			}
			if len(list.people) > 0 && h.rank != rank {
				break
			}
			rank = h.rank
			var more byline
			p.addRows(&more, h.node)
			const sure = 2
			if rank > sure && !slices.ContainsFunc(more.people, func(a article.Author) bool { return !oneWord(a.Name) }) {
				continue // a single word may be anything
			}
			list.merge(more)
		}
		if len(list.people) > 0 {
			return list
		}
	}
	// "By Ann Lee" in a row of its own.
	for at, row := range last.rows(p.d) {
		if len(row) > 120 || dropBy(row) == row || p.d.InLink(p.nodeAt(at)) {
			continue // "By product", "By topic" are links of a menu
		}
		var list byline
		if list.add(p, row, "", true); len(list.people) > 0 && !oneWord(list.people[0].Name) {
			return list
		}
	}
	return byline{}
}

// addRows adds the first row of an element that names somebody.
func (p *page) addRows(list *byline, n dom.Node) {
	address := ""
	if p.d.Tag(n) == dom.A {
		address = p.d.AttrOr(n, "href")
	}
	for row := range strings.SplitSeq(p.d.Text(n), "\n") {
		before := len(list.people) + len(list.houses)
		if list.add(p, row, address, true); len(list.people)+len(list.houses) > before {
			return
		}
	}
}
