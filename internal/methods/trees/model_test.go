package trees

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// readModels returns a model of two classes and one of three.
// internal/lab/train/trees trained them.
func readModels(t testing.TB) (list []*Model) {
	t.Helper()
	for _, name := range []string{"two", "three"} {
		data, err := os.ReadFile("testdata/" + name + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		m := new(Model)
		if err := m.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// randomRows returns rows for a model, some values of which are missing.
func randomRows(m *Model, n int) []float32 {
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([]float32, n*len(m.features))
	for i := range rows {
		if rows[i] = float32(rng.NormFloat64() * 2); rng.IntN(8) == 0 {
			rows[i] = float32(math.NaN())
		}
	}
	return rows
}

// scoreRow scores a row by its values, one tree after another.
func scoreRow(m *Model, row []float32, output int) float64 {
	sum := int32(0)
	for _, t := range m.trees {
		path := 0
		for level, s := range m.splitsOf(t) {
			if c := m.columns[s.column]; row[c.feature] >= m.cuts[c.first+int(s.above)] {
				path += 1 << level
			}
		}
		sum += int32(m.leavesOf(t, output)[path])
	}
	return m.bias[output] + m.unit*float64(sum)
}

// TestScores compares with scoreRow, for all numbers of rows up to 70. Nothing is
// allocated.
func TestScores(t *testing.T) {
	for _, m := range readModels(t) {
		f, outputs := len(m.features), m.Outputs()
		all := randomRows(m, 70)
		for rows := range 71 {
			out := make([]float32, rows*outputs)
			m.Scores(all[:rows*f], rows, out)
			for i, got := range out {
				row := all[i/outputs*f : (i/outputs+1)*f]
				if want := scoreRow(m, row, i%outputs); got != float32(want) {
					t.Fatalf("%d rows: row %d scores %g, want %g", rows, i, got, want)
				}
			}
		}
		out := make([]float32, 70*outputs)
		if n := testing.AllocsPerRun(10, func() { m.Scores(all, 70, out) }); n != 0 {
			t.Errorf("%g allocations", n)
		}
	}
}

// TestEffects checks that base and effects sum to the score.
func TestEffects(t *testing.T) {
	for _, m := range readModels(t) {
		rows, f := randomRows(m, 40), len(m.features)
		groups, effects := make([]uint16, f), make([]float64, 2)
		for k := range groups {
			groups[k] = uint16(k % 2)
		}
		for i := range 40 {
			row := rows[i*f : (i+1)*f]
			sum := m.Effects(row, groups, effects) + effects[0] + effects[1]
			if want := scoreRow(m, row, 0); math.Abs(sum-want) > 1e-9 {
				t.Errorf("effects sum to %g, the score is %g", sum, want)
			}
		}
	}
}

// TestBin checks for all numbers of cuts that bins count the cuts that a value
// has reached.
func TestBin(t *testing.T) {
	inf := float32(math.Inf(1))
	for n := 1; n <= ColumnCuts; n++ {
		cuts := make([]float32, n)
		for i := range cuts {
			cuts[i] = float32(i - n/2)
		}
		if n%2 == 0 {
			cuts[0] = -inf
		}
		if n%3 == 0 {
			cuts[n-1] = inf
		}
		file := append([]byte{0, byte(n)}, make([]byte, 4)...)
		for _, c := range cuts {
			file = binary.LittleEndian.AppendUint32(file, math.Float32bits(c))
		}
		r := reader{file}
		m, out := Model{features: []string{"a"}}, make([]uint8, batchRows)
		r.column(&m)
		m.cuts = append(m.cuts, make([]float32, ColumnCuts)...)
		for _, v := range append([]float32{float32(math.NaN()), -inf, inf, -1e30, 0.5, 1e30, float32(math.Copysign(0, -1))}, cuts...) {
			want := 0
			for _, c := range cuts {
				if v >= c {
					want++
				}
			}
			if m.findBins([]float32{v}, 1, out); int(out[0]) != want {
				t.Fatalf("%g is in bin %d of %d cuts, not %d", v, out[0], n, want)
			}
		}
	}
}

func TestProbabilities(t *testing.T) {
	one, three := []float64{math.Log(3)}, []float32{1000, 1000, -1000}
	Probabilities(one)
	Probabilities(three)
	if math.Abs(one[0]-0.75) > 1e-12 || !slices.Equal(three, []float32{0.5, 0.5, 0}) {
		t.Errorf("%v %v", one, three)
	}
}
