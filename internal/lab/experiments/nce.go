package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
	"github.com/lede-news/lede/method"
)

func ncePaper() Paper {
	return Paper{
		Method: "nce", Name: "NCE",
		Title: "Laber et al., A Fast and Simple Method for Extracting Relevant Content from News Webpages, CIKM 2009",
		Experiments: []Experiment{
			{ID: "1", About: "Table 1: recall, precision and F1 by site, beside the visual wrapper", Run: runOn((*Input).Sets, nceTable1)},
			{ID: "leaves", About: "F1 on the leaf nodes of all pages", Run: runOn((*Input).Sets, nceLeaves)},
			{ID: "phase2", About: "the effect of Phase 2, comments removal", Run: runOn((*Input).Sets, ncePhase2)},
			{ID: "comments", About: "pages whose comments were removed", Run: runOn((*Input).Sets, nceComments)},
			{ID: "body", About: "pages that lose some of their body", Run: runOn((*Input).Sets, nceBody)},
			{ID: "titles", About: "pages whose title was retrieved", Run: runOn((*Input).Sets, nceTitles)},
			{ID: "separator", About: "Assumption 1: pages that have a separator node", Run: runOn((*Input).Sets, nceSeparator)},
		},
	}
}

// Notes that several tables of NCE share.
const (
	nceMeasureNote = "As in the paper, figures compare bags of words: those of headline and body with those that were retrieved, headline included."
	nceTunedNote   = "The parameters were searched on daniel, dragnet, fundus-publishers and wcxb, so the figures of these are not held out."
)

// visualWrapper stands in for V-Wrapper.
const visualWrapper = "wrapper:paper"

// siteScores are the figures of a page in Table 1.
type siteScores struct {
	gold               *corpus.Gold
	paper, own, visual measure.PRF
	relevant           float64
}

const (
	nceSites     = 22 // of the paper's test corpus
	nceSitePages = 15 // 324 pages "(almost) uniformly distributed from 22 sites"
)

func nceTable1(ctx context.Context, in *Input, sets []*Set) ([]*Table, error) {
	paper, own, visual := newMethod("nce:paper"), newMethod("nce"), newMethod(visualWrapper)
	scores, err := perPage(ctx, in, "Table 1", sets, func(x *tune.Example) siteScores {
		f := func(m method.Method) measure.PRF { return retrieve(m, x, nil).score(x.Gold) }
		whole := retrieval{text: x.Doc.AllText()}
		return siteScores{x.Gold, f(paper), f(own), f(visual), whole.score(x.Gold).P}
	})
	if err != nil {
		return nil, err
	}
	columns := figures[siteScores]{
		count[siteScores]("pages"),
		meanIn("recall", Percent, 0.96, func(s siteScores) float64 { return s.paper.R }),
		meanIn("precision", Percent, 0.885, func(s siteScores) float64 { return s.paper.P }),
		meanIn("F1", Percent, 0.907, func(s siteScores) float64 { return s.paper.F1 }),
		meanIn("F1 of nce", Percent, None, func(s siteScores) float64 { return s.own.F1 }),
		meanIn("F1 of V-Wrapper", Percent, None, func(s siteScores) float64 { return s.visual.F1 }),
		meanIn("relevant", Percent, 0.366, func(s siteScores) float64 { return s.relevant }),
	}
	t := &Table{
		Title: "Table 1: average results by site", Corpus: Names(sets), Columns: columns.columns(),
		Notes: []string{
			nceMeasureNote,
			fmt.Sprintf("The sites are the %d in English with the most pages, at most %d of each. The paper has 324 pages of as many sites; those that it names are in English.", nceSites, nceSitePages),
			"nce:paper counts characters as the paper does, also in Chinese, where a character is a word: there its limits are far too high, and it often returns the whole page.",
			"Recall, precision and F1 are those of nce:paper. V-Wrapper is lede's wrapper:paper with an estimated layout: another paper's wrapper of the same kind, trained on other sites, which selects a subtree where V-Wrapper classified leaf nodes.",
			"Our copy of the paper has the means and some figures of two sites, but not the table itself.",
			nceTunedNote,
		},
	}
	sites := largestSites(slices.Concat(scores...))
	for _, s := range sites {
		t.Rows = append(t.Rows, columns.row(s.Name, s.Pages))
	}
	t.Rows = append(t.Rows, columns.besidePaper("mean", pagesOf(sites)))
	for i, s := range sets {
		if len(in.Corpora) > 0 {
			t.Rows = append(t.Rows, columns.row("all of "+s.Name, scores[i]))
		}
	}
	t.Rows = append(t.Rows,
		Row{"the paper's bradenton.com", []Cell{noCell, {None, 0.961}}},
		Row{"the paper's watfordobserver.com", []Cell{noCell, noCell, {None, 0.543}, noCell, noCell, noCell, {None, 0.169}}})
	return []*Table{t}, nil
}

// largestSites returns the sites with the most pages, of those in English or in an
// unknown language.
func largestSites(scores []siteScores) []*Group[siteScores] {
	english := filter(scores, func(s siteScores) bool { return s.gold.Lang == "" || strings.HasPrefix(s.gold.Lang, "en") })
	sites := largestFirst(groupBy(english, func(s siteScores) string { return s.gold.SiteName() }))
	sites = sites[:min(nceSites, len(sites))]
	for _, s := range sites {
		s.Pages = s.Pages[:min(nceSitePages, len(s.Pages))]
	}
	return sites
}

// leafCounts counts leaf nodes, for NCE and for the wrapper.
type leafCounts [2]coreSums

func nceLeaves(ctx context.Context, in *Input, sets []*Set) ([]*Table, error) {
	paper, visual := newMethod("nce:paper"), newMethod(visualWrapper)
	counts, err := perPage(ctx, in, "leaf nodes", sets, func(x *tune.Example) (c leafCounts) {
		p := corePage{x, measure.Align(x.Doc, relevant(x.Gold).Text)}
		_, c[0] = p.compare(retrieve(paper, x, nil).mask)
		_, c[1] = p.compare(retrieve(visual, x, nil).mask)
		return c
	})
	if err != nil {
		return nil, err
	}
	f1 := func(i int) func([]leafCounts) float64 {
		return func(pages []leafCounts) float64 {
			both := meanOf(pages, func(c leafCounts) float64 { return c[i].correct })
			return 2 * both / meanOf(pages, func(c leafCounts) float64 { return c[i].extracted + c[i].answer })
		}
	}
	columns := figures[leafCounts]{count[leafCounts]("pages"), {"nce:paper", Percent, None, f1(0)}, {"V-Wrapper", Percent, 0.856, f1(1)}}
	return []*Table{{
		Title: "F1 on the classification of all leaf nodes", Corpus: Names(sets), Columns: columns.columns(), Rows: columns.bySet(in, sets, counts),
		Notes: []string{
			"A leaf node is a text node with words, and relevant if at least half of its words are those of the headline or the body. All leaf nodes of all pages count the same.",
			"V-Wrapper is lede's wrapper:paper with an estimated layout. " + nceTunedNote,
		},
	}}, nil
}
