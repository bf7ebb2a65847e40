package dom

import (
	"slices"
	"strings"
)

// Counts is what stands in a subtree. Every field is a sum over the nodes of
// the subtree, so that the difference of two prefix sums gives it for any
// range of nodes at once. Nothing hidden counts.
type Counts struct {
	Chars     int32 // characters of text, white space folded
	Words     int32 // runs of letters and digits; a Han or Kana character is a word of its own
	LinkChars int32 // of Chars, those inside <a href>
	LinkWords int32 // of Words, those inside <a href>
	Links     int32 // <a href> elements
	Punct     int32 // commas, full stops, colons and their kin in every script
	Stops     int32 // of Punct, those that end a sentence
	Digits    int32 // digits
	Format    int32 // formatting elements: b, i, em, font …
	Breaks    int32 // <br>
	Paras     int32 // <p>
	Images    int32 // <img>, <amp-img>
	Elements  int32 // elements of any name
	Texts     int32 // text nodes that show something
}

// prefix is the total of all nodes before one. It fills a cache line and knows
// the end of the subtree, so that a query touches two lines and no more.
type prefix struct {
	Counts
	end Node
	_   int32
}

func (c Counts) minus(o *Counts) Counts {
	c.Chars -= o.Chars
	c.Words -= o.Words
	c.LinkChars -= o.LinkChars
	c.LinkWords -= o.LinkWords
	c.Links -= o.Links
	c.Punct -= o.Punct
	c.Stops -= o.Stops
	c.Digits -= o.Digits
	c.Format -= o.Format
	c.Breaks -= o.Breaks
	c.Paras -= o.Paras
	c.Images -= o.Images
	c.Elements -= o.Elements
	c.Texts -= o.Texts
	return c
}

// LinkDensity is the share of characters that stand in links, 0 for no text.
func (c Counts) LinkDensity() float64 {
	if c.Chars == 0 {
		return 0
	}
	return float64(c.LinkChars) / float64(c.Chars)
}

// Counts sums up the subtree of n.
func (d *Document) Counts(n Node) Counts {
	p := &d.sums[n]
	return d.sums[p.end].minus(&p.Counts)
}

// Between sums up the nodes from a up to, and without, b.
func (d *Document) Between(a, b Node) Counts {
	return d.sums[b].minus(&d.sums[a].Counts)
}

// WordsBetween is Between(a, b).Words, for inner loops.
func (d *Document) WordsBetween(a, b Node) int32 { return d.sums[b].Words - d.sums[a].Words }

// ImagesBetween is Between(a, b).Images, for inner loops.
func (d *Document) ImagesBetween(a, b Node) int32 { return d.sums[b].Images - d.sums[a].Images }

// Chars is Counts(n).Chars, for inner loops.
func (d *Document) Chars(n Node) int {
	p := &d.sums[n]
	return int(d.sums[p.end].Chars - p.Chars)
}

// Words is Counts(n).Words, for inner loops.
func (d *Document) Words(n Node) int {
	p := &d.sums[n]
	return int(d.sums[p.end].Words - p.Words)
}

// LinkChars is Counts(n).LinkChars, for inner loops.
func (d *Document) LinkChars(n Node) int {
	p := &d.sums[n]
	return int(d.sums[p.end].LinkChars - p.LinkChars)
}

// LinkDensity is Counts(n).LinkDensity(), for inner loops.
func (d *Document) LinkDensity(n Node) float64 {
	c := d.Chars(n)
	if c == 0 {
		return 0
	}
	return float64(d.LinkChars(n)) / float64(c)
}

// Path is a tag path such as html>body>div>p, as a number. Nodes with the
// same names from the document down to them share one.
type Path int32

// PathCounts is what stands directly in the nodes of one path over the whole
// document: a text node belongs to the path of its parent.
type PathCounts struct {
	Nodes, Texts, Chars, Words int32
}

type pathTable struct {
	list  []pathRecord
	slots []int32 // open addressing; 0 is empty, else index into list plus one
}

type pathRecord struct {
	parent int32
	tag    Tag
	PathCounts
}

// newPathTable makes room for some paths at once.
func newPathTable(n int) pathTable {
	slots := 1024
	for slots < 2*n {
		slots *= 2
	}
	return pathTable{list: make([]pathRecord, 0, slots/2), slots: make([]int32, slots)}
}

// child finds or makes the path that goes one tag further than parent.
func (t *pathTable) child(parent int32, tag Tag) int32 {
	mask := uint32(len(t.slots) - 1)
	for i := pathHash(parent, tag) & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			t.list = append(t.list, pathRecord{parent: parent, tag: tag})
			t.slots[i] = int32(len(t.list))
			if len(t.list)*2 > len(t.slots) {
				t.grow()
			}
			return int32(len(t.list) - 1)
		}
		if r := &t.list[s-1]; r.parent == parent && r.tag == tag {
			return s - 1
		}
	}
}

func pathHash(parent int32, tag Tag) uint32 {
	h := uint32(parent)*0x9E3779B1 ^ uint32(tag)*0x85EBCA6B
	return h ^ h>>15
}

func (t *pathTable) grow() {
	list := t.list
	t.slots = make([]int32, 2*len(t.slots))
	mask := uint32(len(t.slots) - 1)
	for i := range list {
		for j := pathHash(list[i].parent, list[i].tag) & mask; ; j = (j + 1) & mask {
			if t.slots[j] == 0 {
				t.slots[j] = int32(i + 1)
				break
			}
		}
	}
}

// Path is the tag path of n; a text node has that of its parent.
func (d *Document) Path(n Node) Path { return Path(d.nodes[n].path) }

// Paths is the number of different tag paths; they are 0 to Paths()-1.
func (d *Document) Paths() int { return len(d.paths.list) }

// PathCounts tells what the whole document holds under one tag path.
func (d *Document) PathCounts(p Path) PathCounts { return d.paths.list[p].PathCounts }

// PathName spells a tag path, as in "html>body>div>p".
func (d *Document) PathName(p Path) string {
	var names []string
	for i := int32(p); d.paths.list[i].tag != Root; i = d.paths.list[i].parent {
		name := d.paths.list[i].tag.String()
		if name == "" {
			name = "?" // all elements that HTML does not know
		}
		names = append(names, name)
	}
	slices.Reverse(names)
	return strings.Join(names, ">")
}
