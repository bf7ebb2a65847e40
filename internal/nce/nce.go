// Package nce is the News Content Extractor, "a fast and simple method to
// extract relevant content from news webpages".
//
// The copy of the paper at hand begins with its abstract and names neither
// authors nor venue: "We propose NCE, an efficient algorithm to identify and
// extract relevant content from news webpages. … It achieves F1 = 90.7% in our
// test corpus containing 324 news webpages from 22 sites." Phase and
// Assumption in the comments here are those of its section on the heuristic.
//
// NCE has three phases. Phase 1 finds the separator node, whose children with
// few links are the story; Phase 2 cuts off what begins like a row of comments;
// Phase 3 looks for the title before the body. The paper defers the values of
// its parameters to an extended version; Default has those that a local search
// found.
package nce

import (
	"context"
	"slices"
	"strconv"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// NCE is the method. It is safe for concurrent use.
type NCE struct {
	set Config
	why phrases
}

// New makes the method.
func New(c Config) *NCE { return &NCE{set: c, why: c.phrases()} }

// Name is "nce".
func (*NCE) Name() string { return "nce" }

// Select chooses the story. A page whose text stands in links, or has none, is
// method.ErrNoContent.
func (m *NCE) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r := &run{NCE: m, doc: p.Doc, sel: &method.Selection{Title: dom.None}, end: dom.Node(p.Doc.Len()), brief: p.NoReasons}
	r.separate()
	if r.plainWords(r.end) == 0 {
		return nil, method.ErrNoContent
	}
	r.removeComments()
	if !p.TextOnly {
		r.findTitle()
	}
	r.judge()
	r.sel.Keep = r.trees
	slices.SortStableFunc(r.sel.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
	return r.sel, nil
}

// run is the work on one page.
type run struct {
	*NCE
	doc   *dom.Document
	sel   *method.Selection
	trees []dom.Node // the forest, in order
	end   dom.Node   // where the forest ends, maybe inside of a tree
	brief bool       // nobody will read the reasons
}

// judge says how sure it is. By Assumption 1 every news page has a separator
// node; what has none is taken for no article, and what has one for the more of
// an article the fewer links are left in it.
func (r *run) judge() {
	if r.trees[0] == r.doc.Root() {
		r.sel.Type = article.TypeOther
		return
	}
	var text, links int32
	for _, t := range r.trees {
		c := r.doc.Between(t, min(r.end, r.doc.End(t)))
		text, links = text+c.Chars, links+c.LinkChars
	}
	r.sel.Type, r.sel.Confidence = article.TypeArticle, 1-float64(links)/float64(max(text, 1))
}

// plainWords counts the words of the forest before a node that stand outside
// of links.
func (r *run) plainWords(end dom.Node) int {
	n := 0
	for _, t := range r.trees {
		if t < end {
			c := r.doc.Between(t, min(end, r.doc.End(t)))
			n += int(c.Words - c.LinkWords)
		}
	}
	return n
}

// bodyWords is the set of the words of the forest.
func (r *run) bodyWords() *wordSet {
	d := r.doc
	set := newWordSet(d.Words(d.Root()) / 4)
	for _, t := range r.trees {
		from, to := d.Span(t)
		if r.end < d.End(t) {
			to, _ = d.Span(r.end)
		}
		for w := range words(d.AllText()[from:to]) {
			set.add(w.hash)
		}
	}
	return set
}

func (r *run) because(n dom.Node, kept bool, score float64, why string) {
	if r.brief {
		return
	}
	r.sel.Reasons = append(r.sel.Reasons, method.Reason{Node: n, Kept: kept, Score: score, Why: why})
}

// Config holds the paper's two families of parameters, α and β, as far as the
// three phases use them. Sizes are in characters where the paper measures text
// and in words where it measures bags.
type Config struct {
	Alpha1 int     `param:"a1" about:"Phase 1: least characters of the separator node"`
	Alpha2 int     `param:"a2" about:"Phase 1: least characters of a sibling that speaks against a separator node"`
	Alpha3 int     `param:"a3" about:"Phase 1: least characters of the leaf that the search begins at"`
	Alpha5 int     `param:"a5" about:"Phase 2: least words of a comment marker"`
	Alpha6 int     `param:"a6" about:"Phase 2: most words of a comment marker"`
	Alpha7 int     `param:"a7" about:"Phase 2: most nodes from one comment marker to the next"`
	Alpha8 int     `param:"a8" about:"Phase 3: least words of a title"`
	Alpha9 int     `param:"a9" about:"Phase 3: most words of a title"`
	Beta1  float64 `param:"b1" about:"Phase 1: link density from which on a sibling does not count"`
	Beta2  float64 `param:"b2" about:"Phase 2: least likeness of two comment markers, 0 to 1"`
	Beta3  float64 `param:"b3" about:"Phase 3: least share of a title's words that are in the body"`
	Beta4  float64 `param:"b4" about:"Phase 1: highest link density of a child of the separator node that is kept"`
}

// Default is what the local search found, as the paper set its parameters by
// one (end of "Extraction Results"), on pages that it is not judged by:
//
//	lede tune nce daniel dragnet fundus-publishers wcxb --folds 3
//
// On sites that were held out, the values found on the others gave F1 0.882 on
// daniel, 0.801 on dragnet, 0.891 on fundus-publishers and 0.861 on the
// articles of wcxb.
func Default() Config {
	return Config{
		Alpha1: 1060, Alpha2: 340, Alpha3: 185,
		Alpha5: 3, Alpha6: 25, Alpha7: 15,
		Alpha8: 1, Alpha9: 18,
		Beta1: 0.14, Beta2: 0.8, Beta3: 0.56, Beta4: 0.7,
	}
}

// phrases are the reasons, spelled once.
type phrases struct{ few, many, title string }

func (c Config) phrases() phrases {
	num := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	return phrases{
		few:   "child of the separator node, link density at most " + num(c.Beta4),
		many:  "child of the separator node, link density above " + num(c.Beta4),
		title: "title: a share of at least " + num(c.Beta3) + " of its words is in the body",
	}
}
