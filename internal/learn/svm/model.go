package svm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Model decides which of two classes a row is of. It comes from [Train] or from
// JSON, never changes, and may be used by many goroutines at once.
type Model struct {
	features     []string
	scaling      *scaling
	gamma, bias  float64
	vectors      points // scaled
	coefficients []float64
	sigmoid      *sigmoid
}

// Features are the names of the columns, nil when training had none.
func (m *Model) Features() []string { return slices.Clone(m.features) }

// Columns is how many values a row has.
func (m *Model) Columns() int { return m.vectors.columns }

// Vectors is how many support vectors there are, which is what a decision costs.
func (m *Model) Vectors() int { return m.vectors.len() }

// onStack is how many values are scaled without asking for memory.
const onStack = 64

// Decision is positive for rows of the positive class, and the larger the
// surer; 1 and -1 are the margins. A row too far out to reckon with is as one at
// infinity, where only the bias is left; one with a NaN gives NaN. It takes no
// memory for up to 64 features, and panics when the row has not as many values
// as the model has columns.
func (m *Model) Decision(x []float64) float64 {
	if len(x) != m.vectors.columns {
		panic(fmt.Sprintf("svm: a row of %d values for a model of %d", len(x), m.vectors.columns))
	}
	var room [onStack]float64
	u := m.scaling.appendScaled(room[:0], x)
	uu := dot(u, u)
	if uu >= far {
		return m.bias
	}
	sum := m.bias
	for i, vv := range m.vectors.norms {
		sum += m.coefficients[i] * rbf(m.gamma, uu, vv, dot(u, m.vectors.row(i)))
	}
	return sum
}

// Probability is that of the positive class. It rises with the decision value,
// or falls when held-out rows were rather of the other class than the model
// thought. It is NaN for a model that was trained without probabilities.
func (m *Model) Probability(x []float64) float64 {
	if m.sigmoid == nil {
		return math.NaN()
	}
	return m.sigmoid.at(m.Decision(x))
}

// HasProbability tells whether the model was trained with probabilities.
func (m *Model) HasProbability() bool { return m.sigmoid != nil }

// points are rows of one length, one after another, with their squared norms:
// |u-v|² = |u|² + |v|² - 2u·v then costs one multiplication for each feature.
type points struct {
	columns int
	at      []float64
	norms   []float64
}

// add copies a row and tells whether its norm is a number to reckon with.
func (p *points) add(row []float64) bool {
	n := dot(row, row)
	p.columns = len(row)
	p.at = append(p.at, row...)
	p.norms = append(p.norms, n)
	return n < far
}

func (p *points) len() int { return len(p.norms) }

func (p *points) row(i int) []float64 { return p.at[i*p.columns : (i+1)*p.columns] }

// kernels sets dst to the kernel of row i with every row.
func (p *points) kernels(dst []float64, i int, gamma float64) {
	u, uu := p.row(i), p.norms[i]
	for j, vv := range p.norms {
		dst[j] = rbf(gamma, uu, vv, dot(u, p.row(j)))
	}
}

// rbf is exp(-gamma·|u-v|²). Rounding must not make a distance negative.
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

// Scale is a way to bring features to like sizes.
type Scale string

const (
	// Unscaled leaves features as they are.
	Unscaled Scale = ""
	// Range maps what a feature was in training to [0, 1].
	Range Scale = "range"
	// Standard maps it to mean 0 and standard deviation 1.
	Standard Scale = "standard"
)

// scaling maps a value v of feature k to (v - Offset[k]) / Width[k]: the least
// value and the range, or the mean and the standard deviation.
type scaling struct {
	Kind   Scale     `json:"kind"`
	Offset []float64 `json:"offset"`
	Width  []float64 `json:"width"`
}

// newScaling measures the columns; it is nil for Unscaled.
func newScaling(kind Scale, x [][]float64) (*scaling, error) {
	if kind == Unscaled {
		return nil, nil
	}
	measure, known := map[Scale]func([][]float64, int) (float64, float64){Range: extent, Standard: moments}[kind]
	if !known {
		return nil, fmt.Errorf("scale %q is none of %q, %q", kind, Range, Standard)
	}
	s := &scaling{Kind: kind}
	for k := range x[0] {
		offset, width := measure(x, k)
		if !finite(offset) || !finite(width) {
			return nil, fmt.Errorf("feature %d cannot be scaled: its spread is %w", k, ErrNotFinite)
		}
		if width == 0 { // a constant tells nothing, and is 0 after scaling
			width = 1
		}
		s.Offset, s.Width = append(s.Offset, offset), append(s.Width, width)
	}
	return s, nil
}

// extent is the least value of a column and how far it reaches from there.
func extent(x [][]float64, k int) (offset, width float64) {
	lo, hi := x[0][k], x[0][k]
	for _, row := range x {
		lo, hi = min(lo, row[k]), max(hi, row[k])
	}
	return lo, hi - lo
}

// moments are the mean of a column and its standard deviation.
func moments(x [][]float64, k int) (offset, width float64) {
	if _, spread := extent(x, k); spread == 0 {
		return x[0][k], 0 // a mean of equal values may be off by a rounding
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

// appendScaled adds the scaled values of x to dst.
func (s *scaling) appendScaled(dst, x []float64) []float64 {
	if s == nil {
		return append(dst, x...)
	}
	for k, v := range x {
		dst = append(dst, (v-s.Offset[k])/s.Width[k])
	}
	return dst
}

// check looks at a scaling that was read.
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
		if !finite(s.Offset[k]) || !finite(s.Width[k]) || s.Width[k] <= 0 {
			return fmt.Errorf("feature %d cannot be scaled by (v - %g) / %g", k, s.Offset[k], s.Width[k])
		}
	}
	return nil
}

// ErrModel means that JSON holds no model that can be used.
var ErrModel = errors.New("not a model of an SVM")

const (
	formatName    = "lede-svm"
	formatVersion = 1
)

// file is a model in JSON. The decision value of a row x, scaled to u, is
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

// MarshalJSON writes all that is needed to use the model, to the last bit.
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

// UnmarshalJSON reads what MarshalJSON writes. Its errors are [ErrModel], and
// leave the model as it was.
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

// check looks at everything but the size of numbers in vectors.
func (f *file) check() error {
	switch {
	case f.Format != formatName:
		return fmt.Errorf("the format is %q, not %q", f.Format, formatName)
	case f.Version != formatVersion:
		return fmt.Errorf("version %d, where %d is known: train it again or use the release that wrote it", f.Version, formatVersion)
	case f.Kernel != "rbf":
		return fmt.Errorf("unknown kernel %q", f.Kernel)
	case !(f.Gamma > 0):
		return fmt.Errorf("gamma is %g: it must be positive", f.Gamma)
	case len(f.Vectors) == 0 || len(f.Vectors[0]) == 0:
		return errors.New("there are no support vectors")
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
	if !finite(most) {
		return fmt.Errorf("a sum of coefficients is %w", ErrNotFinite)
	}
	if err := f.Scaling.check(columns); err != nil {
		return err
	}
	return checkNames(f.Features, columns)
}
