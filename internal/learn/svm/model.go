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
	scaling      *scaling
	gamma, bias  float64
	vectors      points // scaled
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

// onStack is the number of values that are scaled without allocating memory.
const onStack = 64

// Decision returns the decision value of a row: positive for the positive class,
// with the margins at 1 and -1. For rows with values too large to square it
// returns the bias, which is the limit at infinity, and for rows with a NaN it
// returns NaN. Decision does not allocate for up to 64 features, and panics if the
// row does not have as many values as the model has columns.
func (m *Model) Decision(x []float64) float64 {
	if len(x) != m.vectors.columns {
		panic(fmt.Sprintf("svm: a row of %d values for a model of %d", len(x), m.vectors.columns))
	}
	var buffer [onStack]float64
	u := m.scaling.appendScaled(buffer[:0], x)
	uu := dot(u, u)
	if uu >= maxNorm {
		return m.bias
	}
	sum := m.bias
	for i, vv := range m.vectors.norms {
		sum += m.coefficients[i] * rbf(m.gamma, uu, vv, dot(u, m.vectors.row(i)))
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

// Scale is a kind of scaling of features.
type Scale string

const (
	// Unscaled leaves features as they are.
	Unscaled Scale = ""
	// Range maps the values of a feature in training to [0, 1].
	Range Scale = "range"
	// Standard maps them to mean 0 and standard deviation 1.
	Standard Scale = "standard"
)

// scaling maps a value v of feature k to (v - Offset[k]) / Width[k]: the least
// value and the range, or the mean and the standard deviation.
type scaling struct {
	Kind   Scale     `json:"kind"`
	Offset []float64 `json:"offset"`
	Width  []float64 `json:"width"`
}

// newScaling measures the columns. It returns nil for Unscaled.
func newScaling(kind Scale, x [][]float64) (*scaling, error) {
	if kind == Unscaled {
		return nil, nil
	}
	measure, known := map[Scale]func([][]float64, int) (float64, float64){Range: extent, Standard: moments}[kind]
	if !known {
		return nil, fmt.Errorf("unknown scale %q; use %q or %q", kind, Range, Standard)
	}
	s := &scaling{Kind: kind}
	for k := range x[0] {
		offset, width := measure(x, k)
		if !isFinite(offset) || !isFinite(width) {
			return nil, fmt.Errorf("feature %d cannot be scaled: its spread is %w", k, ErrNotFinite)
		}
		if width == 0 { // a constant becomes 0
			width = 1
		}
		s.Offset, s.Width = append(s.Offset, offset), append(s.Width, width)
	}
	return s, nil
}

// extent returns the smallest value of a column and its range.
func extent(x [][]float64, k int) (offset, width float64) {
	lo, hi := x[0][k], x[0][k]
	for _, row := range x {
		lo, hi = min(lo, row[k]), max(hi, row[k])
	}
	return lo, hi - lo
}

// moments returns the mean of a column and its standard deviation.
func moments(x [][]float64, k int) (offset, width float64) {
	if _, spread := extent(x, k); spread == 0 {
		return x[0][k], 0 // the mean of equal values may have a rounding error
	}
	n := float64(len(x))
	mean, square := 0.0, 0.0
	for _, row := range x {
		mean += row[k] / n
	}
	for _, row := range x {
		square += (row[k] - mean) * (row[k] - mean) / n
	}
	return mean, math.Sqrt(square)
}

// appendScaled appends the scaled values of x to dst.
func (s *scaling) appendScaled(dst, x []float64) []float64 {
	if s == nil {
		return append(dst, x...)
	}
	for k, v := range x {
		dst = append(dst, (v-s.Offset[k])/s.Width[k])
	}
	return dst
}

// check validates a scaling that was read.
func (s *scaling) check(columns int) error {
	if s == nil {
		return nil
	}
	if s.Kind != Range && s.Kind != Standard {
		return fmt.Errorf("unknown scaling %q", s.Kind)
	}
	if len(s.Offset) != columns || len(s.Width) != columns {
		return fmt.Errorf("scaling of %d and %d numbers for %d features", len(s.Offset), len(s.Width), columns)
	}
	for k := range s.Offset {
		if !isFinite(s.Offset[k]) || !isFinite(s.Width[k]) || s.Width[k] <= 0 {
			return fmt.Errorf("feature %d cannot be scaled by (v - %g) / %g", k, s.Offset[k], s.Width[k])
		}
	}
	return nil
}

// ErrModel means that JSON is not a valid model.
var ErrModel = errors.New("not an SVM model")

const (
	formatName    = "lede-svm"
	formatVersion = 1
)

// file is the JSON form of a model. The decision value of a row x, scaled to u, is
//
//	bias + Σ coefficients[i] · exp(-gamma · |u - vectors[i]|²)
type file struct {
	Format       string      `json:"format"`
	Version      int         `json:"version"`
	Kernel       string      `json:"kernel"`
	Features     []string    `json:"features,omitempty"`
	Scaling      *scaling    `json:"scaling,omitempty"`
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
		Features: m.features, Scaling: m.scaling,
		Gamma: m.gamma, Bias: m.bias, Platt: m.sigmoid,
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
		features: f.Features, scaling: f.Scaling,
		gamma: f.Gamma, bias: f.Bias, sigmoid: f.Platt,
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
	if err := f.Scaling.check(columns); err != nil {
		return err
	}
	return checkNames(f.Features, columns)
}
