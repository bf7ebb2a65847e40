// Package trees scores rows with gradient-boosted decision trees for two classes or
// more. The trees are symmetric: all nodes of a level are the same, so that scoring
// needs no branches (L. Prokhorenkova et al.: CatBoost: unbiased boosting with
// categorical features. NeurIPS 2018, section 5). Bit k of the number of a row's leaf
// tells whether the row was above the bin of the node of level k.
//
// internal/lab/train/trees trains models. A missing value is NaN, which counts as less
// than all others.
package trees

import (
	"math"
	"slices"
)

// Limits of a model.
const (
	MaxDepth   = 8         // of trees: the number of a leaf is a byte
	MaxTrees   = 1<<16 - 1 // the sum of their leaves must not overflow
	MaxClasses = 64
	ColumnCuts = 127 // of a column, so that a bin leaves one bit of its byte free
	NoCover    = 15  // cover of a leaf without rows

	maxLeaves = 1 << MaxDepth
)

// Model scores rows. It comes from a file, and is safe for concurrent use.
type Model struct {
	file     []byte
	features []string
	bias     []float64 // of each output
	unit     float64   // of leaves
	columns  []column
	trees    []tree
	values   func() [][]float64 // of the nodes of each tree

	// The parts of columns and trees, one after the other: scoring reads all of them.
	cuts   []float32
	splits []split
	leaves []int16 // in units; of a tree all of the first output, then of the next
	covers []uint8 // of the leaves of an output: n for a leaf with one 2ⁿ-th of the weight
}

// column is a feature that the model uses, with the cuts of its nodes. A feature
// with more than ColumnCuts cuts has several columns.
type column struct {
	feature, first int   // of its cuts, which are padded with NaN, which no value reaches
	half           uint8 // of the number of cuts, rounded up to a power of two
}

// tree is a symmetric tree: where its parts are.
type tree struct {
	split, leaf uint32
	depth       uint8
}

// splitsOf returns the nodes of a tree.
func (m *Model) splitsOf(t tree) []split { return m.splits[t.split:][:t.depth] }

// leavesOf returns the leaves of a tree and an output, and what follows, up to as many as
// a byte can number.
func (m *Model) leavesOf(t tree, output int) *[maxLeaves]int16 {
	return (*[maxLeaves]int16)(m.leaves[int(t.leaf)+output<<(t.depth&63):])
}

// split is the node of a level: it tests whether the bin of a column is above a number.
type split struct {
	column uint16
	above  uint8
}

// Features returns the names of the features, in the order of a row.
func (m *Model) Features() []string { return slices.Clone(m.features) }

// Outputs returns the number of scores of a row: one for two classes, or else
// one for each class.
func (m *Model) Outputs() int { return len(m.bias) }

// Probabilities turns the scores of a row into probabilities, in place: that of
// class 1 if there is one score, or else one for each class.
func Probabilities[T float32 | float64](scores []T) {
	if len(scores) == 1 {
		scores[0] = T(1 / (1 + math.Exp(-float64(scores[0]))))
		return
	}
	most, sum := slices.Max(scores), T(0)
	for k, v := range scores {
		scores[k] = T(math.Exp(float64(v - most)))
		sum += scores[k]
	}
	for k := range scores {
		scores[k] /= sum
	}
}
