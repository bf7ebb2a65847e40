package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// rings are a disc and a ring around it: no wide kernel tells them apart.
func rings(rows int) (x [][]float64, y []bool) {
	rng := rand.New(rand.NewPCG(1, 4))
	for i := range rows {
		radius, angle := 2+rng.Float64(), rng.Float64()*2*math.Pi
		if i%2 == 0 {
			radius -= 1.8
		}
		x, y = append(x, []float64{radius * math.Cos(angle), radius * math.Sin(angle)}), append(y, i%2 == 0)
	}
	return x, y
}

func TestSearch(t *testing.T) {
	x, y := rings(120)
	grid := Grid{C: []float64{10, 0.01}, Gamma: []float64{1e-6, 1, 1000}}
	best, all, err := Search(t.Context(), x, y, nil, grid)
	if err != nil {
		t.Fatal(err)
	}
	if best.C != 10 || best.Gamma != 1 || best.Accuracy < 0.97 || len(all) != 6 {
		t.Errorf("best %+v of %+v", best, all)
	}
	for workers := range 4 {
		grid.Workers = workers
		_, again, err := Search(t.Context(), x, y, nil, grid)
		if err != nil || !slices.Equal(again, all) {
			t.Errorf("%d workers: %v, %v", workers, again, err)
		}
	}
}

// TestSearchGroups: rows of a site are alike, and their classes a matter of
// chance. Only folds that tear sites apart make that look like knowledge.
func TestSearchGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	var x [][]float64
	var y []bool
	var sites []int
	for site := range 30 {
		at := []float64{rng.NormFloat64() * 50, rng.NormFloat64() * 50}
		class := site%2 == 0
		for range 8 {
			x = append(x, []float64{at[0] + rng.NormFloat64(), at[1] + rng.NormFloat64()})
			y, sites = append(y, class), append(sites, site)
		}
	}
	grid := Grid{C: []float64{10}, Gamma: []float64{0.1}}
	torn, _, err := Search(t.Context(), x, y, nil, grid)
	if err != nil {
		t.Fatal(err)
	}
	whole, _, err := Search(t.Context(), x, y, sites, grid)
	if err != nil {
		t.Fatal(err)
	}
	if torn.Accuracy < 0.95 || whole.Accuracy > 0.75 {
		t.Errorf("accuracy %g with sites torn, %g with sites whole", torn.Accuracy, whole.Accuracy)
	}
}

func TestSearchErrors(t *testing.T) {
	x, y := rings(40)
	if _, _, err := Search(t.Context(), x, y, make([]int, 40), Grid{}); !errors.Is(err, ErrOneGroup) {
		t.Errorf("one group: %v", err)
	}
	if _, _, err := Search(t.Context(), x, y, []int{1}, Grid{}); err == nil {
		t.Error("one group for forty rows is taken")
	}
	if _, _, err := Search(t.Context(), x, y, nil, Grid{C: []float64{1, -1}}); err == nil {
		t.Error("a negative C is taken")
	}
	if _, _, err := Search(t.Context(), nil, nil, nil, Grid{}); !errors.Is(err, ErrNoData) {
		t.Errorf("no data: %v", err)
	}
	short := Grid{C: []float64{1}, Options: Options{MaxIterations: 1}}
	if _, _, err := Search(t.Context(), x, y, nil, short); !errors.Is(err, ErrNotConverged) {
		t.Errorf("one iteration: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Search(ctx, x, y, nil, Grid{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestDefaultGrid(t *testing.T) {
	all := Grid{}.points()
	first, last := all[0], all[len(all)-1]
	if len(all) != 110 || first.C != 1./32 || first.Gamma != 1./32768 || last.C != 32768 || last.Gamma != 8 {
		t.Errorf("%d points from %v to %v", len(all), first, last)
	}
}
