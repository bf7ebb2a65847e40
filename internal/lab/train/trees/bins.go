package trees

import (
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/lede-news/lede/internal/parallel"
)

// Data has rows to train on.
type Data struct {
	Features []string  // a name for each feature
	X        []float32 // row after row; NaN for a missing value
	Y        []float32 // the class of each row: 0, 1, 2 …
	Weight   []float32 // weights below a 100,000th of the largest have no effect
	Groups   []int32   // rows of a group, such as a page, are sampled together
}

// ErrOneClass is returned for rows that nothing can be learned from.
var ErrOneClass = errors.New("there are no rows with a weight, or all are of one class: add rows of another")

// MaxBins is the maximum number of bins of a feature.
const MaxBins = 255

// Bins has rows whose values were replaced by the numbers of their bins. Bins
// made from others with Rows share their cuts, so that folds are binned only once.
type Bins struct {
	features []string
	cuts     [][]float32 // of each feature, ascending
	columns  [][]uint8   // the bins of each feature, by row
	y        []float32
	weight   []float32
	groups   []int32
}

// NewBins bins rows. It chooses cuts for every feature such that each of at
// most the given number of bins has about the same number of rows.
func NewBins(d Data, most int) *Bins {
	f := len(d.Features)
	b := &Bins{d.Features, make([][]float32, f), make([][]uint8, f), d.Y, d.Weight, d.Groups}
	parallel.For(f, 0, func(k int) {
		values, missing := d.column(k)
		b.cuts[k] = findCuts(values, missing, most)
		b.columns[k] = make([]uint8, len(d.Y))
		for i := range d.Y {
			b.columns[k][i] = binOf(d.X[i*f+k], b.cuts[k])
		}
	})
	return b
}

// Rows returns some rows of b, in the given order.
func (b *Bins) Rows(rows []int32) *Bins {
	r := &Bins{b.features, b.cuts, make([][]uint8, len(b.columns)), pick(b.y, rows), pick(b.weight, rows), pick(b.groups, rows)}
	parallel.For(len(r.columns), 0, func(k int) { r.columns[k] = pick(b.columns[k], rows) })
	return r
}

func pick[T any](from []T, rows []int32) []T {
	picked := make([]T, len(rows))
	for i, r := range rows {
		picked[i] = from[r]
	}
	return picked
}

// binOf returns the number of cuts that v has reached, which is 0 for NaN.
func binOf(v float32, cuts []float32) uint8 {
	return uint8(sort.Search(len(cuts), func(i int) bool { return !(v >= cuts[i]) }))
}

// column returns the values of a feature without NaN, and whether any row has NaN. If
// there are many rows, the values are a sample: more take more time and hardly move a
// cut.
func (d Data) column(k int) (values []float32, missing bool) {
	const most = 200_000
	n, f := len(d.Y), len(d.Features)
	taken := min(n, most)
	for i := range n {
		v := d.X[i*f+k]
		if v != v {
			missing = true
		} else if i*taken/n != (i-1)*taken/n || i == 0 {
			values = append(values, v)
		}
	}
	return values, missing
}

// findCuts places a cut between all values if they are few, or else such that
// bins have about the same number of rows. A value with more rows than that has
// a bin of its own, and the other bins share the rest. The cut that separates
// NaN from all values is -Inf.
func findCuts(values []float32, missing bool, most int) []float32 {
	var cuts []float32
	if missing && len(values) > 0 {
		cuts = append(cuts, float32(math.Inf(-1)))
		most--
	}
	slices.Sort(values)
	distinct := len(slices.Compact(slices.Clone(values)))
	open, left := 0, most // rows in the current bin; bins that are not complete
	for i := 0; i < len(values); {
		next := i + 1
		for next < len(values) && values[next] == values[i] {
			next++
		}
		share := (len(values) - i + open) / left
		if i > 0 && left > 1 && open > 0 && (distinct <= most || open >= share || next-i >= share) {
			cuts = append(cuts, between(values[i-1], values[i]))
			open = 0
			left--
		}
		open += next - i
		i = next
	}
	return cuts
}

// between returns a number in (a, b], the middle if it can be represented.
func between(a, b float32) float32 {
	if m := float32((float64(a) + float64(b)) / 2); m > a && m <= b {
		return m
	}
	return b
}
