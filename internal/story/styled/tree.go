package styled

import (
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

// setClass adds a class to an element.
func setClass(n *html.Node, class string) {
	if class != "" {
		set(n, "class", strings.TrimSpace(get(n, "class")+" "+class))
	}
}
