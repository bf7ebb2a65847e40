package trees

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Errors of training.
var (
	ErrConstant  = errors.New("no feature varies: there is nothing to ask")
	ErrTooLarge  = errors.New("histograms would take more than 2 GB: lower Depth, or take fewer features or classes")
	ErrOtherCuts = errors.New("rows to validate by have other cuts: make them with Like or Rows of the training rows")
)

// mostHistograms bounds memory: each is of 32 KB.
const mostHistograms = 1 << 16

// Train boosts trees on the rows. When the context ends, so does training, with its
// error and no model.
func Train(ctx context.Context, b *Bins, o Options) (*Model, error) {
	o = o.filled()
	outputs, err := outputsFor(b, o)
	if err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if n := len(b.octets) * outputs << (o.Depth - 1); n > mostHistograms {
		return nil, fmt.Errorf("%d features, %d outputs and depth %d: %w", len(b.features), outputs, o.Depth, ErrTooLarge)
	}
	t := newTrainer(b, o, outputs)
	for more := true; more && len(t.trees) < o.Trees; {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("after %d of %d trees: %w", len(t.trees), o.Trees, err)
		}
		more = t.boost()
	}
	kept := t.trees[:t.best]
	m := compile(b, kept, t.train.bias, o)
	if o.Stop.After > 0 && o.Stop.After < len(kept) {
		m.stop = findStop(kept, t.measured().fresh(), o)
	}
	return m, nil
}

// outputsFor is how many outputs a model of these rows has: one for two classes,
// or one for each class.
func outputsFor(b *Bins, o Options) (int, error) {
	if b == nil || b.Len() == 0 {
		return 0, ErrNoData
	}
	classes := max(2, int(slices.Max(b.y))+1)
	if v := o.Valid; v != nil {
		if v.Len() == 0 {
			return 0, fmt.Errorf("to validate by: %w", ErrNoData)
		}
		if len(v.cuts) != len(b.cuts) || &v.cuts[0] != &b.cuts[0] {
			return 0, ErrOtherCuts
		}
		classes = max(classes, int(slices.Max(v.y))+1)
	}
	if o.Classes != 0 {
		if o.Classes < classes || o.Classes > MostClasses {
			return 0, fmt.Errorf("%d classes, where rows have %d: use that to %d", o.Classes, classes, MostClasses)
		}
		classes = o.Classes
	}
	least, most := float32(MostClasses), float32(-1)
	for i, y := range b.y {
		if b.weightOf(i) > 0 {
			least, most = min(least, y), max(most, y)
		}
	}
	switch {
	case least >= most:
		return 0, ErrOneClass
	case !slices.ContainsFunc(b.cuts, func(cuts []float32) bool { return len(cuts) > 0 }):
		return 0, ErrConstant
	case classes == 2:
		return 1, nil
	case o.Stop.After > 0:
		return 0, fmt.Errorf("%d classes: %w", classes, ErrStop)
	}
	return classes, nil
}

type trainer struct {
	b       *Bins
	o       Options
	grower  *grower
	largest float64    // weight
	lots    lots       // what rows are drawn by
	words   [][]uint64 // by output, then by row
	train   *sums
	valid   *sums // nil without rows to validate by
	trees   []tree
	best    int // trees that are kept
	lowest  float64
}

func newTrainer(b *Bins, o Options, outputs int) *trainer {
	t := &trainer{b: b, o: o, grower: newGrower(b, o, outputs), largest: 1, lowest: math.Inf(1)}
	if b.weight != nil {
		t.largest = float64(slices.Max(b.weight))
	}
	t.grower.judge = judge{g: t.largest / unitG, h: t.largest / 4 / unitH, l2: o.L2, minWeight: o.MinWeight}
	t.lots = newLots(b)
	bias, u := priors(b, outputs), unit(o.LearningRate)
	t.train = newSums(b, bias, u)
	if o.Valid != nil {
		t.valid = newSums(o.Valid, bias, u)
	}
	for range outputs {
		t.words = append(t.words, make([]uint64, b.Len()))
	}
	t.train.step(t.words, t.largest, o.Workers)
	return t
}

// boost adds a tree, and tells whether another may help.
func (t *trainer) boost() bool {
	rng := rand.New(rand.NewPCG(t.o.Seed, uint64(len(t.trees))))
	split := t.o.RowShare < 1 || t.o.FeatureShare < 1 // others may be, in the next lot
	t.grower.rows = t.lots.draw(t.grower.rows[:0], t.o.RowShare, rng)
	choose(t.grower.use, t.o.FeatureShare, rng)
	grown := t.grower.grow(t.words)
	split = split || grown.depth > 0
	t.trees = append(t.trees, grown)
	t.train.add(grown, t.o)
	if t.valid != nil {
		t.valid.add(grown, t.o)
	}
	trainLoss, validLoss := t.train.step(t.words, t.largest, t.o.Workers), math.NaN()
	if t.valid != nil {
		validLoss = t.valid.step(nil, 1, t.o.Workers)
	}
	if t.o.Progress != nil {
		t.o.Progress(len(t.trees), trainLoss, validLoss)
	}
	if t.valid == nil || t.o.Patience == 0 {
		t.best = len(t.trees)
		return split
	}
	if validLoss < t.lowest {
		t.lowest, t.best = validLoss, len(t.trees)
	}
	return split && len(t.trees)-t.best < t.o.Patience
}

// measured are the rows to validate by, or those to train on without them.
func (t *trainer) measured() *sums {
	if t.valid != nil {
		return t.valid
	}
	return t.train
}

// priors are the scores of a model without trees: the log-odds of the second of two
// classes, or the logarithms of the shares of more.
func priors(b *Bins, outputs int) []float64 {
	weights, all := make([]float64, max(2, outputs)), 0.0
	for i, y := range b.y {
		weights[int(y)] += float64(b.weightOf(i))
		all += float64(b.weightOf(i))
	}
	if outputs == 1 {
		return []float64{math.Log(weights[1] / weights[0])}
	}
	for k, w := range weights {
		weights[k] = math.Log(max(w/all, 1e-6)) // a class may have no rows here
	}
	return weights
}
