package svm

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/methods/svm"
)

// split assigns every row to a fold. Groups are not split: in random order, each is
// assigned to the fold with the fewest rows. There are no more folds than groups.
func split(groups []int, seed uint64) (fold []int, err error) {
	rows := make([]int, len(groups))
	for i := range rows {
		rows[i] = i
	}
	members := corpus.GroupBy(rows, func(i int) int { return groups[i] })
	if len(members) < 2 {
		return nil, ErrOneGroup
	}
	fold, sizes := make([]int, len(groups)), make([]int, min(Folds, len(members)))
	for _, g := range rand.New(rand.NewPCG(seed, 0)).Perm(len(members)) {
		least := slices.Index(sizes, slices.Min(sizes))
		sizes[least] += len(members[g])
		for _, i := range members[g] {
			fold[i] = least
		}
	}
	return fold, nil
}

// heldOut returns the decision values of all rows, each from a model that was
// trained without its fold.
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
		m, err := fit(restX, restY, o)
		if err != nil {
			return nil, err
		}
		for i := range x {
			if fold[i] == f {
				values[i] = m.Decision(x[i])
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
	// Targets are not 0 and 1 but those of Bayes' rule with a uniform prior (section 2
	// there), so that A stays finite if the classes are separable.
	positives := 0.0
	for _, positive := range y {
		if positive {
			positives++
		}
	}
	negatives := float64(len(y)) - positives
	targets := make([]float64, len(y))
	for i, positive := range y {
		if targets[i] = 1 / (negatives + 2); positive {
			targets[i] = (positives + 1) / (positives + 2)
		}
	}
	at := svm.Sigmoid{B: math.Log((negatives + 1) / (positives + 1))}
	loss := lossOf(at, values, targets)
	for range iterations {
		var gA, gB float64
		hAA, hBB, hAB := ridge, ridge, 0.0
		for i, f := range values {
			p := at.At(f)
			d1, d2 := targets[i]-p, p*(1-p)
			gA, gB = gA+f*d1, gB+d1
			hAA, hBB, hAB = hAA+f*f*d2, hBB+d2, hAB+f*d2
		}
		if math.Abs(gA) < tolerance && math.Abs(gB) < tolerance {
			break
		}
		det := hAA*hBB - hAB*hAB
		dA, dB := -(hBB*gA-hAB*gB)/det, -(hAA*gB-hAB*gA)/det
		descent, before := gA*dA+gB*dB, at
		for step := 1.0; step >= minStep; step /= 2 {
			next := svm.Sigmoid{A: at.A + step*dA, B: at.B + step*dB}
			if l := lossOf(next, values, targets); l < loss+decrease*step*descent {
				at, loss = next, l
				break
			}
		}
		if at == before {
			break
		}
	}
	return &at
}

// lossOf returns the negative log likelihood of the targets, without the exponential of
// a large number (section 3.1 there).
func lossOf(s svm.Sigmoid, values, targets []float64) (sum float64) {
	for i, f := range values {
		z := s.A*f + s.B
		sum += targets[i]*z + max(-z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
	}
	return sum
}
