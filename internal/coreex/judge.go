package coreex

import (
	"math"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// judge tells article pages from index pages by the scored tree, as section 8
// proposes. On an article page one node, or its set, holds most of the words
// outside of links, and they stand in long text nodes; on an index page they
// are scattered between links.
//
// Confidence grows with the share of those words that was chosen; the root of
// it is about the F1 that such a choice reaches.
func (t *tree) judge(main id) (article.PageType, float64) {
	const (
		long   = 15  // words of a text node that is prose
		little = 40  // words of prose on a page that is no article
		few    = 20  // links on a page that is no index
		most   = 0.5 // of the words outside of links
	)
	var plain, prose, widest int32
	for n := range t.text {
		if t.up[n] == nobody && id(n) != t.top {
			continue
		}
		if !t.isRun(id(n)) && t.doc.IsText(dom.Node(n)) {
			plain += t.text[n]
			if t.text[n] >= long {
				prose += t.text[n]
			}
		}
		if w := t.setText[n] - t.setLink[n]; w > widest && ratio(t.setText[n], t.setLink[n]) > t.cfg.Threshold {
			widest = w
		}
	}
	share := func(words int32) float64 { return min(1, float64(words)/float64(max(plain, 1))) }
	confidence := math.Sqrt(share(t.setText[main] - t.setLink[main]))
	switch {
	case prose < little && t.link[t.top] < few:
		return article.TypeOther, confidence / 2
	case prose < little, share(prose) < most, share(widest) < most:
		return article.TypeIndex, confidence / 2
	}
	return article.TypeArticle, confidence
}
