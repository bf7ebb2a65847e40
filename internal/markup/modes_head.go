package markup

import "golang.org/x/net/html/atom"

// inHead is 13.2.6.4.4.
func (p *parser) inHead() bool {
	switch p.tok.kind {
	case textToken:
		if p.addSpaces() {
			return true
		}
	case startToken:
		switch p.tok.atom {
		case atom.Html:
			return p.body()
		case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta:
			p.addVoid()
			return true
		case atom.Noscript:
			if p.scripting {
				p.addRaw()
				return true
			}
			p.addElement()
			p.mode = inHeadNoscript
			p.raw = nil
			return true
		case atom.Script, atom.Title, atom.Noframes, atom.Style:
			p.addRaw()
			return true
		case atom.Head:
			return true
		case atom.Template:
			p.startTemplate()
			return true
		}
	case endTagToken:
		switch p.tok.atom {
		case atom.Head:
			p.pop()
			p.mode = inAfterHead
			return true
		case atom.Template:
			if p.inTemplateElement() {
				p.endTemplate()
			}
			return true
		case atom.Body, atom.Html, atom.Br:
		default:
			return true
		}
	case commentToken:
		p.addComment(p.top())
		return true
	case doctypeToken:
		return true
	}
	p.pop()
	p.mode = inAfterHead
	return false
}

// headNoscript is 13.2.6.4.5.
func (p *parser) headNoscript() bool {
	switch p.tok.kind {
	case doctypeToken:
		return true
	case startToken:
		switch p.tok.atom {
		case atom.Html:
			return p.body()
		case atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes, atom.Style:
			return p.inHead()
		case atom.Head:
			return true
		case atom.Noscript:
			p.raw = nil
			return true
		}
	case endTagToken:
		if p.tok.atom != atom.Noscript && p.tok.atom != atom.Br {
			return true
		}
	case textToken:
		if spaces(p.tok.data) == len(p.tok.data) {
			return p.inHead()
		}
	case commentToken:
		return p.inHead()
	}
	p.pop()
	if p.topAtom() != atom.Head {
		p.err = ErrLost
		return true
	}
	p.mode = inHead
	return p.tok.atom == atom.Noscript
}

// afterHead is 13.2.6.4.6.
func (p *parser) afterHead() bool {
	switch p.tok.kind {
	case textToken:
		if p.addSpaces() {
			return true
		}
	case startToken:
		switch p.tok.atom {
		case atom.Html:
			return p.body()
		case atom.Body:
			p.addElement()
			p.framesetOK = false
			p.mode = inBody
			return true
		case atom.Frameset:
			p.addElement()
			p.mode = inFrameset
			return true
		case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes,
			atom.Script, atom.Style, atom.Template, atom.Title:
			p.push(p.head, elementHead.traits, elementHead.id)
			done := p.inHead()
			p.removeAt(p.indexOf(p.head))
			return done
		case atom.Head:
			return true
		}
	case endTagToken:
		switch p.tok.atom {
		case atom.Body, atom.Html, atom.Br:
		case atom.Template:
			return p.inHead()
		default:
			return true
		}
	case commentToken:
		p.addComment(p.top())
		return true
	case doctypeToken:
		return true
	}
	p.addImplied(elementBody)
	p.framesetOK = true
	p.mode = inBody
	return p.tok.kind == endToken
}
