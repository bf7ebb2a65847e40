package tune_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lede-news/lede/internal/lab/tune"
)

func search(t *testing.T, params []tune.Param, start []float64, f func([]float64) float64, opts tune.Options) tune.Result {
	t.Helper()
	r, err := tune.Search(t.Context(), params, start, f, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkNear checks that each value is at most one grid step away from want.
func checkNear(t *testing.T, r tune.Result, params []tune.Param, want ...float64) {
	t.Helper()
	for i, p := range params {
		if math.Abs(r.Values[i]-want[i]) > p.Grid {
			t.Errorf("%s = %g, want %g", p.Name, r.Values[i], want[i])
		}
	}
}

func TestSearchBowl(t *testing.T) {
	params := []tune.Param{{Name: "x", Min: -10, Max: 10, Grid: 0.01}, {Name: "y", Min: -10, Max: 10, Grid: 0.01}}
	f := func(v []float64) float64 { return -(v[0]-3.14)*(v[0]-3.14) - 2*(v[1]+1.5)*(v[1]+1.5) }
	r := search(t, params, []float64{-9, 9}, f, tune.Options{})
	checkNear(t, r, params, 3.14, -1.5)
	if math.Abs(r.Score-f(r.Values)) > 1e-12 {
		t.Errorf("score %g is not that of the point, %g", r.Score, f(r.Values))
	}
}

// Values stay in their range and on their grid even if the start does not.
func TestSearchGrid(t *testing.T) {
	params := []tune.Param{{Name: "n", Min: 1, Max: 12, Grid: 1}, {Name: "share", Min: 0, Max: 1, Grid: 0.3}}
	var mu sync.Mutex
	r := search(t, params, []float64{40.5, -7}, func(v []float64) float64 {
		mu.Lock()
		defer mu.Unlock()
		if v[0] != math.Trunc(v[0]) || v[0] < 1 || v[0] > 12 {
			t.Errorf("n = %g", v[0])
		}
		if !slices.Contains([]float64{0, 0.3, 0.6, 0.9}, v[1]) {
			t.Errorf("share = %v", v[1])
		}
		return v[0]*0.001 + v[1]
	}, tune.Options{Restarts: 3})
	if r.Values[0] != 12 || r.Values[1] != 0.9 {
		t.Errorf("got %v", r.Values)
	}
}

func TestSearchCancel(t *testing.T) {
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	var n atomic.Int32
	_, err := tune.Search(ctx, []tune.Param{{Name: "x", Min: 0, Max: 1e9, Grid: 1}}, []float64{0}, func(v []float64) float64 {
		if n.Add(1) == 5 {
			cancel(stop)
		}
		return v[0]
	}, tune.Options{})
	if !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}
