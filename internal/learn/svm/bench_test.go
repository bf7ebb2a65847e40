package svm

import (
	"math/rand/v2"
	"testing"
)

// overlapping are rows of two classes whose Gaussians overlap.
func overlapping(seed uint64, rows, columns int, apart float64) (x [][]float64, y []bool) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range rows {
		row := make([]float64, columns)
		for k := range row {
			row[k] = rng.NormFloat64()
			if i%2 == 0 {
				row[k] += apart
			}
		}
		x, y = append(x, row), append(y, i%2 == 0)
	}
	return x, y
}

func BenchmarkTrain(b *testing.B) {
	x, y := overlapping(1, 2000, 12, 0.6)
	for b.Loop() {
		mustTrain(b, x, y, Options{C: 1, Scale: Standard})
	}
}

func BenchmarkTrainSteep(b *testing.B) {
	x, y := overlapping(1, 2000, 12, 0.6)
	for b.Loop() {
		mustTrain(b, x, y, Options{C: 100, Scale: Standard})
	}
}

func BenchmarkTrainProbability(b *testing.B) {
	x, y := overlapping(1, 2000, 12, 0.6)
	for b.Loop() {
		mustTrain(b, x, y, Options{C: 1, Scale: Standard, Probability: true})
	}
}

// BenchmarkDecision is one row, 12 features, 200 support vectors.
func BenchmarkDecision(b *testing.B) {
	x, y := overlapping(1, 1000, 12, 0.6)
	m := mustTrain(b, x, y, Options{Scale: Standard, Probability: true})
	if m.Vectors() < 200 {
		b.Fatalf("only %d support vectors", m.Vectors())
	}
	m.coefficients = m.coefficients[:200]
	m.vectors.norms = m.vectors.norms[:200]
	b.ReportAllocs()
	for b.Loop() {
		m.Decision(x[0])
	}
}
