package trees

import (
	"errors"
	"fmt"
	"math"
)

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
