package svm

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/methods/svm"
)

// split assigns every row to a fold. Groups are not split, and folds have about
// the same size: groups are assigned in random order, but large before small, each
// to the fold with the fewest rows. Sizes are compared by powers of two, since
// otherwise the seed would hardly matter. There are no more folds than groups.
func split(groups []int, seed uint64) (fold []int, err error) {
	rows := make([]int, len(groups))
	for i := range rows {
		rows[i] = i
	}
	members := corpus.GroupBy(rows, func(i int) int { return groups[i] })
	if len(members) < 2 {
		return nil, ErrOneGroup
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	slices.SortStableFunc(members, func(a, b []int) int { return cmp.Compare(bits.Len(uint(len(b))), bits.Len(uint(len(a)))) })
	fold, sizes := make([]int, len(groups)), make([]int, min(Folds, len(members)))
	for _, m := range members {
		least := slices.Index(sizes, slices.Min(sizes))
		sizes[least] += len(m)
		for _, i := range m {
			fold[i] = least
		}
	}
	return fold, nil
}

// heldOut returns the decision values of all rows, each from a model that was
// trained without its fold. If only one class is left to train on, they are 1 or
// -1, as in LIBSVM.
func heldOut(x [][]float64, y []bool, fold []int, o Options) ([]float64, error) {
	values := make([]float64, len(x))
	for f := range slices.Max(fold) + 1 {
		var restX [][]float64
		var restY []bool
		for i := range x {
			if fold[i] != f {
				restX, restY = append(restX, x[i]), append(restY, y[i])
			}
		}
		decide := func([]float64) float64 { return -1 }
		switch {
		case !isOneClass(restY):
			f, err := fit(restX, restY, o)
			if err != nil {
				return nil, err
			}
			m, err := svm.New(f)
			if err != nil {
				return nil, err
			}
			decide = m.Decision
		case restY[0]:
			decide = func([]float64) float64 { return 1 }
		}
		for i := range x {
			if fold[i] == f {
				values[i] = decide(x[i])
			}
		}
	}
	return values, nil
}

// fitSigmoid returns the A and B of maximum likelihood for held-out decision
// values, by Newton's method with backtracking (Lin, Lin, Weng 2007, algorithm 1).
// The loss is convex and no step makes it worse, so that the last values are used
// even if the steps became too small.
func fitSigmoid(values []float64, y []bool) *svm.Sigmoid {
	const (
		iterations = 100
		minStep    = 1e-10
		ridge      = 1e-12 // keeps the Hessian positive definite
		tolerance  = 1e-5
		decrease   = 1e-4
	)
	l := newLikelihood(values, y)
	at := svm.Sigmoid{B: math.Log((l.negatives + 1) / (l.positives + 1))}
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
		for ; step >= minStep; step /= 2 {
			next := svm.Sigmoid{A: at.A + step*dA, B: at.B + step*dB}
			if l2 := l.loss(next); l2 < loss+decrease*step*descent {
				at, loss = next, l2
				break
			}
		}
		if step < minStep {
			break
		}
	}
	return &at
}

// likelihood is the negative log likelihood of the classes. Targets are not 0 and
// 1 but those of Bayes' rule with a uniform prior (section 2 there), so that A
// stays finite if the classes are separable.
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

func (l *likelihood) loss(s svm.Sigmoid) float64 {
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

// derivatives returns the gradient and the Hessian.
func (l *likelihood) derivatives(s svm.Sigmoid) (gA, gB, hAA, hBB, hAB float64) {
	for i, f := range l.values {
		p := s.At(f)
		d1, d2 := l.targets[i]-p, p*(1-p)
		gA += f * d1
		gB += d1
		hAA += f * f * d2
		hBB += d2
		hAB += f * d2
	}
	return gA, gB, hAA, hBB, hAB
}
