package svm

import (
	"math"

	"github.com/lede-news/lede/internal/methods/svm"
)

// solver minimises the dual of C-SVC by sequential minimal optimisation. Its
// variables are b = y·α, so that the classes only appear in the bounds:
//
//	min  ½ Σ b_i b_j K_ij - Σ y_i b_i
//	with Σ b_i = 0  and  low_i ≤ b_i ≤ high_i
//
// The bounds are [0, C] for a positive row and [-C, 0] for a negative one.
type solver struct {
	x         [][]float64
	gamma     float64
	kernel    [][]float64 // its rows, where they are known
	low, high []float64
	b         []float64
	// slope is y_i - Σ b_j K_ij, the negative gradient; the paper's -y_i∇f(α)_i.
	slope []float64
}

func newSolver(x [][]float64, y []bool, o Options) *solver {
	n := len(y)
	s := &solver{x, o.Gamma, make([][]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for i, positive := range y {
		if positive {
			s.high[i], s.slope[i] = o.C, 1
		} else {
			s.low[i], s.slope[i] = -o.C, -1
		}
	}
	return s
}

// row returns a row of the kernel matrix.
func (s *solver) row(i int) []float64 {
	if s.kernel[i] == nil {
		s.kernel[i] = make([]float64, len(s.x))
		for j, v := range s.x {
			s.kernel[i][j] = svm.RBF(s.x[i], v, s.gamma)
		}
	}
	return s.kernel[i]
}

// solve iterates until the optimality conditions hold: no slope of a row whose b can
// grow is above that of one whose b can shrink by more than epsilon.
func (s *solver) solve(epsilon float64) error {
	const steps = 10_000_000
	for range steps {
		i, j, gap := s.pair()
		if gap < epsilon {
			return nil
		}
		s.step(i, j)
	}
	return ErrNotConverged
}

// curvature returns K_ii + K_jj - 2K_ij, where K_ii = K_jj = 1, but not 0, as of two equal rows:
// τ in Fan, Chen, Lin 2005, section 2.
func curvature(kij float64) float64 { return max(2-2*kij, 1e-12) }

// pair returns the row with the steepest slope whose b can grow, the one whose b can
// shrink with which a step gains the most by the second-order estimate (WSS 2 in Fan,
// Chen, Lin 2005, section 3), and the largest violation of the optimality conditions.
func (s *solver) pair() (i, j int, gap float64) {
	top, bottom := math.Inf(-1), math.Inf(1)
	for k, v := range s.slope {
		if v > top && s.b[k] < s.high[k] {
			i, top = k, v
		}
	}
	row, most := s.row(i), 0.0
	for k, v := range s.slope {
		if v >= top || s.b[k] <= s.low[k] {
			continue
		}
		bottom = min(bottom, v)
		if gain := (top - v) * (top - v) / curvature(row[k]); gain > most {
			j, most = k, gain
		}
	}
	return i, j, top - bottom
}

// step moves b_i up and b_j down by the same amount, to the optimum or the nearer
// bound.
func (s *solver) step(i, j int) {
	ki, kj := s.row(i), s.row(j)
	maxI, maxJ := s.high[i]-s.b[i], s.b[j]-s.low[j]
	t := min((s.slope[i]-s.slope[j])/curvature(ki[j]), maxI, maxJ)
	s.b[i] += t
	s.b[j] -= t
	if t == maxI { // exactly, without a rounding error
		s.b[i] = s.high[i]
	}
	if t == maxJ {
		s.b[j] = s.low[j]
	}
	for k := range s.slope {
		s.slope[k] -= t * (ki[k] - kj[k])
	}
}

// bias returns the mean slope of the rows that are at neither bound or, if there
// are none, the middle of the interval that the conditions allow (Chang and Lin
// 2011, section 4.1.5).
func (s *solver) bias() float64 {
	sum, free := 0.0, 0.0
	top, bottom := math.Inf(-1), math.Inf(1)
	for i, v := range s.slope {
		up, down := s.b[i] < s.high[i], s.b[i] > s.low[i]
		if up {
			top = max(top, v)
		}
		if down {
			bottom = min(bottom, v)
		}
		if up && down {
			sum, free = sum+v, free+1
		}
	}
	if free > 0 {
		return sum / free
	}
	return (top + bottom) / 2
}
