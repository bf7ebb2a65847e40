package markup

import (
	"iter"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Tree is a parsed page. Its nodes and attributes are in two slices and refer to each
// other by numbers, which takes half of the memory of the nodes of x/net, and no time
// of the garbage collector.
type Tree struct {
	Shown int // number of nodes without comments and blank text
	Text  int // bytes of text that is neither blank nor raw

	nodes      []Node         // the first is none
	attrs      []Attr         // of all nodes
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

	Type  html.NodeType
	Atom  atom.Atom
	ns    namespace // of an element
	Data  string
	attrs attrRange
}

// Attr is an attribute of an element.
type Attr struct{ Key, Val string }

// attrRange are the attributes of a node: a range of those of the tree.
type attrRange struct{ from, to int32 }

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
func (n *Node) IsHTML() bool { return n.ns == inHTML || n.ns != inOther && n.ns.String() == n.Data }

// Node returns a node, which must not be changed.
func (t *Tree) Node(n Ref) *Node { return &t.nodes[n] }

// Attrs returns the attributes of a node, which must not be changed.
func (t *Tree) Attrs(n Ref) []Attr { return t.attrsIn(t.nodes[n].attrs) }

func (t *Tree) attrsIn(r attrRange) []Attr { return t.attrs[r.from:r.to:r.to] }

// Attr returns the value of an attribute, and whether there is one.
func (t *Tree) Attr(n Ref, key string) (value string, ok bool) {
	attrs := t.Attrs(n)
	for i := range attrs {
		if attrs[i].Key == key {
			return attrs[i].Val, true
		}
	}
	return "", false
}

// add adds a node to the tree, without a place in it.
func (t *Tree) add(n Node) Ref {
	t.nodes = append(t.nodes, n)
	return Ref(len(t.nodes) - 1)
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
	for i := range nodes[Root:] {
		out[Root+Ref(i)] = &nodes[Root+Ref(i)]
	}
	for i := range nodes[Root:] {
		n := Root + Ref(i)
		from, to := &t.nodes[n], &nodes[n]
		to.Parent, to.FirstChild, to.LastChild = out[from.Parent], out[from.FirstChild], out[from.LastChild]
		to.PrevSibling, to.NextSibling = out[from.PrevSibling], out[from.NextSibling]
		to.Type, to.DataAtom, to.Data, to.Namespace = from.Type, from.Atom, from.Data, from.ns.String()
		if from.attrs.from < from.attrs.to {
			to.Attr = make([]html.Attribute, 0, from.attrs.to-from.attrs.from)
		}
		for k := from.attrs.from; k < from.attrs.to; k++ {
			to.Attr = append(to.Attr, html.Attribute{Namespace: t.namespaces[int(k)], Key: t.attrs[k].Key, Val: t.attrs[k].Val})
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
		from := len(t.attrs)
		for _, a := range n.Attr {
			t.attrs = append(t.attrs, Attr{a.Key, a.Val})
		}
		ns := inOther
		switch n.Namespace {
		case inHTML.String():
			ns = inHTML
		case inSVG.String():
			ns = inSVG
		case inMathML.String():
			ns = inMathML
		}
		nodes = append(nodes, n)
		return t.add(Node{Type: n.Type, Atom: n.DataAtom, Data: n.Data, ns: ns, attrs: attrRange{int32(from), int32(len(t.attrs))}})
	}
	at := add(root)
	for n := root; ; {
		switch {
		case n.FirstChild != nil:
			n = n.FirstChild
			c := add(n)
			t.appendTo(at, c)
			at = c
			continue
		case n == root:
		default:
			for n != root && n.NextSibling == nil {
				n, at = n.Parent, t.nodes[at].Parent
			}
		}
		if n == root {
			break
		}
		n, at = n.NextSibling, t.nodes[at].Parent
		c := add(n)
		t.appendTo(at, c)
		at = c
	}
	below := Root
	for n := root.Parent; n != nil; n = n.Parent {
		a := add(n)
		t.nodes[below].Parent = a
		below = a
	}
	for i := range t.nodes[Root:] {
		if n := &t.nodes[Root+Ref(i)]; n.Type == html.TextNode {
			t.Text += len(n.Data)
		}
	}
	t.Shown = len(t.nodes) - 1
	return t, nodes
}
