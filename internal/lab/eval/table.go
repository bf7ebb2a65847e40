package eval

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// TableOptions are the options of Result.Table.
type TableOptions struct {
	By  string // one of Groupings: also print the main figure of every group
	All bool   // print all figures of all measures
}

// Table writes the figures of every corpus, the best system first, and the mean
// over several corpora.
func (r *Result) Table(w io.Writer, opts TableOptions) error {
	corpora := r.Group("")
	var b strings.Builder
	cols := r.columns(opts.All)
	var all []grid
	for _, c := range corpora {
		g := r.grid(func(s, m int) Figures { return r.Figures(c.Rows, s, m) })
		all = append(all, g)
		fmt.Fprintf(&b, "%s, %d pages\n", c.Corpus, len(c.Rows))
		r.print(&b, g, cols)
		if opts.By != "" {
			r.printGroups(&b, slices.DeleteFunc(r.Group(opts.By), func(g Group) bool { return g.Corpus != c.Corpus }), opts.By)
		}
	}
	if len(corpora) > 1 {
		fmt.Fprintf(&b, "mean over %d corpora\n", len(corpora))
		r.print(&b, r.grid(func(s, m int) Figures {
			var of []Figures
			for _, g := range all {
				of = append(of, g[s][m])
			}
			return meanFigures(of)
		}), cols)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// column is one figure of one measure.
type column struct{ measure, figure int }

func (r *Result) columns(all bool) []column {
	var cols []column
	for i, m := range r.Measures {
		for k := range m.Figures {
			if all || k == m.Main || i == 0 && k < m.Main {
				cols = append(cols, column{i, k})
			}
		}
	}
	return cols
}

// heading returns the heading of a column.
func (r *Result) heading(c column) string {
	m := r.Measures[c.measure]
	if len(m.Figures) == 1 {
		return m.Name
	}
	return m.Name + " " + m.Figures[c.figure]
}

// grid has figures by system and measure.
type grid [][]Figures

func (r *Result) grid(figures func(system, m int) Figures) grid {
	g := make(grid, len(r.Systems))
	for s := range g {
		for m := range r.Measures {
			g[s] = append(g[s], figures(s, m))
		}
	}
	return g
}

// print writes the rows of a grid, the best first, without empty columns. The main
// figure of the first measure has its standard error.
func (r *Result) print(w io.Writer, g grid, cols []column) {
	first := r.Measures[0]
	var order []int
	rank := make([]float64, len(g)) // lower is worse
	for s := range g {
		order = append(order, s)
		if rank[s] = math.Inf(-1); g[s][0].Pages > 0 {
			rank[s] = r.rank(g[s][0].Values[first.Main])
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rank[j], rank[i]) })
	cols = slices.DeleteFunc(slices.Clone(cols), func(c column) bool {
		return !slices.ContainsFunc(g, func(row []Figures) bool { return row[c.measure].Pages > 0 })
	})
	head := []string{""}
	for _, c := range cols {
		head = append(head, r.heading(c))
	}
	table := [][]string{head}
	for _, s := range order {
		row := []string{r.Systems[s]}
		for _, c := range cols {
			m, f := r.Measures[c.measure], g[s][c.measure]
			cell := "–"
			if f.Pages > 0 {
				cell = format(m, f.Values[c.figure])
			}
			if f.Pages > 0 && c == (column{0, first.Main}) {
				cell += fmt.Sprintf(" ±%.3f", f.Errors[c.figure])
			}
			row = append(row, cell)
		}
		table = append(table, row)
	}
	writeAligned(w, table)
}

// rank returns a number that is lower for a worse figure of the first measure.
func (r *Result) rank(figure float64) float64 {
	if r.Measures[0].Lower {
		return -figure
	}
	return figure
}

// format formats a figure: a ratio, or milliseconds.
func format(m measure.Measure, value float64) string {
	switch {
	case math.IsNaN(value):
		return "–"
	case m.Lower:
		return fmt.Sprintf("%.2f", value)
	}
	return fmt.Sprintf("%.4f", value)
}

// printGroups writes the main figure of the first measure for every group and
// system, sorted from worst to best for the first system.
func (r *Result) printGroups(w io.Writer, groups []Group, by string) {
	m := r.Measures[0]
	slices.SortStableFunc(groups, func(x, y Group) int { return cmp.Compare(r.rank(r.main(x.Rows, 0, 0)), r.rank(r.main(y.Rows, 0, 0))) })
	table := [][]string{append([]string{"by " + by + ", " + r.heading(column{0, m.Main}), "pages"}, r.Systems...)}
	for _, g := range groups {
		row := []string{g.Key, fmt.Sprint(len(g.Rows))}
		for s := range r.Systems {
			row = append(row, format(m, r.main(g.Rows, s, 0)))
		}
		table = append(table, row)
	}
	writeAligned(w, table)
}

// writeAligned writes a table with the first column aligned left and the others
// aligned right, and an empty line after it.
func writeAligned(w io.Writer, table [][]string) {
	width := 0
	for _, row := range table {
		width = max(width, utf8.RuneCountInString(row[0]))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range table {
		fmt.Fprintf(t, "%-*s\t%s\t\n", width, row[0], strings.Join(row[1:], "\t"))
	}
	t.Flush()
	fmt.Fprintln(w)
}
