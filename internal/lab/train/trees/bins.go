package trees

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/lede-news/lede/internal/parallel"
)

// maxBins is the maximum number of bins of a feature.
const maxBins = 255

// Bins has rows whose values were replaced by the numbers of their bins. Bins
// made from others with Rows share their cuts, so that folds are binned only once.
type Bins struct {
	features []string
	cuts     [][]float32 // of each feature, ascending
	octets   [][]uint64  // by eight features, then by row: a byte for each of the eight
	y        []float32
	weight   []float32
	groups   []int32
}

// NewBins bins rows. It chooses cuts for every feature such that each of at
// most the given number of bins (default: 255) has about the same number of
// rows.
func NewBins(d Data, most int) (*Bins, error) {
	if len(d.Y) == 0 {
		return nil, ErrNoData
	}
	most = cmp.Or(most, maxBins)
	cuts := make([][]float32, len(d.Features))
	parallel.For(len(cuts), 0, func(k int) {
		values, missing := d.column(k)
		cuts[k] = findCuts(values, missing, most)
	})
	return bin(d, slices.Clone(d.Features), cuts), nil
}

// Rows returns some rows of b, in the given order.
func (b *Bins) Rows(rows []int32) *Bins {
	r := &Bins{features: b.features, cuts: b.cuts, octets: make([][]uint64, len(b.octets))}
	r.y, r.weight, r.groups = pick(b.y, rows), pick(b.weight, rows), pick(b.groups, rows)
	parallel.For(len(r.octets), 0, func(k int) { r.octets[k] = pick(b.octets[k], rows) })
	return r
}

// Len returns the number of rows.
func (b *Bins) Len() int { return len(b.y) }

func (b *Bins) weightOf(row int) float32 {
	if b.weight == nil {
		return 1
	}
	return b.weight[row]
}

func pick[T any](from []T, rows []int32) []T {
	if from == nil {
		return nil
	}
	picked := make([]T, len(rows))
	for i, r := range rows {
		picked[i] = from[r]
	}
	return picked
}

func bin(d Data, features []string, cuts [][]float32) *Bins {
	f := len(features)
	b := &Bins{features: features, cuts: cuts, octets: make([][]uint64, (f+7)/8)}
	b.y, b.weight, b.groups = slices.Clone(d.Y), slices.Clone(d.Weight), slices.Clone(d.Groups)
	parallel.For(len(b.octets), 0, func(o int) {
		b.octets[o] = make([]uint64, len(d.Y))
		for i := range d.Y {
			for k, v := range d.X[i*f+o*8 : i*f+min(o*8+8, f)] {
				b.octets[o][i] |= uint64(binOf(v, cuts[o*8+k])) << (8 * k)
			}
		}
	})
	return b
}

// binOf returns the number of cuts that v has reached, which is 0 for NaN.
func binOf(v float32, cuts []float32) uint8 {
	from, to := 0, len(cuts)
	for from < to {
		middle := (from + to) / 2
		if v >= cuts[middle] {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return uint8(from)
}

// quantileRows limits the rows that quantiles are computed from. More rows take
// more time and hardly move a cut.
const quantileRows = 200_000

// column returns the values of a feature without NaN, evenly sampled if there
// are many rows, and whether any row has NaN.
func (d Data) column(k int) (values []float32, missing bool) {
	n, f := len(d.Y), len(d.Features)
	taken := min(n, quantileRows)
	values = make([]float32, 0, taken)
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
	distinct := 0
	for i, v := range values {
		if i == 0 || v != values[i-1] {
			distinct++
		}
	}
	open, left := 0, most // rows in the current bin; bins that are not complete
	for i := 0; i < len(values); {
		next := i + 1
		for next < len(values) && values[next] == values[i] {
			next++
		}
		share := (len(values) - i + open) / left
		switch {
		case i == 0:
		case left > 1 && open > 0 && (distinct <= most || open >= share || next-i >= share):
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

// Data has rows for training or validation.
type Data struct {
	Features []string  // a name for each feature
	X        []float32 // row after row; NaN for a missing value
	Y        []float32 // the class of each row: 0, 1, 2 …
	Weight   []float32 // nil if all are 1; weights below a 100,000th of the largest have no effect
	Groups   []int32   // rows of a group, such as a page, are sampled together; may be nil
}

// Errors returned for rows that nothing can be learned from.
var (
	ErrNoData   = errors.New("no rows to learn from")
	ErrOneClass = errors.New("all rows with a weight are of one class: add rows of another")
)
