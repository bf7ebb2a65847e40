package svm

import (
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
