package svm

import (
	"fmt"
	"slices"
)

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
