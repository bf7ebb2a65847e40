package markup

import (
	"iter"
	"slices"
	"unsafe"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Tree is a parsed page. Its nodes and attributes are in two slices, and refer to each
// other and to the page by numbers. This takes a third of the memory of the nodes of
// x/net, and the garbage collector has nothing to look for in it.
type Tree struct {
	Shown int // number of nodes without comments and blank text
	// Truncated reports that the page has more nodes than Options.MaxNodes.
	Truncated bool

	nodes      []Node // the first is none
	attrs      []Attr // of all nodes
	page       string
	changed    []byte   // texts that differ from the page
	names      []string // rare names of elements and attributes
	numbers    map[string]uint32
	namespaces map[int]string // of the few attributes that have one, by their number
}

// Ref is the number of a node in its tree.
type Ref int32

const (
	None Ref = iota // no node
	Root            // the document
)

// Node is a node of a tree. See [html.Node].
type Node struct {
	Parent, FirstChild, LastChild, PrevSibling, NextSibling Ref

	atom  atom.Atom // the name of an element or a doctype, see Tree.atom
	span  span      // of a text or comment: where it is; else its attributes
	Type  Type
	ns    namespace // of an element
	Blank bool      // a text that is known to be only white space
}

// Type is an [html.NodeType].
type Type uint8

const (
	TextNode     = Type(html.TextNode)
	DocumentNode = Type(html.DocumentNode)
	ElementNode  = Type(html.ElementNode)
	CommentNode  = Type(html.CommentNode)
	DoctypeNode  = Type(html.DoctypeNode)
)

// Attr is an attribute of an element.
type Attr struct {
	Key   Key
	value span
}

// span is a range: of the bytes of the page and then Tree.changed, or of the
// attributes of the tree.
type span struct{ from, to uint32 }

func (s span) empty() bool { return s.from == s.to }

// namespace is that of an element.
type namespace uint8

const (
	inHTML namespace = iota
	inSVG
	inMathML
	inOther // only in trees that were parsed elsewhere
)

func (s namespace) String() string { return [...]string{"", "svg", "math", ""}[s] }

// IsHTML reports whether an element is one of HTML, or <svg> or <math>, but not inside
// these.
func (n *Node) IsHTML() bool {
	return n.ns == inHTML || n.ns == inSVG && n.atom == atom.Svg || n.ns == inMathML && n.atom == atom.Math
}

// Atom returns the name of an element, or 0 if it is no atom.
func (n *Node) Atom() atom.Atom {
	if n.atom&notAtom != 0 {
		return 0
	}
	return n.atom
}

// isText reports whether a node has a text, and no name and attributes.
func (n *Node) isText() bool { return n.Type == TextNode || n.Type == CommentNode }

// Node returns a node, which must not be changed.
func (t *Tree) Node(n Ref) *Node { return &t.nodes[n] }

// Data returns the text of a text or comment, or the name of another node.
func (t *Tree) Data(n Ref) string {
	node := &t.nodes[n]
	if node.isText() {
		return t.textAt(node.span)
	}
	return t.name(node.atom)
}

func (t *Tree) textAt(s span) string {
	if int(s.to) <= len(t.page) {
		return t.page[s.from:s.to]
	}
	b := t.changed[int(s.from)-len(t.page) : int(s.to)-len(t.page)]
	return unsafe.String(unsafe.SliceData(b), len(b)) // these bytes do not change any more
}

// Attrs returns the attributes of a node, which must not be changed.
func (t *Tree) Attrs(n Ref) []Attr {
	node := &t.nodes[n]
	if node.isText() {
		return nil
	}
	return t.attrsIn(node.span)
}

func (t *Tree) attrsIn(s span) []Attr { return t.attrs[s.from:s.to:s.to] }

// Value returns the value of an attribute.
func (t *Tree) Value(a *Attr) string { return t.textAt(a.value) }

// Attr returns the value of an attribute, and whether there is one.
func (t *Tree) Attr(n Ref, key string) (value string, ok bool) {
	return t.find(t.Attrs(n), key)
}

func (t *Tree) find(attrs []Attr, key string) (value string, ok bool) {
	for i := range attrs {
		if a := &attrs[i]; t.Key(a.Key) == key {
			return t.Value(a), true
		}
	}
	return "", false
}

// add adds a node to the tree, without a place in it.
func (t *Tree) add(n Node) Ref {
	if len(t.nodes) == cap(t.nodes) {
		t.nodes = slices.Grow(t.nodes, max(len(t.nodes), 1024)) // append would copy more often
	}
	t.nodes = append(t.nodes, n)
	return Ref(len(t.nodes) - 1)
}

// addLast adds a node as the last child of parent.
func (t *Tree) addLast(parent Ref, n Node) Ref {
	r := t.add(n)
	t.appendTo(parent, r)
	return r
}

// appendTo makes a node without a place the last child of parent.
func (t *Tree) appendTo(parent, n Ref) {
	to, from := &t.nodes[parent], &t.nodes[n]
	if from.PrevSibling = to.LastChild; from.PrevSibling != None {
		t.nodes[from.PrevSibling].NextSibling = n
	} else {
		to.FirstChild = n
	}
	to.LastChild = n
	from.Parent = parent
}

// insertBefore makes a node without a place a child of parent: the one before
// another, or the last if that is None.
func (t *Tree) insertBefore(parent, n, before Ref) {
	if before == None {
		t.appendTo(parent, n)
		return
	}
	from, next := &t.nodes[n], &t.nodes[before]
	from.Parent, from.PrevSibling, from.NextSibling = parent, next.PrevSibling, before
	if next.PrevSibling != None {
		t.nodes[next.PrevSibling].NextSibling = n
	} else {
		t.nodes[parent].FirstChild = n
	}
	next.PrevSibling = n
}

// detach takes a node out of its place, if it has one.
func (t *Tree) detach(n Ref) {
	from := &t.nodes[n]
	if from.Parent == None {
		return
	}
	if from.PrevSibling != None {
		t.nodes[from.PrevSibling].NextSibling = from.NextSibling
	} else {
		t.nodes[from.Parent].FirstChild = from.NextSibling
	}
	if from.NextSibling != None {
		t.nodes[from.NextSibling].PrevSibling = from.PrevSibling
	} else {
		t.nodes[from.Parent].LastChild = from.PrevSibling
	}
	from.Parent, from.PrevSibling, from.NextSibling = None, None, None
}

// moveChildren makes the children of a node those of another, which has none.
func (t *Tree) moveChildren(from, to Ref) {
	a, b := &t.nodes[from], &t.nodes[to]
	b.FirstChild, b.LastChild = a.FirstChild, a.LastChild
	a.FirstChild, a.LastChild = None, None
	for n := b.FirstChild; n != None; n = t.nodes[n].NextSibling {
		t.nodes[n].Parent = to
	}
}

// following returns the node after n in the subtree of root, in tree order, or None.
// If inside is not set, it leaves out what is in n.
func (t *Tree) following(n, root Ref, inside bool) Ref {
	if first := t.nodes[n].FirstChild; inside && first != None {
		return first
	}
	for n != root && t.nodes[n].NextSibling == None {
		n = t.nodes[n].Parent
	}
	if n == root {
		return None
	}
	return t.nodes[n].NextSibling
}

// Preorder iterates over the nodes of a subtree in tree order.
func (t *Tree) Preorder(root Ref) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		for n := root; n != None && yield(n); n = t.following(n, root, true) {
		}
	}
}

// HTML returns the nodes of the tree as those of x/net, by their numbers.
func (t *Tree) HTML() []*html.Node {
	out, nodes := make([]*html.Node, len(t.nodes)), make([]html.Node, len(t.nodes))
	for n := range t.Preorder(Root) {
		from, to := &t.nodes[n], &nodes[n]
		to.Type, to.Data = html.NodeType(from.Type), t.Data(n)
		if from.Type == ElementNode {
			to.DataAtom, to.Namespace = from.Atom(), from.ns.String()
		}
		for i, a := range t.Attrs(n) {
			key := html.Attribute{Namespace: t.namespaces[int(from.span.from)+i], Key: t.Key(a.Key), Val: t.Value(&a)}
			to.Attr = append(to.Attr, key)
		}
		if out[n] = to; n != Root {
			out[from.Parent].AppendChild(to)
		}
	}
	return out
}

// FromHTML returns the tree of a node that was parsed elsewhere, and its nodes by their
// numbers. The node is Root, and it has the parents that it has there.
func FromHTML(root *html.Node) (t *Tree, nodes []*html.Node) {
	t, nodes = &Tree{}, []*html.Node{nil}
	t.add(Node{}) // None
	add := func(n *html.Node) Ref {
		nodes = append(nodes, n)
		return t.add(t.fromHTML(n))
	}
	at := add(root)
	for n := range root.Descendants() {
		for nodes[at] != n.Parent {
			at = t.nodes[at].Parent
		}
		child := add(n)
		t.appendTo(at, child)
		at = child
	}
	below := Root
	for n := range root.Ancestors() {
		above := add(n)
		t.nodes[below].Parent = above
		below = above
	}
	t.Shown = len(t.nodes) - 1
	return t, nodes
}

// fromHTML copies a node, and what it refers to, into the tree.
func (t *Tree) fromHTML(n *html.Node) Node {
	node := Node{Type: Type(n.Type), ns: inOther}
	if node.isText() {
		node.span = t.keep(n.Data)
		return node
	}
	if node.atom = n.DataAtom; node.atom == 0 && n.Data != "" {
		node.atom = notAtom | atom.Atom(t.number(n.Data)) // even if it could be an atom
	}
	switch n.Namespace {
	case inHTML.String():
		node.ns = inHTML
	case inSVG.String():
		node.ns = inSVG
	case inMathML.String():
		node.ns = inMathML
	}
	mark := len(t.attrs)
	for _, a := range n.Attr {
		t.attrs = append(t.attrs, Attr{t.key(a.Key), t.keep(a.Val)})
	}
	node.span = t.attrsFrom(mark)
	return node
}

// attrsFrom returns the span of the attributes from a number on.
func (t *Tree) attrsFrom(mark int) span { return span{uint32(mark), uint32(len(t.attrs))} }

// keep copies a text into the tree.
func (t *Tree) keep(s string) span {
	mark := len(t.changed)
	t.changed = append(t.changed, s...)
	return t.changedFrom(mark)
}

// changedFrom returns the span of the changed text from an offset on.
func (t *Tree) changedFrom(mark int) span {
	return span{uint32(len(t.page) + mark), uint32(len(t.page) + len(t.changed))}
}
