package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/method"
)

// Tuner searches for the parameters with which a method scores best.
type Tuner struct {
	Params  []Param
	Start   []float64 // where searches start
	Present []float64 // the present settings
	// Make returns the method with the given values.
	Make     func(values []float64) method.Method
	Examples []*Example
	// Progress, if not nil, is called after each evaluation with its score.
	Progress func(score float64)
}

// ErrNoNumbers means that a method has no numbers to tune.
var ErrNoNumbers = errors.New("no numbers to tune")

// NewTuner returns a Tuner without examples for the numbers of a method that have
// a range. The settings in set, such as "a1=400", are fixed. A number outside its
// range turns something off, and stays.
//
// Searches start in the middle of the ranges and not at the present settings, which
// may have been tuned on the examples and would spoil a cross-validation.
func NewTuner(name string, set []string) (*Tuner, error) {
	if _, err := lede.NewMethod(name, set...); err != nil {
		return nil, err
	}
	t := &Tuner{}
	methods := lede.Methods()
	i := slices.IndexFunc(methods, func(m lede.MethodInfo) bool { return m.Name == name })
	for _, p := range methods[i].Params() {
		x, err := strconv.ParseFloat(p.Value, 64)
		isSet := func(s string) bool { return strings.HasPrefix(s, p.Name+"=") }
		if err != nil || p.Step == 0 || x < p.Min || x > p.Max || slices.ContainsFunc(set, isSet) {
			continue
		}
		g := Param{Name: p.Name, Min: p.Min, Max: p.Max, Grid: p.Step}
		t.Params = append(t.Params, g)
		t.Present = append(t.Present, x)
		t.Start = append(t.Start, g.middle())
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

// setting returns a value as lede.WithMethod takes it: "a1=400".
func (t *Tuner) setting(i int, values []float64) string {
	return t.Params[i].Name + "=" + strconv.FormatFloat(values[i], 'f', -1, 64)
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

// objective returns the goal of a search: the F1 over bags of words, averaged over the
// pages of a corpus and then over corpora, so that all corpora count the same.
func (t *Tuner) objective(ctx context.Context) func([]float64) float64 {
	return func(values []float64) float64 {
		scores := ScoreAll(ctx, t.Examples, t.Make(values))
		text := t.mean(scores, func(*Example) bool { return true }, func(s Score) float64 { return s.F1 })
		title := t.mean(scores, func(x *Example) bool { return x.Gold.Title != "" }, func(s Score) float64 { return s.Title })
		score := text + titleWeight*title
		if t.Progress != nil {
			t.Progress(score)
		}
		return score
	}
}

// mean returns the mean over corpora of the means of a figure over their pages.
func (t *Tuner) mean(scores []Score, has func(*Example) bool, figure func(Score) float64) (mean float64) {
	var pages []int
	for i := range scores {
		if has(t.Examples[i]) {
			pages = append(pages, i)
		}
	}
	corpora := corpus.GroupBy(pages, func(i int) int { return t.Examples[i].Corpus })
	for _, c := range corpora {
		for _, i := range c {
			mean += figure(scores[i]) / float64(len(c)*len(corpora))
		}
	}
	return mean
}

// Search optimises the parameters on all examples, from the present settings too, so
// that the result is at least as good as they are. Numbers that make no difference keep
// their present value.
func (t *Tuner) Search(ctx context.Context) ([]float64, error) {
	objective := t.objective(ctx)
	best, score := search(t.Params, t.Start, objective)
	if again, s := search(t.Params, t.Present, objective); s >= score {
		best, score = again, s
	}
	for i, x := range t.Present {
		values := slices.Clone(best)
		values[i] = x
		if objective(values) >= score {
			best = values
		}
	}
	return best, context.Cause(ctx)
}

// CrossValidate splits the examples into folds by site. For each fold it searches
// on all others and scores the fold with the parameters found. It returns the
// scores of all examples.
func (t *Tuner) CrossValidate(ctx context.Context, folds int) ([]Score, error) {
	scores := make([]Score, len(t.Examples))
	for k := range folds {
		rest := *t
		rest.Examples = nil
		var held []int
		for i, x := range t.Examples {
			if corpus.Fold(x.Gold.SiteName(), folds) == k {
				held = append(held, i)
			} else {
				rest.Examples = append(rest.Examples, x)
			}
		}
		found, _ := search(t.Params, t.Start, rest.objective(ctx))
		m := t.Make(found)
		for _, i := range held {
			scores[i] = t.Examples[i].score(m)
		}
	}
	return scores, context.Cause(ctx)
}

// Gain returns the mean difference in F1 of two lists of scores of the examples of a
// corpus, and its standard error. Pages of a site are alike, so that sites are counted
// and not pages.
func (t *Tuner) Gain(of int, before, after []Score) (gain, deviation float64) {
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

// Param describes a parameter to optimise. Grid is the distance between values,
// counted from Min, and the smallest step.
type Param struct {
	Name           string
	Min, Max, Grid float64
}

// search looks for the point with the highest objective. It moves along one parameter
// at a time to the best of a few steps. When no step helps, the steps are halved.
func search(params []Param, start []float64, objective func([]float64) float64) (best []float64, score float64) {
	memo := map[string]float64{}
	evaluate := func(x []float64) float64 {
		key := fmt.Sprint(x)
		if _, known := memo[key]; !known {
			memo[key] = objective(x)
		}
		return memo[key]
	}
	steps := make([]float64, len(params))
	for i, p := range params {
		best = append(best, p.snap(start[i]))
		steps[i] = max((p.Max-p.Min)/4, p.Grid)
	}
	score = evaluate(best)
	for {
		improved, smaller := false, false
		for i, p := range params {
			from := best[i]
			for _, k := range []float64{-1, 1, -2, 2} {
				x := slices.Clone(best)
				x[i] = p.snap(from + k*steps[i])
				if s := evaluate(x); s > score {
					best, score, improved = x, s, true
				}
			}
		}
		for i, p := range params {
			if !improved && steps[i] > p.Grid {
				steps[i], smaller = max(steps[i]/2, p.Grid), true
			}
		}
		if !improved && !smaller {
			return best, score
		}
	}
}

// snap returns the value of the range and grid that is nearest to v.
func (p Param) snap(v float64) float64 {
	v = min(max(v, p.Min), p.Max)
	v = p.Min + math.Round((v-p.Min)/p.Grid)*p.Grid
	if v > p.Max { // the range is not a multiple of Grid
		v -= p.Grid
	}
	const digits = 1e9 // so that 0.1+0.2 gives 0.3
	return math.Round(v*digits) / digits
}

// middle returns the middle of the range: by ratio if all values are positive, since
// sizes of text differ by orders of magnitude.
func (p Param) middle() float64 {
	if p.Min > 0 {
		return p.snap(math.Sqrt(p.Min * p.Max))
	}
	return p.snap((p.Min + p.Max) / 2)
}
