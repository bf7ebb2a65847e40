package markup

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// initial is 13.2.6.4.1.
func (p *parser) initial() bool {
	switch p.tok.kind {
	case textToken:
		if p.skipSpaces() {
			return true
		}
	case doctypeToken:
		p.quirks = p.addDoctype(p.textAt(p.tok.text))
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
	case textToken:
		if p.skipSpaces() {
			return true
		}
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
	p.addImplied(p.elements.html)
	p.mode = inBeforeHead
	return false
}

// endsHead reports whether an end tag implies the end of the head.
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
		if p.skipSpaces() {
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
	}
	p.addImplied(p.elements.head)
	p.head = p.top()
	p.mode = inHead
	return false
}

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
		}
		if !p.endsHead() {
			return true
		}
	}
	p.pop()
	p.mode = inAfterHead
	return false
}

// headNoscript is 13.2.6.4.5.
func (p *parser) headNoscript() bool {
	switch p.tok.kind {
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
		if p.isBlank(p.tok.text) {
			return p.inHead()
		}
	}
	p.pop()
	if p.topAtom() != atom.Head {
		p.err = ErrNoTree
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
		case atom.Head:
			return true
		}
		if p.tok.element.start == ruleMetadata {
			p.push(p.head, p.elements.head.traits, p.elements.head.id)
			done := p.inHead()
			p.removeAt(p.indexOf(p.head))
			return done
		}
	case endTagToken:
		if p.tok.atom == atom.Template {
			return p.inHead()
		}
		if p.tok.atom == atom.Head || !p.endsHead() {
			return true
		}
	}
	p.addImplied(p.elements.body)
	p.framesetOK = true
	p.mode = inBody
	return p.tok.kind == endToken
}

// text is 13.2.6.4.8, "text": in an element with raw text.
func (p *parser) text() bool {
	if p.tok.kind == textToken {
		if p.topAtom() == atom.Textarea {
			p.skipNewline()
		}
		p.addText(p.tok.text)
		return true
	}
	p.pop()
	p.mode = p.original
	return p.tok.kind == endTagToken
}

// startTemplate opens a template (13.2.6.4.4).
func (p *parser) startTemplate() {
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
		if p.stack[i].id == p.elements.template.id {
			p.popTo(i)
			break
		}
	}
	p.clearToMarker()
	if len(p.templates) == 0 {
		p.err = ErrNoTree
		return
	}
	p.templates = p.templates[:len(p.templates)-1]
	p.resetMode()
}

// template is 13.2.6.4.16, "in template".
func (p *parser) template() bool {
	switch p.tok.kind {
	case startToken:
		if p.tok.element.start == ruleMetadata {
			return p.inHead()
		}
		next := inBody
		switch p.tok.atom {
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
			p.err = ErrNoTree
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

// afterBody is 13.2.6.4.17 and, after </html>, 13.2.6.4.20.
func (p *parser) afterBody() bool {
	switch p.tok.kind {
	case endToken:
		return true
	case textToken:
		if p.isBlank(p.tok.text) {
			return p.body()
		}
	case startToken:
		if p.tok.atom == atom.Html {
			return p.body()
		}
	case endTagToken:
		if p.tok.atom == atom.Html && p.mode == inAfterBody {
			p.mode = inAfterAfterBody
			return true
		}
	}
	p.mode = inBody
	return false
}

// frameset is 13.2.6.4.18, "in frameset".
func (p *parser) frameset() bool {
	switch p.tok.kind {
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

// afterFrameset is 13.2.6.4.19 and, after </html>, 13.2.6.4.21.
func (p *parser) afterFrameset() bool {
	switch p.tok.kind {
	case textToken:
		p.tok.text = p.onlySpaces()
		if !p.tok.text.empty() && p.mode == inAfterAfterFrameset {
			return p.body()
		}
		p.addText(p.tok.text)
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

// addDoctype adds a doctype as x/net reads it (13.2.5.53 to 13.2.5.68). It reports
// whether the page is in quirks mode (13.2.6.4.1): a table is then part of the paragraph
// before it.
func (p *parser) addDoctype(text string) (quirks bool) {
	const name = "html"
	if strings.EqualFold(text, name) { // as on most pages
		p.addLast(Root, Node{Type: DoctypeNode, atom: atom.Html})
		return false
	}
	if len(text) >= len(name) && equalLower(text[:len(name)], name) {
		text = name + text[len(name):] // x/net minds the case
	}
	root, err := html.Parse(strings.NewReader("<!doctype " + strings.TrimSpace(text) + "><p><table>"))
	if err != nil {
		p.err = err
		return false
	}
	doctype := root.FirstChild
	mark := len(p.attrs)
	for _, a := range doctype.Attr {
		p.attrs = append(p.attrs, Attr{p.key(a.Key), p.keep(a.Val)})
	}
	p.addLast(Root, Node{Type: DoctypeNode, atom: p.atom(doctype.Data), span: p.attrsFrom(mark)})
	body := doctype.NextSibling.LastChild
	return body.FirstChild.FirstChild != nil
}
