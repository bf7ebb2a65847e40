package markup

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// startFragment prepares to parse a fragment (13.4, "parsing HTML fragments"). The
// numbers are the steps of the standard.
func (p *parser) startFragment(context string) {
	e := p.elements.named(context)
	p.context = p.slabs.node()
	p.context.Type, p.context.Data, p.context.DataAtom = html.ElementNode, context, lookup(context)
	if e.traits&rawKinds != 0 && (p.context.DataAtom != atom.Noscript || p.scripting) { // 4
		p.raw = &element{traits: plaintext}
		if e.traits&rcdata != 0 {
			p.raw = &element{traits: rcdata, name: noEnd}
		}
	}
	p.addImplied(p.elements.html) // 5 to 7
	if p.context.DataAtom == atom.Template {
		p.templates = append(p.templates, inTemplate) // 8
	}
	p.resetMode() // 10
	if p.context.DataAtom == atom.Form {
		p.form = p.context // 11
	}
}

// noEnd is no name of a tag: no end tag ends the text of a fragment in a raw
// element, since its start tag is not in the fragment.
const noEnd = "\x00"

// inSelectFragment reports whether the page is a fragment in a <select>, where
// some tags are ignored.
func (p *parser) inSelectFragment() bool {
	return p.context != nil && p.context.DataAtom == atom.Select
}

// finishFragment moves what the fragment has into its context, in the body of an
// empty page.
func (p *parser) finishFragment() {
	if p.context.DataAtom == atom.Html {
		return
	}
	root := p.doc.FirstChild
	first, last := root.FirstChild, root.LastChild
	root.FirstChild, root.LastChild = nil, nil
	parent := root
	for _, e := range []*element{p.elements.head, p.elements.body} {
		n := p.slabs.node()
		n.Type, n.Data, n.DataAtom = html.ElementNode, e.name, e.atom
		appendTo(root, n)
		parent = n
	}
	if p.context.DataAtom != atom.Body {
		appendTo(parent, p.context)
		parent = p.context
	}
	parent.FirstChild, parent.LastChild = first, last
	for n := first; n != nil; n = n.NextSibling {
		n.Parent = parent
	}
}
