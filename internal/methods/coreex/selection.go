package coreex

import (
	"math"
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/method"
)

// selector turns the scored tree into a selection with its reasons.
type selector struct {
	*tree
	main      dom.Node // the Main Content Node
	sel       *method.Selection
	noReasons bool
}

// choose keeps the set S of the Main Content Node (section 2.2.2) or, without
// subset selection, the node itself.
func (x *selector) choose() {
	score := x.score(x.main)
	if x.cfg.Steps < subsetSelection || x.isTerminal(x.main) {
		x.keep(x.main)
		x.because(x.main, true, score, x.counted("the part with most text for its links: ", x.text[x.main], x.link[x.main]))
		return
	}
	const why = "the part with most text for its links, of which only some is kept: "
	x.because(x.main, false, score, x.counted(why, x.setText[x.main], x.setLink[x.main]))
	var pictures []dom.Node // seen since the last chosen child
	chosen := false
	for k := range x.children(x.main) {
		text, link := x.text[k], x.link[k]
		switch {
		case x.inSet(k):
			for _, p := range pictures {
				x.keep(p)
				x.because(p, true, 0, "a picture between text that is kept")
			}
			pictures, chosen = nil, true
			x.keep(k)
			x.because(k, true, ratio(text, link), x.counted("enough text for its links: ", text, link))
		case text > 0:
			x.because(k, false, ratio(text, link), x.counted("too many links: ", text, link))
		case x.cfg.own && chosen && x.doc.Counts(k).Images > 0:
			pictures = append(pictures, k)
		}
	}
}

// keep adds n to the selection.
func (x *selector) keep(n dom.Node) {
	if !x.doc.Hidden(n) {
		x.sel.Keep = append(x.sel.Keep, n)
	}
}

// dropInside drops what the tree ignores inside kept nodes.
func (x *selector) dropInside() {
	d := x.doc
	for _, root := range x.sel.Keep {
		for n, end := root, d.End(root); n < end; {
			if !x.ignores(n) {
				n++
				continue
			}
			x.sel.Drop = append(x.sel.Drop, n)
			x.because(n, false, 0, "a form")
			n = d.End(n)
		}
	}
}

// explain adds the scores of the ancestors of the Main Content Node and its
// siblings, which did not win.
func (x *selector) explain() {
	const why = "less text, or more links, than the part that is kept"
	if x.main != x.top {
		for k := range x.children(x.doc.Parent(x.main)) {
			if k != x.main && x.text[k] > 0 {
				x.because(k, false, x.score(k), why)
			}
		}
		for p := x.doc.Parent(x.main); p >= x.top; p = x.doc.Parent(p) {
			x.because(p, false, x.score(p), why)
		}
	}
	slices.SortStableFunc(x.sel.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
}

// because adds a reason for n.
func (x *selector) because(n dom.Node, kept bool, score float64, why string) {
	if !x.noReasons {
		x.sel.Reasons = append(x.sel.Reasons, method.Reason{Node: n, Kept: kept && !x.doc.Hidden(n), Score: score, Why: why})
	}
}

// counted formats a reason with its numbers.
func (x *selector) counted(why string, text, link int32) string {
	if x.noReasons {
		return ""
	}
	return why + reasons.Count(int(text), "word") + ", " + reasons.Count(int(link), "link")
}

// pageType distinguishes article pages from index pages by the scored tree, as
// section 8 proposes. On an article page one node, or its set, contains most of
// the words outside links, in long text nodes; on an index page they are
// scattered between links.
//
// The confidence is the root of the share of those words that was chosen, which
// is about the F1 that such a choice reaches.
func (t *tree) pageType(main dom.Node) (article.PageType, float64) {
	const (
		proseWords = 15  // minimum words of a text node that is prose
		minProse   = 40  // words of prose on an article page
		minLinks   = 20  // links on an index page
		most       = 0.5 // of the words outside links
	)
	var plain, prose, widest int32
	for n := range t.text {
		if t.doc.IsText(dom.Node(n)) {
			plain += t.text[n]
			if t.text[n] >= proseWords {
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
	case prose < minProse && t.link[t.top] < minLinks:
		return article.TypeOther, confidence / 2
	case prose < minProse, share(prose) < most, share(widest) < most:
		return article.TypeIndex, confidence / 2
	}
	return article.TypeArticle, confidence
}
