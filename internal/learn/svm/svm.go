// Package svm learns to tell two classes of rows apart: a support vector
// machine with the RBF kernel and soft margin (C-SVC), whose decision values are
// turned into probabilities.
//
// It follows LIBSVM and gives its decision values:
//
//   - C.-C. Chang, C.-J. Lin: LIBSVM: A library for support vector machines. ACM
//     TIST 2(3), 2011. The formulation, the bias (section 4.1.5) and the defaults.
//   - R.-E. Fan, P.-H. Chen, C.-J. Lin: Working set selection using second order
//     information for training support vector machines. JMLR 6, 2005. The solver.
//   - H.-T. Lin, C.-J. Lin, R. C. Weng: A note on Platt's probabilistic outputs
//     for support vector machines. Machine Learning 68(3), 2007. Probabilities.
//   - C.-W. Hsu, C.-C. Chang, C.-J. Lin: A practical guide to support vector
//     classification. 2003–2016. The grid of [Search].
//
// Nothing here reads files or the clock, and the same rows, options and seed give
// the same model on any number of cores. A model holds the names and the scaling
// of its features, so that its JSON is all that is needed to use it.
package svm

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Options say how to train. Zeros mean LIBSVM's defaults, Epsilon aside.
type Options struct {
	// C is the cost of a row on the wrong side of the margin; 0 means 1.
	C float64
	// Gamma is the width of the kernel exp(-Gamma·|u-v|²); 0 means one over the
	// number of features.
	Gamma float64
	// Epsilon is how far the optimality conditions may be violated; 0 means 1e-4,
	// which leaves decision values within 1e-3 of the optimum. LIBSVM's default of
	// 1e-3 does not, where C is large and the kernel wide.
	Epsilon float64
	// CacheMB bounds the memory for rows of the kernel matrix; 0 means 100.
	CacheMB int
	// Weight multiplies C for rows of either class.
	Weight Weight
	// MaxIterations bounds the steps of the solver; 0 means LIBSVM's bound, the
	// greater of ten million and a hundred for each row.
	MaxIterations int

	// Scale says how features are brought to like sizes.
	Scale Scale
	// Features names the columns; it may be nil.
	Features []string

	// Probability asks for Platt scaling, which costs a training for each fold.
	Probability bool
	// Folds is how many parts held-out decision values are taken from; 0 means 5.
	Folds int
	// Groups are kept whole when rows are split into folds, such as the pages of
	// a site; nil means that every row is a group of its own.
	Groups []int
	// Seed decides which rows share a fold, and nothing else.
	Seed uint64
}

// Weight is a factor of C for each class; 0 means 1.
type Weight struct {
	Positive, Negative float64
}

// filled has the defaults in place of zeros.
func (o Options) filled(rows, columns int) Options {
	o.C = either(o.C, 1)
	o.Gamma = either(o.Gamma, 1/float64(max(columns, 1)))
	o.Epsilon = either(o.Epsilon, 1e-4)
	o.CacheMB = either(o.CacheMB, 100)
	o.Weight.Positive = either(o.Weight.Positive, 1)
	o.Weight.Negative = either(o.Weight.Negative, 1)
	o.MaxIterations = either(o.MaxIterations, max(10_000_000, 100*rows))
	o.Folds = either(o.Folds, 5)
	return o
}

func either[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// check looks at options that are filled.
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
	case o.CacheMB < 0 || o.MaxIterations < 0:
		return fmt.Errorf("a cache of %d MB and %d iterations: neither may be negative", o.CacheMB, o.MaxIterations)
	case o.Folds < 2:
		return fmt.Errorf("%d folds: at least 2 are needed", o.Folds)
	case o.Groups != nil && len(o.Groups) != rows:
		return fmt.Errorf("%d groups for %d rows", len(o.Groups), rows)
	}
	return checkNames(o.Features, columns)
}

// checkNames holds that there is one name for each column, or none at all.
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
			return fmt.Errorf("feature %d: the name %q is empty or taken", i, n)
		}
		seen[n] = true
	}
	return nil
}

// Errors of rows that cannot be learned from, and of a training without end.
var (
	ErrNoData       = errors.New("no rows to learn from")
	ErrRagged       = errors.New("rows differ in length")
	ErrNotFinite    = errors.New("not a finite number, or one too large to square")
	ErrOneClass     = errors.New("all rows are of one class: there is nothing to tell apart")
	ErrNotConverged = errors.New("no optimum within the bound on iterations: scale the features, lower C, or raise Epsilon or MaxIterations")
)

// checkRows finds what is wrong with training data.
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
			if !finite(v) {
				return fmt.Errorf("row %d, feature %d: %g is %w", i, k, v, ErrNotFinite)
			}
		}
	}
	if oneClass(y) {
		return ErrOneClass
	}
	return nil
}

func oneClass(y []bool) bool {
	for _, v := range y {
		if v != y[0] {
			return false
		}
	}
	return true
}

// far is where a squared norm counts as infinite: below it, no sum of two norms
// and a product overflows.
const far = math.MaxFloat64 / 8

// finite holds for numbers that a model may have.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Train learns a model from rows and their classes. Its errors can be tested
// for: [ErrNoData], [ErrRagged], [ErrNotFinite], [ErrOneClass] and, when the
// solver gives up, [ErrNotConverged].
func Train(x [][]float64, y []bool, o Options) (*Model, error) {
	if err := checkRows(x, y); err != nil {
		return nil, err
	}
	o = o.filled(len(x), len(x[0]))
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

// fit is the training without the probabilities.
func fit(x [][]float64, y []bool, o Options) (*Model, error) {
	scaling, err := newScaling(o.Scale, x)
	if err != nil {
		return nil, err
	}
	rows := &points{}
	var scaled []float64
	for i := range x {
		scaled = scaling.appendScaled(scaled[:0], x[i])
		if !rows.add(scaled) {
			return nil, fmt.Errorf("row %d has a value that is %w", i, ErrNotFinite)
		}
	}
	s := newSolver(newCache(rows, o.Gamma, o.CacheMB), y, o)
	if err := s.solve(o.Epsilon, o.MaxIterations); err != nil {
		return nil, err
	}
	m := &Model{features: slices.Clone(o.Features), scaling: scaling, gamma: o.Gamma, bias: s.bias()}
	for i, b := range s.b {
		if b != 0 {
			m.vectors.add(rows.row(i))
			m.coefficients = append(m.coefficients, b)
		}
	}
	return m, nil
}
