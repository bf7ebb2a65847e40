package measure

import "github.com/lede-news/lede/dom"

// Align tells which text nodes of a page a text is made of: by node, whether at
// least half of its words are in the text, at that place. Nodes that are hidden
// or have no words are never part of it.
//
// A text that was taken from a page in whatever way (the gold of a corpus, the
// output of a library that gives nothing but text) becomes comparable so with
// the nodes that a method chose. Words are aligned in order; of several places
// with the same words the one is taken that lies beside the rest of the text.
// What is left of a text whose order is not the page's is aligned once more by
// itself.
func Align(d *dom.Document, text string) []bool { return newPageWords(d).align(text) }

func (p *pageWords) align(text string) []bool {
	of := make([]int32, len(p.words))
	a := newAligner(p.words, p.numbers(text))
	for a.align() {
		for i, t := range a.of {
			if t > 0 {
				of[a.at[i]] = t
			}
		}
		a = a.rest()
	}
	return p.marks(of)
}

// marks tells of which nodes at least half of the words are matched.
func (p *pageWords) marks(of []int32) []bool {
	marks := make([]bool, p.doc.Len())
	before := false
	for n := range marks {
		from, to := p.at[n], p.at[n+1]
		switch {
		case to > from:
			matched := 0
			for _, t := range of[from:to] {
				if t > 0 {
					matched++
				}
			}
			before = 2*matched >= int(to-from)
			marks[n] = before
		case p.tail[n]:
			marks[n] = before
		}
	}
	return marks
}
