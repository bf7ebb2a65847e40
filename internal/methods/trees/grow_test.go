package trees

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// brute finds a tree of depth 2 by trying all splits on the values themselves.
type brute struct {
	d       Data
	p       float64 // of class 1, before the tree
	l2, min float64
}

func newBrute(d Data, o Options) brute {
	sum := 0.0
	for _, y := range d.Y {
		sum += float64(y)
	}
	return brute{d, sum / float64(len(d.Y)), o.L2, o.MinWeight}
}

func (b brute) at(row, feature int) float32 { return b.d.X[row*len(b.d.Features)+feature] }

func (b brute) derivatives(rows []int) (g, h float64) {
	for _, r := range rows {
		g += b.p - float64(b.d.Y[r])
		h += b.p * (1 - b.p)
	}
	return g, h
}

func (b brute) split(rows []int, feature int, cut float32) (lower, upper []int) {
	for _, r := range rows {
		if b.at(r, feature) >= cut {
			upper = append(upper, r)
		} else {
			lower = append(lower, r)
		}
	}
	return lower, upper
}

// gain returns the gain of a split for some rows, 0 if a side is too light.
func (b brute) gain(rows []int, feature int, cut float32) float64 {
	lower, upper := b.split(rows, feature, cut)
	score := func(rows []int) (float64, float64) {
		g, h := b.derivatives(rows)
		return g * g / (h + b.l2), h
	}
	lowerScore, lowerWeight := score(lower)
	upperScore, upperWeight := score(upper)
	if lowerWeight < b.min || upperWeight < b.min {
		return 0
	}
	whole, _ := score(rows)
	return lowerScore + upperScore - whole
}

// best returns the split with the largest total gain for several sets of rows.
// If none has a gain, its cut is one that no value reaches.
func (b brute) best(sets ...[]int) (feature int, cut float32) {
	most := 0.0
	cut = float32(math.Inf(1))
	for f := range b.d.Features {
		var values []float32
		for r := range b.d.Y {
			values = append(values, b.at(r, f))
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for i := 1; i < len(values); i++ {
			c, gain := between(values[i-1], values[i]), 0.0
			for _, rows := range sets {
				gain += b.gain(rows, f, c)
			}
			if gain > most+1e-9 {
				feature, cut, most = f, c, gain
			}
		}
	}
	return feature, cut
}

// A tree of depth 2 has the best splits, and its leaves are -G/(H+λ).
func TestBestSplits(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 3))
		d := Data{Features: []string{"a", "b", "c"}}
		for range 60 {
			x := []float32{float32(rng.IntN(12)), float32(rng.NormFloat64()), float32(rng.IntN(3))}
			d.X = append(d.X, x...)
			d.Y = append(d.Y, float32(toInt(float64(x[0])/6+float64(x[1])*float64(x[2])+rng.NormFloat64() > 1.5)))
		}
		for _, symmetric := range []bool{true, false} {
			o := Options{Trees: 1, Depth: 2, LearningRate: 1, L2: 0.5, MinWeight: 0.7, Symmetric: symmetric}
			b, m := newBrute(d, o), mustTrain(t, d, o)
			all := make([]int, len(d.Y))
			for i := range all {
				all[i] = i
			}
			f, c := b.best(all)
			lower, upper := b.split(all, f, c)
			want := []string{fmt.Sprint(f, c)}
			var leaves [][]int
			for _, rows := range [][]int{lower, upper} {
				f, c := b.best(rows)
				if symmetric {
					f, c = b.best(lower, upper)
				}
				if !symmetric || len(want) == 1 {
					want = append(want, fmt.Sprint(f, c))
				}
				below, above := b.split(rows, f, c)
				leaves = append(leaves, below, above)
			}
			var got []string
			for _, s := range m.splits {
				if s.above == columnCuts {
					got = append(got, "0 +Inf")
					continue
				}
				got = append(got, fmt.Sprint(m.columns[s.column].feature, m.columns[s.column].cuts[s.above]))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, symmetric %v: splits %v, want %v", seed, symmetric, got, want)
			}
			for i, rows := range leaves {
				b.checkLeaf(t, m, rows, [][]int{lower, upper}[i/2])
			}
		}
	}
}

// checkLeaf compares the scores of rows with that of their leaf, or of its
// parent if the leaf is too light.
func (b brute) checkLeaf(t *testing.T, m *Model, rows, parent []int) {
	t.Helper()
	g, h := b.derivatives(rows)
	if h < b.min {
		g, h = b.derivatives(parent)
	}
	want := math.Log(b.p/(1-b.p)) - g/(h+b.l2)
	all := scores(m, b.d)
	for _, r := range rows {
		if math.Abs(float64(all[r])-want) > m.unit {
			t.Errorf("row %d scores %g, want %g", r, all[r], want)
		}
	}
}
