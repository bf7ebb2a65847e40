package trees

import (
	"math"
	"testing"
)

// Base and effects sum to the score.
func TestReasonsSum(t *testing.T) {
	for name, m := range smallModels(t) {
		d := blocks(8, 40, len(m.features))
		for i := range d.Y {
			row := d.X[i*len(m.features) : (i+1)*len(m.features)]
			for k := range m.Outputs() {
				sum, reasons := m.Reasons(row, k)
				last := math.Inf(1)
				for _, r := range reasons {
					sum += r.Effect
					if size := math.Abs(r.Effect); size == 0 || size > last {
						t.Errorf("%s: %v is not sorted", name, r)
					} else {
						last = size
					}
				}
				if want := scoreRow(m, row, k); math.Abs(sum-want) > 1e-9 {
					t.Errorf("%s: the reasons sum to %g, the score is %g", name, sum, want)
				}
			}
		}
	}
}

// In a tree with one node, its feature has all of the effect: the difference
// between the leaf and the mean of both.
func TestReasons(t *testing.T) {
	d := Data{Features: []string{"words", "links"}, X: []float32{9, 1, 8, 1, 1, 1, 0, 1}, Y: []float32{1, 1, 0, 0}}
	m := mustTrain(t, d, Options{Trees: 1, Depth: 1, MinWeight: 0.1, LearningRate: 1, Symmetric: true})
	base, reasons := m.Reasons(d.X[:2], 0)
	// G = ±1 and H = 1/2 in each leaf, and the mean of both is 0.
	if len(reasons) != 1 || reasons[0].Feature != "words" ||
		math.Abs(reasons[0].Effect-1/1.5) > m.unit || math.Abs(base) > m.unit {
		t.Errorf("%g, %v", base, reasons)
	}
	if i := m.Importance(); len(i) != 1 || i[0] != (Reason{"words", 1}) {
		t.Errorf("importance %v", i)
	}
}

// Features that determine the class are more important than noise.
func TestImportance(t *testing.T) {
	train, _ := sets[1].data(t)
	all, sum := mustTrain(t, train, Options{Trees: 50, Depth: 4, Symmetric: true}).Importance(), 0.0
	for i, r := range all {
		sum += r.Effect
		if signal := r.Feature <= "x4"; signal != (i < 5) {
			t.Errorf("%s is number %d of %v", r.Feature, i, all)
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("shares sum to %g", sum)
	}
}

func TestCover(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        uint8
	}{{0, 8, noCover}, {8, 8, 0}, {7, 8, 0}, {4, 8, 1}, {1, 8, 3}, {1, 1 << 40, noCover - 1}} {
		if got := cover(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d: %d, want %d", c.part, c.whole, got, c.want)
		}
	}
}

// TestEffects checks that the effects of features in a group are added, and that
// nothing is allocated for a row.
func TestEffects(t *testing.T) {
	for name, m := range smallModels(t) {
		d := blocks(9, 1, len(m.features))
		groups, all, two := make([]uint16, len(m.features)), make([]float64, len(m.features)), make([]float64, 2)
		for k := range groups {
			groups[k] = uint16(k)
		}
		base := m.Effects(d.X, 0, groups, all)
		var want [2]float64
		for k, e := range all {
			groups[k] = uint16(k % 2)
			want[k%2] += e
		}
		if got := m.Effects(d.X, 0, groups, two); got != base || math.Abs(two[0]-want[0])+math.Abs(two[1]-want[1]) > 1e-9 {
			t.Errorf("%s: base %g, effects %v; want %g, %v", name, got, two, base, want)
		}
		if n := testing.AllocsPerRun(10, func() { m.Effects(d.X, 0, groups, two) }); n > 0 {
			t.Errorf("%s: %g allocations for a row", name, n)
		}
	}
}

// BenchmarkEffects explains rows like those of blend.
func BenchmarkEffects(b *testing.B) {
	m := mustTrain(b, blocks(1, 4000, 150), Options{Trees: 300, Depth: 6, Symmetric: true})
	d := blocks(2, 1, 150)
	effects := make([]float64, 40)
	groups := make([]uint16, 150)
	for k := range groups {
		groups[k] = uint16(k % len(effects))
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Effects(d.X, 0, groups, effects)
	}
}
