package experiments

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// Table is the result of an experiment: our figures beside the published ones.
type Table struct {
	Paper string `json:"paper"` // the method, such as nce
	ID    string `json:"id"`    // of the experiment, such as 2 or figure8
	Title string `json:"title"` // with the number in the paper: "Table 1: …"
	// Corpus says which pages take the place of the paper's.
	Corpus  string   `json:"corpus"`
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
	// Notes say how the figures were measured and why they can differ from the
	// published ones.
	Notes []string `json:"notes,omitempty"`
}

// Column is a column of figures.
type Column struct {
	Name   string `json:"name"`
	Format Format `json:"format"`
}

// Format says how the figures of a column are printed.
type Format string

// The formats of figures.
const (
	Ratio   Format = "ratio"   // 0.912
	Percent Format = "percent" // a ratio as 91.2 %
	Count   Format = "count"   // 1,250 as 1250
	Number  Format = "number"  // 12.5
)

func (f Format) text(x float64) string {
	switch f {
	case Percent:
		return fmt.Sprintf("%.1f %%", 100*x)
	case Count:
		return fmt.Sprintf("%.0f", x)
	case Number:
		return fmt.Sprintf("%.4g", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// Row is a row of a table, with a cell for each column.
type Row struct {
	Name  string `json:"name"`
	Cells []Cell `json:"cells"`
}

// Cell is a figure of ours, the published one, or both.
type Cell struct {
	Ours  *float64 `json:"ours,omitempty"`
	Paper *float64 `json:"paper,omitempty"`
}

// Ours returns a cell for a figure that is not in the paper. NaN leaves it empty.
func Ours(x float64) Cell { return Cell{Ours: figure(x)} }

// Both returns a cell for a figure and the published one. NaN leaves out either.
func Both(ours, paper float64) Cell { return Cell{figure(ours), figure(paper)} }

// None is the figure that leaves a part of a cell empty.
var None = math.NaN()

func figure(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// NewRow returns a row of figures that are not in the paper.
func NewRow(name string, ours ...float64) Row {
	r := Row{Name: name}
	for _, x := range ours {
		r.Cells = append(r.Cells, Ours(x))
	}
	return r
}

// grid returns the table as text, with a heading for each column. The published
// figure stands behind ours in parentheses.
func (t *Table) grid() [][]string {
	head := []string{""}
	for i, c := range t.Columns {
		name := c.Name
		for _, r := range t.Rows {
			if i < len(r.Cells) && r.Cells[i].Paper != nil {
				name += " (paper)"
				break
			}
		}
		head = append(head, name)
	}
	rows := [][]string{head}
	for _, r := range t.Rows {
		row := []string{r.Name}
		for i, c := range t.Columns {
			row = append(row, cellText(c.Format, r.cell(i)))
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *Row) cell(i int) Cell {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return Cell{}
}

func cellText(f Format, c Cell) string {
	ours := "–"
	if c.Ours != nil {
		ours = f.text(*c.Ours)
	}
	switch {
	case c.Paper != nil:
		return ours + " (" + f.text(*c.Paper) + ")"
	case c.Ours == nil:
		return ""
	}
	return ours
}

// WriteText writes the table as plain text.
func (t *Table) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", t.Title)
	rows := t.grid()
	widths := make([]int, len(t.Columns)+1)
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		line := fmt.Sprintf("%-*s", widths[0], r[0])
		for i, cell := range r[1:] {
			line += fmt.Sprintf("  %*s", widths[i+1], cell)
		}
		fmt.Fprintf(&b, "  %s\n", strings.TrimRight(line, " "))
	}
	if t.Corpus != "" {
		fmt.Fprintf(&b, "Pages: %s.\n", strings.TrimSuffix(t.Corpus, "."))
	}
	for _, n := range t.Notes {
		fmt.Fprintln(&b, n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
