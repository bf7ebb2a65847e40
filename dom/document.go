package dom

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
)

// Node is the number of a node in preorder. The document is node 0.
type Node int32

// None is the answer when there is no such node.
const None Node = -1

// Document is a page after parsing and indexing. It never changes, so any
// number of goroutines may read it.
type Document struct {
	nodes []record
	sums  []prefix // one more than nodes
	src   []*html.Node
	text  string
	paths pathTable

	charset   string
	truncated bool
	flattened bool
}

// record is what the index knows of a node.
type record struct {
	parent, prev Node
	end          Node // first node after the subtree
	from, to     int32
	path         int32
	depth        int32
	tag          Tag
	flags        flag
}

type flag uint8

const (
	hidden flag = 1 << iota // not shown, or inside something that is not
	inLink                  // is or is inside <a href>
	inPre                   // is or is inside preformatted text
)

// Len is the number of nodes; they are 0 to Len()-1.
func (d *Document) Len() int { return len(d.nodes) }

// Root is the document node.
func (d *Document) Root() Node { return 0 }

// Tag tells which element n is, or Text, or Root.
func (d *Document) Tag(n Node) Tag { return d.nodes[n].tag }

// Name is the element's name, also when HTML does not know it.
func (d *Document) Name(n Node) string {
	if t := d.nodes[n].tag; t != Unknown {
		return t.String()
	}
	return d.src[n].Data
}

// IsText reports whether n is a run of text.
func (d *Document) IsText(n Node) bool { return d.nodes[n].tag == Text }

// Hidden reports whether a reader does not see n.
func (d *Document) Hidden(n Node) bool { return d.nodes[n].flags&hidden != 0 }

// InLink reports whether n is a link with a target, or inside one.
func (d *Document) InLink(n Node) bool { return d.nodes[n].flags&inLink != 0 }

// Preformatted reports whether white space counts in n.
func (d *Document) Preformatted(n Node) bool { return d.nodes[n].flags&inPre != 0 }

// Parent is None for the document.
func (d *Document) Parent(n Node) Node { return d.nodes[n].parent }

// End is the first node after the subtree of n: n's subtree is [n, End(n)).
func (d *Document) End(n Node) Node { return d.nodes[n].end }

// Depth is 0 for the document.
func (d *Document) Depth(n Node) int { return int(d.nodes[n].depth) }

// FirstChild is None for a leaf.
func (d *Document) FirstChild(n Node) Node {
	if c := n + 1; c < d.nodes[n].end {
		return c
	}
	return None
}

// Next is the next sibling, or None.
func (d *Document) Next(n Node) Node {
	p := d.nodes[n].parent
	if e := d.nodes[n].end; p != None && e < d.nodes[p].end {
		return e
	}
	return None
}

// Prev is the previous sibling, or None.
func (d *Document) Prev(n Node) Node { return d.nodes[n].prev }

// Contains reports whether n is a or stands inside a.
func (d *Document) Contains(a, n Node) bool { return a <= n && n < d.nodes[a].end }

// Children goes through the children of n in order.
func (d *Document) Children(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c, end := n+1, d.nodes[n].end; c < end; c = d.nodes[c].end {
			if !yield(c) {
				return
			}
		}
	}
}

// Ancestors goes from the parent of n up to the document.
func (d *Document) Ancestors(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for p := d.nodes[n].parent; p != None; p = d.nodes[p].parent {
			if !yield(p) {
				return
			}
		}
	}
}

// All goes through the elements of a name in the subtree of n, n included.
func (d *Document) All(n Node, t Tag) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c, end := n, d.nodes[n].end; c < end; c++ {
			if d.nodes[c].tag == t && !yield(c) {
				return
			}
		}
	}
}

// First is the first element of a name in the document, or None.
func (d *Document) First(t Tag) Node {
	for n := range d.All(0, t) {
		return n
	}
	return None
}

// Closest is the nearest of n and its ancestors with one of the tags, or None.
func (d *Document) Closest(n Node, ts ...Tag) Node {
	for ; n != None; n = d.nodes[n].parent {
		for _, t := range ts {
			if d.nodes[n].tag == t {
				return n
			}
		}
	}
	return None
}

// CommonAncestor is the deepest node that contains both.
func (d *Document) CommonAncestor(a, b Node) Node {
	for !d.Contains(a, b) {
		a = d.nodes[a].parent
	}
	return a
}

// Text is what a reader sees of n: white space folded, a line a row. It is a
// slice of the document's text.
func (d *Document) Text(n Node) string {
	r := &d.nodes[n]
	return strings.TrimSpace(d.text[r.from:r.to])
}

// Span is where the text of n stands in AllText, separators at its ends included.
func (d *Document) Span(n Node) (from, to int) {
	r := &d.nodes[n]
	return int(r.from), int(r.to)
}

// AllText is the whole text that a reader sees.
func (d *Document) AllText() string { return d.text }

// Attr is the value of an attribute. Keys are in lower case.
func (d *Document) Attr(n Node, key string) (string, bool) {
	if t := d.nodes[n].tag; t == Text || t == Root {
		return "", false
	}
	return attr(d.src[n], key)
}

// AttrOr is the value of an attribute, or empty.
func (d *Document) AttrOr(n Node, key string) string {
	v, _ := d.Attr(n, key)
	return v
}

// Attrs goes through the attributes of n in the order of the page.
func (d *Document) Attrs(n Node) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if t := d.nodes[n].tag; t == Text || t == Root {
			return
		}
		for i := range d.src[n].Attr {
			if a := &d.src[n].Attr[i]; !yield(a.Key, a.Val) {
				return
			}
		}
	}
}

// HasClass reports whether the class attribute of n holds the word.
func (d *Document) HasClass(n Node, class string) bool {
	for w := range strings.FieldsSeq(d.AttrOr(n, "class")) {
		if w == class {
			return true
		}
	}
	return false
}

// Raw is the text below n as it stands in the source, hidden or not, shown or
// not: the words of <title>, the code of <script>, the markup in <noscript>.
func (d *Document) Raw(n Node) string { return rawText(d.src[n]) }

// Charset is the encoding that the page was read in.
func (d *Document) Charset() string { return d.charset }

// Truncated reports whether a limit cut the page off before its end.
func (d *Document) Truncated() bool { return d.truncated }

// Flattened reports whether the page was nested deeper than can be parsed and
// lost some of its containers, but none of its text, for that.
func (d *Document) Flattened() bool { return d.flattened }
