package eval

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
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
type column struct {
	measure, figure int
	head            string
	errors          bool // print the standard error, too
}

func (r *Result) columns(all bool) []column {
	var cols []column
	for i, m := range r.Measures {
		for k, name := range m.Figures {
			if all || k == m.Main || i == 0 && k < m.Main {
				cols = append(cols, column{i, k, heading(m, name), i == 0 && k == m.Main})
			}
		}
	}
	return cols
}

// heading returns the column heading of a figure.
func heading(m measure.Measure, figure string) string {
	if len(m.Figures) == 1 || figure == m.Name {
		return m.Name
	}
	return m.Name + " " + figure
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

// cell returns a figure and its error, or NaN.
func (g grid) cell(system int, c column) (value, err float64) {
	f := g[system][c.measure]
	if f.Pages == 0 {
		return math.NaN(), math.NaN()
	}
	return f.Values[c.figure], f.Errors[c.figure]
}

// print writes the rows of a grid, the best first, without empty columns.
func (r *Result) print(b *strings.Builder, g grid, cols []column) {
	order := make([]int, len(g))
	for i := range order {
		order[i] = i
	}
	main := cols[slices.IndexFunc(cols, func(c column) bool { return c.errors })]
	slices.SortStableFunc(order, func(i, j int) int {
		x, _ := g.cell(i, main)
		y, _ := g.cell(j, main)
		if r.Measures[0].Lower {
			x, y = y, x
		}
		return cmp.Compare(y, x)
	})
	table := [][]string{{""}}
	for _, s := range order {
		table = append(table, []string{r.Systems[s]})
	}
	for _, c := range cols {
		if !slices.ContainsFunc(g, func(row []Figures) bool { return row[c.measure].Pages > 0 }) {
			continue
		}
		table[0] = append(table[0], c.head)
		for i, s := range order {
			value, err := g.cell(s, c)
			if !c.errors {
				err = math.NaN()
			}
			table[i+1] = append(table[i+1], format(r.Measures[c.measure], value, err))
		}
	}
	writeAligned(b, table)
}

// format formats a figure, with its error unless that is NaN.
func format(m measure.Measure, value, err float64) string {
	if math.IsNaN(value) {
		return "–"
	}
	digits := 4
	if m.Lower { // milliseconds
		digits = 2
	}
	s := fmt.Sprintf("%.*f", digits, value)
	if !math.IsNaN(err) {
		s += fmt.Sprintf(" ±%.*f", digits-1, err)
	}
	return s
}

// printGroups writes the main figure of the first measure for every group and
// system, sorted from worst to best for the first system.
func (r *Result) printGroups(b *strings.Builder, groups []Group, by string) {
	m := r.Measures[0]
	value := map[string][]float64{}
	for _, g := range groups {
		for s := range r.Systems {
			value[g.Key] = append(value[g.Key], r.main(g.Rows, s, 0))
		}
	}
	slices.SortStableFunc(groups, func(x, y Group) int {
		if m.Lower {
			x, y = y, x
		}
		return cmp.Compare(value[x.Key][0], value[y.Key][0])
	})
	table := [][]string{append([]string{"by " + by + ", " + heading(m, m.Figures[m.Main]), "pages"}, r.Systems...)}
	for _, g := range groups {
		row := []string{g.Key, fmt.Sprint(len(g.Rows))}
		for _, x := range value[g.Key] {
			row = append(row, format(m, x, math.NaN()))
		}
		table = append(table, row)
	}
	writeAligned(b, table)
}

// writeAligned writes a table with the first column aligned left and the others
// aligned right, and an empty line after it.
func writeAligned(b *strings.Builder, table [][]string) {
	var width []int
	for _, row := range table {
		for i, s := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(s))
		}
	}
	for _, row := range table {
		var line strings.Builder
		for i, s := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(s))
			if i == 0 {
				line.WriteString("  " + s + pad)
			} else {
				line.WriteString("  " + pad + s)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	b.WriteString("\n")
}
