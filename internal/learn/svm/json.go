package svm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

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
