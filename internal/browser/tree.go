package browser

import (
	"encoding/json"
	"strings"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
)

// tree is a document as it is handed to Chromium: all of its nodes, and the
// white space between them, which takes room although nobody counts it.
type tree struct {
	doctype string
	ops     []byte // JSON, for plant.js
	nodes   []planted
}

// planted is a node that Chromium must have, in the order of the page.
type planted struct {
	id     dom.Node // None for what the document does not count
	parent int32    // place in nodes, -1 for the topmost
	name   string   // of an element, as the parser has it
	text   string   // of a text
}

// gardener walks the tree of the parser and the numbers of the document side
// by side.
type gardener struct {
	tree
	doc   *dom.Document
	next  dom.Node // the first node not met yet
	rules rules
}

// uproot takes the tree out of a document. With network, it keeps what would be
// loaded.
func uproot(doc *dom.Document, network bool) *tree {
	g := &gardener{doc: doc, next: 1, rules: rules{network: network}}
	g.nodes = make([]planted, 0, doc.Len()*3/2)
	g.ops = append(make([]byte, 0, 64*doc.Len()), '[')
	root := doc.HTML(doc.Root())
	switch {
	case root.Type != html.DocumentNode:
		// A part of a page that somebody handed to the document.
		g.doctype = "<!DOCTYPE html>"
		g.open(-1, dom.None, "html", nil)
		g.open(0, dom.None, "body", nil)
		g.add(root, 1)
		g.close()
		g.close()
	default:
		for c := root.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.DoctypeNode {
				g.doctype = doctype(c)
			}
			if c.Type == html.ElementNode {
				g.add(c, -1)
				break // a document has one root, and so has Chromium's
			}
		}
	}
	if last := len(g.ops) - 1; g.ops[last] == ',' {
		g.ops = g.ops[:last]
	}
	g.ops = append(g.ops, ']')
	return &g.tree
}

// add hands a node over with all that is below it. It needs no recursion: the
// parser's nodes know their parents.
func (g *gardener) add(top *html.Node, parent int32) {
	n := top
	for {
		at, descend := g.enter(n, parent)
		if descend && n.FirstChild != nil {
			n, parent = n.FirstChild, at
			continue
		}
		if at >= 0 {
			g.close()
		}
		for n != top && n.NextSibling == nil {
			n = n.Parent
			parent = g.nodes[parent].parent
			g.close()
		}
		if n == top {
			return
		}
		n = n.NextSibling
	}
}

// enter hands one node over and says where it is, if it is an element, and
// whether to go into it.
func (g *gardener) enter(n *html.Node, parent int32) (at int32, descend bool) {
	id := dom.None
	if g.next < dom.Node(g.doc.Len()) && g.doc.HTML(g.next) == n {
		id = g.next
		g.next++
	}
	switch n.Type {
	case html.TextNode:
		// What a limit of the document has cut off is not handed over.
		if n.Data != "" && (id != dom.None || strings.Trim(n.Data, space) == "") {
			g.text(parent, id, n.Data)
		}
		return -1, false
	case html.ElementNode:
		if id == dom.None {
			return -1, false
		}
		at = g.open(parent, id, qualified(n), g.rules.attributes(n))
		if n.Data == "style" && n.Namespace == "" {
			g.text(at, dom.None, g.doc.Raw(id))
			return at, false
		}
		// Where the document does not go, there is nothing to be seen: code,
		// drawings, templates.
		return at, g.doc.End(id) > id+1 || blankOnly(n)
	}
	return -1, false
}

const space = " \t\n\r\f"

// blankOnly reports whether an element holds a single space and the like, such
// as the one between two words that stands in an element of its own.
func blankOnly(n *html.Node) bool {
	c := n.FirstChild
	return c != nil && c.NextSibling == nil && c.Type == html.TextNode && strings.Trim(c.Data, space) == ""
}

func (g *gardener) open(parent int32, id dom.Node, name string, attrs []string) int32 {
	_, local, ok := strings.Cut(name, " ")
	if !ok {
		local = name
	}
	g.nodes = append(g.nodes, planted{id: id, parent: parent, name: local})
	g.ops = append(g.ops, '[')
	g.string(name)
	for _, s := range attrs {
		g.ops = append(g.ops, ',')
		g.string(s)
	}
	g.ops = append(g.ops, "],"...)
	return int32(len(g.nodes) - 1)
}

func (g *gardener) text(parent int32, id dom.Node, s string) {
	if s == "" {
		return
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	g.nodes = append(g.nodes, planted{id: id, parent: parent, text: s})
	g.string(s)
	g.ops = append(g.ops, ',')
}

func (g *gardener) close() { g.ops = append(g.ops, "0,"...) }

// string writes a JSON string, by hand where nothing must be escaped.
func (g *gardener) string(s string) {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			plain = false
			break
		}
	}
	if plain {
		g.ops = append(g.ops, '"')
		g.ops = append(g.ops, s...)
		g.ops = append(g.ops, '"')
		return
	}
	quoted, _ := json.Marshal(s) // a string cannot fail
	g.ops = append(g.ops, quoted...)
}

// qualified is the name of an element, after that of its namespace if it is
// not HTML.
func qualified(n *html.Node) string {
	if n.Namespace == "" {
		return n.Data
	}
	return n.Namespace + " " + n.Data
}

// doctype writes a doctype as the page had it, since it decides how browsers
// lay the page out.
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

// rules say which attributes of a page Chromium gets to see: those that style
// sheets ask for and that give an element its size, but none that does
// something.
type rules struct{ network bool }

// longest is what a value may have in bytes. Longer ones are data for scripts;
// no style sheet asks for them.
const longest = 1 << 10

// attributes are the names and values of n that are handed over, in turn.
func (r rules) attributes(n *html.Node) []string {
	var list []string
	for i := range n.Attr {
		a := &n.Attr[i]
		key, val := a.Key, a.Val
		if a.Namespace != "" || r.acts(n.Data, key) {
			continue
		}
		if len(val) > longest && key != "style" && key != "class" && !r.loads(n.Data, key) {
			val = ""
		}
		list = append(list, key, strings.ToValidUTF8(val, "\uFFFD"))
	}
	if n.Data == "template" && shadow(n) {
		// Browsers put what is in it into the place where it stands.
		list = append(list, "style", "display:contents")
	}
	return list
}

// acts reports whether an attribute would do something: run a script, ask for a
// file, open a page, take the focus.
func (r rules) acts(element, key string) bool {
	switch key {
	case "src", "srcset", "href", "background", "sizes", "alt", "imagesrcset":
		return !r.keeps(element, key)
	case "srcdoc", "data", "poster", "codebase", "classid", "manifest", "ping", "autofocus", "autoplay", "http-equiv", "nonce", "integrity":
		return true
	}
	return strings.HasPrefix(key, "on")
}

// keeps decides over addresses.
func (r rules) keeps(element, key string) bool {
	switch {
	case key == "href":
		return element != "link" || r.network // of links, areas and <base>, which only name something
	case element == "img" || element == "source":
		// Without network there is no picture, and the words that stand for it
		// would take its room.
		return r.network
	case key == "src" || key == "srcset" || key == "imagesrcset":
		return false // frames, players and scripts do not load at all
	case key == "background":
		return r.network
	}
	return true
}

// loads reports whether a value is an address that will be loaded.
func (r rules) loads(element, key string) bool {
	return r.network && (key == "src" || key == "srcset" || key == "href")
}

func shadow(n *html.Node) bool {
	for i := range n.Attr {
		if k := n.Attr[i].Key; k == "shadowrootmode" || k == "shadowroot" {
			return true
		}
	}
	return false
}
