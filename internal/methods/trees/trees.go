// Package trees implements gradient-boosted decision trees for two classes
// (logistic loss) or more (softmax). With more than two, the nodes of a tree are
// the same for all classes and every leaf has a value for each class, as in
// CatBoost: there are fewer nodes, and on made-up rows the ranking is better than
// with one tree for each class.
//
// It follows
//
//   - T. Chen, C. Guestrin: XGBoost: A scalable tree boosting system. KDD 2016.
//     The gain of a split and the value of a leaf, from first and second
//     derivatives of the loss (section 2.2); sampling of rows and features (2.3).
//   - G. Ke et al.: LightGBM: A highly efficient gradient boosting decision tree.
//     NIPS 2017. Histograms over binned features; siblings by subtraction.
//   - L. Prokhorenkova et al.: CatBoost: unbiased boosting with categorical
//     features. NeurIPS 2018. Symmetric trees, in which all nodes of a level are
//     the same (section 5), so that scoring needs no branches.
//
// Derivatives are summed as integers. The same rows, options and seed therefore
// give the same model with any number of workers. Leaves are rounded to 16 bits in
// training, so that a model is the same after it was written and read.
//
// A missing value is NaN. It counts as less than all others, and has a bin of its
// own if training rows had some.
package trees

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
)

// maxDepth is the maximum depth of trees: the number of a leaf is a byte.
const maxDepth = 8

// maxTrees is the maximum number of trees: the sum of their leaves must not
// overflow.
const maxTrees = 1<<16 - 1

// Options are the settings of training.
type Options struct {
	Trees        int     // maximum number of trees (default: 300)
	Depth        int     // maximum depth of a tree, up to 8 (default: 6)
	LearningRate float64 // (default: 0.1)
	L2           float64 // added to the weight of a leaf (default: 1)
	MinWeight    float64 // minimum sum of second derivatives in a leaf (default: 1)
	RowShare     float64 // share of the rows, or groups, sampled for a tree (default: 1)
	FeatureShare float64 // share of the features sampled for a tree (default: 1)
	Symmetric    bool    // all nodes of a level are the same
	Seed         uint64
	Workers      int // (default: GOMAXPROCS)
	Classes      int // (default: 2, or the number of classes of the rows)

	// Valid has rows for validation, with the cuts of the training rows. When
	// Patience trees in a row have not lowered their loss, training ends, and the
	// trees after the best are dropped. Patience 0 keeps all.
	Valid    *Bins
	Patience int

	// EarlyExit lets a model of two classes skip trees for clear rows.
	EarlyExit EarlyExit

	// Progress, if not nil, is called after each tree with the mean losses.
	// Without Valid, validLoss is NaN.
	Progress func(tree int, trainLoss, validLoss float64)
}

// EarlyExit makes scoring stop after the first trees for rows whose score is so
// low or so high that the other trees hardly ever change its sign. These rows keep
// their score. The thresholds are determined on the validation rows or, without
// them, on the training rows.
type EarlyExit struct {
	After      int     // number of trees before the exit; 0, or the number of all trees, means no exit
	MaxChanged float64 // share of all rows whose class may change at each threshold
}

func (o Options) withDefaults() Options {
	o.Trees = cmp.Or(o.Trees, 300)
	o.Depth = cmp.Or(o.Depth, 6)
	o.LearningRate = cmp.Or(o.LearningRate, 0.1)
	o.L2 = cmp.Or(o.L2, 1)
	o.MinWeight = cmp.Or(o.MinWeight, 1)
	o.RowShare = cmp.Or(o.RowShare, 1)
	o.FeatureShare = cmp.Or(o.FeatureShare, 1)
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	return o
}

func (o Options) check() error {
	switch {
	case o.Trees < 1 || o.Trees > maxTrees:
		return fmt.Errorf("%d trees: use 1 to %d", o.Trees, maxTrees)
	case o.Depth < 1 || o.Depth > maxDepth:
		return fmt.Errorf("depth %d: use 1 to %d", o.Depth, maxDepth)
	case !(o.LearningRate > 0 && o.LearningRate <= 1):
		return fmt.Errorf("learning rate %g: use more than 0, and at most 1", o.LearningRate)
	case !(o.L2 >= 0 && o.L2 < 1e9) || !(o.MinWeight >= 0 && o.MinWeight < 1e9):
		return fmt.Errorf("L2 %g, minimum weight %g: use 0 to 1e9", o.L2, o.MinWeight)
	case !(o.RowShare > 0 && o.RowShare <= 1) || !(o.FeatureShare > 0 && o.FeatureShare <= 1):
		return fmt.Errorf("shares of rows %g and features %g: use more than 0, and at most 1", o.RowShare, o.FeatureShare)
	case o.EarlyExit.After < 0 || !(o.EarlyExit.MaxChanged >= 0 && o.EarlyExit.MaxChanged <= 1):
		return fmt.Errorf("early exit after %d trees with a share of %g: use 0 or more trees and a share of 0 to 1", o.EarlyExit.After, o.EarlyExit.MaxChanged)
	case o.Workers < 0 || o.Patience < 0:
		return fmt.Errorf("%d workers, patience %d: use 0 or more", o.Workers, o.Patience)
	}
	return nil
}

// Errors returned by Train.
var (
	ErrConstant  = errors.New("all features are constant: add features that vary")
	ErrTooLarge  = errors.New("histograms would take more than 2 GB: lower Depth, or use fewer features or classes")
	ErrOtherCuts = errors.New("validation rows have other cuts: make them with Like or Rows of the training rows")
	ErrEarlyExit = errors.New("early exit needs a model of two classes: set EarlyExit.After to 0")
)

// maxHistograms limits the memory; a histogram takes 32 KB.
const maxHistograms = 1 << 16

// Train boosts trees on the rows. When ctx ends, it returns the context's error.
func Train(ctx context.Context, b *Bins, o Options) (*Model, error) {
	o = o.withDefaults()
	outputs, err := outputsFor(b, o)
	if err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if n := len(b.octets) * outputs << (o.Depth - 1); n > maxHistograms {
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
	if o.EarlyExit.After > 0 && o.EarlyExit.After < len(kept) {
		rows := cmp.Or(o.Valid, b)
		m.exit = findExit(kept, newRowScores(rows, t.train.bias, t.train.unit), o)
	}
	return m, nil
}

// outputsFor returns the number of outputs of a model of these rows: one for two
// classes, or else one for each class.
func outputsFor(b *Bins, o Options) (int, error) {
	if b == nil || b.Len() == 0 {
		return 0, ErrNoData
	}
	classes := max(2, int(slices.Max(b.y))+1)
	if v := o.Valid; v != nil {
		if v.Len() == 0 {
			return 0, fmt.Errorf("validation: %w", ErrNoData)
		}
		if len(v.cuts) != len(b.cuts) || &v.cuts[0] != &b.cuts[0] {
			return 0, ErrOtherCuts
		}
		classes = max(classes, int(slices.Max(v.y))+1)
	}
	if o.Classes != 0 {
		if o.Classes < classes || o.Classes > maxClasses {
			return 0, fmt.Errorf("%d classes: use %d, as the rows have, to %d", o.Classes, classes, maxClasses)
		}
		classes = o.Classes
	}
	least, most := float32(maxClasses), float32(-1)
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
	case o.EarlyExit.After > 0:
		return 0, fmt.Errorf("%d classes: %w", classes, ErrEarlyExit)
	}
	return classes, nil
}

type trainer struct {
	b         *Bins
	o         Options
	grower    *grower
	maxWeight float64
	sampler   sampler
	packed    [][]uint64 // derivatives by output, then by row
	train     *rowScores
	valid     *rowScores // nil without validation rows
	trees     []tree
	best      int // number of trees to keep
	lowest    float64
}

func newTrainer(b *Bins, o Options, outputs int) *trainer {
	t := &trainer{b: b, o: o, grower: newGrower(b, o, outputs), maxWeight: 1, lowest: math.Inf(1)}
	if b.weight != nil {
		t.maxWeight = float64(slices.Max(b.weight))
	}
	t.grower.criterion = criterion{g: t.maxWeight / scaleG, h: t.maxWeight / 4 / scaleH, l2: o.L2, minWeight: o.MinWeight}
	t.sampler = newSampler(b)
	bias, unit := priors(b, outputs), leafUnit(o.LearningRate)
	t.train = newRowScores(b, bias, unit)
	if o.Valid != nil {
		t.valid = newRowScores(o.Valid, bias, unit)
	}
	for range outputs {
		t.packed = append(t.packed, make([]uint64, b.Len()))
	}
	t.train.derive(t.packed, t.maxWeight, o.Workers)
	return t
}

// boost adds a tree and reports whether another may help.
func (t *trainer) boost() bool {
	rng := rand.New(rand.NewPCG(t.o.Seed, uint64(len(t.trees))))
	t.grower.rows = t.sampler.sample(t.grower.rows[:0], t.o.RowShare, rng)
	setRandom(t.grower.use, t.o.FeatureShare, rng)
	grown := t.grower.grow(t.packed)
	// A tree without nodes is the last, unless the next has another sample.
	more := grown.depth > 0 || t.o.RowShare < 1 || t.o.FeatureShare < 1
	t.trees = append(t.trees, grown)
	t.train.add(grown, t.o)
	trainLoss, validLoss := t.train.derive(t.packed, t.maxWeight, t.o.Workers), math.NaN()
	if t.valid != nil {
		t.valid.add(grown, t.o)
		validLoss = t.valid.derive(nil, 1, t.o.Workers)
	}
	if t.o.Progress != nil {
		t.o.Progress(len(t.trees), trainLoss, validLoss)
	}
	if t.valid == nil || t.o.Patience == 0 {
		t.best = len(t.trees)
		return more
	}
	if validLoss < t.lowest {
		t.lowest, t.best = validLoss, len(t.trees)
	}
	return more && len(t.trees)-t.best < t.o.Patience
}

// priors returns the scores of a model without trees: the log-odds of the second
// of two classes, or the logarithms of the shares of more.
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

// earlyExit has the thresholds of an early exit, in units of the model: rows below
// low or above high need no more trees.
type earlyExit struct {
	after     int
	low, high int32
}

func (e earlyExit) isClear(sum int32) bool { return sum < e.low || sum > e.high }

// findExit finds the thresholds at which most rows exit and no more than
// o.EarlyExit.MaxChanged of them change their class.
func findExit(trees []tree, s *rowScores, o Options) earlyExit {
	for _, t := range trees[:o.EarlyExit.After] {
		s.add(t, o)
	}
	early := slices.Clone(s.sums)
	for _, t := range trees[o.EarlyExit.After:] {
		s.add(t, o)
	}
	zero := -s.bias[0] / s.unit
	allowed := int(o.EarlyExit.MaxChanged * float64(len(early)))
	var ups, downs []int32 // early scores of rows whose class changes later
	for i, e := range early {
		switch was, is := float64(e) > zero, float64(s.sums[i]) > zero; {
		case !was && is:
			ups = append(ups, e)
		case was && !is:
			downs = append(downs, -e)
		}
	}
	return earlyExit{
		after: o.EarlyExit.After,
		low:   threshold(ups, allowed, int32(math.Ceil(zero))),
		high:  -threshold(downs, allowed, int32(math.Ceil(-zero))),
	}
}

// threshold returns the largest score, up to most, that no more than the allowed
// number of scores are below.
func threshold(scores []int32, allowed int, most int32) int32 {
	slices.Sort(scores)
	if allowed < len(scores) {
		return min(most, scores[allowed])
	}
	return most
}
