// Package learn searches for the settings with which a method scores best on
// pages whose article is known.
package learn

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/compose"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// Tuner searches for the parameters with which a method scores best.
type Tuner struct {
	Params   []Param
	Start    []float64
	Make     func(values []float64) method.Method
	Examples []*Example
}

// titleWeight is the weight of the headline's F1 in the objective; that of the
// text is 1. It is enough for the parameters that only affect the headline.
const titleWeight = 0.1

// Search optimises the parameters on the examples for which in returns true. The
// objective is the F1 over bags of words, averaged over the pages of a corpus and
// then over corpora, so that all corpora count the same.
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
			f1, t1, titled := x.scoreNodes(m)
			text.add(x.Corpus, f1)
			if titled {
				title.add(x.Corpus, t1)
			}
		}
		return text.mean() + titleWeight*title.mean()
	}
	return Search(ctx, t.Params, t.Start, objective, opts)
}

// CrossValidate splits the examples into folds by site. For each fold it searches
// on all others and scores the fold with the parameters found. It returns the
// scores of all examples.
func (t *Tuner) CrossValidate(ctx context.Context, folds int, opts func(fold int) Options) ([]measure.PRF, error) {
	scores := make([]measure.PRF, len(t.Examples))
	for k := range folds {
		held := func(x *Example) bool { return corpus.Fold(x.Gold.SiteName(), folds) == k }
		found, err := t.Search(ctx, func(x *Example) bool { return !held(x) }, opts(k))
		if err != nil {
			return nil, err
		}
		m := t.Make(found.Values)
		err = parallel.Do(ctx, len(t.Examples), 0, nil, func(i int) error {
			if held(t.Examples[i]) {
				scores[i] = t.Examples[i].scoreText(m)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return scores, nil
}

// Score scores a method on all examples by the text of the article.
func (t *Tuner) Score(ctx context.Context, m method.Method) ([]measure.PRF, error) {
	return parallel.Map(ctx, len(t.Examples), 0, nil, func(i int) (measure.PRF, error) { return t.Examples[i].scoreText(m), nil })
}

// means has a sum for each corpus.
type means struct{ sum, n []float64 }

func (m *means) add(corpus int, x float64) {
	for len(m.sum) <= corpus {
		m.sum, m.n = append(m.sum, 0), append(m.n, 0)
	}
	m.sum[corpus] += x
	m.n[corpus]++
}

// mean returns the mean over corpora of their means.
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

// Example is a parsed page with its gold.
type Example struct {
	Corpus int // index into the corpora given to Load
	Gold   *corpus.Gold
	Doc    *dom.Document

	scorer *measure.Scorer
}

// NewExample returns an example for a parsed page.
func NewExample(d *dom.Document, g *corpus.Gold) *Example {
	return &Example{Gold: g, Doc: d, scorer: measure.NewScorer(d, g)}
}

// Load reads and parses the pages of corpora that have a gold text and for which
// keep returns true. Progress may be nil.
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
			return nil, fmt.Errorf("corpus %s: none of its %d pages has a gold text and was selected", c.Name, len(c.Gold))
		}
	}
	report := func(done int) {
		if progress != nil {
			progress(done, len(all))
		}
	}
	err := parallel.Do(ctx, len(all), 0, report, func(i int) error { return all[i].load(ctx, corpora[all[i].Corpus], opts) })
	if err != nil {
		return nil, err
	}
	return all, nil
}

func (x *Example) load(ctx context.Context, c *corpus.Corpus, opts dom.Options) error {
	page, err := c.Page(x.Gold)
	if err != nil {
		return err
	}
	if x.Doc, err = dom.Parse(ctx, page, opts); err != nil {
		return fmt.Errorf("corpus %s, page %s: %w", c.Name, x.Gold.ID, err)
	}
	x.scorer = measure.NewScorer(x.Doc, x.Gold)
	return nil
}

// scoreNodes returns the F1 of a method by the nodes that it keeps, and that of
// its headline if the gold has one. It is much faster than scoreText.
func (x *Example) scoreNodes(m method.Method) (text, title float64, titled bool) {
	s := x.choose(m)
	headline := s.TitleText(x.Doc)
	t, titled := x.scorer.Title(headline)
	return x.scorer.Score(s.Mask(x.Doc), headline).F1, t.F1, titled
}

// scoreText scores a method by the text of the article.
func (x *Example) scoreText(m method.Method) measure.PRF {
	s := x.choose(m)
	title := s.TitleText(x.Doc)
	body := compose.Blocks(x.Doc, s.Mask(x.Doc), compose.Options{URL: x.Gold.URL})
	return measure.Score(x.Gold, title, article.Text(compose.DropHeadline(body, title)))
}

// choose returns an empty selection if the method finds nothing.
func (x *Example) choose(m method.Method) *method.Selection {
	s, err := m.Select(context.Background(), &method.Page{Doc: x.Doc, URL: x.Gold.URL})
	if err != nil {
		return &method.Selection{Title: dom.None}
	}
	return s
}
