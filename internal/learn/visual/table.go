package visual

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// Table is the result of an experiment, as the paper prints one, with the
// paper's own figures in it.
type Table struct {
	Title   string   `json:"title"`
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
	Notes   []string `json:"notes,omitempty"`
}

// Row is a line of a table. A value of -1 is one that there is not.
type Row struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// none stands where a table has no value.
const none = -1

// String is the table in plain text.
func (t *Table) String() string {
	var b strings.Builder
	_ = t.Write(&b) // a Builder takes everything
	return b.String()
}

// Write prints the table in plain text.
func (t *Table) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, t.Title)
	first := 0
	for _, r := range t.Rows {
		first = max(first, utf8.RuneCountInString(r.Name))
	}
	fmt.Fprintf(&b, "%-*s", first, "")
	for _, c := range t.Columns {
		fmt.Fprintf(&b, "  %s", c)
	}
	fmt.Fprintln(&b)
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "%-*s", first, r.Name)
		for i, v := range r.Values {
			fmt.Fprintf(&b, "  %*s", utf8.RuneCountInString(t.Columns[i]), cell(t.Columns[i], v))
		}
		fmt.Fprintln(&b)
	}
	for _, n := range t.Notes {
		fmt.Fprintln(&b, n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell writes numbers of pages as they are, milliseconds with one digit and
// shares as in the paper.
func cell(column string, v float64) string {
	switch {
	case v == none || math.IsNaN(v):
		return "-"
	case column == "pages":
		return fmt.Sprintf("%.0f", v)
	case strings.HasPrefix(column, "ms"):
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}
