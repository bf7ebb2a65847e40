package svm

import "math"

// sigmoid is P(positive | decision value f) = 1 / (1 + exp(A·f + B)).
type sigmoid struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// at never takes the exponential of a large number (Lin, Lin, Weng 2007,
// section 3.1).
func (s sigmoid) at(f float64) float64 {
	z := s.A*f + s.B
	if z >= 0 {
		e := math.Exp(-z)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(z))
}

// fitSigmoid finds the A and B under which the classes are likeliest, given
// decision values of models that had not seen them: Newton's method with
// backtracking, Lin, Lin, Weng 2007, algorithm 1. Their likelihood is convex and
// no step makes it worse, so that what stands at the end is used, whether the
// gradient vanished or the steps became too small.
func fitSigmoid(values []float64, y []bool) *sigmoid {
	const (
		iterations = 100
		leastStep  = 1e-10
		ridge      = 1e-12 // keeps the Hessian positive definite
		tolerance  = 1e-5
		decrease   = 1e-4
	)
	l := newLikelihood(values, y)
	at := sigmoid{0, math.Log((l.negatives + 1) / (l.positives + 1))}
	loss := l.loss(at)
	for range iterations {
		gA, gB, hAA, hBB, hAB := l.derivatives(at)
		if math.Abs(gA) < tolerance && math.Abs(gB) < tolerance {
			break
		}
		hAA, hBB = hAA+ridge, hBB+ridge
		det := hAA*hBB - hAB*hAB
		dA, dB := -(hBB*gA-hAB*gB)/det, -(hAA*gB-hAB*gA)/det
		descent := gA*dA + gB*dB
		step := 1.0
		for ; step >= leastStep; step /= 2 {
			next := sigmoid{at.A + step*dA, at.B + step*dB}
			if l2 := l.loss(next); l2 < loss+decrease*step*descent {
				at, loss = next, l2
				break
			}
		}
		if step < leastStep {
			break
		}
	}
	return &at
}

// likelihood is the negative log likelihood of the classes. Targets are not 0
// and 1 but what Bayes' rule with a uniform prior expects (section 2 there), so
// that classes which are told apart perfectly do not send A to infinity.
type likelihood struct {
	values, targets      []float64
	positives, negatives float64
}

func newLikelihood(values []float64, y []bool) *likelihood {
	l := &likelihood{values: values, targets: make([]float64, len(y))}
	for _, positive := range y {
		if positive {
			l.positives++
		} else {
			l.negatives++
		}
	}
	for i, positive := range y {
		l.targets[i] = 1 / (l.negatives + 2)
		if positive {
			l.targets[i] = (l.positives + 1) / (l.positives + 2)
		}
	}
	return l
}

func (l *likelihood) loss(s sigmoid) float64 {
	sum := 0.0
	for i, f := range l.values {
		z := s.A*f + s.B
		if z >= 0 {
			sum += l.targets[i]*z + math.Log1p(math.Exp(-z))
		} else {
			sum += (l.targets[i]-1)*z + math.Log1p(math.Exp(z))
		}
	}
	return sum
}

// derivatives are the gradient and the Hessian.
func (l *likelihood) derivatives(s sigmoid) (gA, gB, hAA, hBB, hAB float64) {
	for i, f := range l.values {
		p := s.at(f)
		d1, d2 := l.targets[i]-p, p*(1-p)
		gA += f * d1
		gB += d1
		hAA += f * f * d2
		hBB += d2
		hAB += f * d2
	}
	return gA, gB, hAA, hBB, hAB
}
