package measure

// Sum adds up what pages add; nil when no page adds anything.
func Sum(pages [][]float64) []float64 {
	var sum []float64
	for _, page := range pages {
		if page == nil {
			continue
		}
		if sum == nil {
			sum = make([]float64, len(page))
		}
		for i, x := range page {
			sum[i] += x
		}
	}
	return sum
}

// Figures are the figures of a measure over pages, by what each page adds; nil
// when no page adds anything.
func Figures(m Measure, pages [][]float64) []float64 {
	sum := Sum(pages)
	if sum == nil {
		return nil
	}
	return m.Total(sum)
}

// ratio is 0 when there is nothing to divide by.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// harmonic is the harmonic mean of precision and recall.
func harmonic(p, r float64) float64 { return ratio(2*p*r, p+r) }

// one is 1 for true.
func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// totals makes precision, recall and F1 of what was found rightly, of all that
// was found and of all that there is, each summed over pages.
func totals(s []float64) []float64 {
	m := prf(s[0], s[1]-s[0], s[2]-s[0])
	return []float64{m.P, m.R, m.F1}
}

// means makes the mean over pages of precision, recall and F1.
func means(s []float64) []float64 {
	return []float64{ratio(s[0], s[3]), ratio(s[1], s[3]), ratio(s[2], s[3])}
}
