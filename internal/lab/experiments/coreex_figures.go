package experiments

import (
	"context"
	"fmt"
	"time"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/methods/coreex"
)

// coreexFigure8 measures the time for a page on one core, with parsing.
func coreexFigure8(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	const rounds = 3
	sample := in.limit(100)
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
