package learn

import (
	"context"

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
