// Package svm decides between two classes with a support vector machine that has an RBF
// kernel, with probabilities by Platt scaling. internal/lab/train/svm trains models.
package svm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Model assigns rows to one of two classes. Its decision value of a row x is
//
//	bias + Σ coefficients[i] · exp(-gamma · |x - vectors[i]|²)
//
// It is safe for concurrent use as long as nobody changes it.
type Model struct {
	Format       string      `json:"format"`
	Version      int         `json:"version"`
	Kernel       string      `json:"kernel"`
	Features     []string    `json:"features,omitempty"` // names of the columns
	Gamma        float64     `json:"gamma"`
	Bias         float64     `json:"bias"`
	Platt        *Sigmoid    `json:"platt,omitempty"` // nil if it was trained without probabilities
	Coefficients []float64   `json:"coefficients"`
	Vectors      [][]float64 `json:"vectors"`
}

// The values of the first fields of a model.
const (
	Format  = "lede-svm"
	Version = 1
	Kernel  = "rbf"
)

// Decision returns the decision value of a row: positive for the positive class,
// with the margins at 1 and -1. Far from all vectors it is the bias. Decision panics if
// the row does not have as many values as the model has columns.
func (m *Model) Decision(x []float64) float64 {
	if n := len(m.Vectors[0]); len(x) != n {
		panic(fmt.Sprintf("svm: a row of %d values for a model of %d", len(x), n))
	}
	sum := m.Bias
	for i, v := range m.Vectors {
		sum += m.Coefficients[i] * RBF(x, v, m.Gamma)
	}
	return sum
}

// RBF returns the kernel exp(-gamma · |u - v|²).
func RBF(u, v []float64, gamma float64) float64 {
	v = v[:len(u)]
	sum := 0.0
	for k, a := range u {
		sum += (a - v[k]) * (a - v[k])
	}
	return math.Exp(-gamma * sum)
}

// Probability returns the probability of the positive class. It needs Platt. It normally
// rises with the decision value; it falls if the held-out decision values were mostly wrong.
func (m *Model) Probability(x []float64) float64 { return m.Platt.At(m.Decision(x)) }

// Sigmoid maps a decision value f to P(positive | f) = 1 / (1 + exp(A·f + B)).
type Sigmoid struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// At returns the probability for a decision value.
func (s Sigmoid) At(f float64) float64 { return 1 / (1 + math.Exp(s.A*f+s.B)) }

// ErrModel means that JSON is not a valid model.
var ErrModel = errors.New("not an SVM model")

// UnmarshalJSON decodes a model. Its errors wrap [ErrModel] and leave m
// unchanged.
func (m *Model) UnmarshalJSON(data []byte) error {
	type plain Model
	var read plain
	if err := json.Unmarshal(data, &read); err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	if read.Format != Format || read.Version != Version || read.Kernel != Kernel {
		return fmt.Errorf("%w: it has format %q, version %d and kernel %q instead of %q, %d and %q: train the model again",
			ErrModel, read.Format, read.Version, read.Kernel, Format, Version, Kernel)
	}
	if !(*Model)(&read).fits() {
		return fmt.Errorf("%w: its parts do not fit together", ErrModel)
	}
	*m = Model(read)
	return nil
}

// fits reports whether the parts of a model fit together, and decision values are finite.
func (m *Model) fits() bool {
	if m.Gamma <= 0 || len(m.Vectors) == 0 || len(m.Vectors[0]) == 0 || len(m.Coefficients) != len(m.Vectors) ||
		m.Features != nil && len(m.Features) != len(m.Vectors[0]) {
		return false
	}
	most := math.Abs(m.Bias)
	for i, v := range m.Vectors {
		if len(v) != len(m.Vectors[0]) {
			return false
		}
		most += math.Abs(m.Coefficients[i])
	}
	return !math.IsInf(most, 0) // JSON has no infinite numbers, but the sum may be
}
