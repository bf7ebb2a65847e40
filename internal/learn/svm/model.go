package svm

import (
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
