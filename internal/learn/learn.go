// Package learn finds the numbers that methods work with, from pages whose
// story is known.
package learn

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/compose"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/method"
)

// Tuner finds the parameters with which a method does best.
type Tuner struct {
	Params   []Param
	Start    []float64
	Make     func(values []float64) method.Method
	Examples []*Example
}

// titleWeight is what the headline counts for beside the text, which has the
// weight 1: enough for the parameters that only the headline depends on.
const titleWeight = 0.1

// Search looks for parameters on the examples that are in. The goal is the F1
// over bags of words, as the mean over corpora of the mean over pages, so that
// a large corpus does not drown a small one.
func (t *Tuner) Search(ctx context.Context, in func(*Example) bool, opts Options) (Result, error) {
	objective := func(values []float64) float64 {
		m := t.Make(values)
		var text, title means
		for _, x := range t.Examples {
			if ctx.Err() != nil {
				break
			}
			if !in(x) {
				continue
			}
			f1, t1, titled := x.quick(m)
			text.add(x.Corpus, f1)
			if titled {
				title.add(x.Corpus, t1)
			}
		}
		return text.mean() + titleWeight*title.mean()
	}
	return Search(ctx, t.Params, t.Start, objective, opts)
}

// CrossValidate splits the examples by site, searches on all but one part and
// scores that, for each part in turn. It gives the scores of all examples, each
// by parameters that were found without its site.
func (t *Tuner) CrossValidate(ctx context.Context, folds int, opts func(fold int) Options) ([]measure.PRF, error) {
	scores := make([]measure.PRF, len(t.Examples))
	for k := range folds {
		held := func(x *Example) bool { return corpus.Fold(x.Gold.SiteName(), folds) == k }
		found, err := t.Search(ctx, func(x *Example) bool { return !held(x) }, opts(k))
		if err != nil {
			return nil, err
		}
		m := t.Make(found.Values)
		each(ctx, len(t.Examples), func(i int) {
			if held(t.Examples[i]) {
				scores[i] = t.Examples[i].exact(m)
			}
		}, func(int) {})
	}
	return scores, ctx.Err()
}

// Score scores a method on all examples, with the text as a reader gets it.
func (t *Tuner) Score(ctx context.Context, m method.Method) ([]measure.PRF, error) {
	scores := make([]measure.PRF, len(t.Examples))
	each(ctx, len(t.Examples), func(i int) { scores[i] = t.Examples[i].exact(m) }, func(int) {})
	return scores, ctx.Err()
}

// means are sums by corpus.
type means struct{ sum, n []float64 }

func (m *means) add(corpus int, x float64) {
	for len(m.sum) <= corpus {
		m.sum, m.n = append(m.sum, 0), append(m.n, 0)
	}
	m.sum[corpus] += x
	m.n[corpus]++
}

// mean is the mean over corpora.
func (m *means) mean() float64 {
	total, corpora := 0.0, 0.0
	for i, n := range m.n {
		if n > 0 {
			total += m.sum[i] / n
			corpora++
		}
	}
	return total / max(corpora, 1)
}

// Example is a page in memory with what is known of it.
type Example struct {
	Corpus int // which of those that were loaded
	Gold   *corpus.Gold
	Doc    *dom.Document

	sheet *measure.Sheet
}

// Load reads and parses the pages of corpora that have a gold text and that
// keep wants, on all cores. Progress may be nil.
func Load(ctx context.Context, corpora []*corpus.Corpus, keep func(*corpus.Gold) bool, opts dom.Options, progress func(done, total int)) ([]*Example, error) {
	var all []*Example
	for i, c := range corpora {
		before := len(all)
		for k := range c.Gold {
			if g := &c.Gold[k]; g.Text != "" && keep(g) {
				all = append(all, &Example{Corpus: i, Gold: g})
			}
		}
		if len(all) == before {
			return nil, fmt.Errorf("corpus %s: none of its %d pages is asked for and has a gold text", c.Name, len(c.Gold))
		}
	}
	errs := make([]error, len(all))
	each(ctx, len(all), func(i int) {
		errs[i] = all[i].load(ctx, corpora[all[i].Corpus], opts)
	}, func(done int) {
		if progress != nil {
			progress(done, len(all))
		}
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return all, first(errs)
}

// first is the first error, and how many more there are.
func first(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return fmt.Errorf("%w; and %d more pages failed", errs[0], len(errs)-1)
}

func (x *Example) load(ctx context.Context, c *corpus.Corpus, opts dom.Options) error {
	page, err := c.Page(x.Gold)
	if err != nil {
		return err
	}
	if x.Doc, err = dom.Parse(ctx, page, opts); err != nil {
		return fmt.Errorf("corpus %s, page %s: %w", c.Name, x.Gold.ID, err)
	}
	x.sheet = measure.NewSheet(x.Doc, x.Gold)
	return nil
}

// quick scores a method on the page by the nodes that it keeps, and its
// headline where the gold has one.
func (x *Example) quick(m method.Method) (text, title float64, titled bool) {
	s := x.choose(m)
	headline := x.headline(s)
	t, titled := x.sheet.Title(headline)
	return x.sheet.Score(s.Mask(x.Doc), headline).F1, t.F1, titled
}

// exact scores the text as a reader would get it.
func (x *Example) exact(m method.Method) measure.PRF {
	s := x.choose(m)
	title := x.headline(s)
	body := compose.Blocks(x.Doc, s.Mask(x.Doc), compose.Options{URL: x.Gold.URL})
	return measure.Score(x.Gold, title, article.Text(compose.DropHeadline(body, title)))
}

// choose gives an empty selection where the method finds nothing.
func (x *Example) choose(m method.Method) *method.Selection {
	s, err := m.Select(context.Background(), &method.Page{Doc: x.Doc, URL: x.Gold.URL})
	if err != nil {
		return &method.Selection{Title: dom.None}
	}
	return s
}

// headline is the text of the one that a method chose.
func (x *Example) headline(s *method.Selection) string {
	if s.Title == dom.None {
		return ""
	}
	return x.Doc.Text(s.Title)
}

// each calls do for 0 to n-1 on all cores, and tell with how many are done.
func each(ctx context.Context, n int, do func(int), tell func(int)) {
	next, done := make(chan int), make(chan struct{})
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				do(i)
				done <- struct{}{}
			}
		})
	}
	go func() {
		for i := 0; i < n && ctx.Err() == nil; i++ {
			next <- i
		}
		close(next)
		wg.Wait()
		close(done)
	}()
	for k := 1; ; k++ {
		if _, more := <-done; !more {
			return
		}
		tell(k)
	}
}
