package metadata

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
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
