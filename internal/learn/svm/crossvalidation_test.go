package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	var groups []int // of one row, of two, and so on
	for g := range 20 {
		groups = append(groups, slices.Repeat([]int{g}, g+1)...)
	}
	fold, folds, err := split(len(groups), groups, 4, 1)
	if err != nil || folds != 4 {
		t.Fatal(folds, err)
	}
	foldOf, sizes := map[int]int{}, make([]int, folds)
	for i, f := range fold {
		if other, known := foldOf[groups[i]]; known && other != f {
			t.Errorf("group %d is in folds %d and %d", groups[i], other, f)
		}
		foldOf[groups[i]] = f
		sizes[f]++
	}
	if slices.Max(sizes)-slices.Min(sizes) > 6 {
		t.Errorf("folds of %v rows", sizes)
	}
	again, _, _ := split(len(groups), groups, 4, 1)
	other, _, _ := split(len(groups), groups, 4, 2)
	if !slices.Equal(fold, again) || slices.Equal(fold, other) {
		t.Error("folds do not depend on the seed, or not only on it")
	}
}

func TestSplitFew(t *testing.T) {
	if _, folds, err := split(6, []int{1, 1, 2, 2, 3, 3}, 5, 0); folds != 3 || err != nil {
		t.Errorf("%d folds of three groups, %v", folds, err)
	}
	if _, _, err := split(3, []int{1, 1, 1}, 5, 0); !errors.Is(err, ErrOneGroup) {
		t.Errorf("one group: %v", err)
	}
}

// A fold may leave only one class to learn from.
func TestHeldOutOneClass(t *testing.T) {
	x, y := [][]float64{{0}, {1}, {2}}, []bool{true, false, false}
	values, err := heldOut(x, y, []int{0, 1, 1}, 2, Options{}.withDefaults(3, 1))
	if err != nil || !slices.Equal(values, []float64{-1, 1, 1}) {
		t.Errorf("%v, %v", values, err)
	}
}

// TestSigmoid recovers the sigmoid that classes were drawn from.
func TestSigmoid(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	drawn := sigmoid{A: -2, B: 0.5}
	var values []float64
	var y []bool
	for range 50_000 {
		f := rng.NormFloat64() * 2
		values, y = append(values, f), append(y, rng.Float64() < drawn.at(f))
	}
	s := fitSigmoid(values, y)
	if math.Abs(s.A-drawn.A) > 0.06 || math.Abs(s.B-drawn.B) > 0.06 {
		t.Errorf("found %v, drawn from %v", *s, drawn)
	}
}

// The gradient vanishes even if the classes are separable, reversed or mixed, or
// if all values are equal.
func TestSigmoidOptimal(t *testing.T) {
	for name, values := range map[string][]float64{
		"separable": {-3, -2, -1, 1, 2, 3},
		"reversed":  {3, 2, 1, -1, -2, -3},
		"mixed":     {-1, 2, 0.5, 0.4, -2, 1},
		"equal":     {1, 1, 1, 1, 1, 1},
		"large":     {-1e4, -2, 5, 3, 1e4, 2e4},
	} {
		y := []bool{false, false, false, true, true, true}
		s := fitSigmoid(values, y)
		gA, gB, _, _, _ := newLikelihood(values, y).derivatives(*s)
		if !(math.Abs(gA) < 1e-5) || !(math.Abs(gB) < 1e-5) {
			t.Errorf("%s: gradient (%g, %g) at %v", name, gA, gB, *s)
		}
	}
}

func TestProbability(t *testing.T) {
	x, y := overlapping(9, 300, 5, 0.7)
	m := mustTrain(t, x, y, Options{Probability: true})
	if !m.HasProbability() {
		t.Fatal("no probabilities")
	}
	for i := range x {
		for j := range i {
			di, dj, pi, pj := m.Decision(x[i]), m.Decision(x[j]), m.Probability(x[i]), m.Probability(x[j])
			if di > dj && pi < pj {
				t.Fatalf("decisions %g > %g, probabilities %g < %g", di, dj, pi, pj)
			}
		}
		if p := m.Probability(x[i]); !(p >= 0 && p <= 1) {
			t.Fatalf("probability %g", p)
		}
	}
	none := mustTrain(t, x, y, Options{})
	if none.HasProbability() || !math.IsNaN(none.Probability(x[0])) {
		t.Error("a model has probabilities without Options.Probability")
	}
}

func TestSigmoidExtremes(t *testing.T) {
	s := sigmoid{A: -1}
	for f, want := range map[float64]float64{0: 0.5, 1e308: 1, -1e308: 0, 800: 1, math.Log(3): 0.75} {
		if got := s.at(f); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g: %g, want %g", f, got, want)
		}
	}
}

// rings returns a disc and a ring around it, which no wide kernel can separate.
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

// The rows of a site are alike and their classes random. Only folds that split
// sites give a high accuracy.
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
	split, _, err := Search(t.Context(), x, y, nil, grid)
	if err != nil {
		t.Fatal(err)
	}
	whole, _, err := Search(t.Context(), x, y, sites, grid)
	if err != nil {
		t.Fatal(err)
	}
	if split.Accuracy < 0.95 || whole.Accuracy > 0.75 {
		t.Errorf("accuracy %g with sites split, %g with sites whole", split.Accuracy, whole.Accuracy)
	}
}

func TestSearchErrors(t *testing.T) {
	x, y := rings(40)
	if _, _, err := Search(t.Context(), x, y, make([]int, 40), Grid{}); !errors.Is(err, ErrOneGroup) {
		t.Errorf("one group: %v", err)
	}
	if _, _, err := Search(t.Context(), x, y, []int{1}, Grid{}); err == nil {
		t.Error("no error for one group for forty rows")
	}
	if _, _, err := Search(t.Context(), x, y, nil, Grid{C: []float64{1, -1}}); err == nil {
		t.Error("no error for a negative C")
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
