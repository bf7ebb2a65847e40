package trees

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
)

// MostBins is how many bins a feature may have.
const MostBins = 255

// Bins are rows whose values have been put into bins: a byte a value. They are
// what is trained on. Bins made from others, by Rows or Like, share their cuts, so
// that folds are binned once.
type Bins struct {
	features []string
	cuts     [][]float32 // of each feature, ascending
	octets   [][]uint64  // by eight features, then by row: a byte for each of the eight
	y        []float32
	weight   []float32
	groups   []int32
}

// NewBins finds cuts for every feature, such that about as many rows are in each of
// at most the given number of bins (0 means MostBins), and bins the rows.
func NewBins(d Data, most int) (*Bins, error) {
	if most == 0 {
		most = MostBins
	}
	if most < 2 || most > MostBins {
		return nil, fmt.Errorf("%d bins: use 2 to %d", most, MostBins)
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	cuts := make([][]float32, len(d.Features))
	each(len(cuts), runtime.GOMAXPROCS(0), func(k int) {
		values, missing := d.column(k)
		cuts[k] = findCuts(values, missing, most)
	})
	return bin(d, slices.Clone(d.Features), cuts), nil
}

// Like bins other rows of the same features by the cuts of b, to validate by.
func (b *Bins) Like(d Data) (*Bins, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if !slices.Equal(d.Features, b.features) {
		return nil, fmt.Errorf("features are not those that were binned before: %w", ErrLengths)
	}
	return bin(d, b.features, b.cuts), nil
}

// Rows are some rows of b, in the order asked for. It panics when there is no such row.
func (b *Bins) Rows(rows []int32) *Bins {
	r := &Bins{features: b.features, cuts: b.cuts, octets: make([][]uint64, len(b.octets))}
	r.y, r.weight, r.groups = pick(b.y, rows), pick(b.weight, rows), pick(b.groups, rows)
	each(len(r.octets), runtime.GOMAXPROCS(0), func(k int) { r.octets[k] = pick(b.octets[k], rows) })
	return r
}

// Len is the number of rows.
func (b *Bins) Len() int { return len(b.y) }

// Features are the names of the features.
func (b *Bins) Features() []string { return slices.Clone(b.features) }

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
	each(len(b.octets), runtime.GOMAXPROCS(0), func(o int) {
		b.octets[o] = make([]uint64, len(d.Y))
		for i := range d.Y {
			for k, v := range d.X[i*f+o*8 : i*f+min(o*8+8, f)] {
				b.octets[o][i] |= uint64(binOf(v, cuts[o*8+k])) << (8 * k)
			}
		}
	})
	return b
}

// binOf is how many cuts a value has reached: none when it is NaN.
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

// quantileRows bounds the rows that quantiles are taken from: more cost time and move no cut.
const quantileRows = 200_000

// column is a feature's values without NaN, of an even choice of rows when there
// are many, and whether any row has NaN.
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

// findCuts puts a cut between all values when they are few, or else so that bins
// have about as many rows. A value with more rows than a bin should have stands
// alone, and bins after it share what is left. The cut that only NaN stays below is
// -Inf.
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
	open, left := 0, most // rows of the open bin; bins not yet closed
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

// between is a number in (a, b]: the middle, where there is one.
func between(a, b float32) float32 {
	if m := float32((float64(a) + float64(b)) / 2); m > a && m <= b {
		return m
	}
	return b
}

// Data are rows to learn from or to measure by.
type Data struct {
	Features []string  // a name for each feature
	X        []float32 // row after row; NaN where a value is missing
	Y        []float32 // the class of each row: 0 or 1, or 0, 1, 2 …
	Weight   []float32 // nil when all weigh 1; one under a 100,000th of the largest hardly counts
	Groups   []int32   // rows of one group (of one page) are drawn together; may be nil
}

// MostClasses bounds the numbers of classes.
const MostClasses = 64

// Errors of rows that cannot be learned from.
var (
	ErrNoData   = errors.New("no rows to learn from")
	ErrLengths  = errors.New("lengths do not agree")
	ErrLabel    = errors.New("not the number of a class: use 0, 1, 2 …")
	ErrWeight   = errors.New("not a weight: use finite numbers, none negative and not all zero")
	ErrOneClass = errors.New("all rows with a weight are of one class: there is nothing to tell apart")
)

// check finds what is wrong with the rows, whatever they are used for.
func (d Data) check() error {
	n, f := len(d.Y), len(d.Features)
	switch {
	case n == 0 || f == 0:
		return ErrNoData
	case len(d.X) != n*f:
		return fmt.Errorf("%d values for %d rows of %d features: %w", len(d.X), n, f, ErrLengths)
	case d.Weight != nil && len(d.Weight) != n:
		return fmt.Errorf("%d weights for %d rows: %w", len(d.Weight), n, ErrLengths)
	case d.Groups != nil && len(d.Groups) != n:
		return fmt.Errorf("%d groups for %d rows: %w", len(d.Groups), n, ErrLengths)
	case n > math.MaxInt32 || f > math.MaxUint16:
		return fmt.Errorf("%d rows of %d features are too many: %w", n, f, ErrLengths)
	}
	for i, y := range d.Y {
		if !(y >= 0 && y < MostClasses) || y != float32(int(y)) {
			return fmt.Errorf("row %d: %g is %w", i, y, ErrLabel)
		}
	}
	sum := 0.0
	for i, w := range d.Weight {
		if !(w >= 0 && w <= math.MaxFloat32) {
			return fmt.Errorf("row %d: %g is %w", i, w, ErrWeight)
		}
		sum += float64(w)
	}
	if d.Weight != nil && sum == 0 {
		return fmt.Errorf("they sum to 0: %w", ErrWeight)
	}
	return nil
}
