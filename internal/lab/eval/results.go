package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// Table returns the figures of every corpus, the best system first, and the mean over
// several corpora. With all, it has all figures of all measures.
func (r *Result) Table(all bool) string {
	var b strings.Builder
	var grids []grid
	for _, rows := range r.byCorpus() {
		g := r.grid(func(s, m int) Figures { return r.Figures(rows, s, m) })
		grids = append(grids, g)
		fmt.Fprintf(&b, "%s, %d pages\n", rows[0].Corpus, len(rows))
		r.print(&b, g, all)
	}
	if len(grids) > 1 {
		fmt.Fprintf(&b, "mean over %d corpora\n", len(grids))
		r.print(&b, r.grid(func(s, m int) Figures {
			var of []Figures
			for _, g := range grids {
				of = append(of, g[s][m])
			}
			return meanFigures(of)
		}), all)
	}
	return b.String()
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
func (r *Result) print(b *strings.Builder, g grid, all bool) {
	table := make([][]string, len(g)+1)
	order := make([]int, len(g)) // of the systems
	rank := make([]float64, len(g))
	for s := range g {
		order[s], rank[s] = s, math.Inf(-1)
		if f := g[s][0]; f.Pages > 0 {
			rank[s] = f.Values[r.Measures[0].Main]
		}
		if r.Measures[0].Lower {
			rank[s] = -rank[s]
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rank[j], rank[i]) })
	table[0] = []string{""}
	for i, s := range order {
		table[i+1] = []string{r.Systems[s]}
	}
	for k, m := range r.Measures {
		if !slices.ContainsFunc(g, func(row []Figures) bool { return row[k].Pages > 0 }) {
			continue
		}
		for n, name := range m.Figures {
			if !all && n != m.Main && (k > 0 || n > m.Main) {
				continue
			}
			heading := m.Name + " " + name
			if len(m.Figures) == 1 {
				heading = m.Name
			}
			table[0] = append(table[0], heading)
			for i, s := range order {
				f, cell := g[s][k], "–"
				switch {
				case f.Pages > 0 && m.Lower: // milliseconds
					cell = fmt.Sprintf("%.2f", f.Values[n])
				case f.Pages > 0:
					cell = fmt.Sprintf("%.4f", f.Values[n])
				}
				if f.Pages > 0 && k == 0 && n == m.Main {
					cell += fmt.Sprintf(" ±%.3f", f.Errors[n])
				}
				table[i+1] = append(table[i+1], cell)
			}
		}
	}
	WriteAligned(b, table)
	b.WriteByte('\n')
}

// WriteAligned writes a table with the first column aligned left and the others
// aligned right.
func WriteAligned(b *strings.Builder, table [][]string) {
	width := 0
	for _, row := range table {
		width = max(width, utf8.RuneCountInString(row[0]))
	}
	var padded strings.Builder
	t := tabwriter.NewWriter(&padded, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range table {
		fmt.Fprintf(t, "%-*s\t%s\t\n", width, row[0], strings.Join(row[1:], "\t"))
	}
	t.Flush()
	for line := range strings.Lines(padded.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

// jsonCorpus has the figures of a corpus by system and measure.
type jsonCorpus struct {
	Corpus  string                            `json:"corpus"`
	Pages   int                               `json:"pages"`
	Figures map[string]map[string]jsonFigures `json:"figures"`
}

type jsonFigures struct {
	Pages  int                `json:"pages"`
	Values map[string]float64 `json:"values"`
	Errors map[string]float64 `json:"standard_errors"`
}

// WriteJSON writes the figures of every corpus.
func (r *Result) WriteJSON(w io.Writer) error {
	var corpora []jsonCorpus
	for _, rows := range r.byCorpus() {
		c := jsonCorpus{rows[0].Corpus, len(rows), map[string]map[string]jsonFigures{}}
		for s, system := range r.Systems {
			c.Figures[system] = map[string]jsonFigures{}
			for i, m := range r.Measures {
				if f := r.Figures(rows, s, i); f.Pages > 0 {
					c.Figures[system][m.Name] = jsonFigures{f.Pages, named(m, f.Values), named(m, f.Errors)}
				}
			}
		}
		corpora = append(corpora, c)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(map[string]any{"systems": r.Systems, "corpora": corpora})
}

// named returns figures of a measure by their names.
func named(m measure.Measure, values []float64) map[string]float64 {
	out := map[string]float64{}
	for i, name := range m.Figures {
		out[name] = values[i]
	}
	return out
}
