package metadata

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
)

// chooseAuthors returns the authors of the best source that names a person. An
// organization, a single word (which may be a login) or the site itself is an
// author only if there is no person.
func (p *page) chooseAuthors(lang string) (authors []article.Author, source string) {
	authors, source = p.namedAuthors(lang)
	if len(authors) == 1 && isFirstName(authors[0].Name) {
		authors[0].Name = p.fullName(authors[0].Name)
	}
	return authors, source
}

// namedAuthors is chooseAuthors with the names as they are given.
func (p *page) namedAuthors(lang string) (authors []article.Author, source string) {
	declared := p.declaredAuthors()
	if declared.persons > 0 {
		p.correct(&declared)
		return declared.authors, declared.source
	}
	if list := p.eastAsianByline(lang); len(list.authors) > 0 {
		return list.authors, sourceHTML
	}
	list := p.visibleByline(declared)
	list.source = sourceHTML
	if list.full > 0 || list.better(declared) {
		declared = list
	}
	if len(declared.authors) > 0 {
		return declared.authors, declared.source
	}
	return declared.publishers, declared.source
}

// declaredAuthors returns the authors in the metadata of the page: those of the
// first source that names a person, or of a later one that names the same
// persons and more. Without a person it returns the first authors, or else the
// first publishers.
func (p *page) declaredAuthors() byline {
	var best, fallback byline
	p.keepOwnMicrodata()
	found := p.candidates[factAuthor]
	for i := 0; i < len(found); {
		list := byline{source: found[i].source}
		for rank := found[i].rank; i < len(found) && found[i].rank == rank && found[i].source == list.source; i++ {
			list.add(p, &found[i], false)
		}
		if list.persons > best.persons && list.includes(&best) {
			list.takeURLs(&best)
			best = list
		}
		if list.better(fallback) {
			fallback = list
		}
	}
	if best.persons > 0 {
		return best
	}
	return fallback
}

// keepOwnMicrodata removes the authors of teasers from the candidates: if there
// is microdata near the headline, only that counts.
func (p *page) keepOwnMicrodata() {
	found := p.candidates[factAuthor]
	before, after := p.nearHeadline()
	near := func(c *candidate) bool {
		return c.node != 0 && (after.contains(p.d, c.node) || before.contains(p.d, c.node))
	}
	if !slices.ContainsFunc(found, func(c candidate) bool { return near(&c) }) {
		return
	}
	p.candidates[factAuthor] = slices.DeleteFunc(found, func(c candidate) bool {
		return c.source == sourceMicrodata && !near(&c)
	})
}

// byline is the authors that one source names.
type byline struct {
	authors    []article.Author
	full       int              // number of authors with more than one word
	persons    int              // number of these that may be persons
	alone      bool             // certainly nobody but authors, in a text
	publishers []article.Author // names of the site
	source     string
}

func (b *byline) isEmpty() bool { return len(b.authors)+len(b.publishers) == 0 }

// better reports whether b has authors and o has none, or likewise publishers.
func (b *byline) better(o byline) bool {
	return len(b.authors) > 0 && len(o.authors) == 0 || !b.isEmpty() && o.isEmpty()
}

// includes reports whether b has all authors of o.
func (b *byline) includes(o *byline) bool {
	return !slices.ContainsFunc(o.authors, func(a article.Author) bool { return !b.has(a.Name) })
}

func (b *byline) has(name string) bool {
	return slices.ContainsFunc(b.authors, func(a article.Author) bool { return isSameName(a.Name, name) })
}

// takeURLs copies the addresses of the authors' pages from o.
func (b *byline) takeURLs(o *byline) {
	for i := range b.authors {
		for _, a := range o.authors {
			if b.authors[i].URL == "" && isSameName(a.Name, b.authors[i].Name) {
				b.authors[i].URL = a.URL
			}
		}
	}
}

// correct replaces declared authors by the visible byline if the page shows none
// of them, and adds those whom it names beside them.
func (p *page) correct(declared *byline) {
	if slices.ContainsFunc(declared.authors, func(a article.Author) bool { return p.shows(a.Name) }) {
		p.addCoAuthors(declared)
		return
	}
	shown := p.shownAuthors()
	if shown.persons > 0 && !slices.ContainsFunc(declared.authors, func(a article.Author) bool { return shown.has(a.Name) }) {
		*declared = shown
	}
}

// shows reports whether a name is in the visible text of the page.
func (p *page) shows(name string) bool {
	return strings.Contains(p.d.AllText(), name) || strings.Contains(p.d.AllText(), strings.ToUpper(name))
}

// add parses the text of a byline and adds the authors that are not in b yet.
func (b *byline) add(p *page, c *candidate, visible bool) {
	names := splitNames(c.text, visible)
	if c.group && len(names) > 1 {
		names = []string{cleanText(c.text)} // "Research and Markets" is one name
	}
	for _, name := range names {
		const maxNames = 20 // of one byline
		if len(b.authors) >= maxNames {
			return
		}
		a := article.Author{Name: name}
		if len(names) == 1 && c.url != "" {
			a.URL = p.resolve(c.url)
		}
		if p.isPublisher(name) {
			addAuthor(&b.publishers, a)
		} else {
			b.addName(a, c.group)
		}
	}
}

// addName adds an author that is not the site.
func (b *byline) addName(a article.Author, group bool) {
	if !addAuthor(&b.authors, a) || isOneWord(a.Name) {
		return
	}
	b.full++
	if !group && !isGroup(a.Name) && !isHanGroup(a.Name) {
		b.persons++
	}
}

func (b *byline) merge(o byline) {
	for _, a := range o.authors {
		b.addName(a, false)
	}
	for _, a := range o.publishers {
		addAuthor(&b.publishers, a)
	}
}

// maxAuthors bounds the authors of all bylines of a page, which are compared with one another.
const maxAuthors = 200

// addAuthor adds an author unless the list is full or has the name already, in any
// spelling. It reports whether it did.
func addAuthor(list *[]article.Author, a article.Author) bool {
	i := slices.IndexFunc(*list, func(b article.Author) bool { return isSameName(a.Name, b.Name) })
	if i < 0 {
		if len(*list) < maxAuthors {
			*list = append(*list, a)
			return true
		}
		return false
	}
	(*list)[i].URL = cmp.Or((*list)[i].URL, a.URL)
	return false
}

// isPublisher reports whether a name is that of the site.
func (p *page) isPublisher(name string) bool {
	return slices.Contains(p.siteNames(), fold(name)) ||
		strings.Contains(name, ".") && !strings.Contains(name, " ") && p.isSiteName(name)
}
