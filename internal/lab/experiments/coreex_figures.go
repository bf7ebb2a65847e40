package experiments

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// coreexFigure8 measures the time for a page on one core, with parsing.
func coreexFigure8(ctx context.Context, in *Input) ([]*Table, error) {
	pages, err := in.sample(ctx, 100)
	if err != nil {
		return nil, err
	}
	variants := coreTable1[:6] // without our default
	var names []string
	for _, r := range variants {
		names = append(names, r.method)
	}
	sums, err := fastest(ctx, in, pages, names)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "Figure 8: milliseconds per page", Corpus: fmt.Sprintf("%d articles of %s", len(pages), groupNames(in.sets)),
		Columns: []Column{{"all (paper: under 15 but for R6)", Number}, {"parsing", Number}, {"conversion", Number}, {"CoreEx", Number}},
		Notes: []string{
			"The best of three rounds for every page, on one core, all variants of a page in turn. The paper measured Java on an Opteron of 1.8 GHz and draws bars without numbers.",
			"The conversion of R6 writes the parsed page as XHTML and parses that; the paper's is TagSoup, and by far its slowest step.",
		},
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(max(len(pages), 1)) }
	for i, r := range variants {
		x := sums[i]
		t.Rows = append(t.Rows, NewRow(r.name, ms(x.all()), ms(x[0]), ms(x[1]), ms(x[2])))
	}
	return []*Table{t}, nil
}

// coreexFigure10 has a row for each of the sources with the most pages. The figures are
// those of coreex:paper; pages that do not have the text of their gold are left out.
func coreexFigure10(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	const most, minPages = 27, 2
	type scored struct {
		site string
		sums coreSums
	}
	m := newMethod("coreex:paper")
	scores, err := perPage(ctx, in, "Figure 10", groups, func(p *corePage) scored {
		words, _ := p.compare(p.extract(m))
		return scored{p.Gold.SiteName(), words}
	})
	if err != nil {
		return nil, err
	}
	labelled := filter(slices.Concat(scores...), func(s scored) bool { return s.sums.answer > 0 })
	sources := largestFirst(groupBy(labelled, func(s scored) string { return s.site }))
	sources = filter(sources, func(g *Group[scored]) bool { return len(g.Pages) >= minPages })
	columns := figures[scored]{
		count[scored]("pages"),
		meanIn("precision", Ratio, None, func(s scored) float64 {
			if s.sums.extracted == 0 {
				return 0
			}
			return s.sums.prf().P
		}),
		meanIn("recall", Ratio, None, func(s scored) float64 { return s.sums.prf().R }),
	}
	t := &Table{
		Title:   "Figure 10: precision and recall by source",
		Corpus:  fmt.Sprintf("%d sources with at least %d pages of %s", len(sources), minPages, groupNames(groups)),
		Columns: columns.columns(),
	}
	high, zero := 0, 0
	for _, g := range sources {
		row := columns.row(g.Name, g.Pages)
		precision, recall := row.Cells[1].Ours, row.Cells[2].Ours
		if precision >= 0.95 && recall >= 0.95 {
			high++
		}
		if recall == 0 {
			zero++
		}
		t.Rows = append(t.Rows, row)
	}
	t.Rows = t.Rows[:min(most, len(t.Rows))]
	t.Notes = []string{
		"Means over the pages of a source; a page without an extraction counts as zero.",
		"The paper draws bars without numbers: four of its 27 sources have 1 and 1, most are in the high 90s, one with every page in a form has 0 and 0.",
		fmt.Sprintf("Of all %d sources, %d have at least 0.95 and 0.95, and %d a recall of 0. The table has the %d with the most pages.", len(sources), high, zero, len(t.Rows)),
	}
	return []*Table{t}, nil
}
