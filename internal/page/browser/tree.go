package browser

import (
	"encoding/json"
	"strings"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
)

// tree is the tree of a document for Chromium: all of its nodes, and the white
// space between them, which affects the layout.
type tree struct {
	doctype string
	ops     []byte // JSON, for build.js
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
	b.nodes = make([]treeNode, 0, doc.Len()*3/2)
	b.ops = append(make([]byte, 0, 64*doc.Len()), '[')
	root := doc.HTML(doc.Root())
	switch {
	case root.Type != html.DocumentNode:
		// The document is part of a page.
		b.doctype = "<!DOCTYPE html>"
		b.open(-1, dom.None, "html", nil)
		b.open(0, dom.None, "body", nil)
		b.add(root, 1)
		b.close()
		b.close()
	default:
		for c := root.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.DoctypeNode {
				b.doctype = doctype(c)
			}
			if c.Type == html.ElementNode {
				b.add(c, -1)
				break // a document has one root element
			}
		}
	}
	if last := len(b.ops) - 1; b.ops[last] == ',' {
		b.ops = b.ops[:last]
	}
	b.ops = append(b.ops, ']')
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
	b.ops = append(b.ops, '[')
	b.string(name)
	for _, s := range attrs {
		b.ops = append(b.ops, ',')
		b.string(s)
	}
	b.ops = append(b.ops, "],"...)
	return int32(len(b.nodes) - 1)
}

func (b *treeBuilder) text(parent int32, id dom.Node, s string) {
	if s == "" {
		return
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	b.nodes = append(b.nodes, treeNode{id: id, parent: parent, text: s})
	b.string(s)
	b.ops = append(b.ops, ',')
}

func (b *treeBuilder) close() { b.ops = append(b.ops, "0,"...) }

// string writes a JSON string, with a fast path for text without escapes.
func (b *treeBuilder) string(s string) {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			plain = false
			break
		}
	}
	if plain {
		b.ops = append(b.ops, '"')
		b.ops = append(b.ops, s...)
		b.ops = append(b.ops, '"')
		return
	}
	quoted, _ := json.Marshal(s) // a string cannot fail
	b.ops = append(b.ops, quoted...)
}

// qualified returns the name of an element, after its namespace if it is not HTML.
func qualified(n *html.Node) string {
	if n.Namespace == "" {
		return n.Data
	}
	return n.Namespace + " " + n.Data
}

// doctype returns the doctype of the page, which decides between quirks and
// standards mode.
func doctype(n *html.Node) string {
	var public, system *string
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "public":
			public = &a.Val
		case "system":
			system = &a.Val
		}
	}
	quote := func(s string) string {
		return ` "` + strings.NewReplacer(`"`, "", ">", "").Replace(s) + `"`
	}
	s := "<!DOCTYPE " + strings.Map(func(r rune) rune {
		if r == '>' || r <= ' ' {
			return -1
		}
		return r
	}, n.Data)
	switch {
	case public != nil:
		s += " PUBLIC" + quote(*public)
		if system != nil {
			s += quote(*system)
		}
	case system != nil:
		s += " SYSTEM" + quote(*system)
	}
	return s + ">"
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
		if a.Namespace != "" || b.acts(n.Data, key) {
			continue
		}
		if len(val) > maxValue && key != "style" && key != "class" && !b.loads(n.Data, key) {
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

// acts reports whether an attribute has an effect: runs a script, loads a file,
// opens a page or takes the focus.
func (b *treeBuilder) acts(element, key string) bool {
	switch key {
	case "src", "srcset", "href", "background", "sizes", "alt", "imagesrcset":
		return !b.keeps(element, key)
	case "srcdoc", "data", "poster", "codebase", "classid", "manifest", "ping", "autofocus", "autoplay", "http-equiv", "nonce", "integrity":
		return true
	}
	return strings.HasPrefix(key, "on")
}

// keeps reports whether a URL is in the tree.
func (b *treeBuilder) keeps(element, key string) bool {
	switch {
	case key == "href":
		return element != "link" || b.network // links, areas and <base> load nothing
	case element == "img" || element == "source":
		// Without network, the alternative text would take the place of the picture.
		return b.network
	case key == "src" || key == "srcset" || key == "imagesrcset":
		return false // frames, players and scripts are never loaded
	case key == "background":
		return b.network
	}
	return true
}

// loads reports whether a value is a URL that is loaded.
func (b *treeBuilder) loads(element, key string) bool {
	return b.network && (key == "src" || key == "srcset" || key == "href")
}

func isShadowRoot(n *html.Node) bool {
	for i := range n.Attr {
		if k := n.Attr[i].Key; k == "shadowrootmode" || k == "shadowroot" {
			return true
		}
	}
	return false
}
