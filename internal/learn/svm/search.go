package svm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

// Grid is what [Search] tries: every C with every Gamma.
type Grid struct {
	// C and Gamma are the values; nil means those of Hsu, Chang, Lin, section
	// 3.2: 2^-5, 2^-3 … 2^15 and 2^-15, 2^-13 … 2^3.
	C, Gamma []float64
	// Options are for all else. Their C, Gamma, Groups and Probability are not
	// looked at, and each worker has a cache of its own.
	Options Options
	// Workers is how many points are tried at once; 0 means one for each core.
	Workers int
}

// Point is a point of the grid.
type Point struct {
	C, Gamma float64
	// Accuracy is the part of the rows that models which had not seen their group
	// put into the right class.
	Accuracy float64
	// Converged is false where a model was not found within the bound on
	// iterations; there is no accuracy then.
	Converged bool
}

// Search finds the C and Gamma with the best cross-validated accuracy; of equal
// ones it takes the smallest C and then the smallest Gamma, which make the
// smoothest boundary. All points come back too, by C and Gamma. Groups, such as
// the sites of pages, are never torn apart by folds; nil means that every row is
// its own.
func Search(ctx context.Context, x [][]float64, y []bool, groups []int, grid Grid) (best Point, all []Point, err error) {
	if err := checkRows(x, y); err != nil {
		return Point{}, nil, err
	}
	o := grid.Options
	o.Groups = groups
	o = o.filled(len(x), len(x[0]))
	all = grid.points()
	for _, p := range all {
		o.C, o.Gamma = p.C, p.Gamma
		if err := o.check(len(x), len(x[0])); err != nil {
			return Point{}, nil, err
		}
	}
	fold, folds, err := split(len(x), groups, o.Folds, o.Seed)
	if err != nil {
		return Point{}, nil, err
	}
	err = grid.each(ctx, all, func(p *Point) error {
		o := o
		o.C, o.Gamma = p.C, p.Gamma
		values, err := heldOut(x, y, fold, folds, o)
		if errors.Is(err, ErrNotConverged) {
			return nil
		}
		if err != nil {
			return err
		}
		p.Accuracy, p.Converged = accuracy(values, y), true
		return nil
	})
	if err != nil {
		return Point{}, nil, err
	}
	for _, p := range all {
		if p.Converged && (!best.Converged || p.Accuracy > best.Accuracy) {
			best = p
		}
	}
	if !best.Converged {
		return Point{}, all, fmt.Errorf("at every point of the grid: %w", ErrNotConverged)
	}
	return best, all, nil
}

func accuracy(values []float64, y []bool) float64 {
	right := 0
	for i, v := range values {
		if (v > 0) == y[i] {
			right++
		}
	}
	return float64(right) / float64(len(values))
}

func (g Grid) points() []Point {
	cs, gammas := slices.Clone(g.C), slices.Clone(g.Gamma)
	if len(cs) == 0 {
		cs = powers(-5, 15)
	}
	if len(gammas) == 0 {
		gammas = powers(-15, 3)
	}
	slices.Sort(cs)
	slices.Sort(gammas)
	var all []Point
	for _, c := range cs {
		for _, gamma := range gammas {
			all = append(all, Point{C: c, Gamma: gamma})
		}
	}
	return all
}

// powers are those of two, every other.
func powers(from, to int) []float64 {
	var p []float64
	for e := from; e <= to; e += 2 {
		p = append(p, math.Ldexp(1, e))
	}
	return p
}

// each tries the points on several goroutines, each writing only its own, and
// gives the first error in the order of the points.
func (g Grid) each(ctx context.Context, all []Point, try func(*Point) error) error {
	workers := g.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, len(all))
	next := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range next {
				errs[i] = try(&all[i])
			}
		})
	}
	for i := range all {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return cmp.Or(errs...)
}
