package measure

import (
	"math"
	"slices"
	"testing"

	"github.com/lede-news/lede/internal/eval/corpus"
)

// The standard error of a share p of n pages is √(p(1−p)/n).
func TestBootstrap(t *testing.T) {
	m := date()
	var pages [][]float64
	for i := range 400 {
		pages = append(pages, []float64{one(i%4 == 0), 1}, nil)
	}
	got := Bootstrap(m, pages, 2000, 7)
	if want := math.Sqrt(0.25 * 0.75 / 400); len(got) != 1 || math.Abs(got[0]-want) > 0.05*want {
		t.Errorf("got %v, want about %v", got, want)
	}
	if again := Bootstrap(m, pages, 2000, 7); !slices.Equal(got, again) {
		t.Errorf("the same seed gives %v and %v", got, again)
	}
	if other := Bootstrap(m, pages, 2000, 8); slices.Equal(got, other) {
		t.Errorf("another seed gives %v too", other)
	}
	same := m.Page(NewPage(&corpus.Gold{Date: "2024-05-14"}, nil).Case(&Output{Date: "2024-05-14"}))
	if got := Bootstrap(m, [][]float64{same, same, same}, 100, 1); !near(got, []float64{0}) {
		t.Errorf("pages that are all the same: %v", got)
	}
	if got := Bootstrap(m, [][]float64{nil}, 100, 1); got != nil {
		t.Errorf("of no page: %v", got)
	}
	for _, rounds := range []int{0, 1} {
		if got := Bootstrap(m, pages, rounds, 1); !near(got, []float64{0}) {
			t.Errorf("of %d rounds: %v", rounds, got)
		}
	}
}

func BenchmarkBootstrap(b *testing.B) {
	m := shingle()
	var pages [][]float64
	for i := range 1000 {
		pages = append(pages, []float64{float64(i) / 1000, 1, 0.5, 1, one(i%2 == 0), 1})
	}
	for b.Loop() {
		Bootstrap(m, pages, 1000, 1)
	}
}
