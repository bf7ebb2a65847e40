package measure

import (
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// Align finds the text nodes of a page that a text consists of. It reports for each
// node whether at least half of its words are in the text. Hidden nodes and nodes
// without words are never part of it.
//
// Align makes a text, such as the gold of a corpus or the output of another
// library, comparable with the nodes that a method chose. Words are aligned in
// order. If the same words occur in several places, the place next to the rest of
// the text is chosen. What remains of a text whose order differs from the page's
// is aligned again.
func Align(d *dom.Document, text string) []bool {
	a := &aligner{}
	numbers := map[string]int32{}
	var starts, ends []int // of the words in the text of the page
	eachWord(d.AllText(), func(word string, start, end int) {
		n, known := numbers[word]
		if !known {
			n = int32(len(numbers))
			numbers[word] = n
		}
		a.page, a.at = append(a.page, n), append(a.at, int32(len(a.page)))
		starts, ends = append(starts, start), append(ends, end)
	})
	eachWord(text, func(word string, _, _ int) {
		n, known := numbers[word]
		if !known {
			n = absent
		}
		a.text = append(a.text, n)
	})
	matched := make([]bool, len(starts))
	for a.align() {
		for i, t := range a.of {
			if t > 0 {
				matched[a.at[i]] = true
			}
		}
		a = a.rest()
	}
	marks := make([]bool, d.Len())
	word, last := 0, false // mark of the last node in which a word begins
	for n := range marks {
		from, to := d.Span(dom.Node(n))
		if from == to || !d.IsText(dom.Node(n)) {
			continue
		}
		first, count := word, 0
		for ; word < len(starts) && starts[word] < to; word++ {
			if matched[word] {
				count++
			}
		}
		switch {
		case word > first:
			last = 2*count >= word-first
			marks[n] = last
		case word > 0 && ends[word-1] > from: // the node continues a word
			marks[n] = last
		}
	}
	return marks
}

// absent is the number of a word that is not on the page.
const absent int32 = -1

// The parameters of an alignment. Whole texts are aligned with seeds of four words,
// and the gaps between the runs with seeds of two. What remains at the end has no
// matched neighbours as evidence, so that only long runs count.
var (
	whole  = chain{k: 4, open: 2, step: 1. / 100, maxStep: 6, maxPairs: 36}
	gaps   = chain{k: 2, open: 1, step: 1. / 40, maxStep: 3, maxPairs: 36}
	single = chain{k: 1, open: 0, step: 1. / 40, maxStep: 3, maxPairs: 36}
	rest   = chain{k: 8, open: 4, step: 1. / 100, maxStep: 6, maxPairs: 36}
)

// maxRounds limits how many times the rest of a text is aligned again.
const maxRounds = 4

// aligner matches words of a page with words of a text.
type aligner struct {
	page, text []int32
	at         []int32 // by word of the page: its index on the whole page
	of         []int32 // by word of the page: the index of its match plus one, or 0
	used       []bool  // by word of the text: it is matched
	round      int
}

// align matches words and reports whether it found any.
func (a *aligner) align() bool {
	c := whole
	switch {
	case a.round >= maxRounds:
		return false
	case a.round > 0:
		c = rest
	case len(a.text) < gaps.k:
		c = single
	case len(a.text) < whole.k:
		c = gaps
	}
	a.of, a.used = make([]int32, len(a.page)), make([]bool, len(a.text))
	found := false
	c.run(a.page, a.text, func(page, text int) {
		found = true
		a.match(page, text)
	})
	if found {
		a.fill()
	}
	return found
}

func (a *aligner) match(page, text int) {
	if a.of[page] == 0 && !a.used[text] {
		a.of[page] = int32(text) + 1
		a.used[text] = true
	}
}

// fill aligns the gaps between the runs that were found.
func (a *aligner) fill() {
	page, text := -1, -1 // last pair
	for i := 0; i < len(a.of); i++ {
		if a.of[i] == 0 {
			continue
		}
		t := int(a.of[i]) - 1
		a.gap(page, i, text, t)
		page, text = i, t
	}
	a.gap(page, len(a.page), text, len(a.text))
}

// gap aligns the words between two pairs. If one of the two is the end of the
// page, only words near the other count.
func (a *aligner) gap(page, nextPage, text, nextText int) {
	first, last := page < 0, nextPage == len(a.page)
	for !first && page+1 < nextPage && text+1 < nextText && a.page[page+1] == a.text[text+1] {
		page, text = page+1, text+1
		a.match(page, text)
	}
	for !last && page+1 < nextPage && text+1 < nextText && a.page[nextPage-1] == a.text[nextText-1] {
		nextPage, nextText = nextPage-1, nextText-1
		a.match(nextPage, nextText)
	}
	page, text = page+1, text+1
	reach := 2*(nextText-text) + 32
	if first {
		page = max(page, nextPage-reach)
	}
	if last {
		nextPage = min(nextPage, page+reach)
	}
	if page >= nextPage || text >= nextText {
		return
	}
	gaps.run(a.page[page:nextPage], a.text[text:nextText], func(p, t int) { a.match(page+p, text+t) })
}

// rest returns an aligner for the unmatched words. Matched words are replaced by
// an absent one, so that no run extends across them.
func (a *aligner) rest() *aligner {
	b := &aligner{round: a.round + 1}
	for i, w := range a.page {
		switch {
		case a.of[i] == 0:
			b.page, b.at = append(b.page, w), append(b.at, a.at[i])
		case i > 0 && a.of[i-1] == 0:
			b.page, b.at = append(b.page, absent), append(b.at, a.at[i])
		}
	}
	for i, w := range a.text {
		switch {
		case !a.used[i]:
			b.text = append(b.text, w)
		case i > 0 && !a.used[i-1]:
			b.text = append(b.text, absent)
		}
	}
	return b
}

// eachWord calls do with each of Words(s) and its position in s. If one run of
// letters becomes several words, they have the same position.
func eachWord(s string, do func(word string, start, end int)) {
	start := -1
	flush := func(end int) {
		if start >= 0 {
			for _, w := range Words(s[start:end]) {
				do(w, start, end)
			}
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case isCJK(r):
			flush(i)
			end := i + utf8.RuneLen(r)
			do(s[i:end], i, end)
		case !inWord(r) && !unicode.Is(unicode.Mn, r):
			flush(i)
		case start < 0:
			start = i
		}
	}
	flush(len(s))
}
