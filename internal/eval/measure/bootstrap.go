package measure

import (
	"math"
	"math/rand/v2"
)

// Bootstrap is the standard error of each figure, as the leaderboard of the
// article-extraction-benchmark has it behind ±: the figures are taken again and
// again, each time of as many pages drawn with replacement, and their standard
// deviation over these rounds is the error. The same seed gives the same errors.
// It is nil when no page adds anything.
func Bootstrap(m Measure, pages [][]float64, rounds int, seed uint64) []float64 {
	flat, width := flatten(pages)
	if width == 0 {
		return nil
	}
	n := len(flat) / width
	draw := rand.NewPCG(seed, seed^0x9E3779B97F4A7C15)
	errs := make([]float64, len(m.Figures))
	mean := make([]float64, len(m.Figures))
	sum := make([]float64, width)
	for round := range rounds {
		clear(sum)
		for range n {
			// The high half of a product spreads 64 random bits over n pages.
			at := int((draw.Uint64()>>32)*uint64(n)>>32) * width
			for i, x := range flat[at : at+width] {
				sum[i] += x
			}
		}
		// Welford's way, which loses no digits.
		for i, x := range m.Total(sum) {
			d := x - mean[i]
			mean[i] += d / float64(round+1)
			errs[i] += d * (x - mean[i])
		}
	}
	for i := range errs {
		errs[i] = math.Sqrt(ratio(errs[i], float64(max(rounds-1, 0))))
	}
	return errs
}

// flatten puts what pages add into one row; those that add nothing are left out.
func flatten(pages [][]float64) (flat []float64, width int) {
	for _, page := range pages {
		flat = append(flat, page...)
		width = max(width, len(page))
	}
	return flat, width
}
