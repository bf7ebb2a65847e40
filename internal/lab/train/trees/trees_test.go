package trees

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/lede-news/lede/internal/methods/trees"
)

// reference is the result of another library on a set. testdata/reference.py
// writes them.
type reference struct {
	Set, Library string
	Symmetric    bool
	Trees, Depth int
	Rate         float64
	Loss, Area   float64
}

// TestReference compares with stored results of CatBoost with the same settings, on
// rows that were not trained on. A small loss is allowed, and more with a hundred
// deep trees for 800 rows of three classes.
func TestReference(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var references []reference
	if err := json.Unmarshal(data, &references); err != nil || len(references) == 0 {
		t.Fatal(len(references), err)
	}
	for _, r := range references {
		if !r.Symmetric {
			continue
		}
		train, test := readSet(t, r.Set)
		m := mustTrain(t, train, Options{
			Trees: r.Trees, Depth: r.Depth, LearningRate: r.Rate, L2: 1, MinWeight: 1, RowShare: 1, FeatureShare: 1, Classes: int(slices.Max(train.Y)) + 1,
		})
		loss, area := measure(m, test)
		t.Logf("%-9s %3d trees, depth %d  %-9s loss %.4f, ours %.4f (%+.4f)  area %.4f, ours %.4f (%+.4f)",
			r.Set, r.Trees, r.Depth, r.Library, r.Loss, loss, loss-r.Loss, r.Area, area, area-r.Area)
		lost, under := 0.01, 0.004
		if r.Set == "three" && r.Trees == 100 && r.Depth == 6 {
			lost, under = 0.03, 0.018
		}
		if loss > r.Loss+lost || area < r.Area-under {
			t.Errorf("%s, depth %d: loss %.4f and area %.4f, where %s has %.4f and %.4f",
				r.Set, r.Depth, loss, area, r.Library, r.Loss, r.Area)
		}
	}
}

func mustTrain(t testing.TB, d Data, o Options) *Model {
	t.Helper()
	m, err := Train(context.Background(), NewBins(d, MaxBins), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// scoresOf returns the scores of all rows, row after row.
func scoresOf(m *Model, d Data) []float32 {
	out := make([]float32, len(d.Y)*m.Outputs())
	m.Scores(d.X, len(d.Y), out)
	return out
}

// measure returns the mean loss, and the mean over classes of the area under
// the ROC curve.
func measure(m *Model, d Data) (loss, area float64) {
	out, k := scoresOf(m, d), m.Outputs()
	chance := make([][]float64, len(d.Y)) // of each class
	all := 0.0
	for i, y := range d.Y {
		p := make([]float64, k)
		for j := range p {
			p[j] = float64(out[i*k+j])
		}
		trees.Probabilities(p)
		if k == 1 {
			p = []float64{1 - p[0], p[0]}
		}
		chance[i] = p
		loss -= float64(d.Weight[i]) * math.Log(p[int(y)])
		all += float64(d.Weight[i])
	}
	for class := range chance[0] {
		area += areaOf(d, class, func(i int) float64 { return chance[i][class] }) / float64(len(chance[0]))
	}
	return loss / all, area
}

// areaOf returns the probability that a row of the class is ranked above a row
// of another.
func areaOf(d Data, class int, chance func(int) float64) float64 {
	won, all := 0.0, 0.0
	for i, y := range d.Y {
		if int(y) != class {
			continue
		}
		for j, other := range d.Y {
			if int(other) == class {
				continue
			}
			w := float64(d.Weight[i] * d.Weight[j])
			all += w
			switch a, b := chance(i), chance(j); {
			case a > b:
				won += w
			case a == b:
				won += w / 2
			}
		}
	}
	return won / all
}

// readSet returns the rows of a file: the first half for training, the second for tests.
func readSet(t testing.TB, name string) (train, test Data) {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(text string) float32 {
		if text == "" {
			return float32(math.NaN())
		}
		v, err := strconv.ParseFloat(text, 32)
		if err != nil {
			t.Fatal(err)
		}
		return float32(v)
	}
	parts := [2]Data{{Features: lines[0][2:]}, {Features: lines[0][2:]}}
	for i, line := range lines[1:] {
		d := &parts[2*i/(len(lines)-1)]
		d.Y, d.Weight = append(d.Y, number(line[0])), append(d.Weight, number(line[1]))
		d.Groups = append(d.Groups, int32(i))
		for _, v := range line[2:] {
			d.X = append(d.X, number(v))
		}
	}
	return parts[0], parts[1]
}

func TestErrors(t *testing.T) {
	t.Parallel()
	d := Data{Features: []string{"a"}, X: []float32{1, 2, 3}, Y: []float32{1, 1, 1}, Weight: []float32{1, 1, 1}, Groups: []int32{0, 1, 2}}
	if _, err := Train(context.Background(), NewBins(d, MaxBins), Options{Classes: 2}); !errors.Is(err, ErrOneClass) {
		t.Error(err)
	}
	if _, err := Train(context.Background(), NewBins(Data{}, MaxBins), Options{Classes: 2}); !errors.Is(err, ErrOneClass) {
		t.Error(err)
	}
	d.Y[0] = 0
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Train(ctx, NewBins(d, MaxBins), Options{Trees: 1, Depth: 1, Classes: 2}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestFindCuts checks that few values have a bin each, and that many share bins evenly.
func TestFindCuts(t *testing.T) {
	t.Parallel()
	inf := float32(math.Inf(-1))
	if cuts := findCuts([]float32{3, 1, 1, 2}, true, 255); !slices.Equal(cuts, []float32{inf, 1.5, 2.5}) {
		t.Errorf("cuts %v", cuts)
	}
	var values []float32
	for i := range 1000 {
		values = append(values, float32(i))
	}
	if cuts := findCuts(values, false, 4); !slices.Equal(cuts, []float32{249.5, 499.5, 749.5}) {
		t.Errorf("cuts %v", cuts)
	}
}
