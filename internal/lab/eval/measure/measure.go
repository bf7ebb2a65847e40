// Package measure compares the output of an extractor with the gold standard of
// its page, by the measures of the papers and of common benchmarks.
package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

// Output is the output of an extractor for a page. If Error is set, all other
// fields but the times are empty.
type Output struct {
	Title string
	// OwnTitle is the headline that a method found by itself, before metadata.
	// It is nil for extractors that do not tell.
	OwnTitle *string
	Text     string // the body
	Authors  []string
	Date     string // begins with a day such as 2024-05-14
	Type     string // article, index or other
	// Confidence is from 0 to 1. It is nil for extractors that do not tell.
	Confidence *float64
	// Structure is nil for extractors that return only text.
	Structure *Structure
	Error     string
	Parse     time.Duration // part of Time for parsing; 0 if unknown
	Time      time.Duration // for the whole page; 0 if unknown
}

// Measure is a measure of the quality or the speed of outputs. Its figures are
// computed from the sum of one vector per page, so that means, groups and
// resampling work alike for all measures.
type Measure struct {
	Name    string
	About   string   // one sentence, with its source
	Figures []string // names of the results of Total, such as P, R, F1
	Main    int      // index of the figure for ranking
	Lower   bool     // lower is better
	// Page returns the vector of a page, of the same length for all pages. It is
	// nil if the gold, or for some measures the output, lacks what is needed.
	Page func(*corpus.Gold, *Output) []float64
	// Total returns the figures for the sum of the vectors.
	Total func(sum []float64) []float64
}

// All returns all measures, the most common first.
func All() []Measure {
	return []Measure{
		bag, shingle, snippet, title, ownTitle, author, authors, date, pageType, confidence,
		headings, blocks, standfirst, lead, pictures, once, pageTime,
	}
}

// Names returns the names of all measures.
func Names() []string {
	var names []string
	for _, m := range All() {
		names = append(names, m.Name)
	}
	return names
}

// Find returns the measures with the given names.
func Find(names ...string) ([]Measure, error) {
	var found []Measure
	for _, name := range names {
		i := slices.Index(Names(), name)
		if i < 0 {
			return nil, fmt.Errorf("unknown measure %q; available: %s", name, strings.Join(Names(), ", "))
		}
		found = append(found, All()[i])
	}
	return found, nil
}

// Figures returns the figures of a measure for the vectors of pages, or nil if
// there is none.
func Figures(m Measure, pages [][]float64) []float64 {
	var sum []float64
	for _, page := range pages {
		if sum == nil {
			sum = make([]float64, len(page))
		}
		for i, x := range page {
			sum[i] += x
		}
	}
	if sum == nil {
		return nil
	}
	return m.Total(sum)
}

// Bootstrap returns the standard error of each figure, as in the leaderboard of
// the article-extraction-benchmark: the standard deviation of the figures over a
// thousand samples of as many pages, drawn with replacement. A thousand are enough
// for two significant digits. It returns nil if there are no pages.
func Bootstrap(m Measure, pages [][]float64) []float64 {
	const rounds = 1000
	if len(pages) == 0 {
		return nil
	}
	draw := rand.New(rand.NewPCG(1, 1^0x9E3779B97F4A7C15))
	errs := make([]float64, len(m.Figures))
	mean := make([]float64, len(m.Figures))
	sum := make([]float64, len(pages[0]))
	for round := range rounds {
		clear(sum)
		for range pages {
			for i, x := range pages[draw.IntN(len(pages))] {
				sum[i] += x
			}
		}
		// Welford's algorithm, which is numerically stable.
		for i, x := range m.Total(sum) {
			d := x - mean[i]
			mean[i] += d / float64(round+1)
			errs[i] += d * (x - mean[i])
		}
	}
	for i := range errs {
		errs[i] = math.Sqrt(errs[i] / (rounds - 1))
	}
	return errs
}

// ratio returns a/b, or 0 if b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func harmonic(p, r float64) float64 { return ratio(2*p*r, p+r) }

// indicator returns 1 for true and 0 for false.
func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// PRF has precision, recall and their harmonic mean.
type PRF struct {
	P  float64 `json:"p"`
	R  float64 `json:"r"`
	F1 float64 `json:"f1"`
}

// prf returns the PRF for the numbers of true positives, false positives and
// false negatives. All are 1 if there is nothing to find and nothing was found.
func prf[N int | float64](right, wrong, missed N) PRF {
	var m PRF
	switch {
	case right+wrong > 0:
		m.P = float64(right) / float64(right+wrong)
	case missed == 0:
		m.P = 1
	}
	m.R = 1
	if right+missed > 0 {
		m.R = float64(right) / float64(right+missed)
	}
	m.F1 = harmonic(m.P, m.R)
	return m
}

// Mean returns the mean of each figure.
func Mean(all []PRF) PRF {
	var m PRF
	for _, x := range all {
		m.P += x.P
		m.R += x.R
		m.F1 += x.F1
	}
	if n := float64(len(all)); n > 0 {
		m.P, m.R, m.F1 = m.P/n, m.R/n, m.F1/n
	}
	return m
}

var figuresPRF = []string{"P", "R", "F1"}

// microPRF returns precision, recall and F1 for the sums of true positives, of all
// that was found and of all that there is.
func microPRF(s []float64) []float64 {
	m := prf(s[0], s[1]-s[0], s[2]-s[0])
	return []float64{m.P, m.R, m.F1}
}

// means divides the sums by the last of them, the number of pages.
func means(s []float64) []float64 {
	last := len(s) - 1
	figures := make([]float64, last)
	for i := range figures {
		figures[i] = ratio(s[i], s[last])
	}
	return figures
}

// countSame returns how many of the found elements are in the gold, each element of
// the gold counting once.
func countSame[E comparable](found, gold []E) (n int) {
	left := make(map[E]int, len(gold))
	for _, e := range gold {
		left[e]++
	}
	for _, e := range found {
		if left[e] > 0 {
			left[e]--
			n++
		}
	}
	return n
}

// compare compares two bags of words.
func compare(found, gold []string) PRF {
	both := countSame(found, gold)
	return prf(both, len(found)-both, len(gold)-both)
}
