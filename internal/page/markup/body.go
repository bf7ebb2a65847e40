package markup

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// body is 13.2.6.4.7, "in body".
func (p *parser) body() bool {
	switch p.tok.kind {
	case textToken:
		p.bodyText()
	case startToken:
		return p.bodyStart()
	case endTagToken:
		return p.bodyEnd()
	case endToken:
		if len(p.templates) > 0 {
			p.mode = inTemplate
			return false
		}
	}
	return true
}

func (p *parser) bodyText() {
	p.skipNewline()
	p.replaceNULs("")
	if p.tok.text.empty() {
		return
	}
	p.reopen()
	p.addText(p.tok.text)
	if p.framesetOK && !p.isBlank(p.tok.text) {
		p.framesetOK = false
	}
}

// skipNewline removes a line end at the beginning of preformatted text.
func (p *parser) skipNewline() {
	if p.tokStart == p.newlineAt && strings.HasPrefix(p.textAt(p.tok.text), "\n") {
		p.tok.text.from++
	}
}

// replaceNULs replaces the NUL bytes of a text token.
func (p *parser) replaceNULs(with string) {
	if p.nuls {
		p.tok.text = p.keep(strings.ReplaceAll(p.textAt(p.tok.text), "\x00", with))
	}
}

// bodyStart has the rules for start tags.
func (p *parser) bodyStart() bool {
	switch e := p.tok.element; e.start {
	case ruleOther:
		p.open(e)
	case ruleMetadata:
		return p.inHead()
	case ruleIgnored, rulePart:
	case ruleImage: // The standard says "Don't ask."
		p.tok.element, p.tok.atom = p.elements.img, atom.Img
		return false
	case ruleForeign:
		p.reopen()
		ns := inSVG
		if e.name == inMathML.String() {
			ns = inMathML
		}
		p.addForeign(ns)
	case ruleForm:
		if p.form != None && !p.inTemplateElement() {
			break
		}
		p.open(e)
		if !p.inTemplateElement() {
			p.form = p.top()
		}
	case ruleNoscript:
		if p.scripting {
			p.addRaw()
			break
		}
		p.reopen()
		p.addElement()
		p.raw = nil
	case ruleHTML, ruleBody, ruleFrameset:
		p.startPage(e)
	default:
		if p.makeRoom(e) {
			p.open(e)
		}
	}
	return true
}

// open opens the element of a start tag in the way that its traits say.
func (p *parser) open(e *element) {
	if e.traits&closesP != 0 {
		p.closeP()
	}
	if e.traits&reopens != 0 {
		p.reopen()
	}
	switch {
	case e.traits&(void|formatting|rawtext|rcdata) == 0:
		p.addElement()
	case e.traits&void != 0:
		p.addVoid()
	case e.traits&formatting != 0:
		p.addFormatting()
	default:
		p.addRaw()
	}
	if e.traits&marker != 0 {
		p.addMarker()
	}
	if e.traits&preformatted != 0 {
		p.newlineAt = p.pos
	}
	if e.traits&content != 0 {
		p.framesetOK = false
	}
}

// makeRoom closes what must not be around a new element. It reports false if the tag is to
// be ignored.
func (p *parser) makeRoom(e *element) bool {
	switch e.start {
	case ruleLink:
		if p.flat {
			p.close(p.inScope(defaultScope, e))
		} else if n := p.lastActive(atom.A); n != None {
			p.endFormatting(e)
			p.removeAt(p.indexOf(n))
			p.removeActive(n)
		}
	case ruleHeading:
		p.closeP()
		if k := len(p.stack) - 1; k >= 0 && p.stack[k].traits&heading != 0 {
			p.pop()
		}
	case ruleItem:
		p.closeItem(atom.Li, atom.Li)
	case ruleTerm:
		p.closeItem(atom.Dd, atom.Dt)
	case ruleTable:
		if !p.quirks {
			p.closeP()
		}
		p.mode = inTable
	case ruleButton:
		p.closeBlock(e)
	case ruleNobr:
		p.reopen()
		if p.inScope(defaultScope, e) >= 0 {
			p.endFormatting(e)
		}
	case ruleInput:
		p.close(p.inScope(defaultScope, p.elements.selection))
		p.framesetOK = p.framesetOK && p.isHidden()
	case ruleHr:
		if p.inScope(buttonScope, p.elements.p) >= 0 {
			p.closeImplied(atom.P)
			p.close(p.inScope(defaultScope, p.elements.p))
		}
		if p.inScope(defaultScope, p.elements.selection) >= 0 {
			p.closeImplied(0)
		}
	case ruleSelect:
		return !p.close(p.inScope(defaultScope, e))
	case ruleOption:
		p.startOption(atom.Optgroup)
	case ruleOptgroup:
		p.startOption(0)
	case ruleRb:
		p.startRuby(0)
	case ruleRt:
		p.startRuby(atom.Rtc)
	}
	return true
}

func (p *parser) startOption(except atom.Atom) {
	if p.inScope(defaultScope, p.elements.selection) >= 0 {
		p.closeImplied(except)
	} else if p.topAtom() == atom.Option {
		p.pop()
	}
}

func (p *parser) startRuby(except atom.Atom) {
	if p.inScope(defaultScope, p.elements.ruby) >= 0 {
		p.closeImplied(except)
	}
}

// closeItem closes the list item, or the term, before a new one.
func (p *parser) closeItem(name, or atom.Atom) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		switch o := &p.stack[i]; {
		case o.atom == name || o.atom == or:
			p.popTo(i)
			return
		case o.atom == atom.Address || o.atom == atom.Div || o.atom == atom.P:
		case o.traits&special != 0:
			return
		}
	}
}

// mergeAttributes adds the attributes of a later tag that a node lacks, up to a limit,
// since it copies them each time.
func (p *parser) mergeAttributes(n Ref, has *keys) {
	const most = 10_000
	mark, old, more := len(p.attrs), p.Attrs(n), p.attrsIn(p.tok.attrs)
	if len(old) > most {
		return
	}
	p.attrs = append(p.attrs, old...)
	for _, a := range more {
		if has.add(p.attrs[mark:], a.Key) {
			p.attrs = append(p.attrs, a)
		}
	}
	if len(p.attrs)-mark == len(old) {
		p.attrs = p.attrs[:mark] // there is nothing new
		return
	}
	p.nodes[n].span = p.attrsFrom(mark)
}

// isHidden reports whether the current tag is a hidden input.
func (p *parser) isHidden() bool {
	value, _ := p.find(p.attrsIn(p.tok.attrs), "type")
	return strings.EqualFold(value, "hidden")
}

// startPage has the rules for a second <html> or <body>, and for a <frameset> in place of
// a <body> without content.
func (p *parser) startPage(e *element) {
	hasBody := len(p.stack) >= 2 && p.stack[1].atom == atom.Body
	switch {
	case e.start == ruleHTML && !p.inTemplateElement():
		p.mergeAttributes(p.stack[0].node, &p.htmlKeys)
	case e.start == ruleBody && !p.inTemplateElement() && hasBody:
		p.framesetOK = false
		p.mergeAttributes(p.stack[1].node, &p.bodyKeys)
	case e.start == ruleFrameset && p.framesetOK && hasBody:
		p.detach(p.stack[1].node)
		p.popTo(1)
		p.addElement()
		p.mode = inFrameset
	}
}

// bodyEnd has the rules for end tags (13.2.6.4.7).
func (p *parser) bodyEnd() bool {
	switch e := p.tok.element; e.end {
	case ruleOther:
		p.endOther(p.tok.atom)
	case ruleBlock:
		p.closeBlock(e)
	case ruleP:
		if p.inScope(buttonScope, e) < 0 {
			p.imply(e)
		}
		p.closeP()
	case ruleFormat:
		p.endFormatting(e)
	case ruleItem:
		p.close(p.inScope(itemScope, e))
	case ruleTerm:
		p.close(p.inScope(defaultScope, e))
	case ruleHeading:
		p.close(p.kindInScope(defaultScope, heading))
	case ruleBody:
		if p.inScope(defaultScope, e) >= 0 {
			p.mode = inAfterBody
		}
	case ruleHTML:
		if p.inScope(defaultScope, p.elements.body) < 0 {
			return true
		}
		p.mode = inAfterBody
		return false
	case ruleForm:
		p.endForm(e)
	case ruleObject:
		if p.close(p.inScope(defaultScope, e)) {
			p.clearToMarker()
		}
	case ruleBr: // treated as a start tag
		p.tok.kind = startToken
		return false
	case ruleTemplate:
		return p.inHead()
	}
	return true
}

// closeBlock closes an element that is in scope, and those in it whose end tags may
// be omitted.
func (p *parser) closeBlock(e *element) {
	if p.inScope(defaultScope, e) >= 0 {
		p.closeImplied(0)
		p.close(p.inScope(defaultScope, e))
	}
}

func (p *parser) endForm(e *element) {
	at := p.inScope(defaultScope, e)
	if p.inTemplateElement() {
		p.closeBlock(e)
		return
	}
	form := p.form
	p.form = None
	if form == None || at < 0 || p.stack[at].node != form {
		return
	}
	p.closeImplied(0)
	p.removeAt(p.indexOf(form))
}
