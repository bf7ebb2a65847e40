// Package svm trains the support vector machines of internal/methods/svm: two classes,
// an RBF kernel, a soft margin (C-SVC), and probabilities by Platt scaling.
//
// It follows LIBSVM and has the same decision values:
//
//   - C.-C. Chang, C.-J. Lin: LIBSVM: A library for support vector machines. ACM
//     TIST 2(3), 2011. The formulation, the bias (section 4.1.5) and the defaults.
//   - R.-E. Fan, P.-H. Chen, C.-J. Lin: Working set selection using second order
//     information for training support vector machines. JMLR 6, 2005. The solver.
//   - H.-T. Lin, C.-J. Lin, R. C. Weng: A note on Platt's probabilistic outputs
//     for support vector machines. Machine Learning 68(3), 2007. Probabilities.
//
// The same rows, options and seed give the same model. Features are not scaled.
package svm

import (
	"cmp"
	"errors"
	"slices"

	"github.com/lede-news/lede/internal/methods/svm"
)

// Options are the settings of training.
type Options struct {
	C        float64  // cost of a row on the wrong side of the margin
	Gamma    float64  // width of the kernel exp(-Gamma·|u-v|²)
	Epsilon  float64  // tolerance of the optimality conditions (default: 1e-4, for decision values within 1e-3 of the optimum)
	Features []string // names of the columns; may be nil

	// Groups, if not nil, asks for Platt scaling, which trains a model for each fold. It
	// has the group of each row, such as its site, which folds do not split.
	Groups []int
	Seed   uint64 // determines which groups share a fold
}

// Folds is the number of folds for the decision values of Platt scaling.
const Folds = 5

// Errors returned by Train.
var (
	ErrOneClass     = errors.New("all rows are of one class: add rows of the other")
	ErrOneGroup     = errors.New("all rows are of one group: add rows of another")
	ErrNotConverged = errors.New("no optimum within ten million steps: scale the features, lower C, or raise Epsilon")
)

// Train learns a model from rows and their classes.
func Train(x [][]float64, y []bool, o Options) (*svm.Model, error) {
	o.Epsilon = cmp.Or(o.Epsilon, 1e-4)
	m, err := fit(x, y, o)
	if err != nil || o.Groups == nil {
		return m, err
	}
	fold, err := split(o.Groups, o.Seed)
	if err != nil {
		return nil, err
	}
	values, err := heldOut(x, y, fold, o)
	if err != nil {
		return nil, err
	}
	m.Platt = fitSigmoid(values, y)
	return m, nil
}

// fit trains a model without probabilities.
func fit(x [][]float64, y []bool, o Options) (*svm.Model, error) {
	if !slices.Contains(y, true) || !slices.Contains(y, false) {
		return nil, ErrOneClass
	}
	s := newSolver(x, y, o)
	if err := s.solve(o.Epsilon); err != nil {
		return nil, err
	}
	m := &svm.Model{Format: svm.Format, Version: svm.Version, Kernel: svm.Kernel, Features: o.Features, Gamma: o.Gamma, Bias: s.bias()}
	for i, b := range s.b {
		if b != 0 {
			m.Vectors = append(m.Vectors, x[i])
			m.Coefficients = append(m.Coefficients, b)
		}
	}
	return m, nil
}
