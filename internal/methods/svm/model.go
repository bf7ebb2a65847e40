package svm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Model assigns rows to one of two classes. It comes from [Train] or from JSON,
// and is safe for concurrent use.
type Model struct {
	features     []string
	gamma, bias  float64
	vectors      points
	coefficients []float64
	sigmoid      *sigmoid
}

// Features returns the names of the columns, nil if training had none.
func (m *Model) Features() []string { return slices.Clone(m.features) }

// Columns returns the number of values in a row.
func (m *Model) Columns() int { return m.vectors.columns }

// Vectors returns the number of support vectors. The time for a decision is
// proportional to it.
func (m *Model) Vectors() int { return m.vectors.len() }

// Decision returns the decision value of a row: positive for the positive class,
// with the margins at 1 and -1. For rows with values too large to square it
// returns the bias, which is the limit at infinity, and for rows with a NaN it
// returns NaN. Decision panics if the row does not have as many values as the model
// has columns.
func (m *Model) Decision(x []float64) float64 {
	if len(x) != m.vectors.columns {
		panic(fmt.Sprintf("svm: a row of %d values for a model of %d", len(x), m.vectors.columns))
	}
	uu := dot(x, x)
	if uu >= maxNorm {
		return m.bias
	}
	sum := m.bias
	for i, vv := range m.vectors.norms {
		sum += m.coefficients[i] * rbf(m.gamma, uu, vv, dot(x, m.vectors.row(i)))
	}
	return sum
}

// Probability returns the probability of the positive class, or NaN for a model
// that was trained without probabilities. It normally rises with the decision
// value; it falls if the held-out decision values were mostly wrong.
func (m *Model) Probability(x []float64) float64 {
	if m.sigmoid == nil {
		return math.NaN()
	}
	return m.sigmoid.at(m.Decision(x))
}

// HasProbability reports whether the model was trained with probabilities.
func (m *Model) HasProbability() bool { return m.sigmoid != nil }

// points has rows of one length, one after another, with their squared norms:
// |u-v|² = |u|² + |v|² - 2u·v then costs one multiplication for each feature.
type points struct {
	columns int
	values  []float64
	norms   []float64
}

// add copies a row and reports whether its norm is below maxNorm.
func (p *points) add(row []float64) bool {
	n := dot(row, row)
	p.columns = len(row)
	p.values = append(p.values, row...)
	p.norms = append(p.norms, n)
	return n < maxNorm
}

func (p *points) len() int { return len(p.norms) }

func (p *points) row(i int) []float64 { return p.values[i*p.columns : (i+1)*p.columns] }

// kernels sets dst to the kernel of row i with every row.
func (p *points) kernels(dst []float64, i int, gamma float64) {
	u, uu := p.row(i), p.norms[i]
	for j, vv := range p.norms {
		dst[j] = rbf(gamma, uu, vv, dot(u, p.row(j)))
	}
}

// rbf returns exp(-gamma·|u-v|²). Rounding must not make the distance negative.
func rbf(gamma, uu, vv, uv float64) float64 {
	return math.Exp(-gamma * max(uu+vv-2*uv, 0))
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

// file is the JSON form of a model. The decision value of a row x is
//
//	bias + Σ coefficients[i] · exp(-gamma · |x - vectors[i]|²)
type file struct {
	Format       string      `json:"format"`
	Version      int         `json:"version"`
	Kernel       string      `json:"kernel"`
	Features     []string    `json:"features,omitempty"`
	Gamma        float64     `json:"gamma"`
	Bias         float64     `json:"bias"`
	Platt        *sigmoid    `json:"platt,omitempty"`
	Coefficients []float64   `json:"coefficients"`
	Vectors      [][]float64 `json:"vectors"`
}

// MarshalJSON encodes the model without loss.
func (m Model) MarshalJSON() ([]byte, error) {
	f := file{
		Format: formatName, Version: formatVersion, Kernel: "rbf",
		Features: m.features,
		Gamma:    m.gamma, Bias: m.bias, Platt: m.sigmoid,
		Coefficients: m.coefficients,
	}
	for i := range m.vectors.len() {
		f.Vectors = append(f.Vectors, m.vectors.row(i))
	}
	return json.Marshal(f)
}

// UnmarshalJSON decodes a model. Its errors wrap [ErrModel] and leave m
// unchanged.
func (m *Model) UnmarshalJSON(data []byte) error {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	if err := f.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	read := Model{
		features: f.Features,
		gamma:    f.Gamma, bias: f.Bias, sigmoid: f.Platt,
		coefficients: f.Coefficients,
	}
	for i, v := range f.Vectors {
		if !read.vectors.add(v) {
			return fmt.Errorf("%w: vector %d has a value that is %w", ErrModel, i, ErrNotFinite)
		}
	}
	*m = read
	return nil
}

// check validates everything except the values of vectors.
func (f *file) check() error {
	switch {
	case f.Format != formatName:
		return fmt.Errorf("the format is %q, not %q", f.Format, formatName)
	case f.Version != formatVersion:
		return fmt.Errorf("unsupported version %d (this release reads %d): train the model again", f.Version, formatVersion)
	case f.Kernel != "rbf":
		return fmt.Errorf("unknown kernel %q", f.Kernel)
	case !(f.Gamma > 0):
		return fmt.Errorf("gamma is %g: it must be positive", f.Gamma)
	case len(f.Vectors) == 0 || len(f.Vectors[0]) == 0:
		return errors.New("no support vectors")
	case len(f.Coefficients) != len(f.Vectors):
		return fmt.Errorf("%d coefficients for %d vectors", len(f.Coefficients), len(f.Vectors))
	}
	columns := len(f.Vectors[0])
	for i, v := range f.Vectors {
		if len(v) != columns {
			return fmt.Errorf("vector %d has %d values, vector 0 has %d: %w", i, len(v), columns, ErrRagged)
		}
	}
	most := math.Abs(f.Bias)
	for _, c := range f.Coefficients {
		most += math.Abs(c)
	}
	if !isFinite(most) {
		return fmt.Errorf("a sum of coefficients is %w", ErrNotFinite)
	}
	return checkNames(f.Features, columns)
}
