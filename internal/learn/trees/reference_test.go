package trees

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
)

// reference is what another library made of a set; testdata/reference.py makes them.
type reference struct {
	Set, Library string
	Symmetric    bool
	Trees, Depth int
	Rate         float64
	Loss, Area   float64
}

// TestReference: on rows that were not learned from, our trees lose no more than a
// little to those of other libraries, set alike. They are known to lose more in two
// places, and must not lose more still: to LightGBM and scikit-learn where values are
// missing (these learn on which side such rows go, CatBoost and we put them below all
// others), and to CatBoost with a hundred deep trees for 800 rows of three classes.
func TestReference(t *testing.T) {
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var references []reference
	if err := json.Unmarshal(data, &references); err != nil || len(references) == 0 {
		t.Fatal(len(references), err)
	}
	for _, r := range references {
		s := sets[slices.IndexFunc(sets, func(s set) bool { return s.name == r.Set })]
		train, test := s.data(t)
		m := mustTrain(t, train, Options{Trees: r.Trees, Depth: r.Depth, LearningRate: r.Rate, Symmetric: r.Symmetric})
		loss, area := measure(m, test)
		t.Logf("%-9s %3d trees, depth %d  %-9s loss %.4f, ours %.4f (%+.4f)  area %.4f, ours %.4f (%+.4f)",
			r.Set, r.Trees, r.Depth, r.Library, r.Loss, loss, loss-r.Loss, r.Area, area, area-r.Area)
		lost, under := 0.01, 0.004
		switch {
		case r.Set == "missing" && !r.Symmetric:
			lost, under = 0.02, 0.015
		case r.Set == "three" && r.Trees == 100 && r.Depth == 6:
			lost, under = 0.03, 0.018
		}
		if loss > r.Loss+lost || area < r.Area-under {
			t.Errorf("%s, depth %d: loss %.4f and area %.4f, where %s has %.4f and %.4f",
				r.Set, r.Depth, loss, area, r.Library, r.Loss, r.Area)
		}
	}
}

func mustBin(t testing.TB, d Data) *Bins {
	t.Helper()
	b, err := NewBins(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustTrain(t testing.TB, d Data, o Options) *Model {
	t.Helper()
	m, err := Train(context.Background(), mustBin(t, d), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// scores are those of all rows, row after row.
func scores(m *Model, d Data) []float32 {
	n, f := len(d.Y), len(d.Features)
	bins, out := make([]uint8, n*m.Width()), make([]float32, n*m.Outputs())
	for i := range n {
		m.Bin(d.X[i*f:(i+1)*f], bins[i*m.Width():(i+1)*m.Width()])
	}
	m.Scores(bins, n, out)
	return out
}

// measure is the mean loss, and the mean over classes of the area under the curve.
func measure(m *Model, d Data) (loss, area float64) {
	out, k := scores(m, d), m.Outputs()
	chance := make([][]float64, len(d.Y)) // of each class
	all := 0.0
	for i, y := range d.Y {
		p := make([]float64, k)
		for j := range p {
			p[j] = float64(out[i*k+j])
		}
		Chances(p)
		if k == 1 {
			p = []float64{1 - p[0], p[0]}
		}
		chance[i] = p
		loss -= float64(d.Weight[i]) * math.Log(p[int(y)])
		all += float64(d.Weight[i])
	}
	for class := range chance[0] {
		area += areaOf(d, class, func(i int) float64 { return chance[i][class] }) / float64(len(chance[0]))
	}
	return loss / all, area
}

// areaOf is the chance that a row of the class has a higher one than a row of another.
func areaOf(d Data, class int, chance func(int) float64) float64 {
	won, all := 0.0, 0.0
	for i, y := range d.Y {
		if int(y) != class {
			continue
		}
		for j, other := range d.Y {
			if int(other) == class {
				continue
			}
			w := float64(d.Weight[i] * d.Weight[j])
			all += w
			switch a, b := chance(i), chance(j); {
			case a > b:
				won += w
			case a == b:
				won += w / 2
			}
		}
	}
	return won / all
}
