package eval

import (
	"fmt"
	"strings"

	"github.com/lede-news/lede/internal/eval/measure"
)

// printConfusion writes, for every system, how many pages of each type it took
// for an article, an index or something else, where types were measured.
func (r *Result) printConfusion(b *strings.Builder, rows []*Row) {
	for m, of := range r.Measures {
		if of.Name != "type" {
			continue
		}
		for s, system := range r.Systems {
			pages := r.pages(rows, s, m)
			if len(pages) == 0 {
				continue
			}
			c := measure.NewConfusion(measure.Sum(pages))
			table := [][]string{append([]string{system + " takes for"}, c.Gold...)}
			for i, found := range c.Found {
				row := []string{found}
				for _, n := range c.Pages[i] {
					row = append(row, fmt.Sprint(n))
				}
				table = append(table, row)
			}
			align(b, table)
		}
	}
}
