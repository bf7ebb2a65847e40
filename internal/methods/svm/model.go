// Package svm decides between two classes with a support vector machine that has an RBF
// kernel, with probabilities by Platt scaling. internal/lab/train/svm trains models.
package svm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Model assigns rows to one of two classes. It is safe for concurrent use.
type Model struct{ file File }

// File is the JSON form of a model. The decision value of a row x is
//
//	bias + Σ coefficients[i] · exp(-gamma · |x - vectors[i]|²)
type File struct {
	Format       string      `json:"format"`
	Version      int         `json:"version"`
	Kernel       string      `json:"kernel"`
	Features     []string    `json:"features,omitempty"` // names of the columns
	Gamma        float64     `json:"gamma"`
	Bias         float64     `json:"bias"`
	Platt        *Sigmoid    `json:"platt,omitempty"`
	Coefficients []float64   `json:"coefficients"`
	Vectors      [][]float64 `json:"vectors"`
}

// Features returns the names of the columns, nil if training had none.
func (m *Model) Features() []string { return slices.Clone(m.file.Features) }

// Decision returns the decision value of a row: positive for the positive class,
// with the margins at 1 and -1. Far from all vectors it is the bias. Decision panics if
// the row does not have as many values as the model has columns.
func (m *Model) Decision(x []float64) float64 {
	if n := len(m.file.Vectors[0]); len(x) != n {
		panic(fmt.Sprintf("svm: a row of %d values for a model of %d", len(x), n))
	}
	sum := m.file.Bias
	for i, v := range m.file.Vectors {
		sum += m.file.Coefficients[i] * Kernel(x, v, m.file.Gamma)
	}
	return sum
}

// Kernel returns exp(-gamma · |u - v|²).
func Kernel(u, v []float64, gamma float64) float64 {
	v = v[:len(u)]
	sum := 0.0
	for k, a := range u {
		sum += (a - v[k]) * (a - v[k])
	}
	return math.Exp(-gamma * sum)
}

// Probability returns the probability of the positive class, or NaN for a model
// that was trained without probabilities. It normally rises with the decision
// value; it falls if the held-out decision values were mostly wrong.
func (m *Model) Probability(x []float64) float64 {
	if m.file.Platt == nil {
		return math.NaN()
	}
	return m.file.Platt.At(m.Decision(x))
}

// HasProbability reports whether the model was trained with probabilities.
func (m *Model) HasProbability() bool { return m.file.Platt != nil }

// Sigmoid maps a decision value f to P(positive | f) = 1 / (1 + exp(A·f + B)).
type Sigmoid struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// At returns the probability for a decision value.
func (s Sigmoid) At(f float64) float64 { return 1 / (1 + math.Exp(s.A*f+s.B)) }

// ErrModel means that JSON is not a valid model.
var ErrModel = errors.New("not an SVM model")

const (
	formatName    = "lede-svm"
	formatVersion = 1
)

// New returns the model of a file, whose format, version and kernel need not be set.
func New(f File) (*Model, error) {
	f.Format, f.Version, f.Kernel = formatName, formatVersion, "rbf"
	return &Model{f}, f.check()
}

// MarshalJSON encodes the model without loss.
func (m Model) MarshalJSON() ([]byte, error) { return json.Marshal(m.file) }

// UnmarshalJSON decodes a model. Its errors wrap [ErrModel] and leave m
// unchanged.
func (m *Model) UnmarshalJSON(data []byte) error {
	var f File
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	if err := f.check(); err != nil {
		return err
	}
	m.file = f
	return nil
}

func (f *File) check() error {
	switch {
	case f.Format != formatName || f.Kernel != "rbf":
		return fmt.Errorf("%w: the format is %q and the kernel %q, not %q and rbf", ErrModel, f.Format, f.Kernel, formatName)
	case f.Version != formatVersion:
		return fmt.Errorf("%w: unsupported version %d (this release reads %d): train the model again", ErrModel, f.Version, formatVersion)
	}
	ok := f.Gamma > 0 && len(f.Vectors) > 0 && len(f.Vectors[0]) > 0 && len(f.Coefficients) == len(f.Vectors) &&
		(f.Features == nil || len(f.Features) == len(f.Vectors[0]))
	most := math.Abs(f.Bias)
	for i, v := range f.Vectors {
		if ok = ok && len(v) == len(f.Vectors[0]); ok {
			most += math.Abs(f.Coefficients[i])
		}
	}
	if !ok || math.IsInf(most, 0) { // JSON has no infinite numbers, but the sum may be
		return fmt.Errorf("%w: its parts do not fit together", ErrModel)
	}
	return nil
}
