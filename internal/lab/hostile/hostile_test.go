package hostile

import (
	"bytes"
	"slices"
	"testing"
)

func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Kinds() {
		if seen[r.Name] {
			t.Errorf("%s: there are two of this name", r.Name)
		}
		seen[r.Name] = true
		for _, size := range []int{10_000, 100_000} {
			page := r.Page(size)
			if len(page) < size*9/10 || len(page) > size*11/10 {
				t.Errorf("%s: %d bytes, want %d", r.Name, len(page), size)
			}
			if !bytes.Contains(page, []byte("The council")) {
				t.Errorf("%s: no article", r.Name)
			}
		}
	}
	if len(seen) < 80 {
		t.Errorf("%d kinds", len(seen))
	}
}

func TestPage(t *testing.T) {
	r := Recipe{"test", []Part{{Piece: "<p>"}, {Piece: "<b id={i}>", Close: "</b>", Share: 1}, {Piece: "x", Share: 3}}}
	want := "<p><b id=0><b id=1></b></b>" + "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	if got := string(r.Page(78)); got != want {
		t.Errorf("page %q, want %q", got, want)
	}
}

// TestSearch searches for pages that are expensive by a measure that does not change.
func TestSearch(t *testing.T) {
	cost := func(r Recipe, size int) float64 {
		page := r.Page(size)
		return float64(1+bytes.Count(page, []byte("<table>x"))) / float64(len(page))
	}
	run := func() (costs []float64, s *Search) {
		s = NewSearch(1, Kinds(), cost)
		start := s.Best()[0].Cost
		for range 800 {
			s.Step()
		}
		for _, f := range s.Best() {
			costs = append(costs, f.Cost)
		}
		if costs[0] < 2*start {
			t.Errorf("cost %g after the search, %g before it", costs[0], start)
		}
		return costs, s
	}
	costs, s := run()
	if again, _ := run(); !slices.Equal(costs, again) {
		t.Errorf("the same seed gives other pages: %g and %g", costs, again)
	}
	if !slices.IsSortedFunc(costs, func(a, b float64) int { return int(min(1, max(-1, (b-a)*1e9))) }) || len(costs) > kept {
		t.Errorf("costs %g", costs)
	}
	for _, f := range s.Best() {
		if len(f.Page()) < sizes[0]*3/4 {
			t.Errorf("a page of %d bytes: %s", len(f.Page()), f)
		}
	}
}
