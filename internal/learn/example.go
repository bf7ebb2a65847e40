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
