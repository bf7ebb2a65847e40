package svm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The solution for two points is known: both coefficients are 1/(1-K), which puts
// the points on their margins, or C if that is less.
func TestTwoPoints(t *testing.T) {
	x, y := [][]float64{{0}, {1}}, []bool{false, true}
	k := math.Exp(-0.5)
	for _, c := range []float64{100, 0.25} {
		m := mustTrain(t, x, y, Options{C: c, Gamma: 0.5})
		a := min(c, 1/(1-k))
		checkNear(t, "coefficient", m.coefficients[1], a)
		checkNear(t, "bias", m.bias, 0)
		checkNear(t, "at the positive point", m.Decision([]float64{1}), a*(1-k))
		checkNear(t, "at the negative point", m.Decision([]float64{0}), -a*(1-k))
		checkNear(t, "between", m.Decision([]float64{0.5}), 0)
	}
}

// So is that for XOR: neighbours are 2 apart and by symmetry all coefficients are
// equal, so that a·(1 - 2·exp(-4γ) + exp(-8γ)) = 1.
func TestXOR(t *testing.T) {
	x, y := [][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []bool{true, true, false, false}
	gamma := 0.3
	m := mustTrain(t, x, y, Options{C: 100, Gamma: gamma, Epsilon: 1e-12})
	a := 1 / math.Pow(1-math.Exp(-4*gamma), 2)
	for i, c := range m.coefficients {
		checkNear(t, "coefficient", math.Abs(c), a)
		checkNear(t, "margin", math.Abs(m.Decision(x[i])), 1)
		if (m.Decision(x[i]) > 0) != y[i] {
			t.Errorf("%v is on the wrong side", x[i])
		}
	}
	checkNear(t, "centre", m.Decision([]float64{0, 0}), 0)
}

// If two points of different classes coincide, the class with the larger weight
// wins.
func TestWeights(t *testing.T) {
	x, y := [][]float64{{0}, {0}, {3}, {-3}}, []bool{true, false, true, false}
	heavy, light := Weight{Positive: 5}, Weight{Negative: 5}
	if v := mustTrain(t, x, y, Options{Weight: heavy}).Decision([]float64{0}); v <= 0 {
		t.Errorf("positive rows cost more, but the decision is %g", v)
	}
	if v := mustTrain(t, x, y, Options{Weight: light}).Decision([]float64{0}); v >= 0 {
		t.Errorf("negative rows cost more, but the decision is %g", v)
	}
}

// TestOptimality checks the Karush-Kuhn-Tucker conditions on random data, with
// distances computed directly.
func TestOptimality(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		rows, columns := 10+rng.IntN(120), 1+rng.IntN(8)
		x, y := overlapping(seed, rows, columns, rng.Float64()*2)
		if seed%3 == 0 { // duplicates, some of both classes
			for i := range rows / 3 {
				x[i] = x[rng.IntN(rows)]
			}
		}
		o := Options{
			C: math.Exp(rng.Float64()*8 - 4), Gamma: math.Exp(rng.Float64()*6 - 4), Epsilon: 1e-5,
			Weight: Weight{0.5 + rng.Float64(), 0.5 + rng.Float64()},
		}.withDefaults(rows, columns)
		s := newSolver(newCache(pointsOf(x), o.Gamma, cacheMB), y, o)
		if err := s.solve(o.Epsilon, o.MaxIterations); err != nil {
			t.Fatal(err)
		}
		checkOptimal(t, s, x, y, o)
	}
}

func checkOptimal(t *testing.T, s *solver, x [][]float64, y []bool, o Options) {
	t.Helper()
	sum, slack := 0.0, o.Epsilon+1e-9*o.C*float64(len(x))
	for i, positive := range y {
		sum += s.b[i]
		sign, c := -1.0, o.C*o.Weight.Negative
		if positive {
			sign, c = 1, o.C*o.Weight.Positive
		}
		a := sign * s.b[i]
		margin := s.bias()
		for j := range x {
			margin += s.b[j] * math.Exp(-o.Gamma*distance(x[i], x[j]))
		}
		margin *= sign
		switch {
		case a < 0 || a > c:
			t.Errorf("row %d: %g is not within [0, %g]", i, a, c)
		case a < c && margin < 1-slack:
			t.Errorf("row %d: coefficient %g of at most %g is too small for margin %g", i, a, c, margin)
		case a > 0 && margin > 1+slack:
			t.Errorf("row %d: coefficient %g is too large for margin %g", i, a, margin)
		}
	}
	if math.Abs(sum) > 1e-9*o.C*float64(len(x)) {
		t.Errorf("coefficients add up to %g", sum)
	}
}

func distance(u, v []float64) float64 {
	sum := 0.0
	for k := range u {
		sum += (u[k] - v[k]) * (u[k] - v[k])
	}
	return sum
}

// The size of the cache does not affect the result.
func TestCache(t *testing.T) {
	x, y := overlapping(4, 150, 3, 0.5)
	o := Options{C: 10}.withDefaults(150, 3)
	var want []float64
	for _, held := range []int{1000, 2, 3, 20} {
		c := newCache(pointsOf(x), o.Gamma, 1)
		c.left = held
		s := newSolver(c, y, o)
		if err := s.solve(o.Epsilon, o.MaxIterations); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = s.b
		}
		if !slices.Equal(s.b, want) {
			t.Errorf("coefficients differ with a cache of %d rows", held)
		}
	}
}

func pointsOf(x [][]float64) *points {
	p := &points{}
	for _, row := range x {
		p.add(row)
	}
	return p
}

func checkNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-9) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

// overlapping returns rows of two classes whose Gaussians overlap.
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
		mustTrain(b, x, y, Options{C: 1})
	}
}

func BenchmarkTrainSteep(b *testing.B) {
	x, y := overlapping(1, 2000, 12, 0.6)
	for b.Loop() {
		mustTrain(b, x, y, Options{C: 100})
	}
}

func BenchmarkTrainProbability(b *testing.B) {
	x, y := overlapping(1, 2000, 12, 0.6)
	for b.Loop() {
		mustTrain(b, x, y, Options{C: 1, Probability: true})
	}
}

// BenchmarkDecision has one row, 12 features and 200 support vectors.
func BenchmarkDecision(b *testing.B) {
	x, y := overlapping(1, 1000, 12, 0.6)
	m := mustTrain(b, x, y, Options{Probability: true})
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
