package svm

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestTrainErrors(t *testing.T) {
	x, y := [][]float64{{0, 1}, {1, 0}}, []bool{true, false}
	for _, c := range []struct {
		name string
		x    [][]float64
		y    []bool
		o    Options
		want error
		text string
	}{
		{name: "no rows", want: ErrNoData},
		{name: "no columns", x: [][]float64{{}, {}}, y: y, want: ErrNoData},
		{name: "classes missing", x: x, y: y[:1], text: "2 rows, but 1 classes"},
		{name: "ragged", x: [][]float64{{0, 1}, {1}}, y: y, want: ErrRagged},
		{name: "NaN", x: [][]float64{{0, 1}, {1, math.NaN()}}, y: y, want: ErrNotFinite},
		{name: "infinite", x: [][]float64{{0, 1}, {1, math.Inf(-1)}}, y: y, want: ErrNotFinite},
		{name: "too large to square", x: [][]float64{{0, 1}, {1, 1e200}}, y: y, want: ErrNotFinite},
		{name: "one class", x: x, y: []bool{true, true}, want: ErrOneClass},
		{name: "too few iterations", x: x, y: y, o: Options{MaxIterations: 1, C: 1e6, Gamma: 1}, want: ErrNotConverged},
		{name: "C", x: x, y: y, o: Options{C: -1}, text: "C is -1"},
		{name: "gamma", x: x, y: y, o: Options{Gamma: math.NaN()}, text: "Gamma is NaN"},
		{name: "weight", x: x, y: y, o: Options{Weight: Weight{Negative: math.Inf(1)}}, text: "Weight.Negative is +Inf"},
		{name: "iterations", x: x, y: y, o: Options{MaxIterations: -1}, text: "MaxIterations is -1"},
		{name: "names", x: x, y: y, o: Options{Features: []string{"words"}}, text: "1 names for 2 features"},
		{name: "equal names", x: x, y: y, o: Options{Features: []string{"words", "words"}}, text: "used twice"},
		{name: "folds", x: x, y: y, o: Options{Folds: 1}, text: "1 folds"},
		{name: "groups", x: x, y: y, o: Options{Groups: []int{1}}, text: "1 groups for 2 rows"},
		{name: "one group", x: x, y: y, o: Options{Groups: []int{1, 1}, Probability: true}, want: ErrOneGroup},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Train(c.x, c.y, c.o)
			if m != nil || err == nil {
				t.Fatalf("model %v, error %v", m, err)
			}
			if c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("error %q", err)
			}
		})
	}
}

// Training twice gives the same file, and the seed only affects the folds.
func TestDeterminism(t *testing.T) {
	x, y := overlapping(5, 120, 4, 0.7)
	o := Options{C: 3, Probability: true, Seed: 9}
	first, err := json.Marshal(mustTrain(t, x, y, o))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again, err := json.Marshal(mustTrain(t, x, y, o))
		if err != nil || string(again) != string(first) {
			t.Fatalf("training again gave another model: %s", again)
		}
	}
	a := mustTrain(t, x, y, o)
	o.Seed = 10
	b := mustTrain(t, x, y, o)
	if a.bias != b.bias || *a.sigmoid == *b.sigmoid {
		t.Errorf("bias %g and %g, sigmoids %v and %v", a.bias, b.bias, *a.sigmoid, *b.sigmoid)
	}
}

func TestDecisionHugeValues(t *testing.T) {
	x, y := overlapping(7, 40, 2, 1)
	m := mustTrain(t, x, y, Options{})
	for _, v := range []float64{1e100, 1e200, math.MaxFloat64, math.Inf(-1)} {
		if got := m.Decision([]float64{v, 0}); got != m.bias {
			t.Errorf("at %g: %g, the bias is %g", v, got, m.bias)
		}
	}
	if got := m.Decision([]float64{math.NaN(), 0}); !math.IsNaN(got) {
		t.Errorf("at NaN: %g", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a row of the wrong length")
		}
	}()
	m.Decision([]float64{1})
}

func TestProbabilityAllocs(t *testing.T) {
	x, y := overlapping(8, 60, 12, 1)
	m := mustTrain(t, x, y, Options{Probability: true})
	if n := testing.AllocsPerRun(100, func() { m.Probability(x[0]) }); n != 0 {
		t.Errorf("%g allocations for a row", n)
	}
}
