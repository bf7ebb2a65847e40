package blocks

import (
	"github.com/lede-news/lede/dom"
)

// Tables tell what was learned of single words: how much more, or less, of the
// story stands where they are than elsewhere. Words are known by their hash
// only, so that a table is an array; the few that share a place share a value.
type Tables struct {
	// Names are the words of class and id attributes, Openings those that
	// blocks begin and end with. Kinds are those by which a page tells what
	// kind it is: above zero for articles.
	Names, Openings, Kinds [TableSize]int8
}

// TableSize is the number of places of a table.
const TableSize = 1 << 15

// Unit is what a value of a table is counted in: this many make a step of
// one in log-odds.
const Unit = 16

// seed and step are those of the hash FNV-1a (Fowler, Noll and Vo).
const (
	seed = 2166136261
	step = 16777619
)

// place is where a hash stands in a table.
func place(h uint32) uint32 { return (h ^ h>>15) & (TableSize - 1) }

// names goes through the words of a class or id attribute, such as
// "c-related_box" or "shareBar", in lower case and without digits.
type names struct {
	text string
	at   int
}

// next is the place of the next word, if there is one. A letter by itself is none.
func (w *names) next() (p uint32, ok bool) {
	text, i := w.text, w.at
	for i < len(text) {
		h, from := uint32(seed), i
		for i < len(text) && isUpper(text[i]) {
			h = (h ^ uint32(text[i]|0x20)) * step
			i++
		}
		for i < len(text) && isLower(text[i]) {
			h = (h ^ uint32(text[i])) * step
			i++
		}
		switch i - from {
		case 0:
			i++
		case 1:
		default:
			w.at = i
			return place(h), true
		}
	}
	w.at = i
	return 0, false
}

// eachName calls do with the place of every word of a name.
func eachName(name string, do func(place uint32)) {
	w := names{text: name}
	for p, ok := w.next(); ok; p, ok = w.next() {
		do(p)
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }

// EachName goes through the words of the names on a page with what there is to
// learn of each: how much of the text under such a name is story, the share of
// which is told by block.
func EachName(d *dom.Document, do func(place uint32, story, all float64), share []float32) {
	v := &View{Doc: d}
	v.cut()
	list := v.Blocks
	sums := make([][2]float64, d.Len()+1)
	i := 0
	for n := range sums[1:] {
		sums[n+1] = sums[n]
		if i < len(list) && dom.Node(n) == list[i].First {
			w := float64(list[i].Words())
			sums[n+1][0] += w * float64(share[i])
			sums[n+1][1] += w
			i++
		}
	}
	total := sums[d.Len()]
	if total[0] == 0 {
		return
	}
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) || d.Hidden(n) || d.Chars(n) == 0 || d.Tag(n) == dom.Body || d.Tag(n) == dom.HTML {
			continue
		}
		in, all := sums[d.End(n)][0]-sums[n][0], sums[d.End(n)][1]-sums[n][1]
		if all == 0 {
			continue
		}
		// In the units of a tenth of a page, so that a long element is no
		// louder than it should be.
		scale := min(all/total[1]*10, 1) / all
		say := func(place uint32) { do(place, in*scale, all*scale) }
		eachName(d.AttrOr(n, "class"), say)
		eachName(d.AttrOr(n, "id"), say)
	}
}

// EachOpening is EachName for the words that blocks begin and end with.
func EachOpening(d *dom.Document, do func(place uint32, story, all float64), share []float32) {
	v := &View{Doc: d}
	v.cut()
	for i := range v.Blocks {
		for _, place := range appendOpenings(nil, v.Text(i)) {
			do(place, float64(share[i]), 1)
		}
	}
}
