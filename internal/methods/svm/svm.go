// Package svm implements a support vector machine for two classes, with an RBF
// kernel and soft margin (C-SVC) and with probabilities by Platt scaling.
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
	"fmt"
	"math"
	"slices"
)

// Options are the settings of training. The defaults are those of LIBSVM, except
// for Epsilon.
type Options struct {
	// C is the cost of a row on the wrong side of the margin (default: 1).
	C float64
	// Gamma is the width of the kernel exp(-Gamma·|u-v|²) (default: one over the
	// number of features).
	Gamma float64
	// Epsilon is the tolerance of the optimality conditions (default: 1e-4, which
	// leaves decision values within 1e-3 of the optimum; LIBSVM's default of 1e-3
	// does not if C is large and the kernel wide).
	Epsilon float64
	// Weight multiplies C for rows of either class.
	Weight Weight
	// MaxIterations limits the steps of the solver (default: ten million or 100
	// for each row, whichever is more).
	MaxIterations int

	// Features names the columns. It may be nil.
	Features []string

	// Probability asks for Platt scaling, which trains a model for each fold.
	Probability bool
	// Folds is the number of folds for held-out decision values (default: 5).
	Folds int
	// Groups has the group of each row, such as its site. Folds do not split
	// groups. If nil, every row is a group of its own.
	Groups []int
	// Seed determines which groups share a fold.
	Seed uint64
}

// Weight has a factor of C for each class (default: 1).
type Weight struct {
	Positive, Negative float64
}

// withDefaults replaces zeros by the defaults.
func (o Options) withDefaults(rows, columns int) Options {
	o.C = cmp.Or(o.C, 1)
	o.Gamma = cmp.Or(o.Gamma, 1/float64(max(columns, 1)))
	o.Epsilon = cmp.Or(o.Epsilon, 1e-4)
	o.Weight.Positive = cmp.Or(o.Weight.Positive, 1)
	o.Weight.Negative = cmp.Or(o.Weight.Negative, 1)
	o.MaxIterations = cmp.Or(o.MaxIterations, max(10_000_000, 100*rows))
	o.Folds = cmp.Or(o.Folds, 5)
	return o
}

// check validates options that have their defaults.
func (o Options) check(rows, columns int) error {
	for _, p := range []struct {
		name  string
		value float64
	}{
		{"C", o.C}, {"Gamma", o.Gamma}, {"Epsilon", o.Epsilon},
		{"Weight.Positive", o.Weight.Positive}, {"Weight.Negative", o.Weight.Negative},
	} {
		if !(p.value > 0) || math.IsInf(p.value, 0) {
			return fmt.Errorf("%s is %g: it must be a positive number", p.name, p.value)
		}
	}
	switch {
	case o.MaxIterations < 0:
		return fmt.Errorf("MaxIterations is %d: it must not be negative", o.MaxIterations)
	case o.Folds < 2:
		return fmt.Errorf("%d folds: at least 2 are needed", o.Folds)
	case o.Groups != nil && len(o.Groups) != rows:
		return fmt.Errorf("%d groups for %d rows", len(o.Groups), rows)
	}
	return checkNames(o.Features, columns)
}

// checkNames checks that names is nil or has a unique name for each column.
func checkNames(names []string, columns int) error {
	if names == nil {
		return nil
	}
	if len(names) != columns {
		return fmt.Errorf("%d names for %d features", len(names), columns)
	}
	seen := make(map[string]bool, len(names))
	for i, n := range names {
		if n == "" || seen[n] {
			return fmt.Errorf("feature %d: the name %q is empty or used twice", i, n)
		}
		seen[n] = true
	}
	return nil
}

// Errors returned by Train.
var (
	ErrNoData       = errors.New("no rows to learn from")
	ErrRagged       = errors.New("rows differ in length")
	ErrNotFinite    = errors.New("not a finite number, or too large to square")
	ErrOneClass     = errors.New("all rows are of one class: add rows of the other")
	ErrNotConverged = errors.New("no optimum within MaxIterations: scale the features, lower C, or raise Epsilon or MaxIterations")
)

// checkRows validates training data.
func checkRows(x [][]float64, y []bool) error {
	if len(x) == 0 || len(x[0]) == 0 {
		return ErrNoData
	}
	if len(x) != len(y) {
		return fmt.Errorf("%d rows, but %d classes", len(x), len(y))
	}
	for i, row := range x {
		if len(row) != len(x[0]) {
			return fmt.Errorf("row %d has %d values, row 0 has %d: %w", i, len(row), len(x[0]), ErrRagged)
		}
		for k, v := range row {
			if !isFinite(v) {
				return fmt.Errorf("row %d, feature %d: %g is %w", i, k, v, ErrNotFinite)
			}
		}
	}
	if isOneClass(y) {
		return ErrOneClass
	}
	return nil
}

func isOneClass(y []bool) bool { return !slices.Contains(y, !y[0]) }

// maxNorm is the limit of squared norms. Below it, no sum of two norms and a
// product overflows.
const maxNorm = math.MaxFloat64 / 8

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Train learns a model from rows and their classes. It may return [ErrNoData],
// [ErrRagged], [ErrNotFinite], [ErrOneClass], [ErrOneGroup] and, if the solver
// does not reach the optimum, [ErrNotConverged].
func Train(x [][]float64, y []bool, o Options) (*Model, error) {
	if err := checkRows(x, y); err != nil {
		return nil, err
	}
	o = o.withDefaults(len(x), len(x[0]))
	if err := o.check(len(x), len(x[0])); err != nil {
		return nil, err
	}
	m, err := fit(x, y, o)
	if err != nil || !o.Probability {
		return m, err
	}
	fold, folds, err := split(len(x), o.Groups, o.Folds, o.Seed)
	if err != nil {
		return nil, err
	}
	values, err := heldOut(x, y, fold, folds, o)
	if err != nil {
		return nil, err
	}
	m.sigmoid = fitSigmoid(values, y)
	return m, nil
}

// cacheMB limits the memory for rows of the kernel matrix, in megabytes.
const cacheMB = 100

// fit trains a model without probabilities.
func fit(x [][]float64, y []bool, o Options) (*Model, error) {
	rows := &points{}
	for i := range x {
		if !rows.add(x[i]) {
			return nil, fmt.Errorf("row %d has a value that is %w", i, ErrNotFinite)
		}
	}
	s := newSolver(newCache(rows, o.Gamma, cacheMB), y, o)
	if err := s.solve(o.Epsilon, o.MaxIterations); err != nil {
		return nil, err
	}
	m := &Model{features: slices.Clone(o.Features), gamma: o.Gamma, bias: s.bias()}
	for i, b := range s.b {
		if b != 0 {
			m.vectors.add(rows.row(i))
			m.coefficients = append(m.coefficients, b)
		}
	}
	return m, nil
}
