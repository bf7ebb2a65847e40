package site

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Match finds on a page what is known about its site. It returns nil if that is
// too little.
func (p *Profile) Match(f *Fingerprint) *method.Site {
	t := p.find(f.shape, f.keys)
	if t == nil || !t.isKnown() {
		return nil
	}
	s := &method.Site{
		Pages:    t.Pages,
		Static:   t.markStatic(f),
		Headline: t.locate(f, t.Headlines, true), Body: t.locate(f, t.Bodies, false),
		TitleSuffix: t.titleSuffix(f),
	}
	s.Tail = t.markTail(f, s.Body)
	s.Rows = t.judgeRows(f)
	return s
}

// The more words a row has, the more pages must be known before it is static:
// one for every twenty words, but at most nine, because the weight never exceeds
// ten. Dropping a paragraph of the story costs more than keeping one that is not
// part of it; but the invitation to follow the paper that ends every story is a
// paragraph too, and known after five pages.
const (
	wordsPerPage = 20
	maxNeeded    = 9
)

// knowsEnough reports whether enough pages are known to tell whether a row of its
// length repeats.
func (t *template) knowsEnough(r *row) bool {
	return t.Weight >= min(maxNeeded, float32(r.prose())/wordsPerPage)
}

// markStatic marks the rows that are the same on all pages.
func (t *template) markStatic(f *Fingerprint) []bool {
	marks := make([]bool, f.doc.Len())
	var prose, static int32 // words
	for i := range f.rows {
		r := &f.rows[i]
		if r.prose() >= storyWords {
			prose += r.prose()
		}
		if !t.isStatic(r.key) || !t.knowsEnough(r) {
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
		// Nearly all prose would go. Either the other pages are this page under
		// other addresses, or it has no story; in neither case are the marks of
		// use. Half would be too strict: rules for comments can be longer than a
		// short story.
		return nil
	}
	return marks
}

// markTail marks what is in places outside the stories of the site, such as
// "Read more" and comments.
func (t *template) markTail(f *Fingerprint, container dom.Node) []bool {
	if t.Stories < minWeight {
		return nil
	}
	d := f.doc
	marks := make([]bool, d.Len())
	var marked int // words of the body
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		if !t.isOutside(f.places[n]) || container != dom.None && d.Contains(n, container) {
			continue
		}
		end := d.End(n)
		for i := n; i < end; i++ {
			marks[i] = true
		}
		if container != dom.None && d.Contains(container, n) {
			marked += d.Words(n)
		}
		n = end - 1
	}
	if container != dom.None && 2*marked > d.Words(container) {
		return nil // this story is built unlike the others
	}
	return marks
}

// locate returns the element where a page has a part of its story, or None: at
// the place that most pages use, or else at the next best. Places without a class
// or id are of no use, except for headlines (unnamed): there is one h1.
func (t *template) locate(f *Fingerprint, places votes, unnamed bool) dom.Node {
	for _, v := range places {
		if v.Count < minWeight || v.Count < t.Stories/4 {
			break
		}
		if !unnamed && !strings.Contains(v.Name, ".") {
			continue
		}
		if n := f.elementAt(placeKey(v.Name)); n != dom.None {
			return n
		}
	}
	return dom.None
}

// elementAt returns the element at a place with the most prose, or None.
func (f *Fingerprint) elementAt(place key) (best dom.Node) {
	best = dom.None
	most := -1
	for n, k := range f.places {
		if k != place {
			continue
		}
		c := f.doc.Counts(dom.Node(n))
		if words := int(c.Words - c.LinkWords); words > most {
			best, most = dom.Node(n), words
		}
	}
	return best
}

// titleSuffix returns what the site appends to this title: the longest suffix
// that at least half of the pages have.
func (t *template) titleSuffix(f *Fingerprint) (longest string) {
	title := f.title()
	for _, v := range t.Suffixes {
		if v.Count < minWeight || v.Count < t.Stories/2 {
			break
		}
		if len(v.Name) > len(longest) && len(v.Name) < len(title) && strings.HasSuffix(title, v.Name) {
			longest = v.Name
		}
	}
	return longest
}
