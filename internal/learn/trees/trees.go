// Package trees learns to tell classes of rows apart: gradient-boosted decision
// trees, for two classes (logistic loss) or more (softmax). With more than two, a
// tree asks the same questions for all classes and has a value for each in every
// leaf, as in CatBoost: fewer questions, and on made-up rows a better ranking than
// with one tree a class.
//
// It follows
//
//   - T. Chen, C. Guestrin: XGBoost: A scalable tree boosting system. KDD 2016.
//     The gain of a split and the value of a leaf, from first and second
//     derivatives of the loss (section 2.2); rows and features by lot (2.3).
//   - G. Ke et al.: LightGBM: A highly efficient gradient boosting decision tree.
//     NIPS 2017. Histograms over binned features; a sibling by subtraction.
//   - L. Prokhorenkova et al.: CatBoost: unbiased boosting with categorical
//     features. NeurIPS 2018. Symmetric trees, where all nodes of a level ask the
//     same question (section 5), so that using one needs no branch.
//
// Derivatives are summed as integers. The same rows, options and seed therefore
// give the same model on any number of cores. Leaves are 16-bit numbers from the
// start: what was trained, what is written and what is read back are one model.
//
// A missing value is NaN. It counts as less than all others, and has a bin of its
// own when training rows had some. Nothing here reads files or the clock.
package trees

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
)

// MostDepth bounds the depth of trees, so that the number of a leaf is a byte.
const MostDepth = 8

// mostTrees bounds the trees of a model, so that no sum of leaves overflows.
const mostTrees = 1<<16 - 1

// Options say how to train. A zero stands for the default.
type Options struct {
	Trees        int     // at the most; default 300
	Depth        int     // of a tree, at the most; default 6, at most MostDepth
	LearningRate float64 // default 0.1
	L2           float64 // added to the weight of a leaf; default 1
	MinWeight    float64 // what a leaf must weigh, as the sum of second derivatives; default 1
	RowShare     float64 // of the rows, or groups of rows, that a tree learns from; default 1
	FeatureShare float64 // of the features that a tree may ask; default 1
	Symmetric    bool    // all nodes of a level ask the same question
	Seed         uint64
	Workers      int // default: one for each core; the model is the same whatever it is
	Classes      int // default: 2, or as many as the rows have

	// Valid are rows to measure by, with the cuts of the training rows. When
	// Patience trees in a row have not lowered their loss, training ends, and
	// the trees after the best are dropped. Patience 0 keeps all.
	Valid    *Bins
	Patience int

	// Stop lets rows of a model of two classes leave early.
	Stop Stop

	// Progress is told the mean loss after each tree; that of Valid is NaN
	// without it.
	Progress func(tree int, trainLoss, validLoss float64)
}

func (o Options) filled() Options {
	fill(&o.Trees, 300)
	fill(&o.Depth, 6)
	fill(&o.LearningRate, 0.1)
	fill(&o.L2, 1)
	fill(&o.MinWeight, 1)
	fill(&o.RowShare, 1)
	fill(&o.FeatureShare, 1)
	fill(&o.Workers, runtime.GOMAXPROCS(0))
	return o
}

func fill[T int | float64](at *T, value T) {
	if *at == 0 {
		*at = value
	}
}

func (o Options) check() error {
	switch {
	case o.Trees < 1 || o.Trees > mostTrees:
		return fmt.Errorf("%d trees: use 1 to %d", o.Trees, mostTrees)
	case o.Depth < 1 || o.Depth > MostDepth:
		return fmt.Errorf("depth %d: use 1 to %d", o.Depth, MostDepth)
	case !(o.LearningRate > 0 && o.LearningRate <= 1):
		return fmt.Errorf("learning rate %g: use more than 0, and at most 1", o.LearningRate)
	case !(o.L2 >= 0 && o.L2 < 1e9) || !(o.MinWeight >= 0 && o.MinWeight < 1e9):
		return fmt.Errorf("L2 %g, least weight %g: use 0 to 1e9", o.L2, o.MinWeight)
	case !(o.RowShare > 0 && o.RowShare <= 1) || !(o.FeatureShare > 0 && o.FeatureShare <= 1):
		return fmt.Errorf("shares of rows %g and features %g: use more than 0, and at most 1", o.RowShare, o.FeatureShare)
	case o.Stop.After < 0 || !(o.Stop.Loss >= 0 && o.Stop.Loss <= 1):
		return fmt.Errorf("a stop after %d trees that costs %g: use 0 or more, and a share", o.Stop.After, o.Stop.Loss)
	case o.Workers < 0 || o.Patience < 0:
		return fmt.Errorf("%d workers, patience %d: use 0 or more", o.Workers, o.Patience)
	}
	return nil
}

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

// ErrStop means that there is no one score to stop by.
var ErrStop = errors.New("only a model of two classes can let rows leave early: set Stop.After to 0")

// Stop lets rows leave early: those whose score after the first trees is so low or
// so high that the rest hardly ever moves it across 0. They keep that score. What is
// low and high is found in the rows to validate by or, without them, to train on;
// [Model.Whole] tells what it costs elsewhere.
type Stop struct {
	After int     // trees; 0, or as many as there are, means that all rows see all
	Loss  float64 // the share of all rows whose side may change at each end; 0 for none that was seen
}

// stop is where rows leave: below low or above high, in units of the model.
type stop struct {
	after     int
	low, high int32
}

// leaves holds for rows that need no more trees.
func (s stop) leaves(sum int32) bool { return sum < s.low || sum > s.high }

// Whole is the model without its stop.
func (m *Model) Whole() *Model {
	whole := *m
	whole.stop = stop{}
	return &whole
}

// findStop finds the widest gates that cost no more than o.Stop.Loss.
func findStop(trees []tree, s *sums, o Options) stop {
	for _, t := range trees[:o.Stop.After] {
		s.add(t, o)
	}
	early := slices.Clone(s.at)
	for _, t := range trees[o.Stop.After:] {
		s.add(t, o)
	}
	zero := -s.bias[0] / s.unit
	allowed := int(o.Stop.Loss * float64(len(early)))
	var ups, downs []int32 // early scores of rows that end on the other side
	for i, e := range early {
		switch was, is := float64(e) > zero, float64(s.at[i]) > zero; {
		case !was && is:
			ups = append(ups, e)
		case was && !is:
			downs = append(downs, -e)
		}
	}
	return stop{
		after: o.Stop.After,
		low:   gate(ups, allowed, int32(math.Ceil(zero))),
		high:  -gate(downs, allowed, int32(math.Ceil(-zero))),
	}
}

// gate is the largest score at or below most that only as many scores as are
// allowed are under.
func gate(scores []int32, allowed int, most int32) int32 {
	slices.Sort(scores)
	if allowed < len(scores) {
		return min(most, scores[allowed])
	}
	return most
}
