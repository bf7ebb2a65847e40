package trees

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

func TestFindCuts(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		name    string
		values  []float32
		missing bool
		most    int
		want    []float32
	}{
		{"none", nil, true, 9, nil},
		{"one value", []float32{3, 3}, false, 9, nil},
		{"one value and missing", []float32{3, 3}, true, 9, []float32{-inf}},
		{"few", []float32{4, 1, 2, 1}, false, 9, []float32{1.5, 3}},
		{"halves", []float32{1, 2, 3, 4}, false, 2, []float32{2.5}},
		{"missing takes a bin", []float32{1, 2, 3, 4}, true, 3, []float32{-inf, 2.5}},
		{"a frequent value has its own bin", []float32{1, 5, 5, 5, 5, 5, 5, 7, 8, 9}, false, 3, []float32{3, 6}},
		{"neighbours", []float32{1, math.Nextafter32(1, 2)}, false, 9, []float32{math.Nextafter32(1, 2)}},
		{"infinite", []float32{-inf, 0, inf}, false, 9, []float32{0, inf}},
		{"huge", []float32{-math.MaxFloat32, math.MaxFloat32}, false, 9, []float32{0}},
	} {
		if got := findCuts(slices.Clone(c.values), c.missing, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Bins of many values have about the same number of rows.
func TestEvenBins(t *testing.T) {
	rng := newRand(1)
	values := make([]float32, 100_000)
	for i := range values {
		values[i] = float32(math.Exp(rng.NormFloat64() * 3))
	}
	cuts := findCuts(values, false, maxBins)
	if len(cuts) != maxBins-1 || !slices.IsSorted(cuts) {
		t.Fatalf("%d cuts", len(cuts))
	}
	var counts [maxBins]int
	for _, v := range values {
		counts[binOf(v, cuts)]++
	}
	if least, most := slices.Min(counts[:]), slices.Max(counts[:]); least < 350 || most > 450 {
		t.Errorf("%d to %d rows a bin", least, most)
	}
}

// Quantiles of a sample are near those of all rows.
func TestManyRows(t *testing.T) {
	d := Data{Features: []string{"a"}}
	for i := range 3*quantileRows + 17 {
		d.X, d.Y = append(d.X, float32(i)), append(d.Y, float32(i%2))
	}
	d.X[5] = float32(math.NaN()) // whether or not its row is sampled
	b := mustBin(t, d)
	if cuts := b.cuts[0]; len(cuts) != maxBins-1 || !math.IsInf(float64(cuts[0]), -1) ||
		math.Abs(float64(cuts[len(cuts)/2])/float64(len(d.Y))-0.5) > 0.01 {
		t.Errorf("cuts %v", cuts)
	}
}

// Training on some rows of Bins gives the same model as on their values with
// the same cuts.
func TestRows(t *testing.T) {
	d := blocks(6, 500, 11)
	d.Weight, d.Groups = make([]float32, 500), make([]int32, 500)
	var odd []int32
	part := Data{Features: d.Features}
	for i := range d.Y {
		d.Weight[i], d.Groups[i] = float32(i%3+1), int32(i/7)
		if i%2 == 1 {
			odd = append(odd, int32(i))
			part.X = append(part.X, d.X[i*11:(i+1)*11]...)
			part.Y, part.Weight, part.Groups = append(part.Y, d.Y[i]), append(part.Weight, d.Weight[i]), append(part.Groups, d.Groups[i])
		}
	}
	all := mustBin(t, d)
	like, err := all.Like(part)
	if err != nil {
		t.Fatal(err)
	}
	var files [][]byte
	for _, b := range []*Bins{all.Rows(odd), like} {
		if b.Len() != 250 {
			t.Errorf("%d rows", b.Len())
		}
		m, err := Train(context.Background(), b, Options{Trees: 5, RowShare: 0.5, Valid: all})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, mustMarshal(t, m))
	}
	if !slices.Equal(files[0], files[1]) {
		t.Error("the models of the same rows differ")
	}
	if _, err := Train(context.Background(), all.Rows(nil), Options{}); !errors.Is(err, ErrNoData) {
		t.Errorf("no rows: %v", err)
	}
	part.Features = slices.Repeat([]string{"other"}, 11)
	if _, err := all.Like(part); !errors.Is(err, ErrLengths) {
		t.Errorf("other features: %v", err)
	}
	if _, err := NewBins(d, 256); err == nil {
		t.Error("no error for 256 bins")
	}
}
