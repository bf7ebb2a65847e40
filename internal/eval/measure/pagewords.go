package measure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/lede-news/lede/dom"
)

// pageWords are the words that a reader sees on a page, by number, with the
// text node that each begins in.
type pageWords struct {
	doc    *dom.Document
	number map[string]int32
	words  []int32
	at     []int32 // by node: where its words begin; one more than nodes
	tail   []bool  // by node: it only goes on with a word of the node before
}

// absent is the number of a word that is not on the page.
const absent int32 = -1

func newPageWords(d *dom.Document) *pageWords {
	p := &pageWords{doc: d, number: map[string]int32{}, at: make([]int32, d.Len()+1), tail: make([]bool, d.Len())}
	node, from, to := -1, 0, 0
	next := func() bool { // the next text node that shows something
		for node++; node < d.Len(); node++ {
			p.at[node] = int32(len(p.words))
			if from, to = d.Span(dom.Node(node)); to > from && d.IsText(dom.Node(node)) {
				return true
			}
		}
		return false
	}
	more := next()
	eachWord(d.AllText(), func(word string, start, end int) {
		for more && start >= to {
			more = next()
		}
		i, known := p.number[word]
		if !known {
			i = int32(len(p.number))
			p.number[word] = i
		}
		p.words = append(p.words, i)
		for more && end > to {
			if more = next(); more {
				p.tail[node] = from < end
			}
		}
	})
	for more {
		more = next()
	}
	p.at[d.Len()] = int32(len(p.words))
	return p
}

// numbers are the words of a text as the page numbers them.
func (p *pageWords) numbers(text string) []int32 {
	var found []int32
	eachWord(text, func(word string, _, _ int) {
		i, known := p.number[word]
		if !known {
			i = absent
		}
		found = append(found, i)
	})
	return found
}

// eachWord goes through the words of s, as Words has them, with where each
// stands in s. Where one letter of s becomes several words they stand at the
// same place.
func eachWord(s string, do func(word string, start, end int)) {
	start := -1
	plain := true // lower-case ASCII
	flush := func(end int) {
		if start < 0 {
			return
		}
		word := s[start:end]
		if plain {
			do(word, start, end)
		} else {
			folded(word, start, end, do)
		}
		start, plain = -1, true
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case !inWord(rune(c)):
				flush(i)
			case start < 0:
				start = i
			}
			if c >= 'A' && c <= 'Z' {
				plain = false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case isCJK(r):
			flush(i)
			do(s[i:i+size], i, i+size)
		case !inWord(r) && !unicode.Is(unicode.Mn, r):
			flush(i)
		default:
			if start < 0 {
				start = i
			}
			plain = false
		}
		i += size
	}
	flush(len(s))
}

// folded is eachWord for a run of letters that are not plain.
func folded(word string, start, end int, do func(word string, start, end int)) {
	if ascii(word) {
		do(strings.ToLower(word), start, end)
		return
	}
	simple := norm.NFKC.QuickSpanString(word) == len(word)
	for _, r := range word {
		simple = simple && inWord(r) && r != 'İ' && r != 'Σ'
	}
	if simple {
		do(strings.ToLower(word), start, end)
		return
	}
	for _, w := range Words(word) {
		do(w, start, end)
	}
}
