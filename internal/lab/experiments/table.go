package experiments

import (
	"fmt"
	"math"
	"strings"

	"github.com/lede-news/lede/internal/lab/eval"
)

// Table is the result of an experiment: our figures beside the published ones.
type Table struct {
	Title   string // with the number in the paper: "Table 1: …"
	Corpus  string // the pages that take the place of the paper's
	Columns []Column
	Rows    []Row
	// Notes say how the figures were measured and why they can differ from the
	// published ones.
	Notes []string
}

// Column is a column of figures.
type Column struct {
	Name   string
	Format Format
}

// Format is the format of the figures of a column, for package fmt.
type Format string

// The formats of figures.
const (
	Ratio   Format = "%.3f"
	Percent Format = "%.1f %%" // of a ratio
	Count   Format = "%.0f"
	Number  Format = "%.4g"
)

func (f Format) text(x float64) string {
	if f == Percent {
		x *= 100
	}
	return fmt.Sprintf(string(f), x)
}

// Row is a row of a table, with a cell for each column or for the first ones.
type Row struct {
	Name  string
	Cells []Cell
}

// Cell is a figure of ours and the published one. None leaves out either.
type Cell struct{ Ours, Paper float64 }

// None is the figure that leaves a part of a cell empty.
var None = math.NaN()

var noCell = Cell{None, None}

// Ours returns a cell for a figure that is not in the paper.
func Ours(x float64) Cell { return Cell{x, None} }

// NewRow returns a row of figures that are not in the paper.
func NewRow(name string, ours ...float64) Row {
	r := Row{Name: name}
	for _, x := range ours {
		r.Cells = append(r.Cells, Ours(x))
	}
	return r
}

func (r *Row) cell(i int) Cell {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return noCell
}

// text returns a figure, with the published one behind it in parentheses.
func (c Cell) text(f Format) string {
	switch {
	case !isFigure(c.Paper) && !isFigure(c.Ours):
		return ""
	case !isFigure(c.Paper):
		return f.text(c.Ours)
	case !isFigure(c.Ours):
		return "– (" + f.text(c.Paper) + ")"
	}
	return f.text(c.Ours) + " (" + f.text(c.Paper) + ")"
}

// isFigure is false for None and for what a division by zero gives.
func isFigure(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// String returns the table as plain text.
func (t *Table) String() string {
	rows := make([][]string, len(t.Rows)+1)
	rows[0] = []string{""}
	for i, r := range t.Rows {
		rows[i+1] = []string{r.Name}
	}
	for i, c := range t.Columns {
		heading := c.Name
		for k, r := range t.Rows {
			rows[k+1] = append(rows[k+1], r.cell(i).text(c.Format))
			if isFigure(r.cell(i).Paper) {
				heading = c.Name + " (paper)"
			}
		}
		rows[0] = append(rows[0], heading)
	}
	var b strings.Builder
	b.WriteString(t.Title + "\n")
	eval.WriteAligned(&b, rows)
	for _, note := range append([]string{"Pages: " + t.Corpus + "."}, t.Notes...) {
		b.WriteString(note + "\n")
	}
	return b.String()
}
