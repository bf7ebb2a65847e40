package site

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Read finds on a page what is known of its site; nil when that is too little.
func (p *Profile) Read(d *dom.Document) *method.Site { return p.ReadPage(NewPage(d)) }

// ReadPage is Read for a page whose keys are known.
func (p *Profile) ReadPage(pg *Page) *method.Site {
	t := p.find(pg.shape, pg.keys)
	if t == nil || !t.known() {
		return nil
	}
	s := &method.Site{
		Pages:    t.pages,
		Static:   t.markStatic(pg),
		Headline: t.place(pg, headline), Body: t.place(pg, body),
		Byline: t.place(pg, byline), Date: t.place(pg, date),
		TitleSuffix: t.suffix(pg),
	}
	s.Tail = t.markTail(pg, s.Body)
	return s
}

// The more words a row has, the more pages must be known before it is static:
// one for every dozen words, but never more than nine, as more than ten never
// weigh in. To take a paragraph out that belongs costs more than to leave in
// one that does not.
const (
	wordsPerPage = 12
	mostNeeded   = 9
)

// markStatic marks the rows that are the same on all pages.
func (t *template) markStatic(pg *Page) []bool {
	marks := make([]bool, pg.doc.Len())
	var prose, static int32 // words
	for i := range pg.rows {
		r := &pg.rows[i]
		if r.prose() >= storyWords {
			prose += r.prose()
		}
		if !t.static(r.key) || t.weight < min(mostNeeded, float32(r.prose())/wordsPerPage) {
			continue
		}
		if r.prose() >= storyWords {
			static += r.prose()
		}
		for n := r.first; n <= r.last; n++ {
			marks[n] = true
		}
	}
	if 5*static > 4*prose {
		// Nearly all that there is to read would go. Either the neighbours are
		// the same page under other addresses, or it has no story; in neither
		// case are the marks of use. Half would be too strict: rules for
		// comments can be longer than a short story.
		return nil
	}
	return marks
}

// A place is left out when at least three stories had it, and hardly any of
// them text of the story in it.
const leftOut = 0.85

// markTail marks what stands in places that confident extractions leave out,
// such as "Read more" and comments.
func (t *template) markTail(pg *Page, home dom.Node) []bool {
	if t.stories < enough {
		return nil
	}
	d := pg.doc
	marks := make([]bool, d.Len())
	var gone int // words of the body
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		k := pg.places[n]
		if k&named == 0 {
			continue
		}
		left := t.left.get(k)
		if left < enough || left < leftOut*(left+t.kept.get(k)) {
			continue
		}
		if home != dom.None && d.Contains(n, home) {
			continue // the body itself is never its tail
		}
		end := d.End(n)
		for i := n; i < end; i++ {
			marks[i] = true
		}
		if home != dom.None && d.Contains(home, n) {
			gone += d.Words(n)
		}
		n = end - 1
	}
	if home != dom.None && 2*gone > d.Words(home) {
		return nil // a story that is told in another way than the others
	}
	return marks
}

// place is where a page has a part of its story, or None: where most pages
// have it, or else at the next best place. Places without any class or id are
// of no use, but for headlines: there is one h1.
func (t *template) place(pg *Page, r role) dom.Node {
	for _, v := range t.habits[r] {
		if v.count < enough || v.count < t.stories/4 {
			break
		}
		if r != headline && !strings.Contains(v.name, ".") {
			continue
		}
		if n := pg.at(placeKey(v.name)); n != dom.None {
			return n
		}
	}
	return dom.None
}

// at is the element at a place that has the most to read.
func (pg *Page) at(place key) (best dom.Node) {
	best = dom.None
	most := -1
	for n, k := range pg.places {
		if k != place {
			continue
		}
		c := pg.doc.Counts(dom.Node(n))
		if words := int(c.Words - c.LinkWords); words > most {
			best, most = dom.Node(n), words
		}
	}
	return best
}

// suffix is what the site puts after its titles, if this one has it: the
// longest that at least half of the pages have.
func (t *template) suffix(pg *Page) (longest string) {
	title := pg.title()
	for _, v := range t.suffixes {
		if v.count < enough || v.count < t.stories/2 {
			break
		}
		if len(v.name) > len(longest) && len(v.name) < len(title) && strings.HasSuffix(title, v.name) {
			longest = v.name
		}
	}
	return longest
}
