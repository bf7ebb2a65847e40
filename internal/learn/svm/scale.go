package svm

import (
	"fmt"
	"math"
)

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
