// Package trees trains the gradient-boosted decision trees of internal/methods/trees:
// symmetric trees for two classes (logistic loss) or more (softmax). With more than
// two, the nodes of a tree are the same for all classes and every leaf has a value
// for each class, as in CatBoost.
//
// It follows
//
//   - T. Chen, C. Guestrin: XGBoost: A scalable tree boosting system. KDD 2016.
//     The gain of a split and the value of a leaf, from first and second
//     derivatives of the loss (section 2.2); sampling of rows and features (2.3).
//   - G. Ke et al.: LightGBM: A highly efficient gradient boosting decision tree.
//     NIPS 2017. Histograms over binned features; siblings by subtraction.
//   - L. Prokhorenkova et al.: CatBoost: unbiased boosting with categorical
//     features. NeurIPS 2018. Symmetric trees (section 5).
//
// Derivatives are summed as integers. The same rows, options and seed therefore
// give the same model with any number of processors.
//
// A missing value is NaN. It counts as less than all others, and has a bin of its
// own if training rows had some.
package trees

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/internal/methods/trees"
)

// Model is a trained model.
type Model = trees.Model

// Options are the settings of training.
type Options struct {
	Trees        int     // maximum number of trees (default: 300)
	Depth        int     // maximum depth of a tree, up to 8 (default: 6)
	LearningRate float64 // (default: 0.1)
	L2           float64 // added to the weight of a leaf (default: 1)
	MinWeight    float64 // minimum sum of second derivatives in a leaf (default: 1)
	RowShare     float64 // share of the rows, or groups, sampled for a tree (default: 1)
	FeatureShare float64 // share of the features sampled for a tree (default: 1)
	Seed         uint64
	Classes      int // (default: 2, or the number of classes of the rows)

	// EarlyExit lets a model of two classes skip trees for clear rows.
	EarlyExit EarlyExit

	// Progress, if not nil, is called after each tree.
	Progress func(tree int)
}

// EarlyExit makes scoring stop after the first trees for rows whose score is so
// low or so high that the other trees hardly ever change its sign. These rows keep
// their score. The thresholds are determined on the training rows.
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
	return o
}

func (o Options) check() error {
	switch {
	case o.Trees < 1 || o.Trees > trees.MaxTrees:
		return fmt.Errorf("%d trees: use 1 to %d", o.Trees, trees.MaxTrees)
	case o.Depth < 1 || o.Depth > trees.MaxDepth:
		return fmt.Errorf("depth %d: use 1 to %d", o.Depth, trees.MaxDepth)
	}
	return nil
}

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
	t := newTrainer(b, o, outputs)
	for more := true; more && len(t.trees) < o.Trees; {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("after %d of %d trees: %w", len(t.trees), o.Trees, err)
		}
		more = t.boost()
	}
	var exit earlyExit
	if o.EarlyExit.After > 0 && o.EarlyExit.After < len(t.trees) {
		exit = findExit(t.trees, newRowScores(b, t.train.bias, t.train.unit), o.EarlyExit)
	}
	m := new(Model)
	return m, m.UnmarshalBinary(encode(b, t.trees, t.train.bias, t.train.unit, exit))
}

// outputsFor returns the number of outputs of a model of these rows: one for two
// classes, or else one for each class.
func outputsFor(b *Bins, o Options) (int, error) {
	if b.Len() == 0 {
		return 0, ErrNoData
	}
	classes := max(2, int(slices.Max(b.y))+1)
	if o.Classes != 0 {
		if o.Classes < classes || o.Classes > trees.MaxClasses {
			return 0, fmt.Errorf("%d classes: use %d, as the rows have, to %d", o.Classes, classes, trees.MaxClasses)
		}
		classes = o.Classes
	}
	least, most := float32(trees.MaxClasses), float32(-1)
	for i, y := range b.y {
		if b.weightOf(i) > 0 {
			least, most = min(least, y), max(most, y)
		}
	}
	switch {
	case least >= most:
		return 0, ErrOneClass
	case classes == 2:
		return 1, nil
	case o.EarlyExit.After > 0:
		return 0, fmt.Errorf("early exit needs a model of two classes, not %d", classes)
	}
	return classes, nil
}

type trainer struct {
	o         Options
	grower    *grower
	maxWeight float64
	sampler   sampler
	packed    [][]uint64 // derivatives by output, then by row
	train     *rowScores
	trees     []tree
}

func newTrainer(b *Bins, o Options, outputs int) *trainer {
	t := &trainer{o: o, grower: newGrower(b, o.Depth, outputs), maxWeight: 1, sampler: newSampler(b)}
	if b.weight != nil {
		t.maxWeight = float64(slices.Max(b.weight))
	}
	t.grower.criterion = criterion{g: t.maxWeight / scaleG, h: t.maxWeight / 4 / scaleH, l2: o.L2, minWeight: o.MinWeight}
	t.train = newRowScores(b, priors(b, outputs), leafUnit(o.LearningRate))
	for range outputs {
		t.packed = append(t.packed, make([]uint64, b.Len()))
	}
	t.train.derive(t.packed, t.maxWeight)
	return t
}

// boost adds a tree and reports whether another may help.
func (t *trainer) boost() bool {
	rng := rand.New(rand.NewPCG(t.o.Seed, uint64(len(t.trees))))
	t.grower.rows = t.sampler.sample(t.grower.rows[:0], t.o.RowShare, rng)
	setRandom(t.grower.use, t.o.FeatureShare, rng)
	grown := t.grower.grow(t.packed)
	t.trees = append(t.trees, grown)
	t.train.add(grown)
	t.train.derive(t.packed, t.maxWeight)
	if t.o.Progress != nil {
		t.o.Progress(len(t.trees))
	}
	// A tree without nodes is the last, unless the next has another sample.
	return len(grown.nodes) > 0 || t.o.RowShare < 1 || t.o.FeatureShare < 1
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

// findExit finds the thresholds at which most rows exit and no more than
// o.MaxChanged of them change their class.
func findExit(trees []tree, s *rowScores, o EarlyExit) earlyExit {
	for _, t := range trees[:o.After] {
		s.add(t)
	}
	early := slices.Clone(s.sums)
	for _, t := range trees[o.After:] {
		s.add(t)
	}
	zero := -s.bias[0] / s.unit
	allowed := int(o.MaxChanged * float64(len(early)))
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
		after: o.After,
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
