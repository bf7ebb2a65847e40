package dom

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
)

// appearance is what the attributes of an element say about how it is shown.
type appearance struct {
	link   bool // <a href>
	hidden bool // by hidden, aria-hidden or an inline style
	shadow bool // a template that is a shadow root: browsers show it
	image  bool // an element of its own kind that shows a picture
}

// inspect reads the attributes of n once.
func inspect(n *html.Node, tag Tag) (a appearance) {
	closed := tag == Dialog
	streamed := false
	for i := range n.Attr {
		switch at := &n.Attr[i]; at.Key {
		case "href":
			a.link = tag == A
		case "hidden":
			a.hidden = a.hidden || !strings.EqualFold(at.Val, "until-found")
		case "popover":
			a.hidden = true
		case "aria-hidden":
			a.hidden = a.hidden || strings.EqualFold(strings.TrimSpace(at.Val), "true")
		case "style":
			a.hidden = a.hidden || styleHides(at.Val)
		case "id":
			// React sends late parts of a page as <div hidden id="S:1"> and
			// moves them into their place when they are there.
			streamed = strings.HasPrefix(at.Val, "S:")
		case "open":
			closed = false
		case "shadowrootmode", "shadowroot":
			a.shadow = tag == Template
		}
	}
	a.hidden = (a.hidden || closed) && !streamed
	switch tag {
	case HTML, Body:
		// A page that hides all of itself waits for a script to show it.
		a.hidden = false
	case Unknown:
		a.image = n.Data == "amp-img"
	}
	return a
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func attr(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// rawText joins all text below n.
func rawText(n *html.Node) string {
	switch {
	case n.Type == html.TextNode:
		return n.Data
	case n.FirstChild == nil:
		return ""
	case n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode:
		return n.FirstChild.Data
	}
	var b strings.Builder
	for c := range preorder(n) {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// preorder goes through n and all below it without recursion.
func preorder(root *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := root; yield(n); {
			if n.FirstChild != nil {
				n = n.FirstChild
				continue
			}
			for n != root && n.NextSibling == nil {
				n = n.Parent
			}
			if n == root {
				return
			}
			n = n.NextSibling
		}
	}
}
