package markup

import "golang.org/x/net/html/atom"

// text is 13.2.6.4.8, "text": in an element whose text is raw.
func (p *parser) text() bool {
	switch p.tok.kind {
	case textToken:
		text := p.tok.data
		if p.topAtom() == atom.Textarea && p.top().FirstChild == nil {
			text = skipNewline(text)
		}
		p.addText(text)
		return true
	case endTagToken, endToken:
		p.pop()
	}
	p.mode, p.original = p.original, inNone
	return p.tok.kind == endTagToken
}

// startTemplate opens a template (13.2.6.4.4). As in x/net, one inside a drawing
// or a formula ends the reading of the page.
func (p *parser) startTemplate() {
	for i := range p.stack {
		if p.stack[i].traits&foreign != 0 {
			p.mode = inNothing
			return
		}
	}
	p.addElement()
	p.addMarker()
	p.framesetOK = false
	p.mode = inTemplate
	p.templates = append(p.templates, inTemplate)
}

// endTemplate closes the innermost template and all inside it.
func (p *parser) endTemplate() {
	p.closeImplied(0)
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].id == elementTemplate.id {
			p.popTo(i)
			break
		}
	}
	p.clearToMarker()
	if len(p.templates) == 0 {
		p.err = ErrLost
		return
	}
	p.templates = p.templates[:len(p.templates)-1]
	p.resetMode()
}

// template is 13.2.6.4.16, "in template".
func (p *parser) template() bool {
	switch p.tok.kind {
	case startToken:
		next := inBody
		switch p.tok.atom {
		case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes,
			atom.Script, atom.Style, atom.Template, atom.Title:
			return p.inHead()
		case atom.Caption, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
			next = inTable
		case atom.Col:
			next = inColumnGroup
		case atom.Tr:
			next = inTableBody
		case atom.Td, atom.Th:
			next = inRow
		}
		if len(p.templates) == 0 {
			p.err = ErrLost
			return true
		}
		p.templates[len(p.templates)-1] = next
		p.mode = next
		return false
	case endTagToken:
		if p.tok.atom == atom.Template {
			return p.inHead()
		}
		return true
	case endToken:
		if !p.inTemplateElement() {
			return true
		}
		p.endTemplate()
		return false
	}
	return p.body()
}

// afterBody is 13.2.6.4.17.
func (p *parser) afterBody() bool {
	switch p.tok.kind {
	case endToken:
		return true
	case textToken:
		if spaces(p.tok.data) == len(p.tok.data) {
			return p.body()
		}
	case startToken:
		if p.tok.atom == atom.Html {
			return p.body()
		}
	case endTagToken:
		if p.tok.atom == atom.Html {
			p.mode = inAfterAfterBody
			return true
		}
	case commentToken:
		p.addComment(p.stack[0].node)
		return true
	}
	p.mode = inBody
	return false
}

// frameset is 13.2.6.4.18, "in frameset".
func (p *parser) frameset() bool {
	switch p.tok.kind {
	case commentToken:
		p.addComment(p.top())
	case textToken:
		p.addText(p.onlySpaces())
	case startToken:
		switch p.tok.atom {
		case atom.Html:
			return p.body()
		case atom.Frameset:
			p.addElement()
		case atom.Frame:
			p.addVoid()
		case atom.Noframes:
			return p.inHead()
		}
	case endTagToken:
		if p.tok.atom == atom.Frameset && p.topAtom() != atom.Html {
			p.pop()
			if p.topAtom() != atom.Frameset {
				p.mode = inAfterFrameset
			}
		}
	}
	return true
}

// afterFrameset is 13.2.6.4.19.
func (p *parser) afterFrameset() bool {
	switch p.tok.kind {
	case commentToken:
		p.addComment(p.top())
	case textToken:
		p.addText(p.onlySpaces())
	case startToken:
		switch p.tok.atom {
		case atom.Html:
			return p.body()
		case atom.Noframes:
			return p.inHead()
		}
	case endTagToken:
		if p.tok.atom == atom.Html {
			p.mode = inAfterAfterFrameset
		}
	}
	return true
}

// afterAfterBody is 13.2.6.4.20.
func (p *parser) afterAfterBody() bool {
	switch p.tok.kind {
	case endToken:
		return true
	case textToken:
		if spaces(p.tok.data) == len(p.tok.data) {
			return p.body()
		}
	case startToken:
		if p.tok.atom == atom.Html {
			return p.body()
		}
	case commentToken:
		p.addComment(p.doc)
		return true
	case doctypeToken:
		return true
	}
	p.mode = inBody
	return false
}

// afterAfterFrameset is 13.2.6.4.21.
func (p *parser) afterAfterFrameset() bool {
	switch p.tok.kind {
	case commentToken:
		p.addComment(p.doc)
	case textToken:
		if p.tok.data = p.onlySpaces(); p.tok.data != "" {
			return p.body()
		}
	case startToken:
		switch p.tok.atom {
		case atom.Html:
			return p.body()
		case atom.Noframes:
			return p.inHead()
		}
	}
	return true
}
