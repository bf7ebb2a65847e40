package measure

// set is the measure of TWCEM (section IV-A-2), after CETR: |Se∩Sl| / |Se| and
// |Se∩Sl| / |Sl|, where Se is the set of what was extracted and Sl that of what
// was labelled by hand; mean over pages.
//
// The paper does not say what is in the sets. Read here: words, each once, as a
// set has it. So a stray menu costs as much precision as it has words that the
// story lacks, and a story that is lost halfway costs little recall. The other
// reading, that every occurrence of a word is an element of its own, is what
// bag and nodetext measure.
func set() Measure {
	return Measure{
		Name: "set", About: "words as a set, mean over pages (TWCEM)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Text == "" {
				return nil
			}
			m := c.setOfWords()
			return []float64{m.P, m.R, m.F1, 1}
		},
		Total: means,
	}
}

func (c *Case) setOfWords() PRF {
	gold := c.goldWords()
	found := c.words()
	seen := make([]bool, len(gold.counts)+len(found))
	right, wrong := 0, 0
	for _, w := range found {
		switch {
		case seen[w]:
		case int(w) < len(gold.counts):
			right++
		default:
			wrong++
		}
		seen[w] = true
	}
	return prf(right, wrong, len(gold.counts)-right)
}
