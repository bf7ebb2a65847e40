package tune_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
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

// The maximum is in a valley that is not parallel to an axis.
func TestSearchValley(t *testing.T) {
	params := []tune.Param{{Name: "x", Min: -4, Max: 4, Grid: 0.01}, {Name: "y", Min: -4, Max: 4, Grid: 0.01}}
	f := func(v []float64) float64 {
		a, b := v[0]+v[1]-2, v[0]-v[1]
		return -a*a - 0.5*b*b
	}
	checkNear(t, search(t, params, []float64{-4, 4}, f, tune.Options{}), params, 1, 1)
}

// A restart finds the higher of two hills, which is away from the start.
func TestSearchRestarts(t *testing.T) {
	params := []tune.Param{{Name: "x", Min: 0, Max: 100, Grid: 1, Step: 2}}
	f := func(v []float64) float64 {
		return math.Max(5-math.Abs(v[0]-10), 9-math.Abs(v[0]-80))
	}
	if r := search(t, params, []float64{8}, f, tune.Options{Seed: 1}); r.Values[0] != 10 {
		t.Errorf("without a restart: %g, want the near hill at 10", r.Values[0])
	}
	if r := search(t, params, []float64{8}, f, tune.Options{Seed: 1, Restarts: 8}); r.Values[0] != 80 {
		t.Errorf("with restarts: %g, want the high hill at 80", r.Values[0])
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

// The result does not depend on the number of workers, and no point is evaluated
// twice.
func TestSearchDeterministic(t *testing.T) {
	params := []tune.Param{{Name: "x", Min: 0, Max: 50, Grid: 1}, {Name: "y", Min: 0, Max: 50, Grid: 1}, {Name: "z", Min: 0, Max: 50, Grid: 1}}
	rough := func(v []float64) float64 { return math.Sin(v[0])*math.Cos(v[1]/3) + math.Sin(v[2]*v[0]/7) }
	var first tune.Result
	for _, workers := range []int{1, 2, 8} {
		var mu sync.Mutex
		seen := map[string]int{}
		r := search(t, params, []float64{5, 5, 5}, func(v []float64) float64 {
			mu.Lock()
			seen[fmt.Sprint(v)]++
			mu.Unlock()
			return rough(v)
		}, tune.Options{Seed: 7, Restarts: 4, Workers: workers})
		for point, n := range seen {
			if n > 1 {
				t.Errorf("%s was evaluated %d times", point, n)
			}
		}
		if r.Evaluations != len(seen) {
			t.Errorf("%d evaluations reported, %d done", r.Evaluations, len(seen))
		}
		if first.Values == nil {
			first = r
		}
		if !slices.Equal(r.Values, first.Values) || r.Score != first.Score {
			t.Errorf("%d workers: %v, one worker: %v", workers, r, first)
		}
	}
}

func TestSearchRoundsAndProgress(t *testing.T) {
	params := []tune.Param{{Name: "x", Min: 0, Max: 1e6, Grid: 1, Step: 1}}
	rounds, best := 0, math.Inf(-1)
	r := search(t, params, []float64{0}, func(v []float64) float64 { return v[0] }, tune.Options{Rounds: 5, Progress: func(p tune.Progress) {
		rounds = p.Round
		if p.Best < best {
			t.Errorf("the best score fell from %g to %g", best, p.Best)
		}
		best = p.Best
	}})
	if rounds != 5 || r.Values[0] != 10 { // two steps a round
		t.Errorf("%d rounds to %g", rounds, r.Values[0])
	}
}

func TestSearchNaN(t *testing.T) {
	params := []tune.Param{{Name: "x", Min: 0, Max: 8, Grid: 1}}
	r := search(t, params, []float64{4}, func(v []float64) float64 {
		if v[0] > 6 {
			return math.NaN()
		}
		return v[0]
	}, tune.Options{})
	if r.Values[0] != 6 {
		t.Errorf("got %g, want 6: NaN must not count as a gain", r.Values[0])
	}
}

func TestSearchCancel(t *testing.T) {
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	var n atomic.Int32
	_, err := tune.Search(ctx, []tune.Param{{Name: "x", Min: 0, Max: 1e9, Grid: 1, Step: 1}}, []float64{0}, func(v []float64) float64 {
		if n.Add(1) == 20 {
			cancel(stop)
		}
		return v[0]
	}, tune.Options{})
	if !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	if n.Load() > 40 {
		t.Errorf("%d evaluations after the end", n.Load()-20)
	}
}

func TestSearchErrors(t *testing.T) {
	f := func([]float64) float64 { return 0 }
	ok := tune.Param{Name: "x", Max: 1, Grid: 0.1}
	for name, c := range map[string]struct {
		params []tune.Param
		start  []float64
		want   string
	}{
		"nothing":     {nil, nil, "no parameters"},
		"short start": {[]tune.Param{ok}, nil, "1 parameters, but a starting point with 0 values"},
		"no range":    {[]tune.Param{{Name: "y", Min: 1, Max: 1, Grid: 1}}, []float64{1}, "parameter y: invalid range from 1 to 1"},
		"no grid":     {[]tune.Param{{Name: "z", Max: 1}}, []float64{1}, "parameter z"},
	} {
		if _, err := tune.Search(t.Context(), c.params, c.start, f, tune.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func ExampleSearch() {
	params := []tune.Param{{Name: "x", Min: 0, Max: 10, Grid: 0.5}}
	r, _ := tune.Search(context.Background(), params, []float64{1},
		func(v []float64) float64 { return 4 - (v[0]-7)*(v[0]-7) }, tune.Options{})
	fmt.Println(r.Values[0], r.Score)
	// Output: 7 4
}
