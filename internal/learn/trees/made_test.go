package trees

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

var update = flag.Bool("update", false, "write the made-up rows of testdata anew; then run reference.py")

// set are made-up rows: the first half to train on, the second to measure by.
type set struct {
	name     string
	rows     int
	features int
	weighted bool
	row      func(rng *rand.Rand, x []float64) (class int, weight float64)
}

var sets = []set{
	{"moons", 1600, 2, false, moon},
	{"friedman", 1600, 10, false, friedman},
	{"three", 1600, 5, false, threeRings},
	{"missing", 1600, 8, true, missing},
}

// moon is a point of one of two interleaved half circles.
func moon(rng *rand.Rand, x []float64) (int, float64) {
	class := rng.IntN(2)
	sin, cos := math.Sincos(rng.Float64() * math.Pi)
	x[0], x[1] = cos, sin
	if class == 1 {
		x[0], x[1] = 1-cos, 0.5-sin
	}
	x[0] += rng.NormFloat64() * 0.3
	x[1] += rng.NormFloat64() * 0.3
	return class, 1
}

// friedman is the first function of J. Friedman (1991), with noise, cut at its
// middle. Half of the features say nothing.
func friedman(rng *rand.Rand, x []float64) (int, float64) {
	for k := range x {
		x[k] = rng.Float64()
	}
	y := 10*math.Sin(math.Pi*x[0]*x[1]) + 20*(x[2]-0.5)*(x[2]-0.5) + 10*x[3] + 5*x[4] + rng.NormFloat64()*2
	return one(y > 14.4), 1
}

// threeRings are classes by the distance from the origin, with some at random.
func threeRings(rng *rand.Rand, x []float64) (int, float64) {
	sum := 0.0
	for k := range x {
		x[k] = rng.NormFloat64()
		if k < 4 {
			sum += x[k] * x[k]
		}
	}
	if rng.IntN(10) == 0 {
		return rng.IntN(3), 1
	}
	return one(sum > 2.5) + one(sum > 5), 1
}

// missing has values that are not there, which says something of the class, and
// weights.
func missing(rng *rand.Rand, x []float64) (int, float64) {
	sum := rng.NormFloat64()
	for k := range x {
		x[k] = rng.NormFloat64() * 2
		sum += x[k] * float64(k-3) / 4
		if k%2 == 0 && rng.Float64() < 0.25 {
			x[k] = math.NaN()
			sum += float64(k)/2 - 1
		}
	}
	return one(sum > 1), float64(1 + rng.IntN(4))
}

// make gives the rows of a set, rounded as they are in the file.
func (s set) make() (lines [][]string) {
	rng := rand.New(rand.NewPCG(2026, uint64(len(s.name))))
	head := []string{"class", "weight"}
	for k := range s.features {
		head = append(head, fmt.Sprint("x", k))
	}
	lines = append(lines, head)
	x := make([]float64, s.features)
	for range s.rows {
		class, weight := s.row(rng, x)
		line := []string{fmt.Sprint(class), fmt.Sprint(weight)}
		for _, v := range x {
			if math.IsNaN(v) {
				line = append(line, "")
			} else {
				line = append(line, strconv.FormatFloat(v, 'f', 2, 64))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// TestMade: the files that other libraries learned from are the rows that are made here.
func TestMade(t *testing.T) {
	for _, s := range sets {
		var want bytes.Buffer
		if err := csv.NewWriter(&want).WriteAll(s.make()); err != nil {
			t.Fatal(err)
		}
		file := "testdata/" + s.name + ".csv"
		if *update {
			if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s has other rows: run with -update, then reference.py", file)
		}
	}
}

// data reads the made-up rows.
func (s set) data(t testing.TB) (train, test Data) {
	lines := s.make()
	var d Data
	for _, line := range lines[1:] {
		d.Y = append(d.Y, number(t, line[0]))
		d.Weight = append(d.Weight, number(t, line[1]))
		for _, v := range line[2:] {
			d.X = append(d.X, number(t, v))
		}
	}
	d.Features = lines[0][2:]
	return d.part(0, s.rows/2), d.part(s.rows/2, s.rows)
}

// part are the rows of d between two.
func (d Data) part(from, to int) Data {
	f := len(d.Features)
	p := Data{Features: d.Features, X: d.X[from*f : to*f], Y: d.Y[from:to]}
	if d.Weight != nil {
		p.Weight = d.Weight[from:to]
	}
	return p
}

func number(t testing.TB, text string) float32 {
	if text == "" {
		return float32(math.NaN())
	}
	v, err := strconv.ParseFloat(text, 32)
	if err != nil {
		t.Fatal(err)
	}
	return float32(v)
}
