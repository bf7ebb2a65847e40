package twcem

import (
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
	masks map[uint32]uint64 // the positions in the title of the words that count, by hash
	size  int               // number of words of the title that count

	found []uint64 // masks of the words of the title in the rows, one row after the other
	ends  []int    // where the words of each row end in found
}

// newVocabulary reads a title. Without short words, words of up to three letters count only
// if they say something.
func newVocabulary(title string, noShort bool) *vocabulary {
	g := &vocabulary{masks: map[uint32]uint64{}}
	r := newReader(title)
	for w, ok := r.Next(); ok && g.size < maxWords; w, ok = r.Next() {
		if !noShort || w.Letters > shortWord || w.Class == words.Ideograph || meansMuch(title[w.From:w.To]) {
			g.masks[w.Hash] |= 1 << g.size
			g.size++
		}
	}
	return g
}

// newReader reads words as titles are compared: "ferry's" has the word "ferry".
func newReader(text string) words.Reader {
	return words.Reader{Text: text, SplitJoined: true}
}

// shortWord is the number of letters of words such as "of" and "the", which say little about
// what a text is about.
const shortWord = 3

// meansMuch reports whether a word says something although it is short: it is in Hangul, whose
// syllables have two or three letters, or in capitals.
func meansMuch(s string) bool {
	first, size := utf8.DecodeRuneInString(s)
	return unicode.Is(unicode.Hangul, first) || size < len(s) && strings.ToUpper(s) == s && strings.ToLower(s) != s
}

// read records the words of the title that the next row has.
func (g *vocabulary) read(text string) {
	r := newReader(text)
	for w, ok := r.Next(); ok; w, ok = r.Next() {
		if mask := g.masks[w.Hash]; mask != 0 {
			g.found = append(g.found, mask)
		}
	}
	g.ends = append(g.ends, len(g.found))
}

// subsequence is the state of the search for the longest common subsequence of the
// title and a text (Section III.C.3): a bit is 0 where a subsequence got longer (Hyyrö,
// Bit-parallel LCS-length computation revisited, 2004).
type subsequence uint64

const noWords = ^subsequence(0)

// add adds a word of the text, by its positions in the title.
func (v subsequence) add(mask uint64) subsequence {
	u := v & subsequence(mask)
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
	for _, mask := range g.found[from:g.ends[b]] {
		v = v.add(mask)
	}
	return v.length(g.size)
}

// compare returns the length of the longest common subsequence with a text, and the
// number of words in the text.
func (g *vocabulary) compare(text string) (same, of int) {
	v := noWords
	r := newReader(text)
	for w, ok := r.Next(); ok; w, ok = r.Next() {
		of++
		v = v.add(g.masks[w.Hash])
	}
	return v.length(g.size), of
}
