// Package eval measures extractors on pages whose story is known: lede's methods, other libraries, files of
// predictions, all through the same code, on the same pages, in the same order.
//
// Package corpus reads the pages with their gold, package measure holds the
// measures, package report makes a page of the result for people to look at.
package eval

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
)

// Options say how to run.
type Options struct {
	// Workers is how many pages are in work at once; 0 means one a core. With
	// 1, times can be compared: every page goes to every system in turn, so that
	// whatever else the machine does disturbs all of them alike.
	Workers int
	// Charset, when it is set, is believed rather than the corpora's own.
	Charset string
	// Strict ends the run at the first problem.
	Strict bool
	// Each gets every page once all systems have done it, in no particular
	// order and several at the same time. It may be nil.
	Each func(*Page)
	// Progress is called after every page, Problem with what was wrong; never at
	// the same time. Both may be nil.
	Progress func(done, total int)
	Problem  func(corpus.Problem)
}

// Run has every system extract every page and measures what they give. A page
// that cannot be read is a problem and in no figure; one that a system fails on
// counts against that system. It ends early, with an error, when ctx does.
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
		lock sync.Mutex // held while callbacks run
		done int
	)
	finish := func(i int, row *Row, err error) {
		lock.Lock()
		defer lock.Unlock()
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
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() {
			for i := range next {
				p, err := jobs[i].do(ctx, systems, measures, opts.Charset)
				if ctx.Err() != nil {
					continue
				}
				var row *Row
				if err == nil {
					row = p.Row
					if opts.Each != nil {
						opts.Each(p)
					}
				}
				finish(i, row, err)
			}
		})
	}
	for i := 0; i < len(jobs) && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	busy.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for _, r := range rows {
		if r != nil {
			res.Rows = append(res.Rows, r)
		}
	}
	if len(res.Rows) == 0 {
		return nil, fmt.Errorf("none of %d pages could be read", len(jobs))
	}
	return res, nil
}

type job struct {
	corpus *corpus.Corpus
	gold   *corpus.Gold
}

// do has all systems extract one page, and measures them.
func (j job) do(ctx context.Context, systems []System, measures []measure.Measure, charset string) (*Page, error) {
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
	sheet := measure.NewPage(g, in.Doc)
	for i, s := range systems {
		out := guard(ctx, s, in)
		p.Outputs[i], p.Errors[i] = out, out.Error
		c := sheet.Case(out)
		p.Sums[i] = make([][]float64, len(measures))
		for k, m := range measures {
			p.Sums[i][k] = m.Page(c)
		}
	}
	return p, nil
}

// Page is a page that every system has done. The row outlives it.
type Page struct {
	*Row
	Gold    *corpus.Gold
	Doc     *dom.Document     // nil when it cannot be parsed
	Outputs []*measure.Output // by system
}

// Row is what stays of a page: the figures.
type Row struct {
	Corpus, ID, URL        string
	Site, Lang, Type, Year string
	// Sums are what the page adds, by system and by measure; nil when the
	// page's gold does not say what the measure needs.
	Sums [][][]float64
	// Errors are why systems gave nothing, by system; empty when they gave something.
	Errors []string
}

// Result is the outcome of a run.
type Result struct {
	Systems  []string
	Measures []measure.Measure
	Rows     []*Row // in the order of the corpora
	Problems []corpus.Problem
}

// Group is a set of pages whose figures belong together.
type Group struct {
	Corpus string
	Key    string // empty for the whole corpus
	Rows   []*Row
}

// Groupings are what pages of a corpus can be grouped by.
func Groupings() []string { return []string{"site", "lang", "type", "year"} }

// Group puts the pages of each corpus together, by one of Groupings; the empty
// string leaves each corpus whole. The corpora stay in order, groups go by name.
func (r *Result) Group(by string) ([]Group, error) {
	key := func(*Row) string { return "" }
	switch by {
	case "":
	case "site":
		key = func(r *Row) string { return r.Site }
	case "lang":
		key = func(r *Row) string { return r.Lang }
	case "type":
		key = func(r *Row) string { return r.Type }
	case "year":
		key = func(r *Row) string { return r.Year }
	default:
		return nil, fmt.Errorf("no grouping by %q; there is %v", by, Groupings())
	}
	type name struct{ corpus, key string }
	at := map[name]int{}
	rank := map[string]int{} // of the corpora
	var groups []Group
	for _, row := range r.Rows {
		n := name{row.Corpus, key(row)}
		if n.key == "" && by != "" {
			n.key = "unknown"
		}
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
	return groups, nil
}

// Figures are those of one measure over some pages.
type Figures struct {
	Pages  int       // that the measure could be taken on
	Values []float64 // as the measure names them; nil when there is no page
	Errors []float64 // their standard errors, by resampling the pages
}

// rounds of resampling: enough for the second digit of an error.
const rounds = 1000

// Figures takes a measure of a system over pages.
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

// values are the figures without their errors, which cost far more.
func (r *Result) values(rows []*Row, system, m int) []float64 {
	return measure.Figures(r.Measures[m], r.pages(rows, system, m))
}

// pages are what each page adds to a measure of a system, where it adds something.
func (r *Result) pages(rows []*Row, system, m int) [][]float64 {
	var pages [][]float64
	for _, row := range rows {
		if v := row.Sums[system][m]; v != nil {
			pages = append(pages, v)
		}
	}
	return pages
}
