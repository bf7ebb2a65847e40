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
type Model struct {
	file  File
	norms []float64 // squared norms of the vectors: |u-v|² = |u|² + |v|² - 2u·v
}

// Features returns the names of the columns, nil if training had none.
func (m *Model) Features() []string { return slices.Clone(m.file.Features) }

// Columns returns the number of values in a row.
func (m *Model) Columns() int { return len(m.file.Vectors[0]) }

// Decision returns the decision value of a row: positive for the positive class,
// with the margins at 1 and -1. For rows with values too large to square it
// returns the bias, which is the limit at infinity, and for rows with a NaN it
// returns NaN. Decision panics if the row does not have as many values as the model
// has columns.
func (m *Model) Decision(x []float64) float64 {
	if len(x) != m.Columns() {
		panic(fmt.Sprintf("svm: a row of %d values for a model of %d", len(x), m.Columns()))
	}
	uu := dot(x, x)
	sum := m.file.Bias
	if uu >= maxNorm {
		return sum
	}
	for i, vv := range m.norms {
		// Rounding must not make the distance negative.
		sum += m.file.Coefficients[i] * math.Exp(-m.file.Gamma*max(uu+vv-2*dot(x, m.file.Vectors[i]), 0))
	}
	return sum
}

// maxNorm is the limit of squared norms. Below it, no sum of two norms and a
// product overflows.
const maxNorm = math.MaxFloat64 / 8

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

// At computes the probability without the exponential of a large number (Lin,
// Lin, Weng 2007, section 3.1).
func (s Sigmoid) At(f float64) float64 {
	z := s.A*f + s.B
	if z >= 0 {
		e := math.Exp(-z)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(z))
}

func dot(u, v []float64) float64 {
	v = v[:len(u)]
	sum := 0.0
	for k, a := range u {
		sum += a * v[k]
	}
	return sum
}

// ErrModel means that JSON is not a valid model.
var ErrModel = errors.New("not an SVM model")

const (
	formatName    = "lede-svm"
	formatVersion = 1
)

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

// New returns the model of a file, whose format, version and kernel need not be set.
func New(f File) (*Model, error) {
	f.Format, f.Version, f.Kernel = formatName, formatVersion, "rbf"
	m := new(Model)
	return m, m.read(f)
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
	return m.read(f)
}

func (m *Model) read(f File) error {
	norms, err := f.check()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	*m = Model{f, norms}
	return nil
}

// check validates a file and returns the squared norms of its vectors.
func (f *File) check() (norms []float64, err error) {
	switch {
	case f.Format != formatName:
		return nil, fmt.Errorf("the format is %q, not %q", f.Format, formatName)
	case f.Version != formatVersion:
		return nil, fmt.Errorf("unsupported version %d (this release reads %d): train the model again", f.Version, formatVersion)
	case f.Kernel != "rbf":
		return nil, fmt.Errorf("unknown kernel %q", f.Kernel)
	case !(f.Gamma > 0):
		return nil, fmt.Errorf("gamma is %g: it must be positive", f.Gamma)
	case len(f.Vectors) == 0 || len(f.Vectors[0]) == 0:
		return nil, errors.New("no support vectors")
	case len(f.Coefficients) != len(f.Vectors):
		return nil, fmt.Errorf("%d coefficients for %d vectors", len(f.Coefficients), len(f.Vectors))
	}
	columns := len(f.Vectors[0])
	if f.Features != nil && len(f.Features) != columns {
		return nil, fmt.Errorf("%d names for %d features", len(f.Features), columns)
	}
	most := math.Abs(f.Bias)
	for i, v := range f.Vectors {
		if len(v) != columns {
			return nil, fmt.Errorf("vector %d has %d values, vector 0 has %d", i, len(v), columns)
		}
		norm := dot(v, v)
		if !(norm < maxNorm) {
			return nil, fmt.Errorf("vector %d has a value that is not a finite number, or too large to square", i)
		}
		norms = append(norms, norm)
		most += math.Abs(f.Coefficients[i])
	}
	if math.IsNaN(most) || math.IsInf(most, 0) {
		return nil, errors.New("a coefficient is not a finite number")
	}
	return norms, nil
}
