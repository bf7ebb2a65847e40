package blocks

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// LowName returns the class or id around block i that articles are found under
// least, or "".
func (v *View) LowName(i int) string {
	name, _ := v.extremeName(v.elements[v.Blocks[i].First].worst, func(r *nameReader) int16 { return -r.low })
	return name
}

// HighName returns the class or id around block i that articles are found under
// most, or "".
func (v *View) HighName(i int) string {
	name, _ := v.extremeName(v.elements[v.Blocks[i].First].best, func(r *nameReader) int16 { return r.high })
	return name
}

// extremeName returns the class or id of an element with the largest score above 0.
func (v *View) extremeName(n dom.Node, score func(*nameReader) int16) (name string, most int16) {
	for _, names := range [...]string{v.Doc.Attr(n, "class"), v.Doc.Attr(n, "id")} {
		for s := range strings.FieldsSeq(names) {
			r := nameReader{names: &v.tables.Names}
			eachToken(s, r.read)
			if x := score(&r); x > most {
				name, most = s, x
			}
		}
	}
	return name, most
}

// WorstOpening returns the word, or the first two words, by which block i looks
// least like text of an article, or "". Only words that the block begins or ends
// with count, as in its features.
func (v *View) WorstOpening(i int) string {
	text := v.Text(i)
	worst, least := "", int16(0)
	look := func(word string, hash uint32) {
		if x := v.tables.Openings.score(hash); x < least {
			worst, least = strings.TrimFunc(word, func(r rune) bool { _, ok := fold(r); return !ok }), x
		}
	}
	w := wordReader{text: text}
	var last uint32
	for n := range headWords {
		from := w.at
		h, ok := w.next()
		if !ok {
			return worst
		}
		look(text[from:w.at], h)
		if n == 1 {
			look(text[:w.at], last*step^h)
		}
		last = h
	}
	for range tailWords {
		h, before, ok := lastWord(text)
		if !ok {
			break
		}
		look(text[len(before):], h*step+1)
		text = before
	}
	return worst
}
