// Package blocks reads a page the way the default method sees it: as a row of
// blocks of text, each with some hundred numbers that tell what it looks like,
// where it stands and what stands around it. What those numbers mean is learned
// from pages with gold; see package learn/story.
package blocks

import (
	"slices"

	"github.com/lede-news/lede/dom"
)

// View is a page as a row of blocks.
type View struct {
	Doc    *dom.Document
	Blocks []Block
	// Headline is the block of the page's headline, as far as can be told from
	// the headings, or -1.
	Headline int
	// Home is the element whose prose outweighs the rest of its text the most.
	Home dom.Node

	tables *Tables
	ground []ground
	branch []dom.Node // by node in the home: the child of the home around it
	looks  []look
	kin    []int32 // by block: the group of its like
	groups []group
	same   []int32   // by block: how many blocks have the same text
	title  []float32 // by block: how much it is like the page's <title>
	titled bool
	total  dom.Counts
	prose  int // words of prose

	// By block, the nearest of a kind before or after it, or -1.
	proseBefore, proseAfter, headings []int32

	scratch
}

// scratch is what is needed for a moment only.
type scratch struct {
	owners  []dom.Node
	weights []float32
	nearest []int32
	broods  []brood
	stands  map[stand]int32
	texts   map[string]int32
}

// Read cuts a page into blocks and looks at each of them. Tables may be empty,
// as they are before anything was learned.
func Read(d *dom.Document, t *Tables) *View {
	v := new(View)
	v.Read(d, t)
	return v
}

// Read is the function of that name, in the memory of a view that is no longer
// needed.
func (v *View) Read(d *dom.Document, t *Tables) {
	v.Doc, v.tables, v.total = d, t, d.Counts(0)
	v.Headline, v.Home, v.titled, v.prose = -1, 0, false, 0
	v.cut()
	v.survey(t)
	v.looks = room(v.looks, len(v.Blocks))
	for i := range v.Blocks {
		v.looks[i].read(v.Text(i), t)
		if v.Blocks[i].IsProse() {
			v.prose += v.Blocks[i].Words()
		}
	}
	v.group()
	v.findNearest()
	v.findHeadline()
	v.findHome()
}

// Forget lets go of the page, and keeps nothing but room for another. It reports
// whether that is worth keeping: a page out of the common takes more than others need.
func (v *View) Forget() bool {
	const usual = 1 << 15 // nodes
	v.Doc, v.tables = nil, nil
	clear(v.texts)
	return cap(v.ground) <= usual
}

// Text is what a reader sees of a block.
func (v *View) Text(i int) string {
	from, _ := v.Doc.Span(v.Blocks[i].First)
	_, to := v.Doc.Span(v.Blocks[i].Last)
	return v.Doc.AllText()[from:to]
}

// findHome looks for the heaviest element: prose weighs as many words as it
// has, all else less than nothing.
func (v *View) findHome() {
	d := v.Doc
	v.weights = room(v.weights, d.Len()+1)
	sums := v.weights
	i := 0
	for n := range sums[1:] {
		sums[n+1] = sums[n]
		if i < len(v.Blocks) && dom.Node(n) == v.Blocks[i].First {
			sums[n+1] += v.weight(i)
			i++
		}
	}
	best := float32(-1 << 20)
	for k := range v.ground {
		n := dom.Node(k)
		if tag := d.Tag(n); tag == dom.Text || !tag.IsBlock() {
			continue
		}
		if w := sums[d.End(n)] - sums[n]; w >= best {
			v.Home, best = n, w
		}
	}
	v.branch = room(v.branch, d.Len())
	for n := v.Home + 1; n < d.End(v.Home); n++ {
		if p := d.Parent(n); p == v.Home {
			v.branch[n] = n
		} else {
			v.branch[n] = v.branch[p]
		}
	}
}

func (v *View) weight(i int) float32 {
	b := &v.Blocks[i]
	words, density := float32(b.Counts.Words), float32(b.Counts.LinkDensity())
	const most = 100
	switch {
	case v.ground[b.First].in&(inNav|inFooter|inAside|inForm|inButton) != 0:
		return -(words/4 + 1)
	case b.IsProse():
		return min(words-float32(b.Counts.LinkWords), most) * (1 - density)
	case density >= 0.4:
		return -(words/2 + 3)
	}
	return -(0.5 + words/10)
}

// findNearest looks for the prose before and after every block, and for the
// heading after it.
func (v *View) findNearest() {
	n := len(v.Blocks)
	v.nearest = room(v.nearest, 3*n)
	all := v.nearest
	v.proseBefore, v.proseAfter, v.headings = all[:n], all[n:2*n], all[2*n:]
	last := int32(-1)
	for i := range v.Blocks {
		v.proseBefore[i] = last
		if v.Blocks[i].IsProse() {
			last = int32(i)
		}
	}
	next, heading := int32(-1), int32(-1)
	for i := n - 1; i >= 0; i-- {
		v.proseAfter[i], v.headings[i] = next, heading
		if v.Blocks[i].IsProse() {
			next = int32(i)
		}
		if v.IsHeading(i) {
			heading = int32(i)
		}
	}
}

// IsCaption reports whether a block is what the page calls the caption of a
// figure.
func (v *View) IsCaption(i int) bool { return v.ground[v.Blocks[i].First].in&inCaption != 0 }

// IsForeign reports whether a block stands where the page says that others write:
// readers, or those who advertise.
func (v *View) IsForeign(i int) bool { return v.ground[v.Blocks[i].First].in&inForeign != 0 }

// HasYear reports whether a block, if it is not long, has a number that may be a
// year.
func (v *View) HasYear(i int) bool { return v.looks[i].year }

// IsListed reports whether a block stands in a list.
func (v *View) IsListed(i int) bool { return v.ground[v.Blocks[i].First].in&inList != 0 }

// IsNamedOut reports whether a block stands in a place with a name under which
// there is hardly ever any story.
func (v *View) IsNamedOut(i int) bool { return v.ground[v.Blocks[i].First].low < namedOut }

// namedOut is how bad a name must be to say so.
const namedOut = -2 * Unit

// IsFurniture reports whether a block stands in a menu, a footer or a button.
func (v *View) IsFurniture(i int) bool {
	return v.ground[v.Blocks[i].First].in&(inNav|inFooter|inButton) != 0
}

// IsHeading reports whether a block stands in a heading.
func (v *View) IsHeading(i int) bool { return v.ground[v.Blocks[i].First].in&inHeading != 0 }

// Outside reports whether an element, by what the page calls it or what is around
// it, is a place where stories do not stand. It need not have any text.
func (v *View) Outside(n dom.Node) bool {
	g := v.ground[n]
	if v.Doc.Chars(n) == 0 && v.Doc.Tag(n) != dom.Text {
		v.callings(n, v.tables, &g)
		g.in |= bits[v.Doc.Tag(n)]
		g.low = min(g.low, g.own)
	}
	return g.low < namedOut || g.in&(inNav|inFooter|inAside|inButton) != 0
}

// Block is a run of text between two block boundaries: a paragraph, a heading,
// a menu entry, a line of a text that is broken by empty lines.
type Block struct {
	First, Last dom.Node // text nodes
	Owner       dom.Node // the nearest block element around
	Counts      dom.Counts
}

// Words is how many there are.
func (b *Block) Words() int { return int(b.Counts.Words) }

// IsProse reports whether a block has the length, the marks and the few links
// of a sentence.
func (b *Block) IsProse() bool {
	const long = 8
	return int(b.Counts.Words-b.Counts.LinkWords) >= long && b.Counts.LinkDensity() < 0.4 && (b.Counts.Stops > 0 || b.Counts.Punct > 1)
}

// cut takes the text of the page apart.
func (v *View) cut() {
	d := v.Doc
	list := v.Blocks[:0]
	if list == nil {
		list = make([]Block, 0, d.Counts(0).Texts/2+1)
	}
	v.owners = room(v.owners, d.Len())
	owners := v.owners
	breaks := 0 // line breaks since the last text; an element that breaks the text counts as two
	for k := range owners {
		n := dom.Node(k)
		tag := d.Tag(n)
		switch {
		case tag == dom.Br:
			breaks++
			continue
		case tag.IsBlock():
			owners[n] = n
			if !d.Hidden(n) {
				breaks = 2
			}
			continue
		case n > 0:
			owners[n] = owners[d.Parent(n)]
		}
		if tag != dom.Text || d.Hidden(n) || d.Chars(n) == 0 {
			continue
		}
		if i := len(list) - 1; i >= 0 && list[i].Owner == owners[n] && breaks < 2 {
			list[i].Last = n
		} else {
			list = append(list, Block{First: n, Last: n, Owner: owners[n]})
		}
		breaks = 0
	}
	for i := range list {
		b := &list[i]
		b.Counts = d.Between(b.First, b.Last+1)
	}
	v.Blocks = list
}

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

// room is n empty values, in the memory of a slice that is no longer needed where
// they fit.
func room[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	old = old[:n]
	clear(old)
	return old
}
