package papers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/learn"
	"github.com/lede-news/lede/internal/nce"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/internal/wrapper"
	"github.com/lede-news/lede/method"
)

func ncePaper() Paper {
	return Paper{
		Method: "nce", Name: "NCE",
		Title: "Laber et al., A Fast and Simple Method for Extracting Relevant Content from News Webpages, CIKM 2009",
		Experiments: []Experiment{
			{ID: "1", About: "Table 1: recall, precision and F1 by site, beside the visual wrapper", Run: nceTable1},
			{ID: "leaves", About: "F1 on the leaf nodes of all pages", Run: nceLeaves},
			{ID: "phase2", About: "the effect of Phase 2, comments removal", Run: ncePhase2},
			{ID: "comments", About: "pages whose comments were removed", Run: nceComments},
			{ID: "body", About: "pages that lose some of their body", Run: nceBody},
			{ID: "titles", About: "pages whose title was retrieved", Run: nceTitles},
			{ID: "separator", About: "Assumption 1: pages that have a separator node", Run: nceSeparator},
			{ID: "time", About: "time of NCE and time of a layout", Needs: NeedsBrowser, Run: nceTime},
		},
	}
}

// Notes that several tables of NCE share.
const (
	nceMeasureNote = "As in the paper, figures compare bags of words: those of headline and body with those that were retrieved, headline included."
	nceTunedNote   = "The parameters were searched on daniel, dragnet, fundus-publishers and wcxb, so the figures of these are not held out."
)

// nceConfig returns the settings of nce:paper.
func nceConfig() nce.Config {
	c, _ := nce.Preset("paper")
	return c
}

// withoutPhase2 returns settings for which no node is a comment marker.
func withoutPhase2(c nce.Config) nce.Config {
	c.Alpha5, c.Alpha6 = 1, 0
	return c
}

// retrieval is what a method retrieves from a page.
type retrieval struct {
	mask  []bool // the nodes of the text and of the headline
	own   string // the headline
	title string // the headline, or "" if it is part of the text
	text  string
}

// retrieve runs a method. A page on which it finds nothing gives an empty retrieval.
func retrieve(ctx context.Context, m method.Method, x *learn.Example) (retrieval, error) {
	s, err := m.Select(ctx, &method.Page{Doc: x.Doc, URL: x.Gold.URL, NoReasons: true})
	if errors.Is(err, method.ErrNoContent) {
		return retrieval{mask: make([]bool, x.Doc.Len())}, nil
	}
	if err != nil {
		return retrieval{}, err
	}
	r := retrieval{mask: s.Mask(x.Doc), own: s.TitleText(x.Doc), text: s.Text(x.Doc)}
	if s.Title != dom.None && !r.mask[s.Title] {
		r.title = r.own
		for n := s.Title; n < x.Doc.End(s.Title); n++ {
			r.mask[n] = true
		}
	}
	return r, nil
}

// all returns the whole text, headline first.
func (r *retrieval) all() string { return r.title + "\n" + r.text }

// relevant returns Rel(D), "the title and the main body section".
func relevant(g *corpus.Gold) *corpus.Gold {
	if g.TitleInText {
		return &corpus.Gold{Text: g.Text}
	}
	return &corpus.Gold{Text: g.Title + "\n" + g.Text}
}

// nceScore returns the recall and precision of a text by the measure of the paper.
func nceScore(g *corpus.Gold, text string) measure.PRF { return measure.Score(relevant(g), "", text) }

// perPage calls do for every page, and returns the results of each set.
func perPage[T any](ctx context.Context, in *Input, step string, sets []*Set, do func(x *learn.Example) (T, error)) ([][]T, error) {
	var all []*learn.Example
	for _, s := range sets {
		all = append(all, s.Pages...)
	}
	flat, err := parallel.Map(ctx, len(all), 0, func(done int) { in.Report(step, done, len(all)) }, func(i int) (T, error) { return do(all[i]) })
	if err != nil {
		return nil, err
	}
	out := make([][]T, len(sets))
	for i, s := range sets {
		out[i], flat = flat[:len(s.Pages):len(s.Pages)], flat[len(s.Pages):]
	}
	return out, nil
}

// share returns the share of the elements for which is returns true, or None if
// there are none.
func share[T any](all []T, is func(T) bool) float64 {
	n := 0
	for _, x := range all {
		if is(x) {
			n++
		}
	}
	if len(all) == 0 {
		return None
	}
	return float64(n) / float64(len(all))
}

// meanOf returns the mean of a figure, or None if there are no elements.
func meanOf[T any](all []T, figure func(T) float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += figure(x)
	}
	if len(all) == 0 {
		return None
	}
	return sum / float64(len(all))
}

// siteScores are the figures of a page in Table 1.
type siteScores struct {
	paper, own, visual measure.PRF
	relevant           float64
}

const (
	nceSites     = 22 // of the paper's test corpus
	nceSitePages = 15 // 324 pages "(almost) uniformly distributed from 22 sites"
)

func nceTable1(ctx context.Context, in *Input) ([]*Table, error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	visualConfig, _ := wrapper.Preset("paper")
	methods := []method.Method{nce.New(nceConfig()), nce.New(nce.Default()), wrapper.New(visualConfig)}
	score := func(x *learn.Example) (siteScores, error) {
		var figures [3]measure.PRF
		for i, m := range methods {
			r, err := retrieve(ctx, m, x)
			if err != nil {
				return siteScores{}, err
			}
			figures[i] = nceScore(x.Gold, r.all())
		}
		return siteScores{figures[0], figures[1], figures[2], nceScore(x.Gold, x.Doc.AllText()).P}, nil
	}
	scores, err := perPage(ctx, in, "Table 1", sets, score)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title:  "Table 1: average results by site",
		Corpus: Names(sets),
		Columns: []Column{
			{"pages", Count}, {"recall", Percent}, {"precision", Percent}, {"F1", Percent},
			{"F1 of nce", Percent}, {"F1 of V-Wrapper", Percent}, {"relevant", Percent},
		},
		Notes: []string{
			nceMeasureNote,
			fmt.Sprintf("The sites are the %d in English with the most pages, at most %d of each. The paper has 324 pages of as many sites; those that it names are in English.", nceSites, nceSitePages),
			"nce:paper counts characters as the paper does, also in Chinese, where a character is a word: there its limits are far too high, and it often returns the whole page.",
			"Recall, precision and F1 are those of nce:paper. V-Wrapper is lede's wrapper:paper with an estimated layout: another paper's wrapper of the same kind, trained on other sites, which selects a subtree where V-Wrapper classified leaf nodes.",
			"Our copy of the paper has the means and some figures of two sites, but not the table itself.",
			nceTunedNote,
		},
	}
	row := func(name string, all []siteScores, recall, precision, f1, part float64) {
		mean := func(f func(siteScores) float64) float64 { return meanOf(all, f) }
		t.Rows = append(t.Rows, Row{name, []Cell{
			Ours(float64(len(all))),
			Both(mean(func(s siteScores) float64 { return s.paper.R }), recall),
			Both(mean(func(s siteScores) float64 { return s.paper.P }), precision),
			Both(mean(func(s siteScores) float64 { return s.paper.F1 }), f1),
			Ours(mean(func(s siteScores) float64 { return s.own.F1 })),
			Ours(mean(func(s siteScores) float64 { return s.visual.F1 })),
			Both(mean(func(s siteScores) float64 { return s.relevant }), part),
		}})
	}
	var all []siteScores
	for _, s := range largestSites(sets, scores) {
		row(s.name, s.scores, None, None, None, None)
		all = append(all, s.scores...)
	}
	row("mean", all, 0.96, 0.885, 0.907, 0.366)
	for i, s := range sets {
		if len(in.Corpora) > 0 {
			row("all of "+s.Name, scores[i], None, None, None, None)
		}
	}
	t.Rows = append(t.Rows,
		Row{"the paper's bradenton.com", []Cell{{}, Both(None, 0.961)}},
		Row{"the paper's watfordobserver.com", []Cell{{}, {}, Both(None, 0.543), {}, {}, {}, Both(None, 0.169)}})
	return []*Table{t}, nil
}

// nceSite is a site of Table 1.
type nceSite struct {
	name   string
	scores []siteScores
}

// largestSites returns the sites with the most pages, of those in English or in an
// unknown language.
func largestSites(sets []*Set, scores [][]siteScores) []*nceSite {
	sites := map[string]*nceSite{}
	for i, s := range sets {
		for k, x := range s.Pages {
			name := x.Gold.SiteName()
			if lang := x.Gold.Lang; lang != "" && !strings.HasPrefix(lang, "en") {
				continue
			}
			if sites[name] == nil {
				sites[name] = &nceSite{name: name}
			}
			sites[name].scores = append(sites[name].scores, scores[i][k])
		}
	}
	largest := slices.SortedFunc(maps.Values(sites), func(a, b *nceSite) int {
		return cmp.Or(cmp.Compare(len(b.scores), len(a.scores)), strings.Compare(a.name, b.name))
	})
	largest = largest[:min(nceSites, len(largest))]
	for _, s := range largest {
		s.scores = s.scores[:min(nceSitePages, len(s.scores))]
	}
	return largest
}
