package dom

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/page/markup"
)

// Node is the number of a node in preorder. The document itself is node 0. The
// methods of [Document] panic if a node is out of range.
type Node int32

// None means that there is no such node.
const None Node = -1

// Document is a parsed and indexed page. It is immutable and safe for
// concurrent use.
type Document struct {
	nodes   []record
	sums    []prefix // one more than nodes
	tree    *markup.Tree
	src     []markup.Ref // in the tree
	html    htmlNodes
	text    string
	paths   pathTable
	classes classTable

	charset   string
	size      int // of the page in bytes
	truncated bool
}

// record has the properties of a node.
type record struct {
	parent, prev Node
	end          Node // first node after the subtree
	from, to     int32
	path         int32
	depth        int32
	tag          Tag
	flags        flag
	class        uint16
}

type flag uint8

const (
	hidden flag = 1 << iota // is hidden, or inside a hidden element
	inLink                  // is <a href>, or inside one
	inPre                   // is preformatted, or inside preformatted text
)

// Len returns the number of nodes. They are numbered from 0 to Len()-1.
func (d *Document) Len() int { return len(d.nodes) }

// Root returns the document node, which is 0.
func (d *Document) Root() Node { return 0 }

// Tag returns the element name of n as a constant, or Text, or Root.
func (d *Document) Tag(n Node) Tag { return d.nodes[n].tag }

// Name returns the element name of n, even if its tag is Unknown.
func (d *Document) Name(n Node) string {
	if t := d.nodes[n].tag; t != Unknown {
		return t.String()
	}
	return d.tree.Data(d.src[n])
}

// IsText reports whether n is a text node.
func (d *Document) IsText(n Node) bool { return d.nodes[n].tag == Text }

// Hidden reports whether n is hidden from the reader.
func (d *Document) Hidden(n Node) bool { return d.nodes[n].flags&hidden != 0 }

// InLink reports whether n is an <a href>, or inside one.
func (d *Document) InLink(n Node) bool { return d.nodes[n].flags&inLink != 0 }

// Preformatted reports whether white space is significant in n.
func (d *Document) Preformatted(n Node) bool { return d.nodes[n].flags&inPre != 0 }

// Parent returns the parent of n, or None for the document.
func (d *Document) Parent(n Node) Node { return d.nodes[n].parent }

// End returns the first node after the subtree of n: the subtree is the range
// from n up to, but not including, End(n).
func (d *Document) End(n Node) Node { return d.nodes[n].end }

// Depth returns the number of ancestors of n.
func (d *Document) Depth(n Node) int { return int(d.nodes[n].depth) }

// FirstChild returns the first child of n, or None.
func (d *Document) FirstChild(n Node) Node {
	if c := n + 1; c < d.nodes[n].end {
		return c
	}
	return None
}

// Next returns the next sibling of n, or None.
func (d *Document) Next(n Node) Node {
	p := d.nodes[n].parent
	if e := d.nodes[n].end; p != None && e < d.nodes[p].end {
		return e
	}
	return None
}

// Prev returns the previous sibling of n, or None.
func (d *Document) Prev(n Node) Node { return d.nodes[n].prev }

// Contains reports whether n is a, or inside a.
func (d *Document) Contains(a, n Node) bool { return a <= n && n < d.nodes[a].end }

// Children iterates over the children of n in document order.
func (d *Document) Children(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c, end := n+1, d.nodes[n].end; c < end; c = d.nodes[c].end {
			if !yield(c) {
				return
			}
		}
	}
}

// Ancestors iterates over the ancestors of n, from its parent to the document.
func (d *Document) Ancestors(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for p := d.nodes[n].parent; p != None; p = d.nodes[p].parent {
			if !yield(p) {
				return
			}
		}
	}
}

// All iterates over the nodes with a tag in the subtree of n, including n.
func (d *Document) All(n Node, t Tag) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c, end := n, d.nodes[n].end; c < end; c++ {
			if d.nodes[c].tag == t && !yield(c) {
				return
			}
		}
	}
}

// First returns the first node with a tag in the document, or None.
func (d *Document) First(t Tag) Node {
	for n := range d.All(0, t) {
		return n
	}
	return None
}

// Closest returns the nearest of n and its ancestors that has one of the tags, or
// None.
func (d *Document) Closest(n Node, tags ...Tag) Node {
	for n != None && !slices.Contains(tags, d.nodes[n].tag) {
		n = d.nodes[n].parent
	}
	return n
}

// CommonAncestor returns the deepest node that contains both a and b.
func (d *Document) CommonAncestor(a, b Node) Node {
	for !d.Contains(a, b) {
		a = d.nodes[a].parent
	}
	return a
}

// Text returns the text of n as a reader sees it. White space is collapsed, and
// each block or line break begins a new line. It is a substring of AllText.
func (d *Document) Text(n Node) string {
	r := &d.nodes[n]
	return strings.TrimSpace(d.text[r.from:r.to])
}

// Span returns the offsets of the text of n in AllText. Unlike Text, the span may
// begin and end with separators.
func (d *Document) Span(n Node) (from, to int) {
	r := &d.nodes[n]
	return int(r.from), int(r.to)
}

// AllText returns the text of the whole document as a reader sees it.
func (d *Document) AllText() string { return d.text }

// Attr returns the value of an attribute of n, or "" if it is not set. The key
// must be in lower case.
func (d *Document) Attr(n Node, key string) string {
	v, _ := d.LookupAttr(n, key)
	return v
}

// LookupAttr returns the value of an attribute of n and whether it is set. The
// key must be in lower case.
func (d *Document) LookupAttr(n Node, key string) (string, bool) {
	if t := d.nodes[n].tag; t == Text || t == Root {
		return "", false
	}
	return d.tree.Attr(d.src[n], key)
}

// Attrs iterates over the attributes of n in the order of the page.
func (d *Document) Attrs(n Node) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if t := d.nodes[n].tag; t == Text || t == Root {
			return
		}
		attrs := d.tree.Attrs(d.src[n])
		for i := range attrs {
			if a := &attrs[i]; !yield(d.tree.Key(a.Key), d.tree.Value(a)) {
				return
			}
		}
	}
}

// HasClass reports whether n has a class.
func (d *Document) HasClass(n Node, class string) bool {
	for c := range strings.FieldsSeq(d.Attr(n, "class")) {
		if c == class {
			return true
		}
	}
	return false
}

// Raw returns the source text inside n, whether it is hidden or not: for example
// the code of a <script> or the markup in a <noscript>.
func (d *Document) Raw(n Node) string {
	t, ref := d.tree, d.src[n]
	if first := t.Node(ref).FirstChild; first != markup.None && first == t.Node(ref).LastChild {
		ref = first // mostly a text, which need not be copied
	}
	if t.Node(ref).Type == markup.TextNode {
		return t.Data(ref)
	}
	var b strings.Builder
	for c := range t.Preorder(ref) {
		if t.Node(c).Type == markup.TextNode {
			b.WriteString(t.Data(c))
		}
	}
	return b.String()
}

// HTML returns the node of package html for n, for use with goquery and
// similar packages. It belongs to the document: clone it before changing it. The first
// call makes the nodes of the whole page.
func (d *Document) HTML(n Node) *html.Node {
	d.html.once.Do(func() {
		if d.html.nodes == nil {
			d.html.nodes = d.tree.HTML()
		}
	})
	return d.html.nodes[d.src[n]]
}

// htmlNodes are the nodes of the tree for other packages.
type htmlNodes struct {
	once  sync.Once
	nodes []*html.Node // by markup.Ref; made when they are first asked for
}

// Charset returns the charset that the page was decoded from.
func (d *Document) Charset() string { return d.charset }

// Size returns the number of bytes of the page that was parsed, or 0 if the document
// was made from a tree.
func (d *Document) Size() int { return d.size }

// Truncated reports whether the page was cut off at Limits.Nodes.
func (d *Document) Truncated() bool { return d.truncated }
