package experiments

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/tune"
	"github.com/lede-news/lede/internal/methods/coreex"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// evaluationOnly are the corpora that nothing may be tuned on.
var evaluationOnly = []string{"l3s-gn1", "cleaneval"}

// coreexConstants repeats the search for the weights and the threshold. The paper tried
// "different values" on 500 pages chosen at random, and does not say which.
func coreexConstants(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	const paperWeight, paperThreshold, sample = 0.01, 0.9, 500
	weights := []float64{0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5}
	thresholds := []float64{0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95}
	used := filter(groups, func(g *coreGroup) bool { return !slices.Contains(evaluationOnly, g.Name) })
	pages := pagesOf(used)
	if len(pages) < 2 {
		return nil, nil
	}
	r := rand.New(rand.NewPCG(in.Seed, 0))
	r.Shuffle(len(pages), func(i, k int) { pages[i], pages[k] = pages[k], pages[i] })
	cut := min(sample, len(pages)/2)
	f1 := func(pages []*corePage, weight, threshold float64) (float64, error) {
		c := corePreset("paper")
		c.WeightRatio, c.WeightText, c.Threshold = 1-weight, weight, threshold
		s, err := coreTotal(ctx, pages, coreex.New(c))
		return s.words.prf().F1, err
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

// coreexFigure8 measures the time for a page on one core, with parsing.
func coreexFigure8(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	const rounds = 3
	sample := in.pick(4, 100)
	var pages [][]byte
	for _, g := range groups {
		for _, p := range spread(g.Pages, sample/len(groups)) {
			page, err := render(p.Doc)
			if err != nil {
				return nil, err
			}
			pages = append(pages, page)
		}
	}
	var methods []timed
	for _, r := range coreTable1 {
		methods = append(methods, timed{coreex.New(corePreset(r.preset)), r.preset == "r6"})
	}
	sums, err := fastest(ctx, in, rounds, pages, methods)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "Figure 8: milliseconds per page", Corpus: fmt.Sprintf("%d articles of %s", len(pages), groupNames(groups)),
		Columns: []Column{{"all (paper: under 15 but for R6)", Number}, {"parsing", Number}, {"conversion", Number}, {"CoreEx", Number}},
		Notes: []string{
			"The best of three rounds for every page, on one core, all variants of a page in turn. The paper measured Java on an Opteron of 1.8 GHz and draws bars without numbers.",
			"The conversion of R6 writes the parsed page as XHTML and parses that; the paper's is TagSoup, and by far its slowest step.",
		},
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(max(len(pages), 1)) }
	for i, r := range coreTable1 {
		x := sums[i]
		t.Rows = append(t.Rows, NewRow(r.name, ms(x.all()), ms(x.parse), ms(x.convert), ms(x.choose)))
	}
	return []*Table{t}, nil
}

// scoredPage is a page with the sums of coreex:paper.
type scoredPage struct {
	*corePage
	sums coreSums
}

// scoreBy runs coreex:paper and returns the pages by name, the largest groups first.
// Pages that do not have the text of their gold are left out.
func scoreBy(ctx context.Context, pages []*corePage, name func(*corpus.Gold) string) ([]*Group[scoredPage], error) {
	sums, err := coreScore(ctx, pages, coreex.New(corePreset("paper")))
	if err != nil {
		return nil, err
	}
	var scored []scoredPage
	for i, s := range sums {
		if s.words.answer > 0 {
			scored = append(scored, scoredPage{pages[i], s.words})
		}
	}
	groups := groupBy(scored, func(p scoredPage) string { return name(p.Gold) })
	largestFirst(groups)
	return groups, nil
}

// scoreFigures are means over pages, of which those without an extraction count as
// zero, and the F1 over all nodes.
var scoreFigures = figures[scoredPage]{
	count[scoredPage]("pages"),
	meanIn("precision", Ratio, None, func(p scoredPage) float64 {
		if p.sums.extracted == 0 {
			return 0
		}
		return p.sums.prf().P
	}),
	meanIn("recall", Ratio, None, func(p scoredPage) float64 { return p.sums.prf().R }),
	{"F1 over all nodes", Ratio, None, func(pages []scoredPage) float64 {
		var total coreSums
		for _, p := range pages {
			total.add(p.sums)
		}
		return total.prf().F1
	}},
}

// scoreTable returns a table with a row for each group of pages.
func scoreTable(title, corpus string, groups []*Group[scoredPage], notes ...string) *Table {
	t := &Table{Title: title, Corpus: corpus, Columns: scoreFigures.columns(), Notes: notes}
	for _, g := range groups {
		t.Rows = append(t.Rows, scoreFigures.row(g.Name, g.Pages))
	}
	return t
}

// coreexFigure10 has a row for each of the sources with the most pages.
func coreexFigure10(ctx context.Context, _ *Input, groups []*coreGroup) ([]*Table, error) {
	const sources, minPages = 27, 2
	all, err := scoreBy(ctx, pagesOf(groups), (*corpus.Gold).SiteName)
	if err != nil {
		return nil, err
	}
	all = filter(all, func(g *Group[scoredPage]) bool { return len(g.Pages) >= minPages })
	t := scoreTable("Figure 10: precision and recall by source",
		fmt.Sprintf("%d sources with at least %d pages of %s", len(all), minPages, groupNames(groups)), all,
		"Means over the pages of a source; a page without an extraction counts as zero.",
		"The paper draws bars without numbers: four of its 27 sources have 1 and 1, most are in the high 90s, one with every page in a form has 0 and 0.")
	high, zero := 0, 0
	for _, r := range t.Rows {
		precision, recall := *r.Cells[1].Ours, *r.Cells[2].Ours
		if precision >= 0.95 && recall >= 0.95 {
			high++
		}
		if recall == 0 {
			zero++
		}
	}
	t.Rows = t.Rows[:min(sources, len(t.Rows))]
	t.Notes = append(t.Notes, fmt.Sprintf("Of all %d sources, %d have at least 0.95 and 0.95, and %d a recall of 0. The table has the %d with the most pages.", len(all), high, zero, len(t.Rows)))
	return []*Table{t}, nil
}

func coreexLanguages(ctx context.Context, _ *Input, groups []*coreGroup) ([]*Table, error) {
	hasLang := func(p *corePage) bool { return p.Gold.Lang != "" }
	used := filter(groups, func(g *coreGroup) bool { return slices.ContainsFunc(g.Pages, hasLang) })
	byLang, err := scoreBy(ctx, filter(pagesOf(used), hasLang), func(g *corpus.Gold) string { return g.Lang })
	if err != nil || len(byLang) == 0 {
		return nil, err
	}
	return []*Table{scoreTable("Languages: precision and recall", "articles of "+groupNames(used), byLang,
		"The paper hopes that CoreEx can be applied to other languages as is, and has no figures. A Han character counts as a word.")}, nil
}

// otherPages returns the pages of the corpora that are not articles.
func (in *Input) otherPages(ctx context.Context) (*coreGroup, error) {
	var names []string
	var pages []*corePage
	for _, dir := range in.Corpora {
		c, err := corpus.Open(dir, corpus.Options{})
		if err != nil {
			return nil, err
		}
		golds := c.Only(func(g *corpus.Gold) bool { return !isArticle(g) }).Gold
		if in.Quick {
			golds = golds[:min(quickPages, len(golds))]
		}
		if len(golds) == 0 {
			continue
		}
		names = append(names, c.Name)
		report := func(done int) { in.Report("reading other pages of "+c.Name, done, len(golds)) }
		some, err := parallel.Map(ctx, len(golds), 0, report, func(i int) (*corePage, error) {
			page, err := c.Page(&golds[i])
			if err != nil {
				return nil, err
			}
			d, err := dom.Parse(ctx, page, dom.Options{Charset: c.Charset})
			if err != nil {
				return nil, err
			}
			return newCorePage(&tune.Example{Gold: &golds[i], Doc: d}), nil
		})
		if err != nil {
			return nil, err
		}
		pages = append(pages, some...)
	}
	return &coreGroup{Name: strings.Join(names, ", "), Pages: pages}, nil
}

func coreexGenres(ctx context.Context, in *Input) ([]*Table, error) {
	others, err := in.otherPages(ctx)
	if err != nil || len(others.Pages) == 0 {
		return nil, err
	}
	byGenre, err := scoreBy(ctx, others.Pages, func(g *corpus.Gold) string { return g.Type })
	if err != nil {
		return nil, err
	}
	return []*Table{scoreTable("Genres: pages that are not news", fmt.Sprintf("%d pages of %s", len(others.Pages), others.Name), byGenre,
		"The paper looked at a few blogs and reviews, which were right, and at product and group pages, which were inconsistent; it has no figures.")}, nil
}

// coreexIndex classifies articles and index pages.
func coreexIndex(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	t := &Table{
		Title:   "Index pages: articles and index pages by the scored tree",
		Corpus:  "those of the rows; the made-up index pages are the home pages and sections of all made-up sites",
		Columns: []Column{{"pages", Count}, {"article", Percent}, {"index", Percent}, {"other", Percent}, {"nothing found", Percent}},
		Notes: []string{
			"The paper names it as future work and has no figures. Listings and collections are index pages with much text of their own.",
		},
	}
	var rows []*Group[*dom.Document]
	for _, g := range groups {
		rows = append(rows, &Group[*dom.Document]{"articles of " + g.Name, docsOf(g.Pages)})
	}
	others, err := in.otherPages(ctx)
	if err != nil {
		return nil, err
	}
	for _, kind := range []string{"listing", "collection", "index"} {
		if pages := filter(others.Pages, func(p *corePage) bool { return p.Gold.Type == kind }); len(pages) > 0 {
			rows = append(rows, &Group[*dom.Document]{fmt.Sprintf("%s pages of %s", kind, others.Name), docsOf(pages)})
		}
	}
	indexes, err := madeUpIndexes(ctx, in)
	if err != nil {
		return nil, err
	}
	rows = append(rows, &Group[*dom.Document]{"index pages of made-up sites", indexes})
	m := coreex.New(corePreset("paper"))
	types, err := perPage(ctx, in, "index pages", rows, func(d *dom.Document) (article.PageType, error) {
		s, err := m.Select(ctx, &method.Page{Doc: d, NoReasons: true, TextOnly: true})
		if err != nil {
			return "", nil
		}
		return s.Type, nil
	})
	for i := range types {
		n := map[article.PageType]float64{}
		for _, x := range types[i] {
			n[x] += 1 / float64(len(types[i]))
		}
		t.Rows = append(t.Rows, NewRow(rows[i].Name, float64(len(types[i])), n[article.TypeArticle], n[article.TypeIndex], n[article.TypeOther], n[""]))
	}
	return []*Table{t}, err
}

func docsOf(pages []*corePage) (docs []*dom.Document) {
	for _, p := range pages {
		docs = append(docs, p.Doc)
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
