package svm

import "math"

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
