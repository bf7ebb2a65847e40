// Package eval measures extractors on pages with a known article text: lede's
// methods, other libraries and files of predictions. All of them run through the
// same code, on the same pages, in the same order.
//
// Package corpus reads pages and their gold standard, package measure implements
// the measures, and package report writes a result as an HTML file.
package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/parallel"
)

// Options are the options of Run.
type Options struct {
	// Workers is the number of pages that are processed concurrently (default:
	// GOMAXPROCS). Times are comparable with one worker only: every page then
	// goes to every system in turn, so that other load on the machine affects
	// all systems equally.
	Workers int
	// Charset overrides the charsets of the corpora.
	Charset string
	// Strict stops the run at the first problem.
	Strict bool
	// Each is called with every page after all systems have processed it, in no
	// particular order and concurrently. It may be nil.
	Each func(*Page)
	// Progress is called after every page, and Problem for every problem, never
	// concurrently. Both may be nil.
	Progress func(done, total int)
	Problem  func(corpus.Problem)
}

// Run extracts every page with every system and measures the outputs. A page
// that cannot be read is a problem and counts in no figure. A page that a system
// fails on counts against that system. Run returns an error if ctx is done.
func Run(ctx context.Context, corpora []*corpus.Corpus, systems []System, measures []measure.Measure, opts Options) (*Result, error) {
	res := &Result{Measures: measures}
	for _, s := range systems {
		res.Systems = append(res.Systems, s.Name())
	}
	var jobs []job
	for _, c := range corpora {
		for i := range c.Gold {
			jobs = append(jobs, job{c, &c.Gold[i]})
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	rows := make([]*Row, len(jobs))
	var (
		mu   sync.Mutex // held during callbacks
		done int
	)
	finish := func(i int, row *Row, err error) {
		mu.Lock()
		defer mu.Unlock()
		done++
		if err != nil {
			problem := corpus.AsProblem(err)
			res.Problems = append(res.Problems, problem)
			if opts.Problem != nil {
				opts.Problem(problem)
			}
			if opts.Strict {
				stop(problem)
			}
		}
		rows[i] = row
		if opts.Progress != nil {
			opts.Progress(done, len(jobs))
		}
	}
	parallel.For(len(jobs), opts.Workers, func(i int) {
		if ctx.Err() != nil {
			return
		}
		p, err := jobs[i].run(ctx, systems, measures, opts.Charset)
		if ctx.Err() != nil {
			return
		}
		var row *Row
		if err == nil {
			row = p.Row
			if opts.Each != nil {
				opts.Each(p)
			}
		}
		finish(i, row, err)
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	res.Rows = slices.DeleteFunc(rows, func(r *Row) bool { return r == nil })
	if len(res.Rows) == 0 {
		return nil, fmt.Errorf("none of the %d pages could be read", len(jobs))
	}
	return res, nil
}

type job struct {
	corpus *corpus.Corpus
	gold   *corpus.Gold
}

// run extracts one page with all systems and measures the outputs.
func (j job) run(ctx context.Context, systems []System, measures []measure.Measure, charset string) (*Page, error) {
	html, err := j.corpus.Page(j.gold)
	if err != nil {
		return nil, err
	}
	g := j.gold
	in := &Input{Corpus: j.corpus.Name, ID: g.ID, URL: g.URL, Charset: charset, HTML: html}
	if in.Charset == "" {
		in.Charset = j.corpus.Charset
	}
	start := time.Now()
	in.Doc, in.DocErr = dom.Parse(ctx, html, dom.Options{Charset: in.Charset})
	in.DocTime = time.Since(start)

	p := &Page{Gold: g, Doc: in.Doc, Outputs: make([]*measure.Output, len(systems)), Row: &Row{
		Corpus: j.corpus.Name, ID: g.ID, URL: g.URL, Site: g.SiteName(), Lang: g.Lang, Type: g.Type, Year: g.Year(),
		Sums: make([][][]float64, len(systems)), Errors: make([]string, len(systems)),
	}}
	page := measure.NewPage(g, in.Doc)
	for i, s := range systems {
		out := extract(ctx, s, in)
		p.Outputs[i], p.Errors[i] = out, out.Error
		c := page.Case(out)
		p.Sums[i] = make([][]float64, len(measures))
		for k, m := range measures {
			p.Sums[i][k] = m.Page(c)
		}
	}
	return p, nil
}

// Page is a page with the outputs of all systems. Only its Row is kept after
// Options.Each has returned.
type Page struct {
	*Row
	Gold    *corpus.Gold
	Doc     *dom.Document     // nil if the page cannot be parsed
	Outputs []*measure.Output // by system
}

// Row has the measurements of a page.
type Row struct {
	Corpus, ID, URL        string
	Site, Lang, Type, Year string
	// Sums has what the page contributes to each measure, by system and by
	// measure. It is nil if the gold lacks what the measure needs.
	Sums [][][]float64
	// Errors has the error of each system, or the empty string.
	Errors []string
}

// Key returns the value of one of Groupings, or "unknown". It is empty if by is.
func (r *Row) Key(by string) string {
	switch by {
	case "site":
		return cmp.Or(r.Site, "unknown")
	case "lang":
		return cmp.Or(r.Lang, "unknown")
	case "type":
		return cmp.Or(r.Type, "unknown")
	case "year":
		return cmp.Or(r.Year, "unknown")
	}
	return ""
}

// Result is the outcome of a run.
type Result struct {
	Systems  []string
	Measures []measure.Measure
	Rows     []*Row // in the order of the corpora
	Problems []corpus.Problem
}

// Group is a set of pages of one corpus, such as those of one site.
type Group struct {
	Corpus string
	Key    string // empty for the whole corpus
	Rows   []*Row
}

// Groupings returns the arguments that Result.Group accepts.
func Groupings() []string { return []string{"site", "lang", "type", "year"} }

// Group groups the pages of each corpus by one of Groupings. With the empty
// string, each corpus is one group. Groups are sorted by corpus, in the order of
// the run, and by key.
func (r *Result) Group(by string) ([]Group, error) {
	if by != "" && !slices.Contains(Groupings(), by) {
		return nil, fmt.Errorf("unknown grouping %q; available: %s", by, strings.Join(Groupings(), ", "))
	}
	return r.group(by), nil
}

func (r *Result) group(by string) []Group {
	type name struct{ corpus, key string }
	at := map[name]int{}
	rank := map[string]int{} // by corpus
	var groups []Group
	for _, row := range r.Rows {
		n := name{row.Corpus, row.Key(by)}
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
	return groups
}

// Figures are the figures of one measure over a set of pages.
type Figures struct {
	Pages  int       // number of pages with the measure
	Values []float64 // in the order of Measure.Figures; nil if there is no page
	Errors []float64 // standard errors, by bootstrap
}

// rounds is the number of bootstrap samples. A thousand are enough for two
// significant digits of a standard error.
const rounds = 1000

// Figures computes a measure of a system over a set of pages.
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

// MeanFigures returns the mean over the corpora that have figures, with equal
// weights. Their errors are independent, so that the variances add up.
func MeanFigures(corpora []Figures) Figures {
	var mean Figures
	n := 0.0
	for _, f := range corpora {
		if f.Pages == 0 {
			continue
		}
		if n++; mean.Values == nil {
			mean.Values, mean.Errors = make([]float64, len(f.Values)), make([]float64, len(f.Values))
		}
		mean.Pages += f.Pages
		for i, v := range f.Values {
			mean.Values[i] += v
			mean.Errors[i] += f.Errors[i] * f.Errors[i]
		}
	}
	for i := range mean.Values {
		mean.Values[i] /= n
		mean.Errors[i] = math.Sqrt(mean.Errors[i]) / n
	}
	return mean
}

// values returns the figures without their standard errors, which cost far more.
func (r *Result) values(rows []*Row, system, m int) []float64 {
	return measure.Figures(r.Measures[m], r.pages(rows, system, m))
}

// pages returns what each page contributes to a measure of a system.
func (r *Result) pages(rows []*Row, system, m int) [][]float64 {
	var pages [][]float64
	for _, row := range rows {
		if v := row.Sums[system][m]; v != nil {
			pages = append(pages, v)
		}
	}
	return pages
}
