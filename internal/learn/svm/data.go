package svm

import (
	"errors"
	"fmt"
	"math"
)

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
