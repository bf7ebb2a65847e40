package measure

// bag is the measure of NCE and StaDyNoT: text as a bag of words, in which every word that is in both output and gold
// counts as often as it is in both. It is worked out page by page, and the mean
// is over pages. The share of pages with F1 ≥ 0.9 says how often a reader
// would be content.
func bag() Measure {
	return Measure{
		Name: "bag", About: "words as a bag, mean over pages (NCE, StaDyNoT)",
		Figures: []string{"P", "R", "F1", "≥.9"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Text == "" {
				return nil
			}
			m := c.bagOfWords()
			return []float64{m.P, m.R, m.F1, one(m.F1 >= content), 1}
		},
		Total: func(s []float64) []float64 {
			return []float64{ratio(s[0], s[4]), ratio(s[1], s[4]), ratio(s[2], s[4]), ratio(s[3], s[4])}
		},
	}
}

// content is the F1 from which on a body counts as right.
const content = 0.9

// bagOfWords compares the output's text with the gold's.
func (c *Case) bagOfWords() PRF {
	if c.bag != nil {
		return *c.bag
	}
	gold, found := c.goldWords(), c.words()
	right := 0
	left := append([]int32(nil), gold.counts...)
	for _, w := range found {
		if int(w) < len(left) && left[w] > 0 {
			left[w]--
			right++
		}
	}
	m := prf(right, len(found)-right, len(gold.words)-right)
	c.bag = &m
	return m
}
