package tune

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/internal/parallel"
)

// Param describes a parameter to optimise. Grid is the distance between values,
// counted from Min, and the smallest step.
type Param struct {
	Name           string
	Min, Max, Grid float64
}

// Options are the settings of a search.
type Options struct {
	Seed     uint64 // determines the points of restarts and the order of parameters
	Restarts int    // number of additional searches from random points
	// Progress, if not nil, is called with the number of points tried and the best score.
	Progress func(evaluations int, best float64)
}

// Result is the best point found.
type Result struct {
	Values []float64
	Score  float64
}

// Search looks for the point with the highest objective. From start, and then
// from random points, it moves along one parameter at a time to the best of a few
// steps. When no step helps, the steps are halved. When ctx ends, Search returns
// its cause.
//
// Several goroutines call objective at the same time. It must not keep the slice.
func Search(ctx context.Context, params []Param, start []float64, objective func([]float64) float64, opts Options) (Result, error) {
	s := &search{
		params: params, objective: objective, opts: opts, best: Result{Score: math.Inf(-1)},
		rng: rand.New(rand.NewPCG(opts.Seed, 0)), memo: map[string]float64{},
	}
	for i := range opts.Restarts + 1 {
		x := make([]float64, len(params))
		for k, p := range params {
			if x[k] = p.snap(start[k]); i > 0 {
				x[k] = p.snap(p.Min + s.rng.Float64()*(p.Max-p.Min))
			}
		}
		if err := s.climb(ctx, x); err != nil {
			return Result{}, err
		}
	}
	return s.best, nil
}

type search struct {
	params    []Param
	objective func([]float64) float64
	opts      Options
	rng       *rand.Rand
	memo      map[string]float64
	best      Result
}

// climb runs one local search.
func (s *search) climb(ctx context.Context, x []float64) error {
	scores, err := s.evaluate(ctx, [][]float64{x})
	if err != nil {
		return err
	}
	score := scores[0]
	steps := make([]float64, len(s.params))
	for i, p := range s.params {
		steps[i] = max((p.Max-p.Min)/4, p.Grid)
	}
	for {
		improved := false
		for _, i := range s.rng.Perm(len(s.params)) {
			near := s.neighbours(x, i, steps[i])
			scores, err := s.evaluate(ctx, near)
			if err != nil {
				return err
			}
			for k, v := range scores {
				if v > score {
					x, score, improved = near[k], v, true
				}
			}
			if s.opts.Progress != nil {
				s.opts.Progress(len(s.memo), max(score, s.best.Score))
			}
		}
		if improved {
			continue
		}
		smaller := false
		for i, p := range s.params {
			if steps[i] > p.Grid {
				steps[i], smaller = max(steps[i]/2, p.Grid), true
			}
		}
		if !smaller {
			break
		}
	}
	if score > s.best.Score {
		s.best = Result{x, score}
	}
	return nil
}

// neighbours returns the points one and two steps away along parameter i, within
// its range.
func (s *search) neighbours(x []float64, i int, step float64) (near [][]float64) {
	seen := []float64{x[i]}
	for _, k := range []float64{-1, 1, -2, 2} {
		if v := s.params[i].snap(x[i] + k*step); !slices.Contains(seen, v) {
			seen = append(seen, v)
			y := slices.Clone(x)
			y[i] = v
			near = append(near, y)
		}
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

// evaluate returns the objective at each point.
func (s *search) evaluate(ctx context.Context, points [][]float64) ([]float64, error) {
	scores, err := parallel.Map(ctx, len(points), 0, nil, func(i int) (float64, error) {
		if v, ok := s.memo[fmt.Sprint(points[i])]; ok {
			return v, nil
		}
		return s.objective(slices.Clone(points[i])), nil
	})
	if err != nil || ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for i, x := range points {
		s.memo[fmt.Sprint(x)] = scores[i]
	}
	return scores, nil
}
