package stadynot

import (
	"math"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// tally is what a selection keeps, in words.
type tally struct {
	plain int // outside links
	prose int // of plain, in long text nodes
	all   int // of the whole page
	links int // <a href> of the whole page
}

func (r *run) tally(drop []dom.Node) (t tally) {
	const long = 15
	d := r.doc
	whole := d.Counts(r.top)
	t.all, t.links = int(whole.Words-whole.LinkWords), int(whole.Links)
	for n := r.top; n < d.End(r.top); n++ {
		if len(drop) > 0 && drop[0] == n {
			n, drop = d.End(n)-1, drop[1:]
			continue
		}
		if d.IsText(n) && !d.InLink(n) {
			w := d.Words(n)
			t.plain += w
			if w >= long {
				t.prose += w
			}
		}
	}
	return t
}

// judge tells what kind of page it is by what is left of it. Confidence is the
// root of the share of prose in that: scattered words are noise that was missed.
func (t tally) judge() (article.PageType, float64) {
	const (
		little = 40 // words of prose on a page that is no article
		few    = 20 // links on a page that is no index
	)
	confidence := math.Sqrt(float64(t.prose) / float64(max(t.plain, 1)))
	switch {
	case t.prose >= little:
		return article.TypeArticle, confidence
	case t.links >= few:
		return article.TypeIndex, confidence / 2
	}
	return article.TypeOther, confidence / 2
}
