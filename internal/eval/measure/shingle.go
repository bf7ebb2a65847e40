package measure

import "slices"

// shingleWords is how many words a shingle has.
const shingleWords = 4

// shingle is the measure of the article-extraction-benchmark: what counts is
// every run of four words, as a bag, so that order matters within sentences. Case
// is kept. Precision is the mean over the pages with an output, recall that over
// all pages, F1 that of these two. Exact is the share of pages whose words are
// all and only the gold's, in order.
func shingle() Measure {
	return Measure{
		Name: "shingle", About: "runs of four words, case kept (article-extraction-benchmark)",
		Figures: []string{"P", "R", "F1", "exact"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Text == "" {
				return nil
			}
			gold := c.goldTokens()
			found := gold.numbers(tokens(c.text()))
			right := c.sameShingles(found)
			f, g := float64(countShingles(len(found))), float64(countShingles(len(gold.words)))
			return []float64{
				ratio(right, f), one(f > 0),
				ratio(right, g), one(g > 0),
				one(slices.Equal(found, gold.words)), 1,
			}
		},
		Total: func(s []float64) []float64 {
			p, r := ratio(s[0], s[1]), ratio(s[2], s[3])
			return []float64{p, r, harmonic(p, r), ratio(s[4], s[5])}
		},
	}
}

// countShingles is how many shingles a text has; one of fewer words than a
// shingle is a shingle by itself.
func countShingles(words int) int {
	if words == 0 {
		return 0
	}
	return max(1, words-shingleWords+1)
}

// shingleAt is the shingle that begins at a word.
func shingleAt(words []int32, i int) [shingleWords]int32 {
	s := [shingleWords]int32{absent, absent, absent, absent}
	copy(s[:], words[i:min(i+shingleWords, len(words))])
	return s
}

// sameShingles is how many shingles of words are the gold's.
func (c *Case) sameShingles(words []int32) float64 {
	if c.shingles == nil {
		gold := c.goldTokens().words
		c.shingles = make(map[[shingleWords]int32]int32, len(gold))
		for i := range countShingles(len(gold)) {
			c.shingles[shingleAt(gold, i)]++
		}
	}
	// A word that the gold does not have spoils the shingles around it.
	used := make(map[[shingleWords]int32]int32, len(c.shingles))
	right, clean := 0, 0
	short := min(len(words), shingleWords)
	for i, w := range words {
		if clean++; w < 0 {
			clean = 0
		}
		if clean < short || i+1 < short {
			continue
		}
		s := shingleAt(words, i+1-short)
		if used[s] < c.shingles[s] {
			used[s]++
			right++
		}
	}
	return float64(right)
}
