package tune

import (
	"fmt"
	"math"
	"slices"
)

// Param describes a parameter to optimise. Grid is the distance between values,
// counted from Min, and the smallest step.
type Param struct {
	Name           string
	Min, Max, Grid float64
}

// search looks for the point with the highest objective. It moves along one parameter
// at a time to the best of a few steps. When no step helps, the steps are halved.
func search(params []Param, start []float64, objective func([]float64) (float64, error)) (best []float64, score float64, err error) {
	memo := map[string]float64{}
	evaluate := func(x []float64) (float64, error) {
		key := fmt.Sprint(x)
		if _, known := memo[key]; !known {
			if memo[key], err = objective(x); err != nil {
				return 0, err
			}
		}
		return memo[key], nil
	}
	steps := make([]float64, len(params))
	for i, p := range params {
		best = append(best, p.snap(start[i]))
		steps[i] = max((p.Max-p.Min)/4, p.Grid)
	}
	if score, err = evaluate(best); err != nil {
		return nil, 0, err
	}
	for {
		improved, smaller := false, false
		for i, p := range params {
			from := best[i]
			for _, k := range []float64{-1, 1, -2, 2} {
				x := slices.Clone(best)
				x[i] = p.snap(from + k*steps[i])
				s, err := evaluate(x)
				if err != nil {
					return nil, 0, err
				}
				if s > score {
					best, score, improved = x, s, true
				}
			}
		}
		for i, p := range params {
			if !improved && steps[i] > p.Grid {
				steps[i], smaller = max(steps[i]/2, p.Grid), true
			}
		}
		if !improved && !smaller {
			return best, score, nil
		}
	}
}

// snap returns the value of the range and grid that is nearest to v.
func (p Param) snap(v float64) float64 {
	v = min(max(v, p.Min), p.Max)
	v = p.Min + math.Round((v-p.Min)/p.Grid)*p.Grid
	if v > p.Max { // the range is not a multiple of Grid
		v -= p.Grid
	}
	const digits = 1e9 // so that 0.1+0.2 gives 0.3
	return math.Round(v*digits) / digits
}

// middle returns the middle of the range: by ratio if all values are positive, since
// sizes of text differ by orders of magnitude.
func (p Param) middle() float64 {
	if p.Min > 0 {
		return p.snap(math.Sqrt(p.Min * p.Max))
	}
	return p.snap((p.Min + p.Max) / 2)
}
