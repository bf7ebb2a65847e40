package markup

import (
	"golang.org/x/net/html/atom"
)

// startFragment prepares to parse a fragment (13.4, "parsing HTML fragments"). The
// numbers are the steps of the standard.
func (p *parser) startFragment(context string) {
	e := p.elements.named(context)
	name := p.atom(context)
	p.context = p.add(Node{Type: ElementNode, atom: name})
	if e.traits&rawKinds != 0 && (name != atom.Noscript || p.scripting) { // 4
		p.raw = &element{traits: plaintext}
		if e.traits&rcdata != 0 {
			p.raw = &element{traits: rcdata, name: noEnd}
		}
	}
	p.addImplied(p.elements.html) // 5 to 7
	if name == atom.Template {
		p.templates = append(p.templates, inTemplate) // 8
	}
	p.resetMode() // 10
	if name == atom.Form {
		p.form = p.context // 11
	}
}

// noEnd is no name of a tag: no end tag ends the text of a fragment in a raw
// element, since its start tag is not in the fragment.
const noEnd = "\x00"

// inSelectFragment reports whether the page is a fragment in a <select>, where
// some tags are ignored.
func (p *parser) inSelectFragment() bool {
	return p.context != None && p.nodes[p.context].atom == atom.Select
}

// finishFragment moves what the fragment has into its context, in the body of an
// empty page.
func (p *parser) finishFragment() {
	name := p.nodes[p.context].atom
	if name == atom.Html {
		return
	}
	root := p.nodes[Root].FirstChild
	parent := p.context
	if name == atom.Body {
		parent = p.add(Node{Type: ElementNode, atom: atom.Body})
	}
	p.moveChildren(root, parent)
	p.addLast(root, Node{Type: ElementNode, atom: atom.Head})
	if name != atom.Body {
		p.appendTo(p.addLast(root, Node{Type: ElementNode, atom: atom.Body}), p.context)
	} else {
		p.appendTo(root, parent)
	}
}
