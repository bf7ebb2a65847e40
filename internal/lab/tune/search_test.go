package tune

import (
	"math"
	"slices"
	"testing"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	params := []Param{{Name: "x", Min: -10, Max: 10, Grid: 0.01}, {Name: "y", Min: -10, Max: 10, Grid: 0.01}}
	f := func(v []float64) float64 { return -(v[0]-3.14)*(v[0]-3.14) - 2*(v[1]+1.5)*(v[1]+1.5) }
	best, score := search(params, []float64{-9, 9}, f)
	if math.Abs(best[0]-3.14) > 0.01 || math.Abs(best[1]+1.5) > 0.01 {
		t.Errorf("found %v", best)
	}
	if score != f(best) {
		t.Errorf("score %g is not that of the point, %g", score, f(best))
	}
}

// Values stay in their range and on their grid even if the start does not.
func TestSearchGrid(t *testing.T) {
	t.Parallel()
	params := []Param{{Name: "n", Min: 1, Max: 12, Grid: 1}, {Name: "share", Min: 0, Max: 1, Grid: 0.3}}
	best, _ := search(params, []float64{40.5, -7}, func(v []float64) float64 {
		if v[0] != math.Trunc(v[0]) || v[0] < 1 || v[0] > 12 {
			t.Errorf("n = %g", v[0])
		}
		if !slices.Contains([]float64{0, 0.3, 0.6, 0.9}, v[1]) {
			t.Errorf("share = %v", v[1])
		}
		return v[0]*0.001 + v[1]
	})
	if !slices.Equal(best, []float64{12, 0.9}) {
		t.Errorf("got %v", best)
	}
}
