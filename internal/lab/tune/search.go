package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/internal/parallel"
)

// Param describes a parameter to optimise.
type Param struct {
	Name     string
	Min, Max float64
	// Grid is the distance between values, counted from Min: 1 for whole
	// numbers. It is also the smallest step.
	Grid float64
	// Step is the size of the first steps (default: a quarter of the range).
	Step float64
}

// Options are the settings of a search.
type Options struct {
	// Seed determines the starting points of restarts and the order in which
	// parameters are tried. The same seed gives the same result with any
	// number of workers.
	Seed uint64
	// Restarts is the number of additional searches from random points.
	Restarts int
	// Rounds limits how often each search goes through the parameters (default:
	// until no step of the smallest size helps).
	Rounds int
	// Workers is the number of concurrent evaluations (default: GOMAXPROCS).
	Workers int
	// Progress, if not nil, is called after every parameter that was tried.
	Progress func(Progress)
}

// Progress is the state of a search.
type Progress struct {
	Start       int // number of the search: 0, then 1 for the first restart
	Round       int
	Evaluations int
	Best        float64
}

// Result is the best point found.
type Result struct {
	Values      []float64
	Score       float64
	Evaluations int
}

// Search looks for the point with the highest objective. From start, and then
// from random points, it moves along one parameter at a time to the best of a few
// steps. When no step helps, the steps are halved. When ctx ends, Search returns
// its cause.
//
// Several goroutines call objective at the same time. It must not keep the slice.
func Search(ctx context.Context, params []Param, start []float64, objective func([]float64) float64, opts Options) (Result, error) {
	if err := check(params, start); err != nil {
		return Result{}, err
	}

	s := &search{
		params: params, objective: objective, opts: opts,
		rng: rand.New(rand.NewPCG(opts.Seed, 0)), memo: map[string]float64{},
	}
	best := Result{Score: math.Inf(-1)}
	for i := range opts.Restarts + 1 {
		x := s.clamp(start)
		if i > 0 {
			x = s.random()
		}
		s.progress.Start = i
		x, score := s.climb(ctx, x)
		if ctx.Err() != nil {
			return Result{}, context.Cause(ctx)
		}
		if score > best.Score {
			best.Values, best.Score = x, score
		}
	}
	best.Evaluations = len(s.memo)
	return best, nil
}

func check(params []Param, start []float64) error {
	if len(params) == 0 {
		return fmt.Errorf("no parameters to search for")
	}
	if len(start) != len(params) {
		return fmt.Errorf("%d parameters, but a starting point with %d values", len(params), len(start))
	}
	for _, p := range params {
		if !(p.Min < p.Max) || !(p.Grid > 0) || p.Step < 0 {
			return fmt.Errorf("parameter %s: invalid range from %g to %g with grid %g", p.Name, p.Min, p.Max, p.Grid)
		}
	}
	return nil
}

type search struct {
	params    []Param
	objective func([]float64) float64
	opts      Options
	rng       *rand.Rand
	memo      map[string]float64
	progress  Progress
}

// climb runs one local search.
func (s *search) climb(ctx context.Context, x []float64) ([]float64, float64) {
	score := s.evaluate(ctx, [][]float64{x})[0]
	if s.progress.Start == 0 || score > s.progress.Best {
		s.progress.Best = score
	}
	steps := s.firstSteps()
	for round := 1; s.opts.Rounds == 0 || round <= s.opts.Rounds; round++ {
		improved := false
		for _, i := range s.rng.Perm(len(s.params)) {
			near := s.neighbours(x, i, steps[i])
			scores := s.evaluate(ctx, near)
			if ctx.Err() != nil {
				return x, score
			}
			for k, v := range scores {
				if v > score {
					x, score, improved = near[k], v, true
				}
			}
			s.report(round, score)
		}
		if !improved && !s.shrink(steps) {
			break
		}
	}
	return x, score
}

func (s *search) report(round int, score float64) {
	s.progress.Round, s.progress.Evaluations = round, len(s.memo)
	s.progress.Best = max(s.progress.Best, score)
	if s.opts.Progress != nil {
		s.opts.Progress(s.progress)
	}
}

func (s *search) firstSteps() []float64 {
	steps := make([]float64, len(s.params))
	for i, p := range s.params {
		steps[i] = max(cmp.Or(p.Step, (p.Max-p.Min)/4), p.Grid)
	}
	return steps
}

// shrink halves the steps and reports whether any of them got smaller.
func (s *search) shrink(steps []float64) bool {
	smaller := false
	for i, p := range s.params {
		if steps[i] > p.Grid {
			steps[i] = max(steps[i]/2, p.Grid)
			smaller = true
		}
	}
	return smaller
}

// neighbours returns the points one and two steps away along parameter i, within
// its range.
func (s *search) neighbours(x []float64, i int, step float64) [][]float64 {
	var near [][]float64
	seen := []float64{x[i]}
	for _, k := range []float64{-1, 1, -2, 2} {
		v := s.params[i].snap(x[i] + k*step)
		if slices.Contains(seen, v) {
			continue
		}
		seen = append(seen, v)
		y := slices.Clone(x)
		y[i] = v
		near = append(near, y)
	}
	return near
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

func (s *search) clamp(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, p := range s.params {
		y[i] = p.snap(x[i])
	}
	return y
}

func (s *search) random() []float64 {
	y := make([]float64, len(s.params))
	for i, p := range s.params {
		y[i] = p.snap(p.Min + s.rng.Float64()*(p.Max-p.Min))
	}
	return y
}

// evaluate returns the objective at each point. NaN counts as -Inf.
func (s *search) evaluate(ctx context.Context, points [][]float64) []float64 {
	scores := make([]float64, len(points))
	err := parallel.Do(ctx, len(points), s.opts.Workers, nil, func(i int) error {
		if v, ok := s.memo[key(points[i])]; ok {
			scores[i] = v
			return nil
		}
		if scores[i] = s.objective(slices.Clone(points[i])); math.IsNaN(scores[i]) {
			scores[i] = math.Inf(-1)
		}
		return nil
	})
	if err == nil {
		for i, x := range points {
			s.memo[key(x)] = scores[i]
		}
	}
	return scores
}

func key(x []float64) string { return fmt.Sprint(x) }
