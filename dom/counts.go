package dom

import (
	"cmp"
	"slices"
	"strings"
)

// Counts are sums over a range of nodes, usually a subtree. Hidden nodes do not
// count.
type Counts struct {
	Chars     int32 // characters of text, with white space collapsed
	Words     int32 // runs of letters and digits; each Han or Kana character is a word
	LinkChars int32 // characters inside <a href>
	LinkWords int32 // words inside <a href>
	Links     int32 // <a href> elements
	Punct     int32 // commas, full stops, colons and the like in every script
	Stops     int32 // punctuation that ends a sentence, also counted in Punct
	Digits    int32 // digits
	Format    int32 // formatting elements: b, i, em, font …
	Breaks    int32 // <br>
	Paras     int32 // <p>
	Images    int32 // <img>, <amp-img>
	Elements  int32 // all elements
	Texts     int32 // text nodes
}

// prefix is the sum over all nodes before one. It fills a cache line and has the
// end of the subtree, so that a query touches two cache lines.
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

// LinkDensity returns the share of characters inside links, or 0 if there is no
// text.
func (c Counts) LinkDensity() float64 {
	if c.Chars == 0 {
		return 0
	}
	return float64(c.LinkChars) / float64(c.Chars)
}

// Counts returns the sums over the subtree of n.
func (d *Document) Counts(n Node) Counts {
	p := &d.sums[n]
	return d.sums[p.end].minus(&p.Counts)
}

// Between returns the sums over the nodes from a up to, but not including, b.
func (d *Document) Between(a, b Node) Counts {
	return d.sums[b].minus(&d.sums[a].Counts)
}

// WordsBetween returns Between(a, b).Words, but is faster.
func (d *Document) WordsBetween(a, b Node) int32 { return d.sums[b].Words - d.sums[a].Words }

// Chars returns Counts(n).Chars, but is faster.
func (d *Document) Chars(n Node) int {
	p := &d.sums[n]
	return int(d.sums[p.end].Chars - p.Chars)
}

// Words returns Counts(n).Words, but is faster.
func (d *Document) Words(n Node) int {
	p := &d.sums[n]
	return int(d.sums[p.end].Words - p.Words)
}

// LinkChars returns Counts(n).LinkChars, but is faster.
func (d *Document) LinkChars(n Node) int {
	p := &d.sums[n]
	return int(d.sums[p.end].LinkChars - p.LinkChars)
}

// LinkDensity returns Counts(n).LinkDensity(), but is faster.
func (d *Document) LinkDensity(n Node) float64 {
	c := d.Chars(n)
	if c == 0 {
		return 0
	}
	return float64(d.LinkChars(n)) / float64(c)
}

// Path is the number of a tag path such as html>body>div>p in its document.
// Nodes with the same tags from the document down to them have the same path.
type Path int32

// pathTable numbers the tag paths of a document.
type pathTable struct {
	list    []pathRecord
	numbers map[pathRecord]int32
}

// pathRecord is a path that extends another by a tag.
type pathRecord struct {
	parent int32
	tag    Tag
}

// child finds or adds the path that extends parent by a tag.
func (t *pathTable) child(parent int32, tag Tag) int32 {
	r := pathRecord{parent, tag}
	n, ok := t.numbers[r]
	if !ok {
		n = int32(len(t.list))
		t.list = append(t.list, r)
		t.numbers[r] = n
	}
	return n
}

// Path returns the tag path of n. The path of a text node is that of its parent.
func (d *Document) Path(n Node) Path { return Path(d.nodes[n].path) }

// Paths returns the number of tag paths. They are numbered from 0 to Paths()-1.
func (d *Document) Paths() int { return len(d.paths.list) }

// PathName returns the tags of a path, such as "html>body>div>p". Unknown tags
// are written as "?", and the outer ones of more than 40 as "…".
func (d *Document) PathName(p Path) string {
	const most = 40
	var names []string
	for i := int32(p); d.paths.list[i].tag != Root; i = d.paths.list[i].parent {
		if len(names) == most {
			names = append(names, "…")
			break
		}
		names = append(names, cmp.Or(d.paths.list[i].tag.String(), "?"))
	}
	slices.Reverse(names)
	return strings.Join(names, ">")
}
