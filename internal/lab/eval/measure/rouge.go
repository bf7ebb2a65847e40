package measure

import (
	"math/bits"
)

// rougeWords is the number of words at the beginning of a text that rouge
// compares. The cost grows with the product of the lengths of two texts.
const rougeWords = 20_000

// rouge is ROUGE-Lsum (Lin 2004, section 3.2): for every line of the gold, the
// union of its longest common subsequences with the lines of the output. A word
// counts at most as often as it is in the gold and in the output. Precision
// refers to the words of the output, recall to those of the gold; mean over pages.
//
// It equals rougeLsum of the Python package rouge_score, including the choice
// among subsequences of the same length, with two differences: words are those of
// bag, without stemming, so that it works in all languages; and empty output for
// empty gold is perfect.
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
	return rougeLsum(splitLines(found, c.stops), splitLines(gold.words, c.ends), len(gold.counts))
}

// splitLines splits words at the ends of lines and drops empty lines.
func splitLines(words []int32, ends []int) [][]int32 {
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

// rougeLsum compares lines of numbered words. Numbers below known are in the gold.
func rougeLsum(found, gold [][]int32, known int) PRF {
	kept := make([][]bool, len(gold)) // by line and word of the gold: in a common subsequence
	done := make([]bool, len(gold))   // by line of the gold: all of its words are kept
	inGold := 0
	for i, line := range gold {
		kept[i] = make([]bool, len(line))
		inGold += len(line)
	}
	inFound := 0
	left := make([]int, known) // how many times a word may still count
	l := newLCS(known)
	for _, line := range found {
		inFound += len(line)
		for _, w := range line {
			if int(w) < known {
				left[w]++
			}
		}
		l.setLine(line)
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

// lcs finds longest common subsequences of one line with many others, 64 words
// at a time (Hyyrö 2004): a row of the dynamic programming table is a bit vector
// with a bit for each word at which the length grows.
type lcs struct {
	line  []int32
	size  int      // number of uint64 in a row
	slot  []int32  // by number of a word: index of its mask plus one, or 0
	masks []uint64 // positions of words in the line
	rows  []uint64
	at    []int32  // by row: index of its word in the other line
	short []uint64 // by number of a word: its mask in a line of up to 64 words
}

// newLCS returns an lcs for words with numbers below known.
func newLCS(known int) *lcs {
	return &lcs{slot: make([]int32, known), short: make([]uint64, known)}
}

// setLine sets the line that others are compared with.
func (l *lcs) setLine(line []int32) {
	for _, w := range l.line {
		if int(w) < len(l.slot) {
			l.slot[w], l.short[w] = 0, 0
		}
	}
	l.line, l.size, l.masks = line, (len(line)+63)/64, l.masks[:0]
	for i, w := range line {
		if int(w) >= len(l.slot) {
			continue
		}
		if l.slot[w] == 0 {
			l.masks = append(l.masks, make([]uint64, l.size)...)
			l.slot[w] = int32(len(l.masks) / l.size)
		}
		l.mask(w)[i/64] |= 1 << (i % 64)
		l.short[w] = l.mask(w)[0]
	}
}

func (l *lcs) mask(w int32) []uint64 {
	from := (int(l.slot[w]) - 1) * l.size
	return l.masks[from : from+l.size]
}

// keep marks the words of other that are in the longest common subsequence, and
// returns its length.
func (l *lcs) keep(other []int32, kept []bool) int {
	if l.size == 1 {
		return l.keepShort(other, kept)
	}
	l.at = l.at[:0]
	for i, w := range other {
		if l.slot[w] > 0 {
			l.at = append(l.at, int32(i)) // words that the line lacks change no row
		}
	}
	if len(l.at) == 0 {
		return 0
	}
	l.table(other)
	// Backtrack as rouge_score does: on a tie, move in other first.
	for i, j := len(l.at), len(l.line); i > 0 && j > 0; {
		switch {
		case other[l.at[i-1]] == l.line[j-1]:
			kept[l.at[i-1]] = true
			i, j = i-1, j-1
		case l.length(i, j-1) > l.length(i-1, j):
			j--
		default:
			i--
		}
	}
	return l.length(len(l.at), len(l.line))
}

// keepShort is keep for a line of up to 64 words, which most lines are.
func (l *lcs) keepShort(other []int32, kept []bool) int {
	at, rows := l.at[:0], append(l.rows[:0], 0)
	row := uint64(0)
	for i, w := range other {
		if m := l.short[w]; m != 0 {
			x := row | m
			row = x & ((x - (row<<1 | 1)) ^ x)
			at, rows = append(at, int32(i)), append(rows, row)
		}
	}
	for i, j := len(at), len(l.line); i > 0 && j > 0; {
		switch {
		case other[at[i-1]] == l.line[j-1]:
			kept[at[i-1]] = true
			i, j = i-1, j-1
		case bits.OnesCount64(rows[i]&(1<<(j-1)-1)) > bits.OnesCount64(rows[i-1]&(1<<j-1)):
			j--
		default:
			i--
		}
	}
	l.at, l.rows = at, rows
	return bits.OnesCount64(row)
}

// table fills the rows; row 0 is empty.
func (l *lcs) table(other []int32) {
	n := (len(l.at) + 1) * l.size
	if cap(l.rows) < n {
		l.rows = make([]uint64, n)
	}
	l.rows = l.rows[:n]
	clear(l.rows[:l.size])
	for i, at := range l.at {
		above, row := l.rows[i*l.size:(i+1)*l.size], l.rows[(i+1)*l.size:(i+2)*l.size]
		var carry, borrow uint64 = 1, 0
		for k, m := range l.mask(other[at]) {
			// The length grows at the first matching word between two positions
			// at which it grew in the row above.
			x := above[k] | m
			shifted := above[k]<<1 | carry
			carry = above[k] >> 63
			var d uint64
			d, borrow = bits.Sub64(x, shifted, borrow)
			row[k] = x & (d ^ x)
		}
	}
}

// length returns the length of the longest common subsequence of the first i
// rows and the first j words of the line.
func (l *lcs) length(i, j int) int {
	row, n := l.rows[i*l.size:], 0
	for k := range j / 64 {
		n += bits.OnesCount64(row[k])
	}
	if j%64 > 0 {
		n += bits.OnesCount64(row[j/64] & (1<<(j%64) - 1))
	}
	return n
}
