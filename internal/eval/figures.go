package eval

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lede-news/lede/internal/eval/measure"
)

// Group is a set of pages whose figures belong together.
type Group struct {
	Corpus string
	Key    string // empty for the whole corpus
	Rows   []*Row
}

// Groupings are what pages of a corpus can be grouped by.
func Groupings() []string { return []string{"site", "lang", "type", "year"} }

// Group puts the pages of each corpus together, by one of Groupings; the empty
// string leaves each corpus whole. The corpora stay in order, groups go by name.
func (r *Result) Group(by string) ([]Group, error) {
	key := func(*Row) string { return "" }
	switch by {
	case "":
	case "site":
		key = func(r *Row) string { return r.Site }
	case "lang":
		key = func(r *Row) string { return r.Lang }
	case "type":
		key = func(r *Row) string { return r.Type }
	case "year":
		key = func(r *Row) string { return r.Year }
	default:
		return nil, fmt.Errorf("no grouping by %q; there is %v", by, Groupings())
	}
	type name struct{ corpus, key string }
	at := map[name]int{}
	rank := map[string]int{} // of the corpora
	var groups []Group
	for _, row := range r.Rows {
		n := name{row.Corpus, key(row)}
		if n.key == "" && by != "" {
			n.key = "unknown"
		}
		if _, known := rank[n.corpus]; !known {
			rank[n.corpus] = len(rank)
		}
		if _, known := at[n]; !known {
			at[n] = len(groups)
			groups = append(groups, Group{Corpus: n.corpus, Key: n.key})
		}
		g := &groups[at[n]]
		g.Rows = append(g.Rows, row)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(rank[a.Corpus], rank[b.Corpus]), cmp.Compare(a.Key, b.Key))
	})
	return groups, nil
}

// Figures are those of one measure over some pages.
type Figures struct {
	Pages  int       // that the measure could be taken on
	Values []float64 // as the measure names them; nil when there is no page
	Errors []float64 // their standard errors, by resampling the pages
}

// rounds of resampling: enough for the second digit of an error.
const rounds = 1000

// Figures takes a measure of a system over pages.
func (r *Result) Figures(rows []*Row, system, m int) Figures {
	pages := r.pages(rows, system, m)
	if len(pages) == 0 {
		return Figures{}
	}
	return Figures{
		Pages:  len(pages),
		Values: measure.Figures(r.Measures[m], pages),
		Errors: measure.Bootstrap(r.Measures[m], pages, rounds, 1),
	}
}

// values are the figures without their errors, which cost far more.
func (r *Result) values(rows []*Row, system, m int) []float64 {
	return measure.Figures(r.Measures[m], r.pages(rows, system, m))
}

// pages are what each page adds to a measure of a system, where it adds something.
func (r *Result) pages(rows []*Row, system, m int) [][]float64 {
	var pages [][]float64
	for _, row := range rows {
		if v := row.Sums[system][m]; v != nil {
			pages = append(pages, v)
		}
	}
	return pages
}
