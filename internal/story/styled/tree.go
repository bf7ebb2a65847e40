package styled

import (
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// element returns a new element. attributes alternate names and values.
func element(a atom.Atom, attributes ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
	for i := 0; i < len(attributes); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attributes[i], Val: attributes[i+1]})
	}
	return n
}

func text(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// line returns a line break, for readers of the source.
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

// all returns the descendants of n with one of the names, in document order. It
// returns a slice so that callers may change the tree.
func all(n *html.Node, names ...atom.Atom) []*html.Node {
	var out []*html.Node
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && slices.Contains(names, c.DataAtom) {
			out = append(out, c)
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

// elements yields the child elements of n. The current one may be removed.
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

// content returns the text of n on one line.
func content(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// replace puts another node in place of n.
func replace(n, by *html.Node) {
	n.Parent.InsertBefore(by, n)
	n.Parent.RemoveChild(n)
}

// wrap puts n into another element in its place.
func wrap(n, wrapper *html.Node) {
	replace(n, wrapper)
	wrapper.AppendChild(n)
}

// setClass adds a class to an element.
func setClass(n *html.Node, class string) {
	if class != "" {
		set(n, "class", strings.TrimSpace(get(n, "class")+" "+class))
	}
}
