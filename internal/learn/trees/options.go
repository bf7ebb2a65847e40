package trees

import (
	"fmt"
	"runtime"
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
