package browser

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
)

// tree is the tree of a document for Chromium: all of its nodes, and the white
// space between them, which affects the layout.
type tree struct {
	doctype string
	ops     []any // for build.js
	nodes   []treeNode
}

// treeNode is a node of a tree, in document order.
type treeNode struct {
	id     dom.Node // None for white space
	parent int32    // index in nodes, or -1
	name   string   // of an element
	text   string   // of a text
}

// treeBuilder walks the tree of the parser and the nodes of the document in
// parallel.
type treeBuilder struct {
	tree
	doc     *dom.Document
	next    dom.Node // first node not yet visited
	network bool     // whether URLs that are loaded are in the tree
}

// newTree returns the tree of a document. With network, it includes URLs that are
// loaded.
func newTree(doc *dom.Document, network bool) *tree {
	b := &treeBuilder{doc: doc, next: 1, network: network}
	for c := range doc.HTML(doc.Root()).ChildNodes() {
		if c.Type == html.DoctypeNode {
			var s strings.Builder
			if html.Render(&s, c) == nil { // decides between quirks and standards mode
				b.doctype = s.String()
			}
		}
		if c.Type == html.ElementNode {
			b.add(c, -1)
			break // a document has one root element
		}
	}
	return &b.tree
}

// add adds a subtree without recursion.
func (b *treeBuilder) add(top *html.Node, parent int32) {
	n := top
	for {
		at, descend := b.enter(n, parent)
		if descend && n.FirstChild != nil {
			n, parent = n.FirstChild, at
			continue
		}
		if at >= 0 {
			b.close()
		}
		for n != top && n.NextSibling == nil {
			n = n.Parent
			parent = b.nodes[parent].parent
			b.close()
		}
		if n == top {
			return
		}
		n = n.NextSibling
	}
}

// enter adds one node. It returns its index, if it is an element, and whether to
// add its children.
func (b *treeBuilder) enter(n *html.Node, parent int32) (at int32, descend bool) {
	id := dom.None
	if b.next < dom.Node(b.doc.Len()) && b.doc.HTML(b.next) == n {
		id = b.next
		b.next++
	}
	switch n.Type {
	case html.TextNode:
		// Text beyond the limits of the document is left out.
		if n.Data != "" && (id != dom.None || strings.Trim(n.Data, space) == "") {
			b.text(parent, id, n.Data)
		}
		return -1, false
	case html.ElementNode:
		if id == dom.None {
			return -1, false
		}
		at = b.open(parent, id, qualified(n), b.attributes(n))
		if n.Data == "style" && n.Namespace == "" {
			b.text(at, dom.None, b.doc.Raw(id))
			return at, false
		}
		// Elements without nodes in the document show no text: scripts, drawings,
		// templates.
		return at, b.doc.End(id) > id+1 || blankOnly(n)
	}
	return -1, false
}

const space = " \t\n\r\f"

// blankOnly reports whether an element contains nothing but white space.
func blankOnly(n *html.Node) bool {
	c := n.FirstChild
	return c != nil && c.NextSibling == nil && c.Type == html.TextNode && strings.Trim(c.Data, space) == ""
}

func (b *treeBuilder) open(parent int32, id dom.Node, name string, attrs []string) int32 {
	_, local, ok := strings.Cut(name, " ")
	if !ok {
		local = name
	}
	b.nodes = append(b.nodes, treeNode{id: id, parent: parent, name: local})
	b.ops = append(b.ops, append([]string{name}, attrs...))
	return int32(len(b.nodes) - 1)
}

func (b *treeBuilder) text(parent int32, id dom.Node, s string) {
	if s == "" {
		return
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	b.nodes = append(b.nodes, treeNode{id: id, parent: parent, text: s})
	b.ops = append(b.ops, s)
}

func (b *treeBuilder) close() { b.ops = append(b.ops, 0) }

// qualified returns the name of an element, after its namespace if it is not HTML.
func qualified(n *html.Node) string {
	if n.Namespace == "" {
		return n.Data
	}
	return n.Namespace + " " + n.Data
}

// maxValue is the longest attribute value in bytes. Longer ones are data for
// scripts.
const maxValue = 1 << 10

// attributes returns the names and values of the attributes, alternating: those
// that style sheets select by and that set the size of an element, but none that
// has an effect.
func (b *treeBuilder) attributes(n *html.Node) []string {
	var list []string
	for i := range n.Attr {
		a := &n.Attr[i]
		key, val := a.Key, a.Val
		if a.Namespace != "" || b.omits(n.Data, key) {
			continue
		}
		if len(val) > maxValue && !slices.Contains([]string{"style", "class", "src", "srcset", "href"}, key) {
			val = ""
		}
		list = append(list, key, strings.ToValidUTF8(val, "\uFFFD"))
	}
	if n.Data == "template" && isShadowRoot(n) {
		// Browsers show the contents in its place.
		list = append(list, "style", "display:contents")
	}
	return list
}

// omits reports whether an attribute is left out, because it has an effect: it runs a
// script, loads a file, opens a page or takes the focus. With network, style sheets
// and pictures are loaded, but never frames, players and scripts.
func (b *treeBuilder) omits(element, key string) bool {
	picture := element == "img" || element == "source"
	switch key {
	case "href":
		return element == "link" && !b.network // links, areas and <base> load nothing
	case "src", "srcset", "imagesrcset":
		return !picture || !b.network
	case "alt", "sizes":
		return picture && !b.network // the alternative text would take the place of the picture
	case "background":
		return !b.network
	case "srcdoc", "data", "poster", "codebase", "classid", "manifest", "ping", "autofocus", "autoplay", "http-equiv", "nonce", "integrity":
		return true
	}
	return strings.HasPrefix(key, "on")
}

func isShadowRoot(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "shadowrootmode" || a.Key == "shadowroot" })
}
