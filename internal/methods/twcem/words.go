package twcem

import (
	"iter"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/words"
)

// maxWords is the number of words of a title that are compared: one per bit of a
// machine word. No headline is longer.
const maxWords = 64

// vocabulary holds the words of a title, and their occurrences in the rows.
type vocabulary struct {
	ids   map[uint32]int // by hash: the number of a word
	words []entry        // the different words
	order []int          // the title, as numbers of words
	size  int            // number of words of the title that are not stop words

	found []int // words of the title in the rows, one row after the other
	ends  []int // where the words of each row end in found
}

type entry struct {
	letters int
	counts  bool   // however short: an ideograph, a number, "EU"
	rows    int    // number of rows that have it
	last    int    // the last of them, from 1 up
	mask    uint64 // its positions in the title, unless it is a stop word
}

func newVocabulary(title string) *vocabulary {
	g := &vocabulary{ids: map[uint32]int{}}
	mixed := strings.ToUpper(title) != title // capitals mean nothing in a title of capitals
	r := newReader(title)
	for w, ok := r.Next(); ok && len(g.order) < maxWords; w, ok = r.Next() {
		id, known := g.ids[w.Hash]
		if !known {
			id = len(g.words)
			g.ids[w.Hash] = id
			counts := w.Letters > 1 && meansMuch(title[w.From:w.To], mixed)
			g.words = append(g.words, entry{letters: w.Letters, counts: counts || w.Class == words.Ideograph})
		}
		g.order = append(g.order, id)
	}
	return g
}

// newReader reads words as titles are compared: "ferry's" has the word "ferry".
func newReader(text string) words.Reader {
	return words.Reader{Text: text, SplitJoined: true, JoinDots: true}
}

// meansMuch reports whether a word says something although it is short: it is a number, in
// Hangul, whose syllables have two or three letters, or in capitals where others are not.
func meansMuch(s string, mixed bool) bool {
	first, _ := utf8.DecodeRuneInString(s)
	isCapitals := strings.ToUpper(s) == s && (strings.ToLower(s) != s || strings.ContainsAny(s, "0123456789"))
	return unicode.Is(unicode.Hangul, first) || mixed && isCapitals
}

// all iterates over the words of a text by their numbers, which are -1 for words that
// are not in the title.
func (g *vocabulary) all(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		r := newReader(text)
		for w, ok := r.Next(); ok; w, ok = r.Next() {
			id, known := g.ids[w.Hash]
			if !known {
				id = -1
			}
			if !yield(id) {
				return
			}
		}
	}
}

// shortWord is the number of letters of words such as "of" and "the", which say little about
// what a text is about.
const shortWord = 3

// shared reports whether a text has a word of the title that is not short, or more than
// half of its words from the title. If the title has no words, it is true.
func (g *vocabulary) shared(text string) bool {
	of, same := 0, 0
	for id := range g.all(text) {
		of++
		if id < 0 {
			continue
		}
		if e := &g.words[id]; e.letters > shortWord {
			return true
		}
		same++
	}
	return len(g.words) == 0 || 2*same > of
}

// read records the words of the title that the next row has.
func (g *vocabulary) read(text string) {
	n := len(g.ends) + 1
	for id := range g.all(text) {
		if id < 0 {
			continue
		}
		g.found = append(g.found, id)
		if e := &g.words[id]; e.last != n {
			e.last = n
			e.rows++
		}
	}
	g.ends = append(g.ends, len(g.found))
}

// settle is called after all rows are read. It gives the words their positions in
// the title, without stop words if stop is true.
func (g *vocabulary) settle(stop bool) {
	for _, id := range g.order {
		if e := &g.words[id]; !stop || !e.isStop(len(g.ends)) {
			e.mask |= 1 << g.size
			g.size++
		}
	}
}

// isStop reports whether a word of the title is a stop word: it is short and in many of all
// rows. A word of two letters always is one. That needs no lists for languages.
func (e *entry) isStop(all int) bool {
	switch {
	case e.counts:
		return e.rows > max(2, all/2)
	case e.letters == shortWord:
		return e.rows > max(2, all/8)
	}
	return e.letters < shortWord
}

// subsequence is the state of the search for the longest common subsequence of the
// title and a text (Section III.C.3): a bit is 0 where a subsequence got longer (Hyyrö,
// Bit-parallel LCS-length computation revisited, 2004).
type subsequence uint64

const noWords = ^subsequence(0)

// add adds a word of the text.
func (v subsequence) add(e *entry) subsequence {
	u := v & subsequence(e.mask)
	return (v + u) | (v - u)
}

// length returns the length of the subsequence, for a title of so many words.
func (v subsequence) length(size int) int { return bits.OnesCount64(uint64(^v) & (1<<size - 1)) }

// lcs returns the length of the longest common subsequence of the title and the
// rows from a to b.
func (g *vocabulary) lcs(a, b int) int {
	from := 0
	if a > 0 {
		from = g.ends[a-1]
	}
	v := noWords
	for _, id := range g.found[from:g.ends[b]] {
		v = v.add(&g.words[id])
	}
	return v.length(g.size)
}

// compare returns the length of the longest common subsequence with a text, and the
// number of words in the text.
func (g *vocabulary) compare(text string) (same, of int) {
	v := noWords
	for id := range g.all(text) {
		of++
		if id >= 0 {
			v = v.add(&g.words[id])
		}
	}
	return v.length(g.size), of
}
