package metadata

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
)

// chooseAuthors returns the authors named by the best source that names a person.
// An organization, a single word (which may be a login) or the site itself is an
// author only if there is no person.
func (p *page) chooseAuthors(lang string) (authors []article.Author, source string) {
	var fallback byline
	found := p.candidates[factAuthor]
	for i := 0; i < len(found); {
		list := byline{source: found[i].source}
		for rank := found[i].rank; i < len(found) && found[i].rank == rank && found[i].source == list.source; i++ {
			list.add(p, &found[i], false)
		}
		if list.persons > 0 {
			return list.authors, list.source
		}
		if list.better(fallback) {
			fallback = list
		}
	}
	list := p.eastAsianByline(lang)
	if list.persons == 0 {
		list = p.visibleByline(fallback)
	}
	list.source = sourceHTML
	if list.persons > 0 || list.better(fallback) {
		fallback = list
	}
	if len(fallback.authors) > 0 {
		return fallback.authors, fallback.source
	}
	return fallback.publishers, fallback.source
}

// byline is the authors that one source names.
type byline struct {
	authors    []article.Author
	persons    int              // number of authors with the full name of a person
	publishers []article.Author // names of the site
	source     string
}

func (b *byline) isEmpty() bool { return len(b.authors)+len(b.publishers) == 0 }

// better reports whether b has authors and o has none, or likewise publishers.
func (b *byline) better(o byline) bool {
	return len(b.authors) > 0 && len(o.authors) == 0 || !b.isEmpty() && o.isEmpty()
}

// add parses the text of a byline and adds the authors that are not in b yet.
func (b *byline) add(p *page, c *candidate, visible bool) {
	names := splitNames(c.text, visible)
	if c.group && len(names) > 1 {
		names = []string{cleanText(c.text)} // "Research and Markets" is one name
	}
	for _, name := range names {
		const maxAuthors = 20
		if len(b.authors) >= maxAuthors {
			return
		}
		a := article.Author{Name: name}
		if len(names) == 1 && c.url != "" {
			a.URL = p.resolve(c.url)
		}
		if p.isPublisher(name) {
			addAuthor(&b.publishers, a)
		} else if addAuthor(&b.authors, a) && !c.group && !isOneWord(name) && !isHanGroup(name) {
			b.persons++
		}
	}
}

func (b *byline) merge(o byline) {
	for _, a := range o.authors {
		if addAuthor(&b.authors, a) && !isOneWord(a.Name) {
			b.persons++
		}
	}
	for _, a := range o.publishers {
		addAuthor(&b.publishers, a)
	}
}

// addAuthor adds an author unless the list has the name already, in any case. It
// reports whether it did.
func addAuthor(list *[]article.Author, a article.Author) bool {
	i := slices.IndexFunc(*list, func(b article.Author) bool { return strings.EqualFold(a.Name, b.Name) })
	if i < 0 {
		*list = append(*list, a)
		return true
	}
	(*list)[i].URL = cmp.Or((*list)[i].URL, a.URL)
	return false
}

// isPublisher reports whether a name is that of the site.
func (p *page) isPublisher(name string) bool {
	return slices.Contains(p.siteNames(), fold(name)) ||
		strings.Contains(name, ".") && !strings.Contains(name, " ") && p.isSiteName(name)
}
