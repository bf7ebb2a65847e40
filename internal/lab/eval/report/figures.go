package report

import (
	"maps"
	"math"
	"slices"

	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/measure"
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
	all := make([][][]cell, len(corpora), len(corpora)+1)
	if len(corpora) > 1 {
		all = all[:len(corpora)+1]
	}
	for c := range all {
		all[c] = make([][]cell, len(res.Measures))
	}
	for m := range res.Measures {
		for s := range res.Systems {
			figures := make([]eval.Figures, len(corpora))
			for c := range corpora {
				figures[c] = res.Figures(corpora[c].rows, s, m)
			}
			if len(corpora) > 1 {
				figures = append(figures, eval.MeanFigures(figures))
			}
			for c, f := range figures {
				all[c][m] = append(all[c][m], cell{f.Pages, f.Values, f.Errors})
			}
		}
	}
	return all
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
