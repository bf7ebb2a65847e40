package styled

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// element makes an element; attributes are names and values in turn.
func element(a atom.Atom, attributes ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
	for i := 0; i < len(attributes); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attributes[i], Val: attributes[i+1]})
	}
	return n
}

func text(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// line is a line end, so that the file can be read as it is.
func line() *html.Node { return text("\n") }

func add(parent *html.Node, children ...*html.Node) *html.Node {
	for _, c := range children {
		parent.AppendChild(c)
	}
	return parent
}

func get(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func set(n *html.Node, key, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
}

func unset(n *html.Node, keys ...string) {
	kept := n.Attr[:0]
	for _, a := range n.Attr {
		drop := false
		for _, k := range keys {
			drop = drop || a.Key == k
		}
		if !drop {
			kept = append(kept, a)
		}
	}
	n.Attr = kept
}

// all are the elements of some names below n, in the order of the page. They
// are gathered first, so that the tree may be changed on the way.
func all(n *html.Node, names ...atom.Atom) []*html.Node {
	var out []*html.Node
	for c := range n.Descendants() {
		for _, a := range names {
			if c.Type == html.ElementNode && c.DataAtom == a {
				out = append(out, c)
			}
		}
	}
	return out
}

func first(n *html.Node, name atom.Atom) *html.Node {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.DataAtom == name {
			return c
		}
	}
	return nil
}

// elements are the elements right below n.
func elements(n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for c := n.FirstChild; c != nil; {
			next := c.NextSibling
			if c.Type == html.ElementNode && !yield(c) {
				return
			}
			c = next
		}
	}
}

// content is the text below n in one line.
func content(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// replace puts others where n was.
func replace(n *html.Node, others ...*html.Node) {
	for _, o := range others {
		n.Parent.InsertBefore(o, n)
	}
	n.Parent.RemoveChild(n)
}

// wrap puts n into a new element that stands where it was.
func wrap(n, around *html.Node) {
	n.Parent.InsertBefore(around, n)
	n.Parent.RemoveChild(n)
	around.AppendChild(n)
}
