package trees

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

func TestTrainWorkers(t *testing.T) {
	d := blocks(3, 20_000, 21) // more rows than a chunk, more features than an octet
	d.Groups = make([]int32, len(d.Y))
	for i := range d.Groups {
		d.Groups[i] = int32(i / 50)
	}
	b := mustBin(t, d)
	for _, symmetric := range []bool{true, false} {
		var first []byte
		var losses []float64
		for _, workers := range []int{1, 2, 5} {
			o := Options{Trees: 6, Symmetric: symmetric, Workers: workers, RowShare: 0.7, FeatureShare: 0.6, Seed: 4}
			i := 0
			o.Progress = func(_ int, loss, _ float64) {
				if workers == 1 {
					losses = append(losses, loss)
				} else if losses[i] != loss {
					t.Errorf("%d workers: loss %g after tree %d, want %g", workers, loss, i, losses[i])
				}
				i++
			}
			m, err := Train(context.Background(), b, o)
			if err != nil {
				t.Fatal(err)
			}
			data, _ := m.MarshalBinary()
			if first == nil {
				first = data
			} else if !bytes.Equal(first, data) {
				t.Errorf("symmetric %v: the model differs with %d workers", symmetric, workers)
			}
		}
		other, err := Train(context.Background(), b, Options{Trees: 6, Symmetric: symmetric, RowShare: 0.7, FeatureShare: 0.6, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if data, _ := other.MarshalBinary(); bytes.Equal(first, data) {
			t.Error("the seed has no effect")
		}
	}
}

// With all rows and features, each tree lowers the training loss, and the last
// loss is that of the model.
func TestLossFalls(t *testing.T) {
	for _, s := range sets {
		train, _ := s.data(t)
		for _, symmetric := range []bool{true, false} {
			last := math.Inf(1)
			m := mustTrain(t, train, Options{Trees: 40, Depth: 4, Symmetric: symmetric, Progress: func(tree int, loss, valid float64) {
				if !(loss < last) || !math.IsNaN(valid) {
					t.Errorf("%s: loss %g after tree %d, %g before; validation loss %g", s.name, loss, tree, last, valid)
				}
				last = loss
			}})
			if loss, _ := measure(m, train); math.Abs(loss-last) > 1e-5 {
				t.Errorf("%s: the last loss was %g, that of the model is %g", s.name, last, loss)
			}
		}
	}
}

// A row of weight 3 counts as three rows.
func TestWeights(t *testing.T) {
	train, test := sets[3].data(t)
	var repeated Data
	repeated.Features = train.Features
	for i, w := range train.Weight {
		for range int(w) {
			repeated.X = append(repeated.X, train.X[i*8:(i+1)*8]...)
			repeated.Y = append(repeated.Y, train.Y[i])
		}
	}
	cuts := mustBin(t, train)
	again, err := cuts.Like(repeated)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Trees: 5, Depth: 4, Symmetric: true}
	a, err := Train(context.Background(), cuts, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Train(context.Background(), again, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range scores(a, test) {
		if other := scores(b, test)[i]; math.Abs(float64(v-other)) > 1e-3 {
			t.Fatalf("row %d: %g by weights, %g by repetition", i, v, other)
		}
	}
}

func TestEarlyStopping(t *testing.T) {
	train, test := sets[0].data(t)
	b := mustBin(t, train)
	valid, err := b.Like(test)
	if err != nil {
		t.Fatal(err)
	}
	var losses []float64
	o := Options{Trees: 500, Valid: valid, Patience: 10, LearningRate: 0.3}
	o.Progress = func(_ int, _, loss float64) { losses = append(losses, loss) }
	m, err := Train(context.Background(), b, o)
	if err != nil {
		t.Fatal(err)
	}
	lowest := slices.Index(losses, slices.Min(losses)) + 1
	if m.Trees() != lowest || len(losses) != lowest+10 {
		t.Errorf("kept %d of %d trees, but the loss was lowest after %d", m.Trees(), len(losses), lowest)
	}
	if loss, _ := measure(m, test); math.Abs(loss-slices.Min(losses)) > 1e-5 {
		t.Errorf("loss %g, want %g", loss, slices.Min(losses))
	}
}

// A tree is trained on whole groups, and on the given share of them.
func TestSampleGroups(t *testing.T) {
	b := &Bins{y: make([]float32, 100), groups: make([]int32, 100)}
	for i := range b.groups {
		b.groups[i] = int32(i % 10 * 7)
	}
	drawn := map[int32]int{}
	for _, r := range newSampler(b).sample(nil, 0.3, newRand(1)) {
		drawn[b.groups[r]]++
	}
	if len(drawn) != 3 {
		t.Errorf("%d of ten groups, want three", len(drawn))
	}
	for g, n := range drawn {
		if n != 10 {
			t.Errorf("%d rows of group %d, want all", n, g)
		}
	}
	b.groups = nil
	if rows := newSampler(b).sample(nil, 0.25, newRand(1)); len(rows) != 25 || !slices.IsSorted(rows) {
		t.Errorf("rows %v", rows)
	}
}

func TestTrainErrors(t *testing.T) {
	good := Data{Features: []string{"a"}, X: []float32{1, 2, 3, 4}, Y: []float32{0, 1, 0, 1}}
	with := func(change func(*Data)) Data { d := good; change(&d); return d }
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		d    Data
		o    Options
		want error
	}{
		{"no rows", Data{Features: []string{"a"}}, Options{}, ErrNoData},
		{"no features", Data{Y: []float32{0, 1}}, Options{}, ErrNoData},
		{"values", with(func(d *Data) { d.X = d.X[1:] }), Options{}, ErrLengths},
		{"weights", with(func(d *Data) { d.Weight = []float32{1} }), Options{}, ErrLengths},
		{"groups", with(func(d *Data) { d.Groups = []int32{1} }), Options{}, ErrLengths},
		{"NaN class", with(func(d *Data) { d.Y = []float32{0, 1, nan, 1} }), Options{}, ErrLabel},
		{"half a class", with(func(d *Data) { d.Y = []float32{0, 1, 0.5, 1} }), Options{}, ErrLabel},
		{"negative class", with(func(d *Data) { d.Y = []float32{0, 1, -1, 1} }), Options{}, ErrLabel},
		{"huge class", with(func(d *Data) { d.Y = []float32{0, 1, 1e9, 1} }), Options{}, ErrLabel},
		{"NaN weight", with(func(d *Data) { d.Weight = []float32{1, nan, 1, 1} }), Options{}, ErrWeight},
		{"negative weight", with(func(d *Data) { d.Weight = []float32{1, -1, 1, 1} }), Options{}, ErrWeight},
		{"no weight", with(func(d *Data) { d.Weight = make([]float32, 4) }), Options{}, ErrWeight},
		{"one class", with(func(d *Data) { d.Y = []float32{1, 1, 1, 1} }), Options{}, ErrOneClass},
		{"one class by weight", with(func(d *Data) { d.Weight = []float32{0, 1, 0, 1} }), Options{}, ErrOneClass},
		{"one row", Data{Features: []string{"a"}, X: []float32{1}, Y: []float32{1}}, Options{}, ErrOneClass},
		{"constant", with(func(d *Data) { d.X = []float32{2, 2, 2, 2} }), Options{}, ErrConstant},
		{"all missing", with(func(d *Data) { d.X = []float32{nan, nan, nan, nan} }), Options{}, ErrConstant},
		{"other cuts", good, Options{Valid: mustBin(t, good)}, ErrOtherCuts},
		{"early exit with three classes", with(func(d *Data) { d.Y = []float32{0, 1, 2, 1} }), Options{EarlyExit: EarlyExit{After: 1}}, ErrEarlyExit},
	} {
		b, err := NewBins(c.d, 0)
		if err == nil {
			_, err = Train(context.Background(), b, c.o)
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, o := range []Options{
		{Trees: -1}, {Trees: 70_000}, {Depth: 9}, {Depth: -1}, {LearningRate: 2}, {LearningRate: math.NaN()}, {L2: -1},
		{MinWeight: -1}, {RowShare: 1.5}, {FeatureShare: -1}, {Workers: -1}, {Patience: -1}, {Classes: 1}, {Classes: 100},
		{EarlyExit: EarlyExit{After: -1}}, {EarlyExit: EarlyExit{MaxChanged: 2}},
	} {
		if m, err := Train(context.Background(), mustBin(t, good), o); err == nil || m != nil {
			t.Errorf("no error for %+v", o)
		}
	}
	wide := Data{Features: make([]string, 1<<13), X: make([]float32, 2<<13), Y: []float32{0, 1}}
	wide.X[0] = 1
	if _, err := Train(context.Background(), mustBin(t, wide), Options{Depth: 8}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if m, err := Train(ended, mustBin(t, good), Options{}); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Train(context.Background(), nil, Options{}); !errors.Is(err, ErrNoData) {
		t.Errorf("nil: %v", err)
	}
}

// Two rows are enough to train on.
func TestFewRows(t *testing.T) {
	d := Data{Features: []string{"a", "same"}, X: []float32{1, 5, float32(math.NaN()), 5}, Y: []float32{0, 1}}
	m := mustTrain(t, d, Options{Trees: 50, MinWeight: 0.01, Symmetric: true})
	if s := scores(m, d); !(s[0] < -0.5 && s[1] > 0.5) {
		t.Errorf("scores %v", s)
	}
}

// If every split would make leaves too light, the model has the shares of the
// classes.
func TestNothingToSplit(t *testing.T) {
	d := Data{Features: []string{"a"}, X: []float32{1, 2, 3, 4}, Y: []float32{0, 1, 1, 1}}
	m := mustTrain(t, d, Options{MinWeight: 100})
	if s := scores(m, d); m.Trees() != 1 || math.Abs(float64(s[0])-math.Log(3)) > 1e-3 {
		t.Errorf("%d trees, scores %v", m.Trees(), s)
	}
}
