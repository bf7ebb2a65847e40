package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Param is a number to be found.
type Param struct {
	Name     string
	Min, Max float64
	// Grid is the unit that values are counted in from Min on: 1 for whole
	// numbers. Steps do not get smaller than that.
	Grid float64
	// Step is how far the first steps go; 0 means a quarter of the range.
	Step float64
}

// Options say how to search.
type Options struct {
	// Seed decides where restarts begin and in which order parameters are
	// tried. The same seed gives the same result on any number of cores.
	Seed uint64
	// Restarts is how many more searches begin, each at a random point.
	Restarts int
	// Rounds is how often each search goes through the parameters at most; 0
	// means until no step of the smallest size helps.
	Rounds int
	// Workers is how many evaluations run at once; 0 means one for each core.
	Workers int
	// Progress is told after every parameter that was tried.
	Progress func(Progress)
}

// Progress is where a search stands.
type Progress struct {
	Start       int // which of the searches, from 0
	Round       int
	Evaluations int
	Best        float64
}

// Result is the best point that was found.
type Result struct {
	Values      []float64
	Score       float64
	Evaluations int
}

// Search looks for the point with the highest objective: from the start, and
// then from random points, it moves along one parameter at a time to the best
// of a few steps; when no step helps any more, the steps get half as long. It
// ends early, with the context's error, when that ends.
//
// The objective runs on several goroutines at once and must not keep the slice.
func Search(ctx context.Context, params []Param, start []float64, objective func([]float64) float64, opts Options) (Result, error) {
	if err := check(params, start); err != nil {
		return Result{}, err
	}
	if opts.Workers < 1 {
		opts.Workers = runtime.GOMAXPROCS(0)
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
		return fmt.Errorf("%d parameters, but a start with %d values", len(params), len(start))
	}
	for _, p := range params {
		if !(p.Min < p.Max) || !(p.Grid > 0) || p.Step < 0 {
			return fmt.Errorf("parameter %s: a range from %g to %g in units of %g cannot be searched", p.Name, p.Min, p.Max, p.Grid)
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

// climb is one local search.
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
		steps[i] = p.Step
		if steps[i] == 0 {
			steps[i] = (p.Max - p.Min) / 4
		}
		steps[i] = max(steps[i], p.Grid)
	}
	return steps
}

// shrink halves the steps; it reports whether any of them got smaller.
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

// neighbours are the points one and two steps away along one parameter, as far
// as the range goes.
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

// snap brings a value into the range and onto the grid.
func (p Param) snap(v float64) float64 {
	v = min(max(v, p.Min), p.Max)
	v = p.Min + math.Round((v-p.Min)/p.Grid)*p.Grid
	if v > p.Max { // the range is no whole number of units
		v -= p.Grid
	}
	const digits = 1e9 // 0.1+0.2 is 0.3
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

// evaluate gives the objective at each point, from memory or in parallel. A
// value that is no number counts as the worst there is.
func (s *search) evaluate(ctx context.Context, points [][]float64) []float64 {
	scores := make([]float64, len(points))
	slots := make(chan struct{}, s.opts.Workers)
	var wg sync.WaitGroup
	for i, x := range points {
		if v, ok := s.memo[key(x)]; ok {
			scores[i] = v
			continue
		}
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			v := s.objective(slices.Clone(x))
			if math.IsNaN(v) {
				v = math.Inf(-1)
			}
			scores[i] = v
		})
	}
	wg.Wait()
	if ctx.Err() == nil {
		for i, x := range points {
			s.memo[key(x)] = scores[i]
		}
	}
	return scores
}

func key(x []float64) string { return fmt.Sprint(x) }
