package svm

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/lede-news/lede/internal/methods/svm"
)

// reference is a model trained by LIBSVM. testdata/reference.py writes them.
type reference struct {
	Name         string
	C, Gamma     float64
	Weight       [2]float64
	X            [][]float64
	Y            []bool
	Decisions    []float64
	Off          [][]float64
	OffDecisions []float64
	Platt        *struct {
		A, B          float64
		Fold          []int
		Probabilities []float64
	}
}

func (r reference) options() Options {
	return Options{C: r.C, Gamma: r.Gamma, Epsilon: 1e-6}
}

// TestReference compares with stored results of LIBSVM.
func TestReference(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []reference
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, r := range all {
		if r.Weight != [2]float64{1, 1} {
			continue
		}
		compared++
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			r.compareTight(t)
			if r.Platt != nil {
				r.comparePlatt(t)
			}
		})
	}
	if compared < 5 {
		t.Errorf("only %d references", compared)
	}
}

// compareTight trains to a tolerance at which there is only one solution.
func (r reference) compareTight(t *testing.T) {
	m, err := Train(r.X, r.Y, r.options())
	if err != nil {
		t.Fatal(err)
	}
	on := maxDifference(decisions(m, r.X), r.Decisions)
	off := maxDifference(decisions(m, r.Off), r.OffDecisions)
	t.Logf("decision values differ by %.1e on and %.1e off the rows", on, off)
	if !(max(on, off) < 1e-4) {
		t.Errorf("decision values differ from LIBSVM's by %g and %g", on, off)
	}
}

// comparePlatt cross-validates with the folds of LIBSVM.
func (r reference) comparePlatt(t *testing.T) {
	values, err := heldOut(r.X, r.Y, r.Platt.Fold, r.options())
	if err != nil {
		t.Fatal(err)
	}
	s := fitSigmoid(values, r.Y)
	difference := max(math.Abs(s.A-r.Platt.A), math.Abs(s.B-r.Platt.B))
	var p []float64
	for _, f := range r.Decisions {
		p = append(p, s.At(f))
	}
	apart := maxDifference(p, r.Platt.Probabilities)
	t.Logf("A and B differ by %.1e, probabilities by %.1e", difference, apart)
	if !(difference < 1e-5) || !(apart < 1e-5) {
		t.Errorf("A, B are %g, %g, LIBSVM's %g, %g; probabilities differ by %g", s.A, s.B, r.Platt.A, r.Platt.B, apart)
	}
}

func decisions(m *svm.Model, x [][]float64) []float64 {
	var v []float64
	for _, row := range x {
		v = append(v, m.Decision(row))
	}
	return v
}

// maxDifference returns the largest difference, or NaN if either has a NaN.
func maxDifference(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

func TestErrors(t *testing.T) {
	t.Parallel()
	x := [][]float64{{0}, {1}, {2}, {3}}
	for _, c := range []struct {
		x    [][]float64
		y    []bool
		o    Options
		want error
	}{
		{x, make([]bool, 4), Options{}, ErrOneClass},
		{x, []bool{true, true, false, false}, Options{C: 1, Gamma: 1, Groups: make([]int, 4)}, ErrOneGroup},
	} {
		if _, err := Train(c.x, c.y, c.o); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

// TestSplit checks that folds do not split groups and have about the same size.
func TestSplit(t *testing.T) {
	t.Parallel()
	groups := make([]int, 1000)
	for i := range groups {
		groups[i] = i * i % 37
	}
	fold, err := split(groups, 1)
	if err != nil {
		t.Fatal(err)
	}
	of, sizes := map[int]int{}, make([]int, Folds)
	for i, g := range groups {
		if f, ok := of[g]; ok && f != fold[i] {
			t.Errorf("group %d is in two folds", g)
		}
		of[g] = fold[i]
		sizes[fold[i]]++
	}
	for _, n := range sizes {
		if n < 150 || n > 250 {
			t.Errorf("folds of %v rows", sizes)
		}
	}
}
