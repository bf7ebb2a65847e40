package visual

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/layout"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/internal/wrapper"
	"github.com/lede-news/lede/method"
)

// Example is a page with its layout and the two subtrees that a wrapper is to
// find. A person who labels pages makes the same as [Label] does.
type Example struct {
	Doc    *dom.Document
	Layout *method.Layout // nil where it is estimated
	URL    string
	Site   string // pages of a site are never on both sides of a split
	Source string // the corpus, for the card of a model
	// Title and Body are the labels, dom.None where the page has none that fits.
	Title, Body dom.Node
	// Gold is what the page should give, for measuring; nil when nobody knows.
	Gold *corpus.Gold
}

// Layouter measures or guesses the layout of a page. It may give back another
// document than it got, as a browser does that has run the page's scripts.
type Layouter func(ctx context.Context, page []byte, g *corpus.Gold) (*dom.Document, *method.Layout, error)

// Estimated is the Layouter without a browser.
func Estimated(c wrapper.Config) Layouter {
	screen := method.Screen{Width: float64(c.Width), Height: float64(c.Height)}
	return func(ctx context.Context, page []byte, _ *corpus.Gold) (*dom.Document, *method.Layout, error) {
		d, err := dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
		if err != nil {
			return nil, nil, err
		}
		return d, layout.Estimate(d, screen), nil
	}
}

// NewExample lays a page out and labels it by its gold.
func NewExample(ctx context.Context, lay Layouter, page []byte, g *corpus.Gold, source string) (*Example, error) {
	d, l, err := lay(ctx, page, g)
	if err != nil {
		return nil, fmt.Errorf("%s, page %s: %w", source, g.ID, err)
	}
	x := &Example{Doc: d, Layout: l, URL: g.URL, Site: g.SiteName(), Source: source, Gold: g}
	x.Title, x.Body = Label(d, g)
	return x, nil
}

// Load reads the pages of a corpus that have a gold text and that keep wants,
// on all cores. Progress may be nil.
func Load(ctx context.Context, c *corpus.Corpus, keep func(*corpus.Gold) bool, lay Layouter, progress Progress) ([]*Example, error) {
	var golds []*corpus.Gold
	for i := range c.Gold {
		if g := &c.Gold[i]; g.Text != "" && keep(g) {
			golds = append(golds, g)
		}
	}
	return makeAll(ctx, len(golds), progress, "reading "+c.Name, func(i int) (*Example, error) {
		page, err := c.Page(golds[i])
		if err != nil {
			return nil, err
		}
		return NewExample(ctx, lay, page, golds[i], c.Name)
	})
}

// FromNewsroom takes pages from, from+1 … of a made-up site.
func FromNewsroom(ctx context.Context, s *newsroom.Site, from, pages int, lay Layouter) ([]*Example, error) {
	return makeAll(ctx, pages, nil, "", func(i int) (*Example, error) {
		p := s.Page(from + i)
		g := &corpus.Gold{ID: p.Gold.ID, URL: p.Gold.URL, Site: s.Name, Lang: p.Gold.Lang, Type: p.Gold.Type, Title: p.Gold.Title, Text: p.Gold.Text}
		return NewExample(ctx, lay, p.HTML, g, "newsroom")
	})
}

// Progress is told how far a step of an experiment is.
type Progress func(step string, done, total int)

// makeAll makes n things on all cores, in order.
func makeAll[T any](ctx context.Context, n int, progress Progress, step string, do func(int) (T, error)) ([]T, error) {
	out, errs := make([]T, n), make([]error, n)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			out[i], errs[i] = do(i)
			if progress != nil {
				mu.Lock()
				defer mu.Unlock()
				done++
				progress(step, done, n)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
