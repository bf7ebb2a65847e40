package markup

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// selectedContent is the element of a <select> that shows a copy of the chosen
// <option> (4.10.17).
const selectedContent = "selectedcontent"

// cloneSelected fills the <selectedcontent> of every <select> with a copy of what
// is in its chosen option ("clone an option into a selectedcontent"). The standard
// does so whenever an option is closed; only the last time matters.
func (p *parser) cloneSelected() {
	var mirrors []*html.Node
	for n := range p.doc.Descendants() {
		if isElement(n, selectedContent) {
			mirrors = append(mirrors, n)
		}
	}
	// Options may be nested by way of selects inside them. Then the copies could
	// be far larger than the page.
	budget := p.slabs.made
	seen := make(map[*html.Node]bool)
	for _, n := range mirrors {
		selection, enabled := mirrored(n)
		if selection == nil || seen[selection] {
			continue
		}
		seen[selection] = true // only the first one counts
		if option := chosen(selection); enabled && option != nil {
			for c := n.FirstChild; c != nil; c = n.FirstChild {
				n.RemoveChild(c)
			}
			budget = p.copyChildren(n, option, budget)
		}
	}
}

// isElement reports whether n is an HTML element with a name.
func isElement(n *html.Node, name string) bool {
	return n.Type == html.ElementNode && n.Namespace == "" && n.Data == name
}

func attrOf(n *html.Node, key string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

// mirrored returns the <select> of a <selectedcontent>, and whether it shows the
// chosen option.
func mirrored(n *html.Node) (selection *html.Node, enabled bool) {
	enabled = true
	for a := range n.Ancestors() {
		switch {
		case isElement(a, "select") && selection == nil:
			selection = a
		case isElement(a, "select"), isElement(a, "option"), isElement(a, selectedContent):
			enabled = false
		}
	}
	if selection != nil {
		if _, multiple := attrOf(selection, "multiple"); multiple {
			enabled = false
		}
	}
	return selection, enabled
}

// chosen returns the option that a <select> shows: the last one with the attribute
// selected, else the first that is not disabled, or nil.
func chosen(selection *html.Node) *html.Node {
	var first, last *html.Node
	for n := selection.FirstChild; n != nil; {
		inside := true
		switch {
		case isElement(n, "option"):
			if _, ok := attrOf(n, "selected"); ok {
				last = n
			}
			if first == nil && !isDisabled(n) {
				first = n
			}
			inside = false
		case isElement(n, "select"), isElement(n, "datalist"):
			inside = false // their options are not ours
		}
		n = following(n, selection, inside)
	}
	if last != nil {
		return last
	}
	if size, ok := attrOf(selection, "size"); ok {
		if k, err := strconv.Atoi(strings.TrimSpace(size)); err == nil && k > 1 {
			return nil // a list, in which nothing is chosen
		}
	}
	return first
}

func isDisabled(option *html.Node) bool {
	if _, ok := attrOf(option, "disabled"); ok {
		return true
	}
	if group := option.Parent; isElement(group, "optgroup") {
		_, ok := attrOf(group, "disabled")
		return ok
	}
	return false
}

// following returns the node after n in the subtree of root, in tree order, or nil.
// If inside is not set, it leaves out what is in n.
func following(n, root *html.Node, inside bool) *html.Node {
	if inside && n.FirstChild != nil {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

// copyChildren copies what is in from to the end of parent, up to a number of
// nodes. It returns how many of them are left.
func (p *parser) copyChildren(parent, from *html.Node, budget int) int {
	copies := map[*html.Node]*html.Node{from: parent}
	for n := from.FirstChild; n != nil && budget > 0; n = following(n, from, true) {
		budget--
		c := p.slabs.node()
		c.Type, c.DataAtom, c.Data, c.Namespace = n.Type, n.DataAtom, n.Data, n.Namespace
		c.Attr = p.slabs.cloneAttrs(n.Attr)
		appendTo(copies[n.Parent], c)
		switch {
		case n.FirstChild != nil:
			copies[n] = c
		case n.Type == html.CommentNode, n.Type == html.TextNode && spaces(n.Data) == len(n.Data):
			p.empty++
		case n.Type == html.TextNode && n.Parent.DataAtom != atom.Script && n.Parent.DataAtom != atom.Style:
			p.shown += len(n.Data)
		}
	}
	return budget
}
