package nce

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/lede-news/lede/internal/words"
)

// Words are compared by their hashes. These two stand for all numbers, and for
// words beside a number in a line with a date.
const (
	anyNumber uint32 = iota
	besideNumber
)

// newReader reads words. Runs of digits are words of their own.
func newReader(s string) words.Reader { return words.Reader{Text: s, SplitNumbers: true} }

// hashOf returns the hash of a word, which is none of the two.
func hashOf(w words.Word) uint32 { return max(w.Hash, besideNumber+1) }

// all iterates over the hashes of the words of s.
func all(s string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		r := newReader(s)
		for w, ok := r.Next(); ok && yield(hashOf(w)); w, ok = r.Next() {
		}
	}
}

// appendBag appends the words of s sorted by hash. Two dates look the same in any
// language: all runs of digits are the same word, and in a line with a year or a time
// of day so are all words beside a number. That covers the names of months, AM and PM,
// o'clock and 年月日 without listing them.
func appendBag(bag []uint32, s string) []uint32 {
	start := len(bag)
	for line := range strings.SplitSeq(s, "\n") {
		first, isDated, hasNumber := len(bag), false, false
		r := newReader(line)
		for w, ok := r.Next(); ok; w, ok = r.Next() {
			last, hash := len(bag)-1, hashOf(w)
			switch {
			case w.Class == words.Digit:
				if !hasNumber {
					hasNumber, isDated = true, hasDate(line)
				}
				if isDated && last >= first && bag[last] != anyNumber {
					bag[last] = besideNumber
				}
				hash = anyNumber
			case isDated && bag[last] == anyNumber:
				hash = besideNumber
			}
			bag = append(bag, hash)
		}
	}
	slices.Sort(bag[start:])
	return bag
}

// hasDate reports whether a line has a year, which is four digits, or a time of
// day, which is digits on both sides of a colon.
func hasDate(line string) bool {
	run, colon := 0, false
	for _, c := range line {
		if unicode.IsDigit(c) {
			if colon {
				return true
			}
			run++
			continue
		}
		if run == 4 {
			return true
		}
		colon, run = c == ':' && run > 0, 0
	}
	return run == 4
}

// similar reports whether the F1 measure of two sorted bags, as the paper defines
// it, is at least minF1.
func similar(a, b []uint32, minF1 float64) bool {
	need := minF1 * float64(len(a)+len(b))
	if 2*float64(min(len(a), len(b))) < need {
		return false
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return both > 0 && 2*float64(both) >= need
}

// wordSet is a set of words by their hashes.
type wordSet map[uint32]bool

func (s wordSet) add(text string) wordSet {
	for hash := range all(text) {
		s[hash] = true
	}
	return s
}

// share returns the share of the words of text that are in the set.
func (s wordSet) share(text string) float64 {
	n, in := 0, 0
	for hash := range all(text) {
		n++
		if s[hash] {
			in++
		}
	}
	return float64(in) / float64(max(n, 1))
}
