package measure

// rougeWords bounds what rouge looks at: the first so many words of a text. The
// cost grows with the product of the lengths of two texts.
const rougeWords = 20_000

// rouge is ROUGE-Lsum (Lin 2004, section 3.2): for every line of the gold the
// union, over the lines of the output, of the words that their longest common
// subsequence keeps. A word counts at most as often as it is in the gold and as
// it is in the output. Precision is by the words of the output, recall by those
// of the gold; mean over pages.
//
// It is what the package rouge_score calls rougeLsum, to the choice among
// longest subsequences of the same length, but for what a word is (here as in
// bag, so that it works in all languages; no stemming) and for a page with
// neither gold words nor output, which is perfect here.
func rouge() Measure {
	return Measure{
		Name: "rouge", About: "ROUGE-Lsum over lines, mean over pages (Lin 2004)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Text == "" {
				return nil
			}
			m := c.rougeLsum()
			return []float64{m.P, m.R, m.F1, 1}
		},
		Total: means,
	}
}

func (c *Case) rougeLsum() PRF {
	gold, found := c.goldWords(), c.words()
	return rougeLsum(intoLines(found, c.stops), intoLines(gold.words, c.ends), len(gold.counts))
}

// intoLines parts words at the ends of lines, without lines that have none.
func intoLines(words []int32, ends []int) [][]int32 {
	var lines [][]int32
	from := 0
	for _, to := range ends {
		if to = min(to, rougeWords); to > from {
			lines = append(lines, words[from:to])
			from = to
		}
	}
	return lines
}

// rougeLsum compares lines of words by number, of which those below known are
// the gold's.
func rougeLsum(found, gold [][]int32, known int) PRF {
	kept := make([][]bool, len(gold)) // by word of the gold: whether a line of found has it in order
	done := make([]bool, len(gold))   // by line of the gold: whether all of it is kept
	inGold := 0
	for i, line := range gold {
		kept[i] = make([]bool, len(line))
		inGold += len(line)
	}
	inFound := 0
	left := make([]int, known) // how often a word may still count
	l := newLCS(known)
	for _, line := range found {
		inFound += len(line)
		for _, w := range line {
			if int(w) < known {
				left[w]++
			}
		}
		l.against(line)
		for i := range gold {
			if !done[i] {
				done[i] = l.keep(gold[i], kept[i]) == len(gold[i])
			}
		}
	}
	right := 0
	for i, line := range gold {
		for k, w := range line {
			if kept[i][k] && left[w] > 0 {
				left[w]--
				right++
			}
		}
	}
	return prf(right, inFound-right, inGold-right)
}
