package papers

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/coreex"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/learn"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// evaluationOnly are the corpora that nothing may be tuned on.
var evaluationOnly = []string{"l3s-gn1", "cleaneval"}

// constants repeats the search for the weights and the threshold. The paper tried
// "different values" on 500 pages chosen at random, and does not say which.
func (e *coreExperiments) constants(ctx context.Context, in *Input) ([]*Table, error) {
	const paperWeight, paperThreshold, sample = 0.01, 0.9, 500
	weights := []float64{0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5}
	thresholds := []float64{0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95}
	groups, err := e.coreGroups(ctx, in)
	if err != nil {
		return nil, err
	}
	var pages []*corePage
	var used []*coreGroup
	for _, g := range groups {
		if !slices.Contains(evaluationOnly, g.name) {
			pages = append(pages, g.pages...)
			used = append(used, g)
		}
	}
	if len(pages) < 2 {
		return nil, nil
	}
	r := rand.New(rand.NewPCG(in.Seed, 0))
	r.Shuffle(len(pages), func(i, k int) { pages[i], pages[k] = pages[k], pages[i] })
	cut := min(sample, len(pages)/2)
	f1 := func(pages []*corePage, weight, threshold float64) (float64, error) {
		c := corePreset("paper")
		c.WeightRatio, c.WeightText, c.Threshold = 1-weight, weight, threshold
		sums, err := coreScore(ctx, pages, coreex.New(c))
		return coreTotal(sums).words.f1(), err
	}
	grid := &Table{
		Title:  "Constants: F1 of the core content by weight_text (rows) and threshold (columns)",
		Corpus: fmt.Sprintf("%d articles of %s, chosen at random", cut, groupNames(used)),
		Notes:  []string{"weight_ratio is 1 − weight_text. The paper took 0.01 and 0.9; it does not print what it tried."},
	}
	for _, x := range thresholds {
		grid.Columns = append(grid.Columns, Column{fmt.Sprint(x), Ratio})
	}
	var best, bestWeight, bestThreshold float64
	for i, w := range weights {
		in.Report("searching constants", i, len(weights))
		row := Row{Name: fmt.Sprint(w)}
		for _, x := range thresholds {
			f, err := f1(pages[:cut], w, x)
			if err != nil {
				return nil, err
			}
			row.Cells = append(row.Cells, Ours(f))
			if f > best {
				best, bestWeight, bestThreshold = f, w, x
			}
		}
		grid.Rows = append(grid.Rows, row)
	}
	held := &Table{
		Title:   "Constants: those of the paper and the best found, on the other pages",
		Corpus:  fmt.Sprintf("the other %d articles of %s", len(pages)-cut, groupNames(used)),
		Columns: []Column{{"weight_text", Number}, {"threshold", Number}, {"F1 where searched", Ratio}, {"F1 on the others", Ratio}},
	}
	own := coreex.Default()
	for _, x := range []struct {
		name              string
		weight, threshold float64
	}{{"of the paper", paperWeight, paperThreshold}, {"best found", bestWeight, bestThreshold}, {"of our default", own.WeightText, own.Threshold}} {
		searched, err := f1(pages[:cut], x.weight, x.threshold)
		if err != nil {
			return nil, err
		}
		others, err := f1(pages[cut:], x.weight, x.threshold)
		if err != nil {
			return nil, err
		}
		held.Rows = append(held.Rows, NewRow(x.name, x.weight, x.threshold, searched, others))
	}
	held.Notes = []string{"Today's articles have more links than those of 2007, so more weight on the amount of text pays. The rows differ in the constants only."}
	return []*Table{grid, held}, nil
}

// coreTally has means over pages by name.
type coreTally struct{ sums map[string]*coreMeans }

type coreMeans struct {
	precision, recall, n float64
	total                coreSums
}

var tallyColumns = []Column{{"pages", Count}, {"precision", Ratio}, {"recall", Ratio}, {"F1 over all nodes", Ratio}}

func newCoreTally() *coreTally { return &coreTally{map[string]*coreMeans{}} }

func (t *coreTally) add(name string, s coreSums) {
	if s.answer == 0 {
		return // the page does not have the text of its gold
	}
	x := t.sums[name]
	if x == nil {
		x = &coreMeans{}
		t.sums[name] = x
	}
	x.n++
	x.recall += s.recall()
	if s.extracted > 0 {
		x.precision += s.precision()
	}
	x.total.add(s)
}

// most returns the names, those with the most pages first.
func (t *coreTally) most() []string {
	names := slices.Sorted(maps.Keys(t.sums))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(t.sums[b].n, t.sums[a].n) })
	return names
}

func (m *coreMeans) row(name string) Row {
	return NewRow(name, m.n, m.precision/m.n, m.recall/m.n, m.total.f1())
}

func (e *coreExperiments) languages(ctx context.Context, in *Input) ([]*Table, error) {
	groups, err := e.coreGroups(ctx, in)
	if err != nil {
		return nil, err
	}
	by := newCoreTally()
	var used []*coreGroup
	for _, g := range groups {
		sums, err := coreScore(ctx, g.pages, coreex.New(corePreset("paper")))
		if err != nil {
			return nil, err
		}
		known := false
		for i, s := range sums {
			if lang := g.pages[i].Gold.Lang; lang != "" {
				by.add(lang, s.words)
				known = true
			}
		}
		if known {
			used = append(used, g)
		}
	}
	if len(by.sums) == 0 {
		return nil, nil
	}
	t := &Table{
		Title: "Languages: precision and recall", Corpus: "articles of " + groupNames(used), Columns: tallyColumns,
		Notes: []string{"The paper hopes that CoreEx can be applied to other languages as is, and has no figures. A Han character counts as a word."},
	}
	for _, lang := range by.most() {
		t.Rows = append(t.Rows, by.sums[lang].row(lang))
	}
	return []*Table{t}, nil
}

// otherPages returns the pages of the corpora that are not articles.
func (in *Input) otherPages(ctx context.Context) (name string, pages []*corePage, err error) {
	var names []string
	for _, dir := range in.Corpora {
		c, err := corpus.Open(dir, corpus.Options{})
		if err != nil {
			return "", nil, err
		}
		var golds []*corpus.Gold
		for i := range c.Gold {
			if g := &c.Gold[i]; g.Type != "" && g.Type != "article" && !(in.Quick && len(golds) == quickPages) {
				golds = append(golds, g)
			}
		}
		if len(golds) == 0 {
			continue
		}
		names = append(names, c.Name)
		report := func(done int) { in.Report("reading other pages of "+c.Name, done, len(golds)) }
		some, err := parallel.Map(ctx, len(golds), 0, report, func(i int) (*corePage, error) {
			page, err := c.Page(golds[i])
			if err != nil {
				return nil, err
			}
			d, err := dom.Parse(ctx, page, dom.Options{Charset: c.Charset})
			if err != nil {
				return nil, err
			}
			return newCorePage(&learn.Example{Gold: golds[i], Doc: d}), nil
		})
		if err != nil {
			return "", nil, err
		}
		pages = append(pages, some...)
	}
	return strings.Join(names, ", "), pages, nil
}

func (e *coreExperiments) genres(ctx context.Context, in *Input) ([]*Table, error) {
	name, pages, err := in.otherPages(ctx)
	if err != nil || len(pages) == 0 {
		return nil, err
	}
	sums, err := coreScore(ctx, pages, coreex.New(corePreset("paper")))
	if err != nil {
		return nil, err
	}
	by := newCoreTally()
	for i, s := range sums {
		by.add(pages[i].Gold.Type, s.words)
	}
	t := &Table{
		Title: "Genres: pages that are not news", Corpus: fmt.Sprintf("%d pages of %s", len(pages), name), Columns: tallyColumns,
		Notes: []string{"The paper looked at a few blogs and reviews, which were right, and at product and group pages, which were inconsistent; it has no figures."},
	}
	for _, genre := range by.most() {
		t.Rows = append(t.Rows, by.sums[genre].row(genre))
	}
	return []*Table{t}, nil
}

// index classifies articles and index pages.
func (e *coreExperiments) index(ctx context.Context, in *Input) ([]*Table, error) {
	groups, err := e.coreGroups(ctx, in)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title:   "Index pages: articles and index pages by the scored tree",
		Columns: []Column{{"pages", Count}, {"article", Percent}, {"index", Percent}, {"other", Percent}, {"nothing found", Percent}},
		Notes: []string{
			"The paper names it as future work and has no figures. Listings and collections are index pages with much text of their own.",
		},
	}
	m := coreex.New(corePreset("paper"))
	add := func(name string, docs []*dom.Document) error {
		types, err := parallel.Map(ctx, len(docs), 0, nil, func(i int) (article.PageType, error) {
			s, err := m.Select(ctx, &method.Page{Doc: docs[i], NoReasons: true, TextOnly: true})
			if err != nil {
				return "", nil
			}
			return s.Type, nil
		})
		if err != nil {
			return err
		}
		n := map[article.PageType]float64{}
		for _, x := range types {
			n[x] += 1 / float64(len(docs))
		}
		t.Rows = append(t.Rows, NewRow(name, float64(len(docs)), n[article.TypeArticle], n[article.TypeIndex], n[article.TypeOther], n[""]))
		return nil
	}
	for _, g := range groups {
		if err := add("articles of "+g.name, docsOf(g.pages, "")); err != nil {
			return nil, err
		}
	}
	name, pages, err := in.otherPages(ctx)
	if err != nil {
		return nil, err
	}
	for _, kind := range []string{"listing", "collection", "index"} {
		if docs := docsOf(pages, kind); len(docs) > 0 {
			if err := add(fmt.Sprintf("%s pages of %s", kind, name), docs); err != nil {
				return nil, err
			}
		}
	}
	docs, err := madeUpIndexes(ctx, in)
	if err != nil {
		return nil, err
	}
	t.Corpus = "those of the rows; the made-up index pages are the home pages and sections of all made-up sites"
	return []*Table{t}, add("index pages of made-up sites", docs)
}

// docsOf returns the pages of a type, all if it is empty.
func docsOf(pages []*corePage, kind string) (docs []*dom.Document) {
	for _, p := range pages {
		if kind == "" || p.Gold.Type == kind {
			docs = append(docs, p.Doc)
		}
	}
	return docs
}

func madeUpIndexes(ctx context.Context, in *Input) ([]*dom.Document, error) {
	var pages []newsroom.Page
	for _, s := range newsroom.New(in.Seed).Sites() {
		pages = append(pages, s.Index(""))
		if in.Quick {
			continue
		}
		for _, section := range s.Sections() {
			pages = append(pages, s.Index(section))
		}
	}
	return parallel.Map(ctx, len(pages), 0, nil, func(i int) (*dom.Document, error) {
		return dom.Parse(ctx, pages[i].HTML, dom.Options{Charset: "utf-8"})
	})
}
