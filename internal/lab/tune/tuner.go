package tune

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// Tuner searches for the parameters with which a method scores best.
type Tuner struct {
	Params  []Param
	Start   []float64 // where searches start
	Present []float64 // the present settings
	// Make returns the method with the given values. It is called concurrently.
	Make     func(values []float64) method.Method
	Examples []*Example
}

// ErrNoNumbers means that a method has no numbers to tune.
var ErrNoNumbers = errors.New("no numbers to tune")

// NewTuner returns a Tuner without examples for the numbers of a method that have
// a range. The settings in set, such as "a1=400", are fixed. If only is not empty,
// it names the numbers to tune. A number outside its range turns something off,
// and stays.
//
// Searches start in the middle of the ranges and not at the present settings, which
// may have been tuned on the examples and would spoil a cross-validation.
func NewTuner(name string, set, only []string) (*Tuner, error) {
	if _, err := lede.NewMethod(name, set...); err != nil {
		return nil, err
	}
	t := &Tuner{}
	methods := lede.Methods()
	i := slices.IndexFunc(methods, func(m lede.MethodInfo) bool { return m.Name == name })
	var names []string
	for _, p := range methods[i].Params() {
		x, err := strconv.ParseFloat(p.Value, 64)
		if err != nil || p.Step == 0 || x < p.Min || x > p.Max || isSet(p.Name, set) {
			continue
		}
		names = append(names, p.Name)
		if len(only) > 0 && !slices.Contains(only, p.Name) {
			continue
		}
		g := Param{Name: p.Name, Min: p.Min, Max: p.Max, Grid: p.Step}
		t.Params = append(t.Params, g)
		t.Present = append(t.Present, x)
		t.Start = append(t.Start, g.middle())
	}
	for _, want := range only {
		if !slices.Contains(names, want) {
			return nil, fmt.Errorf("method %s has no number %q to tune; available: %s", name, want, strings.Join(names, ", "))
		}
	}
	if len(t.Params) == 0 {
		return nil, fmt.Errorf("method %s: %w", name, ErrNoNumbers)
	}
	t.Make = func(values []float64) method.Method {
		all := slices.Clone(set)
		for i := range t.Params {
			all = append(all, t.setting(i, values))
		}
		m, err := lede.NewMethod(name, all...)
		if err != nil {
			panic(err) // the numbers and their names are the method's own
		}
		return m
	}
	return t, nil
}

func isSet(name string, set []string) bool {
	return slices.ContainsFunc(set, func(s string) bool {
		key, _, _ := strings.Cut(s, "=")
		return strings.TrimSpace(key) == name
	})
}

// middle returns the middle of the range: by ratio if all values are positive, since
// sizes of text differ by orders of magnitude.
func (p Param) middle() float64 {
	if p.Min > 0 {
		return p.snap(math.Sqrt(p.Min * p.Max))
	}
	return p.snap((p.Min + p.Max) / 2)
}

// setting returns a value as lede.WithMethod takes it: "a1=400".
func (t *Tuner) setting(i int, values []float64) string {
	return t.Params[i].Name + "=" + strconv.FormatFloat(values[i], 'f', -1, 64)
}

// Apply changes present settings, such as "a1=400". Others than those of the
// parameters are ignored.
func (t *Tuner) Apply(set []string) {
	for i, p := range t.Params {
		for _, s := range set {
			key, value, _ := strings.Cut(s, "=")
			if x, err := strconv.ParseFloat(value, 64); err == nil && key == p.Name {
				t.Present[i] = x
			}
		}
	}
}

// Changes returns the values that differ from the present settings, in the form
// "a1=400".
func (t *Tuner) Changes(values []float64) (set []string) {
	for i, x := range values {
		if x != t.Present[i] {
			set = append(set, t.setting(i, values))
		}
	}
	return set
}

// titleWeight is the weight of the headline's F1 in the objective; that of the
// text is 1. It is enough for the parameters that only affect the headline.
const titleWeight = 0.1

// objective returns the goal of a search on the examples for which in returns true: the
// F1 over bags of words, averaged over the pages of a corpus and then over corpora, so
// that all corpora count the same.
func (t *Tuner) objective(ctx context.Context, in func(*Example) bool) func([]float64) float64 {
	return func(values []float64) float64 {
		m := t.Make(values)
		text, title := means{}, means{}
		for _, x := range t.Examples {
			if ctx.Err() != nil {
				break
			}
			if !in(x) {
				continue
			}
			s := x.scoreNodes(m)
			text.add(x.Corpus, s.text)
			if s.titled {
				title.add(x.Corpus, s.title)
			}
		}
		return text.mean() + titleWeight*title.mean()
	}
}

// SearchAll optimises the parameters on all examples, from the present settings
// too, so that the result is at least as good as they are. Numbers that make no
// difference keep their present value.
func (t *Tuner) SearchAll(ctx context.Context, opts Options) (Result, error) {
	objective := t.objective(ctx, func(*Example) bool { return true })
	best, err := Search(ctx, t.Params, t.Start, objective, opts)
	if err != nil {
		return Result{}, err
	}
	opts.Restarts = 0
	again, err := Search(ctx, t.Params, t.Present, objective, opts)
	if err != nil {
		return Result{}, err
	}
	if again.Score >= best.Score {
		best = again
	}
	for i, x := range t.Present {
		values := slices.Clone(best.Values)
		values[i] = x
		if x != best.Values[i] && objective(values) >= best.Score {
			best.Values = values
		}
	}
	return best, context.Cause(ctx)
}

// Curve returns the mean F1 of the text over the corpora for each value of a
// parameter, while all others have their present value.
func (t *Tuner) Curve(ctx context.Context, name string, values []float64) ([]float64, error) {
	i := slices.IndexFunc(t.Params, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no parameter %q", name)
	}
	return parallel.Map(ctx, len(values), 0, nil, func(k int) (float64, error) {
		x := slices.Clone(t.Present)
		x[i] = values[k]
		m := t.Make(x)
		f1 := means{}
		for _, e := range t.Examples {
			f1.add(e.Corpus, e.scoreText(m).F1)
		}
		return f1.mean(), nil
	})
}

// CrossValidate splits the examples into folds by site. For each fold it searches
// on all others and scores the fold with the parameters found. It returns the
// scores of all examples.
func (t *Tuner) CrossValidate(ctx context.Context, folds int, opts Options) ([]measure.PRF, error) {
	scores := make([]measure.PRF, len(t.Examples))
	for k := range folds {
		held := func(x *Example) bool { return corpus.Fold(x.Gold.SiteName(), folds) == k }
		found, err := Search(ctx, t.Params, t.Start, t.objective(ctx, func(x *Example) bool { return !held(x) }), opts)
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

// Gain returns the mean difference in F1 of two lists of scores of the examples of a
// corpus, and its standard error. Pages of a site are alike, so that sites are counted
// and not pages.
func (t *Tuner) Gain(of int, before, after []measure.PRF) (gain, deviation float64) {
	var pages []int
	for i, x := range t.Examples {
		if x.Corpus == of {
			pages = append(pages, i)
			gain += after[i].F1 - before[i].F1
		}
	}
	n := float64(max(1, len(pages)))
	gain /= n
	variance := 0.0
	for _, site := range corpus.GroupBy(pages, func(i int) string { return t.Examples[i].Gold.SiteName() }) {
		e := 0.0
		for _, i := range site {
			e += after[i].F1 - before[i].F1 - gain
		}
		variance += e * e
	}
	return gain, math.Sqrt(variance) / n
}

// means has a sum and a count for each corpus.
type means map[int][2]float64

func (m means) add(corpus int, x float64) { m[corpus] = [2]float64{m[corpus][0] + x, m[corpus][1] + 1} }

// mean returns the mean over corpora of their means.
func (m means) mean() (mean float64) {
	for _, i := range slices.Sorted(maps.Keys(m)) { // in order, since floats are summed
		mean += m[i][0] / m[i][1]
	}
	return mean / float64(max(1, len(m)))
}
