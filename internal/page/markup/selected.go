package markup

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// selectedContent is the element of a <select> that shows a copy of the chosen
// <option> (4.10.17).
const selectedContent = "selectedcontent"

// cloneSelected fills the <selectedcontent> of every <select> with a copy of what
// is in its chosen option ("clone an option into a selectedcontent"). The standard
// does so whenever an option is closed; only the last time matters.
func (p *parser) cloneSelected() {
	var mirrors []Ref
	for n := range p.Preorder(Root) {
		if p.isElement(n, selectedContent) {
			mirrors = append(mirrors, n)
		}
	}
	// Options may be nested by way of selects inside them. Then the copies could
	// be far larger than the page.
	budget := len(p.nodes)
	seen := make(map[Ref]bool)
	for _, n := range mirrors {
		selection, enabled := p.mirrored(n)
		if selection == None || seen[selection] {
			continue
		}
		seen[selection] = true // only the first one counts
		if option := p.chosen(selection); enabled && option != None {
			for c := p.nodes[n].FirstChild; c != None; c = p.nodes[n].FirstChild {
				p.detach(c)
			}
			budget = p.copyChildren(n, option, budget)
		}
	}
}

// isElement reports whether n is an HTML element with a name.
func (p *parser) isElement(n Ref, name string) bool {
	node := &p.nodes[n]
	return node.Type == ElementNode && node.ns == inHTML && p.name(node.atom) == name
}

// mirrored returns the <select> of a <selectedcontent>, and whether it shows the
// chosen option.
func (p *parser) mirrored(n Ref) (selection Ref, enabled bool) {
	enabled = true
	for a := p.nodes[n].Parent; a != None; a = p.nodes[a].Parent {
		switch {
		case p.isElement(a, "select") && selection == None:
			selection = a
		case p.isElement(a, "select"), p.isElement(a, "option"), p.isElement(a, selectedContent):
			enabled = false
		}
	}
	if selection != None {
		if _, multiple := p.Attr(selection, "multiple"); multiple {
			enabled = false
		}
	}
	return selection, enabled
}

// chosen returns the option that a <select> shows: the last one with the attribute
// selected, else the first that is not disabled, or None.
func (p *parser) chosen(selection Ref) Ref {
	var first, last Ref
	for n := p.nodes[selection].FirstChild; n != None; {
		inside := true
		switch {
		case p.isElement(n, "option"):
			if _, ok := p.Attr(n, "selected"); ok {
				last = n
			}
			if first == None && !p.isDisabled(n) {
				first = n
			}
			inside = false
		case p.isElement(n, "select"), p.isElement(n, "datalist"):
			inside = false // their options are not ours
		}
		n = p.following(n, selection, inside)
	}
	if last != None {
		return last
	}
	if size, ok := p.Attr(selection, "size"); ok {
		if k, err := strconv.Atoi(strings.TrimSpace(size)); err == nil && k > 1 {
			return None // a list, in which nothing is chosen
		}
	}
	return first
}

func (p *parser) isDisabled(option Ref) bool {
	if _, ok := p.Attr(option, "disabled"); ok {
		return true
	}
	if group := p.nodes[option].Parent; p.isElement(group, "optgroup") {
		_, ok := p.Attr(group, "disabled")
		return ok
	}
	return false
}

// copyChildren copies what is in from to the end of parent, up to a number of
// nodes. It returns how many of them are left.
func (p *parser) copyChildren(parent, from Ref, budget int) int {
	copies := map[Ref]Ref{from: parent}
	for n := p.nodes[from].FirstChild; n != None && budget > 0; n = p.following(n, from, true) {
		budget--
		old := p.nodes[n]
		c := p.addLast(copies[old.Parent], Node{Type: old.Type, atom: old.atom, ns: old.ns, span: old.span, Blank: old.Blank})
		switch above := p.nodes[old.Parent].atom; {
		case old.FirstChild != None:
			copies[n] = c
		case old.Type == CommentNode, old.Blank:
			p.empty++
		case old.Type == TextNode && above != atom.Script && above != atom.Style:
			p.shown += int(old.span.to - old.span.from)
		}
	}
	return budget
}
