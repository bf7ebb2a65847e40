package blocks

import (
	"github.com/lede-news/lede/dom"
)

// Tables hold learned scores of words: positive if more text of articles than
// usual is found where they occur, negative if less.
type Tables struct {
	// Names scores the words of class and id attributes, Openings the words
	// that blocks begin and end with, and Kinds the words that hint at the kind
	// of page.
	Names, Openings, Kinds Table
}

// Table holds the scores of words by their hashes. A word that is not in the
// table has the score 0.
type Table struct {
	// Entries has an entry for some bits of the hash.
	Entries [TableSize]Entry
}

// Entry is the score of a word. Check holds other bits of its hash, so that a word
// hardly ever gets the score of another.
type Entry struct {
	Score int8
	Check uint8
}

// Slot returns the slot of a hash in a table, and the check value of the word.
func Slot(hash uint32) (slot uint32, check uint8) {
	return (hash ^ hash>>15) & (TableSize - 1), uint8(hash >> 24)
}

// Set sets the score of a word.
func (t *Table) Set(hash uint32, score int8) {
	s, check := Slot(hash)
	t.Entries[s] = Entry{score, check}
}

// score returns the score of a word.
func (t *Table) score(hash uint32) int16 {
	s, check := Slot(hash)
	e := t.Entries[s]
	if e.Check != check {
		return 0
	}
	return int16(e.Score)
}

// TableSize is the number of slots of a table.
const TableSize = 1 << 15

// Unit is the score that stands for 1 in log-odds.
const Unit = 16

// The constants of the FNV-1a hash (Fowler, Noll and Vo).
const (
	seed = 2166136261
	step = 16777619
)

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }

// EachName calls do for the words of all names on a page: with the hash of the
// word, the share of the element's text that belongs to the article, and 1.
// share is by block the share of its text that does.
func EachName(d *dom.Document, do func(word uint32, story, all float64), share []float32) {
	v := &View{Doc: d}
	v.cut()
	v.countBefore()
	sums := make([][2]float64, len(v.Blocks)+1) // words of the article, and all words, before a block
	for i := range v.Blocks {
		w := float64(v.Blocks[i].Words())
		sums[i+1] = [2]float64{sums[i][0] + w*float64(share[i]), sums[i][1] + w}
	}
	if sums[len(v.Blocks)][0] == 0 {
		return
	}
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		before, after := sums[v.blockAt[n]], sums[v.blockAt[d.End(n)]]
		in, all := after[0]-before[0], after[1]-before[1]
		if all == 0 || d.IsText(n) || d.Hidden(n) || d.Chars(n) == 0 || d.Tag(n) == dom.Body || d.Tag(n) == dom.HTML {
			continue
		}
		add := func(word uint32) { do(word, in/all, 1) } // all elements count the same
		eachName(d.Attr(n, "class"), add)
		eachName(d.Attr(n, "id"), add)
	}
}

// EachOpening is like EachName for the words that blocks begin and end with.
func EachOpening(d *dom.Document, do func(word uint32, story, all float64), share []float32) {
	v := &View{Doc: d}
	v.cut()
	for i := range v.Blocks {
		for _, s := range appendOpenings(nil, v.Text(i)) {
			do(s, float64(share[i]), 1)
		}
	}
}
