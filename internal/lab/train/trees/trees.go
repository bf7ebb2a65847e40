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
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/methods/trees"
	"github.com/lede-news/lede/internal/parallel"
)

// Model is a trained model.
type Model = trees.Model

// Options are the settings of training. None has a default.
type Options struct {
	Trees        int // number of trees
	Depth        int // maximum depth of a tree, up to 8
	LearningRate float64
	L2           float64 // added to the weight of a leaf
	MinWeight    float64 // minimum sum of second derivatives in a leaf
	RowShare     float64 // share of the groups of rows sampled for a tree
	FeatureShare float64 // share of the features sampled for a tree
	Seed         uint64
	Classes      int

	// Progress, if not nil, is called after each tree.
	Progress func(tree int)
}

// Train boosts trees on the rows. When ctx ends, it returns the context's error.
func Train(ctx context.Context, b *Bins, o Options) (*Model, error) {
	bias, err := priors(b, o.Classes)
	if err != nil {
		return nil, err
	}
	s := &scores{b, bias, o.LearningRate * maxLeaf / math.MaxInt16, make([]int32, len(b.y)*len(bias))}
	grown, err := boost(ctx, s, o)
	if err != nil {
		return nil, err
	}
	m := new(Model)
	return m, m.UnmarshalBinary(encode(s, grown))
}

// priors returns the scores of a model without trees: the log-odds of the second
// of two classes, or the logarithms of the shares of more.
func priors(b *Bins, classes int) ([]float64, error) {
	weights, all := make([]float64, classes), 0.0
	for i, y := range b.y {
		weights[int(y)] += float64(b.weight[i])
		all += float64(b.weight[i])
	}
	if slices.Contains(weights, all) {
		return nil, ErrOneClass
	}
	if classes == 2 {
		return []float64{math.Log(weights[1] / weights[0])}, nil
	}
	for k, w := range weights {
		weights[k] = math.Log(max(w/all, 1e-6)) // a class may have no rows here
	}
	return weights, nil
}

// boost grows trees, each on the derivatives of the loss after those before.
func boost(ctx context.Context, s *scores, o Options) (grown []tree, err error) {
	maxWeight := float64(slices.Max(s.b.weight))
	g := newGrower(s.b, o, len(s.bias))
	g.unitG, g.unitH = maxWeight/scaleG, maxWeight/4/scaleH
	rows := make([]int32, len(s.b.y))
	for i := range rows {
		rows[i] = int32(i)
	}
	groups := corpus.GroupBy(rows, func(r int32) int32 { return s.b.groups[r] })
	taken := make([]bool, len(groups))
	for range o.Trees {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("after %d of %d trees: %w", len(grown), o.Trees, err)
		}
		s.derive(g.d, maxWeight)
		rng := rand.New(rand.NewPCG(o.Seed, uint64(len(grown))))
		setRandom(taken, o.RowShare, rng)
		rows = rows[:0]
		for k, group := range groups {
			if taken[k] {
				rows = append(rows, group...)
			}
		}
		setRandom(g.use, o.FeatureShare, rng)
		t := g.grow(rows)
		grown = append(grown, t)
		s.add(t)
		if o.Progress != nil {
			o.Progress(len(grown))
		}
	}
	return grown, nil
}

// setRandom sets a random share of the flags, at least one, and clears the others.
func setRandom(flags []bool, share float64, rng *rand.Rand) {
	wanted := max(1, int(share*float64(len(flags))+0.5))
	for i := range flags {
		left := len(flags) - i
		flags[i] = wanted == left || rng.IntN(left) < wanted
		if flags[i] {
			wanted--
		}
	}
}

// scores has the scores of rows while trees are added: row after row, all outputs of
// each, in units of the model.
type scores struct {
	b    *Bins
	bias []float64 // of each output
	unit float64
	sums []int32
}

// forRows calls do for all rows, on several workers.
func (s *scores) forRows(do func(row int)) {
	const chunk = 8192
	n := len(s.b.y)
	parallel.For((n+chunk-1)/chunk, 0, func(i int) {
		for row := i * chunk; row < min(n, (i+1)*chunk); row++ {
			do(row)
		}
	})
}

// add adds the leaves of a tree to all rows.
func (s *scores) add(t tree) {
	s.forRows(func(row int) {
		leaf := 0
		for level, n := range t.nodes {
			if s.b.columns[n.feature][row] > n.bin {
				leaf |= 1 << level
			}
		}
		for k := range s.bias {
			s.sums[row*len(s.bias)+k] += int32(t.leaves[k<<len(t.nodes)+leaf])
		}
	})
}

// derive computes the derivatives of the loss for each output of each row. Weights
// are relative to maxWeight.
func (s *scores) derive(d [][]derivatives, maxWeight float64) {
	s.forRows(func(row int) {
		p := make([]float64, len(s.bias))
		for k := range p {
			p[k] = s.bias[k] + float64(s.sums[row*len(p)+k])*s.unit
		}
		trees.Probabilities(p)
		class := int(s.b.y[row])
		if len(p) == 1 {
			class-- // the one output is that of class 1
		}
		w := float64(s.b.weight[row]) / maxWeight
		for k := range d {
			g := p[k]
			if class == k {
				g--
			}
			d[k][row] = derivatives{scaled(w*g, scaleG), scaled(w*p[k]*(1-p[k])*4, scaleH)}
		}
	})
}
