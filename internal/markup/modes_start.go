package markup

import (
	"golang.org/x/net/html/atom"
)

// initial is 13.2.6.4.1.
func (p *parser) initial() bool {
	switch p.tok.kind {
	case textToken:
		if p.skipText() {
			return true
		}
	case commentToken:
		p.addComment(p.doc)
		return true
	case doctypeToken:
		n := p.slabs.node()
		p.quirks = readDoctype(n, p.tok.data)
		appendTo(p.doc, n)
		p.mode = inBeforeHTML
		return true
	}
	p.quirks = true
	p.mode = inBeforeHTML
	return false
}

// beforeHTML is 13.2.6.4.2.
func (p *parser) beforeHTML() bool {
	switch p.tok.kind {
	case doctypeToken:
		return true
	case textToken:
		if p.skipText() {
			return true
		}
	case commentToken:
		p.addComment(p.doc)
		return true
	case startToken:
		if p.tok.atom == atom.Html {
			p.addElement()
			p.mode = inBeforeHead
			return true
		}
	case endTagToken:
		if !p.endsHead() {
			return true
		}
	}
	p.addImplied(elementHTML)
	p.mode = inBeforeHead
	return false
}

// endsHead reports whether an end tag belongs behind the head.
func (p *parser) endsHead() bool {
	switch p.tok.atom {
	case atom.Head, atom.Body, atom.Html, atom.Br:
		return true
	}
	return false
}

// beforeHead is 13.2.6.4.3.
func (p *parser) beforeHead() bool {
	switch p.tok.kind {
	case textToken:
		if p.skipText() {
			return true
		}
	case startToken:
		switch p.tok.atom {
		case atom.Head:
			p.head = p.addElement()
			p.mode = inHead
			return true
		case atom.Html:
			return p.body()
		}
	case endTagToken:
		if !p.endsHead() {
			return true
		}
	case commentToken:
		p.addComment(p.top())
		return true
	case doctypeToken:
		return true
	}
	p.addImplied(elementHead)
	p.head = p.top()
	p.mode = inHead
	return false
}
