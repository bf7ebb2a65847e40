package blocks

import (
	"slices"

	"github.com/lede-news/lede/dom"
)

// most is how many words of a title and of a line are compared.
const most = 64

// findHeadline compares every block with the page's <title> and takes the one
// that is most like it, headings first.
func (v *View) findHeadline() {
	d := v.Doc
	v.title = room(v.title, len(v.Blocks))
	var want, line wordList
	if n := d.First(dom.Title); n != dom.None {
		want.read(d.Raw(n))
	}
	if v.titled = want.n > 0; !v.titled {
		v.firstHeading()
		return
	}
	best := float32(0.35)
	for i := range v.Blocks {
		b := &v.Blocks[i]
		const long = 60
		if b.Words() > long || b.Words() == 0 {
			continue
		}
		text := v.Text(i)
		if !want.sharesWord(text) {
			continue
		}
		line.read(text)
		both := 0
		for _, h := range line.words[:line.n] {
			if want.has(h) {
				both++
			}
		}
		if both == 0 {
			continue // what they share stands too far in
		}
		x := float32(both) / float32(line.n) * min(1, 2*float32(both)/float32(want.n))
		v.title[i] = x
		if tag := d.Tag(b.Owner); tag.IsHeading() {
			x -= 0.05 * float32(tag-dom.H1)
		} else {
			x -= 0.25
		}
		if b.Counts.LinkDensity() > 0.5 {
			x -= 0.1
		}
		if x > best {
			v.Headline, best = i, x
		}
	}
	if v.Headline < 0 {
		v.firstHeading()
	}
}

// wordList is the hashes of the different words of a text. The bits tell at
// once of most words that they are not among them.
type wordList struct {
	words [most]uint32
	n     int
	bits  uint64
}

func (l *wordList) read(text string) {
	l.n, l.bits = 0, 0
	w := words{text: text}
	for h, ok := w.next(); ok && l.n < most; h, ok = w.next() {
		if !l.has(h) {
			l.words[l.n] = h
			l.n++
			l.bits |= 1 << (h % 64)
		}
	}
}

// sharesWord reports whether a text has one of the words. Most lines of a page
// have none, and need not be read any further.
func (l *wordList) sharesWord(text string) bool {
	w := words{text: text}
	for h, ok := w.next(); ok; h, ok = w.next() {
		if l.has(h) {
			return true
		}
	}
	return false
}

func (l *wordList) has(h uint32) bool {
	return l.bits&(1<<(h%64)) != 0 && slices.Contains(l.words[:l.n], h)
}

func (v *View) firstHeading() {
	for i := range v.Blocks {
		if v.Doc.Tag(v.Blocks[i].Owner) == dom.H1 && v.Blocks[i].Words() > 2 {
			v.Headline = i
			return
		}
	}
}

// LikeTitle is how much of the words of a block and of the page's title are the
// same, from 0 to 1.
func (v *View) LikeTitle(i int) float32 { return v.title[i] }

// Titled reports whether the page has a title to compare with.
func (v *View) Titled() bool { return v.titled }
