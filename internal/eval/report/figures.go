package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/measure"
)

// cell is a measure of a system over the pages of a corpus.
type cell struct {
	Pages  int     `json:"n"`
	Values numbers `json:"v"`
	Errors numbers `json:"e"`
}

// ranking has the cells by corpus, measure and system. With several corpora,
// their mean comes last: each counts the same, however many pages it has.
func ranking(res *eval.Result, corpora []corpusPages) [][][]cell {
	var all [][][]cell
	for _, c := range corpora {
		all = append(all, grid(res, func(m, s int) cell {
			f := res.Figures(c.rows, s, m)
			return cell{f.Pages, f.Values, f.Errors}
		}))
	}
	if len(corpora) > 1 {
		all = append(all, grid(res, func(m, s int) cell { return mean(all[:len(corpora)], m, s) }))
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

// mean is over those corpora that have pages for the measure. They are drawn
// independently of one another, so their variances add up.
func mean(corpora [][][]cell, m, s int) cell {
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

// corpusPages are the rows of a corpus.
type corpusPages struct {
	name string
	rows []*eval.Row
}

// byCorpus splits the rows, in order.
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

// detail is one measure of every page and of every group.
type detail struct {
	Pages  [][]numbers        `json:"pages"`  // by figure, system and row
	Groups map[string][]group `json:"groups"` // by what they are grouped by
}

// group is the main figure of pages that belong together.
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
	for _, by := range groupings {
		for i, c := range corpora {
			d.Groups[by.name] = append(d.Groups[by.name], groups(res, c.rows, by.key, i, m)...)
		}
		if len(corpora) > 1 {
			d.Groups[by.name] = append(d.Groups[by.name], groups(res, res.Rows, by.key, -1, m)...)
		}
	}
	return d
}

var groupings = []struct {
	name string
	key  func(*eval.Row) string
}{
	{"site", func(r *eval.Row) string { return r.Site }},
	{"lang", func(r *eval.Row) string { return r.Lang }},
	{"type", func(r *eval.Row) string { return r.Type }},
	{"year", func(r *eval.Row) string { return r.Year }},
}

// groups adds up rows by key. Rows that no system has the measure of are not counted.
func groups(res *eval.Result, rows []*eval.Row, key func(*eval.Row) string, corpus, m int) []group {
	type sum struct {
		pages int
		sums  [][]float64 // by system
	}
	at := map[string]*sum{}
	for _, row := range rows {
		k := cmp.Or(key(row), "unknown")
		if at[k] == nil {
			at[k] = &sum{sums: make([][]float64, len(res.Systems))}
		}
		has := false
		for s := range res.Systems {
			if v := sums(row, s, m); v != nil {
				has = true
				at[k].sums[s] = add(at[k].sums[s], v)
			}
		}
		if has {
			at[k].pages++
		}
	}
	var all []group
	for k, g := range at {
		if g.pages == 0 {
			continue
		}
		values := make(numbers, len(g.sums))
		for s, v := range g.sums {
			values[s] = mainFigure(res.Measures[m], v)
		}
		all = append(all, group{corpus, k, g.pages, values})
	}
	slices.SortFunc(all, func(a, b group) int { return cmp.Compare(a.Key, b.Key) })
	return all
}

func add(sum, v []float64) []float64 {
	if sum == nil {
		return slices.Clone(v)
	}
	for i := range v {
		sum[i] += v[i]
	}
	return sum
}

// sums is what a row adds for a system and a measure; nil when there is nothing.
func sums(row *eval.Row, s, m int) []float64 {
	if s >= len(row.Sums) || m >= len(row.Sums[s]) {
		return nil
	}
	return row.Sums[s][m]
}

// figures are those of sums; all of them NaN when there are no sums.
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
