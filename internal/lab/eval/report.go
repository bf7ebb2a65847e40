package eval

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// worstPages is how many pages of each corpus and system a report shows.
const worstPages = 20

// Report collects the outputs of a run for an HTML page: the tables, and for each
// corpus and system the pages with the lowest main figure of the first measure, the
// gold beside the output.
type Report struct {
	systems []string
	measure measure.Measure
	pages   map[[2]string][]reportPage // by corpus and system, the worst first
}

type reportPage struct {
	ID, URL, Error string
	Figure         float64
	Gold, Found    []reportLine
}

// reportLine is a line of a text. Odd means that the other text does not have it.
type reportLine struct {
	Text string
	Odd  bool
}

// NewReport returns an empty report.
func NewReport(systems []System, m measure.Measure) *Report {
	r := &Report{measure: m, pages: map[[2]string][]reportPage{}}
	for _, s := range systems {
		r.systems = append(r.systems, s.Name())
	}
	return r
}

// Add adds a page.
func (r *Report) Add(p *Page) {
	for i, system := range r.systems {
		sums := p.Sums[i][0]
		if sums == nil {
			continue
		}
		page := reportPage{ID: p.ID, URL: p.Gold.URL, Error: p.Errors[i], Figure: r.measure.Total(sums)[r.measure.Main]}
		worst := r.pages[[2]string{p.Corpus, system}]
		at, _ := slices.BinarySearchFunc(worst, page, func(a, b reportPage) int {
			return cmp.Or(cmp.Compare(a.Figure, b.Figure), strings.Compare(a.ID, b.ID))
		})
		if at == worstPages {
			continue
		}
		gold, found := p.Gold.Title+"\n"+p.Gold.Text, p.Outputs[i].Title+"\n"+p.Outputs[i].Text
		page.Gold, page.Found = reportLines(gold, found), reportLines(found, gold)
		worst = slices.Insert(worst, at, page)
		r.pages[[2]string{p.Corpus, system}] = worst[:min(worstPages, len(worst))]
	}
}

// reportLines splits a text and marks the lines that are not in the other text.
func reportLines(text, other string) (lines []reportLine) {
	letters := measure.Letters(other)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, reportLine{line, !strings.Contains(letters, measure.Letters(line))})
		}
	}
	return lines
}

//go:embed report.html
var reportHTML string

var reportTemplate = template.Must(template.New("report").Parse(reportHTML))

// Write writes the report of a result as one HTML file.
func (r *Report) Write(w io.Writer, res *Result) error {
	type list struct {
		Corpus, System string
		Pages          []reportPage
	}
	var lists []list
	for _, rows := range res.byCorpus() {
		for _, s := range r.systems {
			lists = append(lists, list{rows[0].Corpus, s, r.pages[[2]string{rows[0].Corpus, s}]})
		}
	}
	return reportTemplate.Execute(w, map[string]any{"Table": res.Table(false), "Measure": r.measure, "Lists": lists, "Most": worstPages})
}
