package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/lede-news/lede/internal/lab/eval"
)

// printTables writes a table of quality and speed for each corpus, the best system
// first. The last measure of the result must be time. Times are relative to that
// of the first system.
func printTables(w io.Writer, res *eval.Result) error {
	corpora, err := res.Group("")
	if err != nil {
		return err
	}
	for _, c := range corpora {
		fmt.Fprintf(w, "%s, %d pages\n", c.Corpus, len(c.Rows))
		if err := writeAligned(w, newTable(res, c).cells()); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// table has the figures of a corpus by system and measure.
type table struct {
	res     *eval.Result
	rows    []*eval.Row
	figures [][]eval.Figures
}

func newTable(res *eval.Result, c eval.Group) table {
	t := table{res: res, rows: c.Rows, figures: make([][]eval.Figures, len(res.Systems))}
	for s := range res.Systems {
		for m := range res.Measures {
			t.figures[s] = append(t.figures[s], res.Figures(c.Rows, s, m))
		}
	}
	return t
}

func (t table) cells() [][]string {
	quality := len(t.res.Measures) - 1
	head := []string{""}
	t.eachFigure(quality, func(m, k int) {
		head = append(head, t.res.Measures[m].Name+" "+t.res.Measures[m].Figures[k])
	})
	cells := [][]string{append(head, "failed", "ms/page", "parse", "extract", "pages/s", "time ×")}
	for _, s := range t.order() {
		row := []string{t.res.Systems[s]}
		t.eachFigure(quality, func(m, k int) { row = append(row, number(value(t.figures[s][m], k), 4)) })
		cells = append(cells, slices.Concat(row, []string{fmt.Sprint(t.failed(s))}, speed(t.figures[s][quality], t.figures[0][quality])))
	}
	return cells
}

// eachFigure calls do for all figures of the first measure and the main figures of
// the others.
func (t table) eachFigure(measures int, do func(m, figure int)) {
	for m := range measures {
		for k := range t.res.Measures[m].Figures {
			if m == 0 || k == t.res.Measures[m].Main {
				do(m, k)
			}
		}
	}
}

// order returns the systems, the best first.
func (t table) order() []int {
	order := make([]int, len(t.res.Systems))
	for s := range order {
		order[s] = s
	}
	main := t.res.Measures[0].Main
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(value(t.figures[b][0], main), value(t.figures[a][0], main))
	})
	return order
}

func (t table) failed(system int) (pages int) {
	for _, row := range t.rows {
		if row.Errors[system] != "" {
			pages++
		}
	}
	return pages
}

// value returns a figure, or NaN if no page has the measure.
func value(f eval.Figures, k int) float64 {
	if f.Pages == 0 {
		return math.NaN()
	}
	return f.Values[k]
}

// speed returns the cells for the time of a system, relative to another one.
func speed(own, other eval.Figures) []string {
	all, parse, extract := value(own, 0), value(own, 1), value(own, 2)
	if parse == 0 { // unknown
		parse, extract = math.NaN(), math.NaN()
	}
	return []string{number(all, 2), number(parse, 2), number(extract, 2), number(1000/all, 1), number(all/value(other, 0), 1)}
}

func number(x float64, digits int) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.*f", digits, x)
}

// writeAligned writes a table with names aligned left and figures aligned right.
func writeAligned(w io.Writer, cells [][]string) error {
	width := 0
	for _, row := range cells {
		width = max(width, len(row[0]))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range cells {
		fmt.Fprintf(t, "%-*s\t%s\t\n", width, row[0], strings.Join(row[1:], "\t"))
	}
	return t.Flush()
}
