// Package blocks describes a page as the default method sees it: as a sequence
// of blocks of text, each with features of its text, its elements, its
// position and its neighbours. Package internal/lab/train/story learns what the
// features mean from labelled pages.
package blocks

import (
	"math/bits"
	"slices"

	"github.com/lede-news/lede/dom"
)

// View is a page cut into blocks.
type View struct {
	Doc    *dom.Document
	Blocks []Block
	// Headline is the block that is most likely the headline, or -1.
	Headline int
	// Article and Index are the probabilities that the page is an article and a listing,
	// which the features of blocks include. Read sets them to 0.
	Article, Index float32

	// Similarity is by block the share of words that it has in common with the page's
	// <title>, from 0 to 1. HasTitle means that the page has one.
	Similarity []float32
	HasTitle   bool

	main       dom.Node // the element with the most prose and the least else
	tables     *Tables
	elements   []element
	stats      []textStats
	groupOf    []int32 // by block: index into groups
	groups     []group
	repeats    []int32 // by block: number of blocks with the same text
	total      dom.Counts
	proseWords int
	firstProse int       // the first block of prose after the headline, or -1
	controls   []int32   // by node: form controls and frames before it
	blockAt    []int32   // by node: blocks before it
	page       []float32 // the features of the page, or empty

	// Memory that is only used during a call. To reuse it makes Select a fifth faster.
	owners, children []dom.Node
	weights          []float32
	counts           counter
	sums             []struct{ odds, weight float32 } // by group
	unknown          []unknownName
	classes          []classNames // by the number of the class attribute
	hashes           []uint32
	known            map[groupKey]int32
	texts            map[string]int32
}

// Read returns the view of a page. The tables may be empty.
func Read(d *dom.Document, t *Tables) *View {
	v := new(View)
	v.Read(d, t)
	return v
}

// Read makes v the view of a page and reuses its memory.
func (v *View) Read(d *dom.Document, t *Tables) {
	v.Doc, v.tables, v.total = d, t, d.Counts(0)
	v.Headline, v.main, v.HasTitle, v.proseWords, v.Article, v.Index = -1, 0, false, 0, 0, 0
	v.page = v.page[:0]
	v.cut()
	v.readElements(t)
	v.stats = resize(v.stats, len(v.Blocks))
	for i := range v.Blocks {
		v.stats[i].read(v.Text(i), t)
		if v.Blocks[i].IsProse() {
			v.proseWords += v.Blocks[i].Words()
		}
	}
	v.group()
	v.findHeadline()
	v.firstProse = slices.IndexFunc(v.Blocks[v.Headline+1:], func(b Block) bool { return b.IsProse() })
	if v.firstProse >= 0 {
		v.firstProse += v.Headline + 1
	}
	v.countBefore()
	v.findMain()
}

// countBefore counts form controls, frames and blocks before every node.
func (v *View) countBefore() {
	d, block := v.Doc, 0
	v.controls, v.blockAt = resize(v.controls, d.Len()+1), resize(v.blockAt, d.Len()+1)
	for k := range d.Len() {
		v.controls[k+1] = v.controls[k]
		switch d.Tag(dom.Node(k)) {
		case dom.Input, dom.Button, dom.Select, dom.Textarea, dom.Iframe:
			v.controls[k+1]++
		case dom.Text:
			if block < len(v.Blocks) && v.Blocks[block].First == dom.Node(k) {
				block++
			}
		}
		v.blockAt[k+1] = int32(block)
	}
}

// Release drops the page but keeps the memory for the next Read. It reports
// whether that is worth keeping: a huge page takes more than others need.
func (v *View) Release() bool {
	const most = 1 << 15
	v.Doc, v.tables = nil, nil
	clear(v.texts)
	return max(cap(v.elements), cap(v.hashes), cap(v.unknown), cap(v.counts)/4) <= most
}

// Text returns the visible text of block i.
func (v *View) Text(i int) string {
	from, _ := v.Doc.Span(v.Blocks[i].First)
	_, to := v.Doc.Span(v.Blocks[i].Last)
	return v.Doc.AllText()[from:to]
}

// findMain finds the element with the highest sum of weights.
func (v *View) findMain() {
	d := v.Doc
	v.weights = resize(v.weights, len(v.Blocks)+1) // of all blocks before
	for i := range v.Blocks {
		v.weights[i+1] = v.weights[i] + v.weight(i)
	}
	best := float32(-1 << 20)
	for k := range v.elements {
		n := dom.Node(k)
		if tag := d.Tag(n); tag == dom.Text || !tag.IsBlock() {
			continue
		}
		if w := v.weights[v.blockAt[d.End(n)]] - v.weights[v.blockAt[n]]; w >= best {
			v.main, best = n, w
		}
	}
}

// weight is positive for prose and negative for all other blocks.
func (v *View) weight(i int) float32 {
	b := &v.Blocks[i]
	words, density := float32(b.Counts.Words), float32(b.Counts.LinkDensity())
	const maxWeight = 100
	switch {
	case v.elements[b.First].in&(inNav|inFooter|inAside|inForm|inButton) != 0:
		return -(words/4 + 1)
	case b.IsProse():
		return min(words-float32(b.Counts.LinkWords), maxWeight) * (1 - density)
	case density >= 0.4:
		return -(words/2 + 3)
	}
	return -(0.5 + words/10)
}

// isIn reports whether one of the given kinds of elements encloses block i.
func (v *View) isIn(i int, kinds enclosing) bool { return v.elements[v.Blocks[i].First].in&kinds != 0 }

// InList reports whether block i is in a list.
func (v *View) InList(i int) bool { return v.isIn(i, inList) }

// InTable reports whether block i is in a table.
func (v *View) InTable(i int) bool { return v.isIn(i, inTable) }

// IsHeading reports whether block i is in a heading.
func (v *View) IsHeading(i int) bool { return v.isIn(i, inHeading) }

// IsBoilerplate reports whether block i is in a menu, a footer or a form
// control.
func (v *View) IsBoilerplate(i int) bool { return v.isIn(i, inNav|inFooter|inButton) }

// IsRepeated reports whether another block begins with the same text.
func (v *View) IsRepeated(i int) bool { return v.repeats[i] > 1 }

// Group returns the number of the group of blocks in similar places that block i
// is in.
func (v *View) Group(i int) int { return int(v.groupOf[i]) }

// Groups returns the number of groups.
func (v *View) Groups() int { return len(v.groups) }

// HasYear reports whether block i has a number near its start that may be a
// year.
func (v *View) HasYear(i int) bool { return v.stats[i].year }

// badNameScore is a score of a name that articles are hardly ever found under.
const badNameScore = -2 * Unit

// IsOutside reports whether the names and tags of an element and its ancestors
// show that it is no place for an article. The element need not have any text.
func (v *View) IsOutside(n dom.Node) bool {
	e := v.elements[n]
	if v.Doc.Chars(n) == 0 && v.Doc.Tag(n) != dom.Text {
		v.readNames(n, v.tables, &e)
		e.in |= enclosedBy[v.Doc.Tag(n)]
		e.low = min(e.low, e.name)
	}
	return e.low < badNameScore || e.in&(inNav|inFooter|inAside|inButton) != 0
}

// Block is the text between two boundaries of block elements or empty lines: a
// paragraph, a heading, a menu entry.
type Block struct {
	First, Last dom.Node // text nodes
	Owner       dom.Node // the innermost block element around it
	Counts      dom.Counts
}

// Words returns the number of words.
func (b *Block) Words() int { return int(b.Counts.Words) }

// IsProse reports whether a block has the length and the punctuation of a
// sentence, and few links.
func (b *Block) IsProse() bool {
	const minWords = 8
	return int(b.Counts.Words-b.Counts.LinkWords) >= minWords && b.Counts.LinkDensity() < 0.4 && (b.Counts.Stops > 0 || b.Counts.Punct > 1)
}

// cut cuts the text of the page into blocks.
func (v *View) cut() {
	d := v.Doc
	list := v.Blocks[:0]
	if list == nil {
		list = make([]Block, 0, d.Counts(0).Texts/2+1)
	}
	v.owners = resize(v.owners, d.Len())
	owners := v.owners
	breaks := 0 // line breaks since the last text; a block element counts as two
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
	list = v.join(list)
	for i := range list {
		b := &list[i]
		b.Counts = d.Between(b.First, b.Last+1)
	}
	v.Blocks = list
}

// join joins neighbouring blocks if there are far more than pages of that size have, so
// that a page of nothing but tiny blocks does not cost a hundred times as much as
// others. Of 5,211 pages none has 18 blocks for each KB of its source.
func (v *View) join(list []Block) []Block {
	const always, bytesOfBlock = 1024, 64
	size := v.Doc.Size()
	most := always + size/bytesOfBlock
	if len(list) <= most || size == 0 {
		return list
	}
	step := (len(list) + most - 1) / most
	joined := list[:0]
	for some := range slices.Chunk(list, step) {
		b := some[0]
		for _, next := range some[1:] {
			b.Last = next.Last
			b.Owner = v.owners[v.Doc.CommonAncestor(b.Owner, next.Owner)]
		}
		joined = append(joined, b)
	}
	return joined
}

// maxTitleWords is the number of words of a title or a line that are compared.
const maxTitleWords = 64

// findHeadline compares every block with the page's <title> and takes the most
// similar one for the headline, with a bonus for headings, or else the first <h1>.
func (v *View) findHeadline() {
	d := v.Doc
	v.Similarity = resize(v.Similarity, len(v.Blocks))
	var title titleWords
	if n := d.First(dom.Title); n != dom.None {
		title.read(d.Raw(n))
	}
	v.HasTitle = title.n > 0
	best := float32(0.35)
	for i := range v.Blocks {
		b := &v.Blocks[i]
		const maxWords = 60
		if !v.HasTitle || b.Words() > maxWords || b.Words() == 0 {
			continue
		}
		x := title.similarity(v.Text(i))
		v.Similarity[i] = x
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
		v.Headline = slices.IndexFunc(v.Blocks, func(b Block) bool { return d.Tag(b.Owner) == dom.H1 && b.Words() > 2 })
	}
}

// titleWords are the different words of a title by their hashes.
type titleWords struct {
	words [maxTitleWords]uint32
	n     int
	bits  uint64 // a Bloom filter, which rejects most other words
}

func (t *titleWords) read(text string) {
	w := wordReader{text: text}
	for h, ok := w.next(); ok && t.n < maxTitleWords; h, ok = w.next() {
		if t.find(h) < 0 {
			t.words[t.n] = h
			t.n++
			t.bits |= 1 << (h % 64)
		}
	}
}

// find returns the number of a word, or -1.
func (t *titleWords) find(h uint32) int {
	if t.bits&(1<<(h%64)) == 0 {
		return -1
	}
	return slices.Index(t.words[:t.n], h)
}

// similarity returns the share of the words of a line that are in the title, less if they
// are less than half of the title.
func (t *titleWords) similarity(line string) float32 {
	var found uint64 // a bit for each word of the title
	n, in := 0, 0
	w := wordReader{text: line}
	for h, ok := w.next(); ok && n < maxTitleWords; h, ok = w.next() {
		if k := t.find(h); k >= 0 {
			found |= 1 << k
			in++
		}
		n++
	}
	return float32(in) / float32(max(n, 1)) * min(1, 2*float32(bits.OnesCount64(found))/float32(t.n))
}

// resize returns a slice of n zero values, in the memory of old if that
// suffices.
func resize[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	old = old[:n]
	clear(old)
	return old
}
