// Package eval measures extractors on pages with a known article text: lede's
// methods, other libraries and files of predictions. All of them run through the
// same code, on the same pages, in the same order.
//
// Package corpus reads pages and their gold standard, and package measure
// implements the measures.
package eval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/parallel"
)

// Options are the options of Run. No two of the functions are called at the same
// time; each may be nil.
type Options struct {
	// Workers is the number of pages that are processed concurrently (default:
	// GOMAXPROCS). Times are comparable with one worker only: every page then
	// goes to every system in turn, so that other load on the machine affects
	// all systems equally.
	Workers int
	// Each is called with every page after all systems have processed it, in no
	// particular order.
	Each func(*Page)
	// Progress is called after every page.
	Progress func(done, total int)
	// Problem is called for every problem of the corpora, and for every page that
	// cannot be read.
	Problem func(error)
}

// Run extracts every page with every system and measures the outputs. A page
// that cannot be read is a problem and counts in no figure. A page that a system
// fails on counts against that system. Run returns an error if ctx is done.
func Run(ctx context.Context, corpora []*corpus.Corpus, systems []System, measures []measure.Measure, opts Options) (*Result, error) {
	res := &Result{Measures: measures}
	for _, s := range systems {
		res.Systems = append(res.Systems, s.Name())
	}
	type job struct {
		corpus *corpus.Corpus
		gold   *corpus.Gold
	}
	var jobs []job
	for _, c := range corpora {
		for i := range c.Gold {
			jobs = append(jobs, job{c, &c.Gold[i]})
		}
		for _, err := range c.Problems {
			if opts.Problem != nil {
				opts.Problem(err)
			}
		}
	}
	var calls sync.Mutex // held during callbacks
	done := 0
	rows, err := parallel.Map(ctx, len(jobs), opts.Workers, nil, func(i int) (*Row, error) {
		p, err := runPage(ctx, jobs[i].corpus, jobs[i].gold, systems, measures)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		calls.Lock()
		defer calls.Unlock()
		if done++; opts.Progress != nil {
			opts.Progress(done, len(jobs))
		}
		if err != nil {
			if opts.Problem != nil {
				opts.Problem(err)
			}
			return nil, nil
		}
		if opts.Each != nil {
			opts.Each(p)
		}
		return p.Row, nil
	})
	if err != nil {
		return nil, err
	}
	res.Rows = slices.DeleteFunc(rows, func(r *Row) bool { return r == nil })
	if len(res.Rows) == 0 {
		return nil, fmt.Errorf("none of the %d pages could be read", len(jobs))
	}
	return res, nil
}

// runPage extracts one page with all systems and measures the outputs.
func runPage(ctx context.Context, c *corpus.Corpus, g *corpus.Gold, systems []System, measures []measure.Measure) (*Page, error) {
	html, err := c.Page(g)
	if err != nil {
		return nil, err
	}
	in := &Input{ID: g.ID, URL: g.URL, HTML: html}
	start := time.Now()
	in.Doc, in.DocErr = dom.Parse(ctx, html, dom.Options{Charset: "utf-8"})
	in.DocTime = time.Since(start)
	p := &Page{Gold: g, Row: &Row{Corpus: c.Name, ID: g.ID, Type: g.Type, Sums: make([][][]float64, len(systems))}}
	for i, s := range systems {
		out := extract(ctx, s, in)
		p.Outputs, p.Errors = append(p.Outputs, out), append(p.Errors, out.Error)
		for _, m := range measures {
			p.Sums[i] = append(p.Sums[i], m.Page(g, out))
		}
	}
	return p, nil
}

// Page is a page with the outputs of all systems. Only its Row is kept after
// Options.Each has returned.
type Page struct {
	*Row
	Gold    *corpus.Gold
	Outputs []*measure.Output // by system
}

// Row has the measurements of a page.
type Row struct {
	Corpus, ID, Type string
	// Sums has what the page contributes to each measure, by system and by
	// measure. It is nil if the gold lacks what the measure needs.
	Sums [][][]float64
	// Errors has the error of each system, or the empty string.
	Errors []string
}

// Result is the outcome of a run.
type Result struct {
	Systems  []string
	Measures []measure.Measure
	Rows     []*Row // in the order of the corpora
}

// byCorpus returns the pages of each corpus.
func (r *Result) byCorpus() [][]*Row {
	return corpus.GroupBy(r.Rows, func(row *Row) string { return row.Corpus })
}

// Figures are the figures of one measure over a set of pages.
type Figures struct {
	Pages  int       // number of pages with the measure
	Values []float64 // in the order of Measure.Figures; nil if there is no page
	Errors []float64 // standard errors, by bootstrap
}

// Figures computes a measure of a system over a set of pages.
func (r *Result) Figures(rows []*Row, system, m int) Figures {
	pages := pagesOf(rows, system, m)
	return Figures{len(pages), measure.Figures(r.Measures[m], pages), measure.Bootstrap(r.Measures[m], pages)}
}

// pagesOf returns what each page contributes to a measure of a system.
func pagesOf(rows []*Row, system, m int) [][]float64 {
	var pages [][]float64
	for _, row := range rows {
		if v := row.Sums[system][m]; v != nil {
			pages = append(pages, v)
		}
	}
	return pages
}

// meanFigures returns the mean over the corpora that have figures, with equal
// weights. Their errors are independent, so that the variances add up.
func meanFigures(corpora []Figures) Figures {
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
