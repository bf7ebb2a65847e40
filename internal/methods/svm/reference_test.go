package svm

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"testing"
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
	return Options{C: r.C, Gamma: r.Gamma, Weight: Weight{r.Weight[0], r.Weight[1]}}
}

// TestReference compares with stored results of LIBSVM.
func TestReference(t *testing.T) {
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	compareAll(t, data)
}

// TestInstalledLIBSVM compares with the installed LIBSVM on other data.
// LEDE_PYTHON names an interpreter other than python3.
func TestInstalledLIBSVM(t *testing.T) {
	if testing.Short() {
		t.Skip("runs Python and trains on eleven data sets; run it without -short")
	}
	python := cmp.Or(os.Getenv("LEDE_PYTHON"), "python3")
	if err := exec.Command(python, "-c", "import sklearn").Run(); err != nil {
		t.Skipf("%s cannot import scikit-learn: %v", python, err)
	}
	for _, args := range [][]string{{"--seed", "2", "--rows", "80"}, {"--seed", "3", "--rows", "160"}} {
		data, err := exec.Command(python, append([]string{"testdata/reference.py"}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		compareAll(t, data)
	}
}

func compareAll(t *testing.T, data []byte) {
	var all []reference
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no references")
	}
	for _, r := range all {
		t.Run(r.Name, func(t *testing.T) {
			r.compareTight(t)
			r.compareDefault(t)
			if r.Platt != nil {
				r.comparePlatt(t)
			}
		})
	}
}

// compareTight trains to a tolerance at which there is only one solution.
func (r reference) compareTight(t *testing.T) {
	o := r.options()
	o.Epsilon = 1e-6
	m := mustTrain(t, r.X, r.Y, o)
	on := maxDifference(decisions(m, r.X), r.Decisions)
	off := maxDifference(decisions(m, r.Off), r.OffDecisions)
	t.Logf("decision values differ by %.1e on and %.1e off the rows", on, off)
	if !(max(on, off) < 1e-4) {
		t.Errorf("decision values differ from LIBSVM's by %g and %g", on, off)
	}
}

// compareDefault trains to the default tolerance.
func (r reference) compareDefault(t *testing.T) {
	m := mustTrain(t, r.X, r.Y, r.options())
	on, off := maxDifference(decisions(m, r.X), r.Decisions), maxDifference(decisions(m, r.Off), r.OffDecisions)
	t.Logf("at the default tolerance they differ by %.1e and %.1e", on, off)
	if !(max(on, off) < 1e-3) {
		t.Errorf("at the default tolerance they differ by %g and %g", on, off)
	}
}

// comparePlatt cross-validates with the folds of LIBSVM.
func (r reference) comparePlatt(t *testing.T) {
	o := r.options()
	o.Epsilon = 1e-6
	values, err := heldOut(r.X, r.Y, r.Platt.Fold, 5, o.withDefaults(len(r.X), len(r.X[0])))
	if err != nil {
		t.Fatal(err)
	}
	s := fitSigmoid(values, r.Y)
	difference := max(math.Abs(s.A-r.Platt.A), math.Abs(s.B-r.Platt.B))
	var p []float64
	for _, f := range r.Decisions {
		p = append(p, s.at(f))
	}
	apart := maxDifference(p, r.Platt.Probabilities)
	t.Logf("A and B differ by %.1e, probabilities by %.1e", difference, apart)
	if !(difference < 1e-5) || !(apart < 1e-5) {
		t.Errorf("A, B are %g, %g, LIBSVM's %g, %g; probabilities differ by %g", s.A, s.B, r.Platt.A, r.Platt.B, apart)
	}
}

func decisions(m *Model, x [][]float64) []float64 {
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

func mustTrain(t testing.TB, x [][]float64, y []bool, o Options) *Model {
	t.Helper()
	m, err := Train(x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
