package metadata

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// byline is the names that one place of a page has: a declaration, an element or a line.
type byline struct {
	authors    []article.Author
	full       int              // number of authors with more than one word
	persons    int              // number of these that may be persons
	places     int              // number of elements that the authors are from
	publishers []article.Author // names of the site

	source string
	node   dom.Node // that shows or declares it, or 0
	trust  float32  // in such a place, if it names a person
	word   float32  // of that for a single word, which may be a login
}

// chooseAuthors returns the authors of the byline with the highest score.
func (p *page) chooseAuthors(lang string) (authors []article.Author, source string) {
	list := p.declaredBylines()
	list = p.addShownBylines(list, lang)
	found := make([]candidate, len(list))
	won := -1
	for i := range list {
		found[i] = candidate{text: list[i].String(), node: list[i].node, source: list[i].source, score: list[i].score()}
		if won < 0 || found[i].score > found[won].score {
			won = i
		}
	}
	if won < 0 {
		return nil, ""
	}
	p.offer("authors", found)
	if b := &list[won]; len(b.authors) > 0 {
		return b.authors, b.source
	}
	return list[won].publishers, list[won].source
}

// What names are worth, compared with that of a person. In most places a single word is a
// login or something else, but not in a link to the author.
const (
	groupWorth = .5
	vagueWord  = .4
	sureWord   = .97
	otherWorth = .1 // of the site, or of letters that may be those of an agency
)

// score returns how far a byline is to be preferred: by its place, and more if it names a
// person than an organization, a single word or the site itself.
func (b *byline) score() float32 {
	switch {
	case b.persons > 0:
		return b.trust
	case b.full > 0:
		return b.trust * groupWorth
	case len(b.authors) > 0 && (b.source != sourceHTML || hasLower(b.authors[0].Name)):
		return b.trust * b.word
	}
	return b.trust * otherWorth
}

func (b *byline) String() string {
	names := make([]string, 0, len(b.authors))
	for _, a := range slices.Concat(b.authors, b.publishers) {
		names = append(names, a.Name)
	}
	return strings.Join(names, "; ")
}

// declaredBylines returns the bylines in the metadata of the page, one for each source. A
// source is preferred to earlier ones if it has the same persons and more.
func (p *page) declaredBylines() (out []byline) {
	found := slices.DeleteFunc(slices.Clone(p.candidates[factAuthor]), func(c candidate) bool {
		return c.node != 0 && (p.isThirdParty(c.node) || p.followsHelper(c.node))
	})
	for i := 0; i < len(found); {
		const step = .001
		b := byline{source: found[i].source, node: found[i].node, trust: 1 - step*float32(len(out)), word: vagueWord}
		for rank := found[i].rank; i < len(found) && found[i].rank == rank && found[i].source == b.source; i++ {
			b.add(p, &found[i], false)
		}
		for j := range out {
			if o := &out[j]; o.persons > 0 && b.persons > o.persons && b.includes(o) {
				b.trust = max(b.trust, o.trust+step/2)
			}
		}
		if !b.isEmpty() {
			out = append(out, b)
		}
	}
	if b := p.authorOfPost(); len(out) == 0 && !b.isEmpty() {
		out = append(out, b)
	}
	return out
}

// authorOfPost returns the author that the title of a post in a social network begins with:
// "Ann Lee (@ann): Ferry back".
func (p *page) authorOfPost() (b byline) {
	for _, c := range p.candidates[factTitle] {
		name, rest, _ := strings.Cut(c.text, " (@")
		if handle, _, ok := strings.Cut(rest, ")"); ok && isPlausibleName(name) && !strings.Contains(handle, " ") {
			b.source, b.trust, b.word = c.source, 1, vagueWord
			b.addName(article.Author{Name: cleanText(name)}, false)
			break
		}
	}
	return b
}

// addShownBylines adds the bylines that the page shows. Places are listed by how far they are
// trusted; unless all are wanted for an explanation, those that cannot win are not read.
func (p *page) addShownBylines(list []byline, lang string) []byline {
	before, after := p.nearHeadline()
	rest := textRange{after.to, p.text().to}
	declared := slices.ContainsFunc(list, func(b byline) bool { return b.persons > 0 || len(b.authors) > b.full })
	for _, place := range [...]struct {
		trust, word float32
		read        func() byline
	}{
		{.95, vagueWord, func() byline { return p.eastAsianByline(lang) }},
		{.92, sureWord, func() byline { return p.namesInElements(after, nameByline) }},
		{.91, sureWord, func() byline { return p.namesInElements(before, nameByline) }},
		{.90, sureWord, func() byline { return p.loginInElements(after, nameByline) }},
		{.87, vagueWord, func() byline { return p.namesInElements(after, anyByline) }},
		{.86, vagueWord, func() byline { return p.namesInElements(before, anyByline) }},
		{.84, sureWord, func() byline { return p.loginInElements(after, userByline) }},
		{.83, sureWord, func() byline { return p.loginInElements(before, userByline) }},
		{.80, vagueWord, func() byline { return p.bylineInText(after, false) }},
		{.78, vagueWord, func() byline { return p.bylineInText(before, false) }},
		{.65, vagueWord, func() byline { return p.bylineInText(p.endOfBody(300, 150), true) }},
		{.33, vagueWord, func() byline { return p.bylineBesideDate(after) }},
		{.30, vagueWord, func() byline { return p.onlyOne(p.namesInElements(p.text(), nameByline)) }},
		{.29, vagueWord, func() byline { return p.onlyOne(p.namesInElements(p.text(), anyByline)) }},
		{.28, vagueWord, func() byline { return p.bylineInText(rest, true) }},
		{.27, vagueWord, func() byline { return p.loginInElements(p.text(), nameByline) }},
	} {
		best := float32(0)
		for j := range list {
			best = max(best, list[j].score())
		}
		if p.opts.NoSources && best >= place.trust {
			break
		}
		b := place.read()
		if b.isEmpty() {
			continue
		}
		b.source, b.trust, b.word = sourceHTML, place.trust, place.word
		if b.full == 0 && declared {
			b.word = otherWorth // a declared author is not replaced by a single word
		}
		list = append(list, b)
	}
	return list
}

// onlyOne returns a byline of the whole page if it is from one element, which has nobody but
// authors. Others may repeat it.
func (p *page) onlyOne(b byline) byline {
	if b.places > 1 || len(b.authors) > 1 && !isNameList(p.d.Text(b.node), len(b.authors)) {
		return byline{}
	}
	return b
}

// authorsNode returns the short element that shows most of the authors' names, or dom.None. It
// has the first line with such a name after the headline, before it or anywhere.
func (p *page) authorsNode(authors []article.Author) dom.Node {
	const maxChars = 160
	count := func(s string) (names int) {
		s = words.Fold(s)
		for _, a := range authors {
			if key := words.Fold(a.Name); key != "" && strings.Contains(s, key) {
				names++
			}
		}
		return names
	}
	before, after := p.nearHeadline()
	for _, in := range [...]textRange{after, before, p.text()} {
		for at, line := range in.lines(p.d) {
			if isLonger(line, maxChars) || count(line) == 0 {
				continue
			}
			best, most := dom.None, 0
			for n := p.nodeAt(at); n != dom.None && p.d.Chars(n) <= maxChars; n = p.d.Parent(n) {
				if names := count(p.d.Text(n)); names > most {
					best, most = n, names
				}
			}
			for n := best + 1; best != dom.None && n < p.d.End(best); n++ {
				if !p.d.IsText(n) && count(p.d.Text(n)) == most {
					best = n // without "By"
				}
			}
			return best
		}
	}
	return dom.None
}

func (b *byline) isEmpty() bool { return len(b.authors)+len(b.publishers) == 0 }

// includes reports whether b has all authors of o.
func (b *byline) includes(o *byline) bool {
	return !slices.ContainsFunc(o.authors, func(a article.Author) bool { return indexAuthor(b.authors, a.Name) < 0 })
}

// add parses the text of a byline and adds the authors that are not in b yet.
func (b *byline) add(p *page, c *candidate, visible bool) {
	names := splitNames(c.text, visible)
	if c.group && len(names) > 1 {
		names = []string{cleanText(c.text)} // "Research and Markets" is one name
	}
	for _, name := range names {
		a := article.Author{Name: name}
		if len(names) == 1 && c.url != "" {
			a.URL = p.resolve(c.url)
		}
		if p.isPublisher(name) || p.host != "" && strings.Contains(c.text, p.host) && !strings.Contains(c.text, "@") {
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
	if !group && isPerson(a.Name) {
		b.persons++
	}
}

func (b *byline) merge(o byline) {
	if b.node == 0 {
		b.node = o.node
	}
	before := len(b.authors)
	for _, a := range o.authors {
		b.addName(a, false)
	}
	if len(b.authors) > before {
		b.places++
	}
	for _, a := range o.publishers {
		addAuthor(&b.publishers, a)
	}
}

// addAuthor adds an author unless the list is full or has the name already, in any
// spelling. It reports whether it did.
func addAuthor(list *[]article.Author, a article.Author) bool {
	const maxAuthors = 200 // of all bylines of a page, which are compared with one another
	if i := indexAuthor(*list, a.Name); i >= 0 {
		(*list)[i].URL = cmp.Or((*list)[i].URL, a.URL)
		return false
	}
	if len(*list) >= maxAuthors {
		return false
	}
	*list = append(*list, a)
	return true
}

// indexAuthor returns the index of the author with a name, in any spelling, or -1.
func indexAuthor(list []article.Author, name string) int {
	key := words.Fold(name)
	return slices.IndexFunc(list, func(a article.Author) bool { return words.Fold(a.Name) == key })
}

// isPublisher reports whether a name is that of the site.
func (p *page) isPublisher(name string) bool { return slices.Contains(p.siteNames(), words.Fold(name)) }
