package trees

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// scoreRow scores a row by its values, one tree after another.
func scoreRow(m *Model, row []float32, output int) float64 {
	sum := int32(0)
	for i, t := range m.trees {
		if i > 0 && i == m.exit.after && (sum < m.exit.low || sum > m.exit.high) {
			break
		}
		path := 0
		for level := range int(t.depth) {
			s := m.splits[int(t.split)+level]
			if !m.symmetric {
				s = m.splits[int(t.split)+1<<level-1+path]
			}
			c := m.columns[s.column]
			if int(s.above) < len(c.cuts) && row[c.feature] >= c.cuts[s.above] {
				path += 1 << level
			}
		}
		sum += int32(m.leaves[int(t.leaf)+output<<t.depth+path])
	}
	return m.bias[output] + m.unit*float64(sum)
}

// compare checks Scores against scoreRow, for all numbers of rows up to n.
func compare(t *testing.T, m *Model, d Data, n int) {
	t.Helper()
	f, outputs := len(d.Features), m.Outputs()
	for rows := range n + 1 {
		out := make([]float32, rows*outputs)
		m.Scores(d.X[:rows*f], rows, out)
		for i, got := range out {
			row := d.X[i/outputs*f : (i/outputs+1)*f]
			want := scoreRow(m, row, i%outputs)
			if got != float32(want) {
				t.Fatalf("%d rows: row %d scores %g, want %g", rows, i, got, want)
			}
		}
	}
}

func TestScores(t *testing.T) {
	for _, s := range sets {
		train, test := s.data(t)
		for _, symmetric := range []bool{true, false} {
			for _, depth := range []int{1, 3, 8} {
				m := mustTrain(t, train, Options{Trees: 12, Depth: depth, Symmetric: symmetric, LearningRate: 0.5})
				compare(t, m, test, 70)
			}
		}
	}
}

// TestWide has models with more columns than fit on the stack, and features
// with more cuts than a column may have.
func TestWide(t *testing.T) {
	for _, symmetric := range []bool{true, false} {
		m := randomModel(symmetric, 8, 400)
		if len(m.columns) <= 8 {
			t.Fatal("no feature has more than one column")
		}
		compare(t, m, blocks(9, 70, 8), 70)
		m = randomModel(symmetric, 300, 300)
		if len(m.columns) <= onStack {
			t.Fatalf("%d columns only", len(m.columns))
		}
		compare(t, m, blocks(9, 70, 300), 40)
	}
}

// TestBin checks for all numbers of cuts that bins count the cuts that a value
// has reached.
func TestBin(t *testing.T) {
	inf := float32(math.Inf(1))
	for n := 1; n <= columnCuts; n++ {
		m := Model{features: []string{"a"}, columns: []column{{cuts: make([]float32, n)}}}
		cuts := m.columns[0].cuts
		for i := range cuts {
			cuts[i] = float32(i - n/2)
		}
		if n%2 == 0 {
			cuts[0] = -inf
		}
		if n%3 == 0 {
			cuts[n-1] = inf
		}
		m.searches = newSearches(m.columns)
		out := make([]uint8, 1)
		for _, v := range append([]float32{float32(math.NaN()), -inf, inf, -1e30, 0.5, 1e30, float32(math.Copysign(0, -1))}, cuts...) {
			want := 0
			for _, c := range cuts {
				want += toInt(v >= c)
			}
			if m.bin([]float32{v}, 1, out, 1); int(out[0]) != want || binOf(v, cuts) != uint8(want) {
				t.Fatalf("%g is in bin %d, or %d, of %d cuts, not %d", v, out[0], binOf(v, cuts), n, want)
			}
		}
	}
}

func TestScoreAllocs(t *testing.T) {
	const features, rows = 180, 100
	d := blocks(2, rows, features)
	for _, symmetric := range []bool{true, false} {
		m := randomModel(symmetric, features, 50)
		out := make([]float32, rows)
		if n := testing.AllocsPerRun(10, func() { m.Scores(d.X, rows, out) }); n != 0 {
			t.Errorf("symmetric %v: %g allocations", symmetric, n)
		}
	}
}

func TestWrongLengths(t *testing.T) {
	m := randomModel(true, 20, 5)
	rows := make([]float32, 40)
	for name, call := range map[string]func(){
		"short row": func() { m.Scores(rows[:39], 2, make([]float32, 2)) },
		"long row":  func() { m.Scores(rows, 1, make([]float32, 2)) },
		"no room":   func() { m.Scores(rows, 2, make([]float32, 1)) },
		"less":      func() { m.Scores(rows, -1, nil) },
		"Reasons":   func() { m.Reasons(rows[:19], 0) },
	} {
		if text := panicText(call); !strings.HasPrefix(text, "trees: ") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func panicText(call func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	call()
	return ""
}

// Rows that exit early keep their class, except for the allowed share, and
// Scores agrees with scoreRow.
func TestEarlyExit(t *testing.T) {
	d := blocks(5, 6000, 12)
	for _, symmetric := range []bool{true, false} {
		full := scores(mustTrain(t, d, Options{Trees: 60, Symmetric: symmetric}), d)
		for _, share := range []float64{0, 0.005} {
			m := mustTrain(t, d, Options{Trees: 60, Symmetric: symmetric, EarlyExit: EarlyExit{After: 20, MaxChanged: share}})
			compare(t, m, d, 100)
			if !slices.Equal(scores(withoutExit(m), d), full) {
				t.Error("the early exit changed the trees")
			}
			changed, exited := 0, 0
			for i, s := range scores(m, d) {
				changed += toInt((s > 0) != (full[i] > 0))
				exited += toInt(s != full[i])
			}
			if float64(changed) > 2*share*6000 {
				t.Errorf("%d rows changed their class, allowed is a share of %g at each threshold", changed, share)
			}
			if exited < 1000 {
				t.Errorf("only %d of 6000 rows exited early", exited)
			}
		}
	}
}

// withoutExit returns a model that scores all rows with all trees.
func withoutExit(m *Model) *Model {
	full := *m
	full.exit = earlyExit{}
	return &full
}

func TestProbabilities(t *testing.T) {
	one, three := []float64{math.Log(3)}, []float32{1000, 1000, -1000}
	Probabilities(one)
	Probabilities(three)
	if math.Abs(one[0]-0.75) > 1e-12 || !slices.Equal(three, []float32{0.5, 0.5, 0}) {
		t.Errorf("%v %v", one, three)
	}
}
