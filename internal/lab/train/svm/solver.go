package svm

import "math"

// solver minimises the dual of C-SVC by sequential minimal optimisation. Its
// variables are b = y·α, so that the classes only appear in the bounds:
//
//	min  ½ Σ b_i b_j K_ij - Σ y_i b_i
//	with Σ b_i = 0  and  low_i ≤ b_i ≤ high_i
//
// The bounds are [0, C] for a positive row and [-C, 0] for a negative one.
type solver struct {
	kernel    *kernel
	low, high []float64
	b         []float64
	// slope is y_i - Σ b_j K_ij, the negative gradient; the paper's -y_i∇f(α)_i.
	slope []float64
}

func newSolver(k *kernel, y []bool, c float64) *solver {
	n := len(y)
	s := &solver{kernel: k, low: make([]float64, n), high: make([]float64, n), b: make([]float64, n), slope: make([]float64, n)}
	for i, positive := range y {
		if positive {
			s.high[i], s.slope[i] = c, 1
		} else {
			s.low[i], s.slope[i] = -c, -1
		}
	}
	return s
}

// up and down tell whether a row is in I_up and in I_low: whether its b can grow and
// shrink.
func (s *solver) up(i int) bool   { return s.b[i] < s.high[i] }
func (s *solver) down(i int) bool { return s.b[i] > s.low[i] }

// solve iterates until the optimality conditions hold: no slope of I_up is above
// one of I_low by more than epsilon.
func (s *solver) solve(epsilon float64) error {
	const steps = 10_000_000
	for range steps {
		i := s.first()
		j, gap := s.second(i)
		if gap < epsilon || j < 0 {
			return nil
		}
		s.step(i, j)
	}
	return ErrNotConverged
}

// first returns the row of I_up with the steepest slope.
func (s *solver) first() int {
	best, top := -1, math.Inf(-1)
	for i, v := range s.slope {
		if v > top && s.up(i) {
			best, top = i, v
		}
	}
	return best
}

// minCurvature replaces a curvature of zero, as of two equal rows: τ in Fan,
// Chen, Lin 2005, section 2.
const minCurvature = 1e-12

// second returns the row of I_low with which a step from row i gains the most by
// the second-order estimate (WSS 2 in Fan, Chen, Lin 2005, section 3), and the
// largest violation of the optimality conditions.
func (s *solver) second(i int) (best int, gap float64) {
	k, top := s.kernel.row(i), s.slope[i]
	best, bottom, most := -1, math.Inf(1), 0.0
	for j, v := range s.slope {
		if v >= top || !s.down(j) {
			continue
		}
		bottom = min(bottom, v)
		if gain := (top - v) * (top - v) / curvature(k[j]); gain > most {
			best, most = j, gain
		}
	}
	return best, top - bottom
}

// curvature returns K_ii + K_jj - 2K_ij, where K_ii = K_jj = 1.
func curvature(kij float64) float64 { return max(2-2*kij, minCurvature) }

// step moves b_i up and b_j down by the same amount, to the optimum or the nearer
// bound.
func (s *solver) step(i, j int) {
	ki, kj := s.kernel.row(i), s.kernel.row(j)
	t := (s.slope[i] - s.slope[j]) / curvature(ki[j])
	maxI, maxJ := s.high[i]-s.b[i], s.b[j]-s.low[j]
	t = min(t, maxI, maxJ)
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
	sum, free := 0.0, 0
	top, bottom := math.Inf(-1), math.Inf(1)
	for i, v := range s.slope {
		if s.up(i) && s.down(i) {
			sum += v
			free++
		}
		if s.up(i) {
			top = max(top, v)
		}
		if s.down(i) {
			bottom = min(bottom, v)
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	return (top + bottom) / 2
}

// kernel computes the rows of the kernel matrix when they are first needed.
type kernel struct {
	x     [][]float64
	norms []float64
	gamma float64
	rows  [][]float64
}

func newKernel(x [][]float64, gamma float64) *kernel {
	k := &kernel{x: x, gamma: gamma, rows: make([][]float64, len(x))}
	for _, u := range x {
		k.norms = append(k.norms, dot(u, u))
	}
	return k
}

func (k *kernel) row(i int) []float64 {
	if k.rows[i] == nil {
		k.rows[i] = make([]float64, len(k.x))
		for j, v := range k.x {
			// Rounding must not make the distance negative.
			k.rows[i][j] = math.Exp(-k.gamma * max(k.norms[i]+k.norms[j]-2*dot(k.x[i], v), 0))
		}
	}
	return k.rows[i]
}

func dot(u, v []float64) float64 {
	sum := 0.0
	for k, a := range u {
		sum += a * v[k]
	}
	return sum
}
