package report

import (
	"maps"
	"math"
	"slices"

	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/measure"
)

// cell has the figures of a measure for a system and a corpus.
type cell struct {
	Pages  int     `json:"n"`
	Values numbers `json:"v"`
	Errors numbers `json:"e"`
}

// ranking returns the cells by corpus, measure and system. With several corpora,
// their mean with equal weights comes last.
func ranking(res *eval.Result, corpora []corpusPages) [][][]cell {
	var all [][][]cell
	for _, c := range corpora {
		all = append(all, grid(res, func(m, s int) cell {
			f := res.Figures(c.rows, s, m)
			return cell{f.Pages, f.Values, f.Errors}
		}))
	}
	if len(corpora) > 1 {
		all = append(all, grid(res, func(m, s int) cell { return meanCell(all[:len(corpora)], m, s) }))
	}
	return all
}

func grid(res *eval.Result, of func(m, s int) cell) [][]cell {
	g := make([][]cell, len(res.Measures))
	for m := range g {
		g[m] = make([]cell, len(res.Systems))
		for s := range g[m] {
			g[m][s] = of(m, s)
		}
	}
	return g
}

// meanCell returns the mean over the corpora that have the measure. Their errors
// are independent, so that the variances add up.
func meanCell(corpora [][][]cell, m, s int) cell {
	var out cell
	k := 0.0
	for _, c := range corpora {
		x := c[m][s]
		if x.Pages == 0 {
			continue
		}
		if k++; out.Values == nil {
			out.Values, out.Errors = make(numbers, len(x.Values)), make(numbers, len(x.Values))
		}
		out.Pages += x.Pages
		for i, v := range x.Values {
			out.Values[i] += v
			out.Errors[i] += x.Errors[i] * x.Errors[i]
		}
	}
	for i := range out.Values {
		out.Values[i] /= k
		out.Errors[i] = math.Sqrt(out.Errors[i]) / k
	}
	return out
}

// corpusPages has the rows of a corpus.
type corpusPages struct {
	name string
	rows []*eval.Row
}

// byCorpus groups rows by corpus, in order.
func byCorpus(rows []*eval.Row) []corpusPages {
	var all []corpusPages
	for _, row := range rows {
		k := slices.IndexFunc(all, func(c corpusPages) bool { return c.name == row.Corpus })
		if k < 0 {
			k = len(all)
			all = append(all, corpusPages{name: row.Corpus})
		}
		all[k].rows = append(all[k].rows, row)
	}
	return all
}

// detail has a measure of every page and of every group.
type detail struct {
	Pages  [][]numbers        `json:"pages"`  // by figure, system and row
	Groups map[string][]group `json:"groups"` // by grouping
}

// group has the main figure of a group of pages.
type group struct {
	Corpus int     `json:"c"` // -1 for all corpora together
	Key    string  `json:"k"`
	Pages  int     `json:"n"`
	Values numbers `json:"v"` // by system
}

func newDetail(res *eval.Result, corpora []corpusPages, m int) *detail {
	d := &detail{Groups: map[string][]group{}}
	for range res.Measures[m].Figures {
		d.Pages = append(d.Pages, make([]numbers, len(res.Systems)))
	}
	for s := range res.Systems {
		for f := range d.Pages {
			d.Pages[f][s] = make(numbers, len(res.Rows))
		}
		for i, row := range res.Rows {
			values := figures(res.Measures[m], sums(row, s, m))
			for f := range d.Pages {
				d.Pages[f][s][i] = values[f]
			}
		}
	}
	for _, by := range eval.Groupings() {
		for i, c := range corpora {
			d.Groups[by] = append(d.Groups[by], groups(res, c.rows, by, i, m)...)
		}
		if len(corpora) > 1 {
			d.Groups[by] = append(d.Groups[by], groups(res, res.Rows, by, -1, m)...)
		}
	}
	return d
}

// groups returns the figures of groups of rows, sorted by key. Rows without the
// measure are not counted.
func groups(res *eval.Result, rows []*eval.Row, by string, corpus, m int) []group {
	byKey := map[string][]*eval.Row{}
	for _, row := range rows {
		if slices.ContainsFunc(row.Sums, func(measures [][]float64) bool { return m < len(measures) && measures[m] != nil }) {
			byKey[row.Key(by)] = append(byKey[row.Key(by)], row)
		}
	}
	var all []group
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		values := make(numbers, len(res.Systems))
		for s := range values {
			var pages [][]float64
			for _, row := range byKey[key] {
				pages = append(pages, sums(row, s, m))
			}
			values[s] = mainFigure(res.Measures[m], measure.Sum(pages))
		}
		all = append(all, group{corpus, key, len(byKey[key]), values})
	}
	return all
}

// sums returns the vector of a row for a system and a measure, or nil.
func sums(row *eval.Row, s, m int) []float64 {
	if s >= len(row.Sums) || m >= len(row.Sums[s]) {
		return nil
	}
	return row.Sums[s][m]
}

// figures returns the figures for a sum. They are NaN if it is nil.
func figures(m measure.Measure, sum []float64) []float64 {
	if sum != nil {
		return m.Total(sum)
	}
	none := make([]float64, len(m.Figures))
	for i := range none {
		none[i] = math.NaN()
	}
	return none
}

func mainFigure(m measure.Measure, sum []float64) float64 { return figures(m, sum)[m.Main] }
