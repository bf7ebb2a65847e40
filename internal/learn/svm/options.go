package svm

import (
	"fmt"
	"math"
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
