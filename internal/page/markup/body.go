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

// bodyStart has the rules for common start tags.
func (p *parser) bodyStart() bool {
	switch e := p.tok.element; e.start {
	case ruleOther:
		p.reopen()
		p.addElement()
	case ruleBlock:
		p.closeP()
		p.addElement()
	case ruleLink:
		if p.flat {
			p.close(p.inScope(defaultScope, e))
		} else if n := p.lastActive(atom.A); n != None {
			p.endFormatting(e)
			p.removeAt(p.indexOf(n))
			p.removeActive(n)
		}
		p.reopen()
		p.addFormatting()
	case ruleFormat:
		p.reopen()
		p.addFormatting()
	case ruleVoid:
		p.reopen()
		p.addVoid()
		p.framesetOK = false
	case ruleMetadata:
		return p.inHead()
	case ruleHeading:
		p.closeP()
		if k := len(p.stack) - 1; k >= 0 && p.stack[k].traits&heading != 0 {
			p.pop()
		}
		p.addElement()
	case ruleItem:
		p.framesetOK = false
		p.closeItem(atom.Li, atom.Li)
		p.closeP()
		p.addElement()
	case ruleTerm:
		p.framesetOK = false
		p.closeItem(atom.Dd, atom.Dt)
		p.closeP()
		p.addElement()
	case ruleTable:
		if !p.quirks {
			p.closeP()
		}
		p.addElement()
		p.framesetOK = false
		p.mode = inTable
	case ruleForeign:
		p.reopen()
		ns := inSVG
		if e.name == inMathML.String() {
			ns = inMathML
		}
		p.addForeign(ns)
	case ruleIgnored, rulePart:
	default:
		return p.rareStart(e)
	}
	return true
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

// rareStart has the rules for rare start tags.
func (p *parser) rareStart(e *element) bool {
	switch e.start {
	case ruleHTML:
		if !p.inTemplateElement() {
			p.mergeAttributes(p.stack[0].node, &p.htmlKeys)
		}
	case ruleBody:
		if !p.inTemplateElement() && len(p.stack) >= 2 && p.stack[1].atom == atom.Body {
			p.framesetOK = false
			p.mergeAttributes(p.stack[1].node, &p.bodyKeys)
		}
	case ruleFrameset:
		if !p.framesetOK || len(p.stack) < 2 || p.stack[1].atom != atom.Body {
			break
		}
		p.detach(p.stack[1].node)
		p.popTo(1)
		p.addElement()
		p.mode = inFrameset
	case rulePre:
		p.closeP()
		p.addElement()
		p.newlineAt = p.pos
		p.framesetOK = false
	case ruleForm:
		if p.form != None && !p.inTemplateElement() {
			break
		}
		p.closeP()
		n := p.addElement()
		if !p.inTemplateElement() {
			p.form = n
		}
	case ruleButton:
		p.closeBlock(e)
		p.reopen()
		p.addElement()
		p.framesetOK = false
	case ruleNobr:
		p.reopen()
		if p.inScope(defaultScope, e) >= 0 {
			p.endFormatting(e)
			p.reopen()
		}
		p.addFormatting()
	case ruleObject:
		p.reopen()
		p.addElement()
		p.addMarker()
		p.framesetOK = false
	case ruleInput:
		p.close(p.inScope(defaultScope, p.elements.selection))
		p.reopen()
		p.addVoid()
		p.framesetOK = p.framesetOK && p.isHidden()
	case ruleSource:
		p.addVoid()
	case ruleHr:
		if p.inScope(buttonScope, p.elements.p) >= 0 {
			p.closeImplied(atom.P)
			p.close(p.inScope(defaultScope, p.elements.p))
		}
		if p.inScope(defaultScope, p.elements.selection) >= 0 {
			p.closeImplied(0)
		}
		p.addVoid()
		p.framesetOK = false
	case ruleImage: // The standard says "Don't ask."
		p.tok.element, p.tok.atom = p.elements.img, atom.Img
		return false
	default:
		p.rawOrChoice(e)
	}
	return true
}

// rawOrChoice has the rules for raw text, select and ruby.
func (p *parser) rawOrChoice(e *element) {
	switch e.start {
	case ruleTextarea, ruleIframe:
		p.newlineAt = p.pos
		p.framesetOK = false
		p.addRaw()
	case ruleXmp:
		p.closeP()
		p.reopen()
		p.framesetOK = false
		p.addRaw()
	case ruleNoembed:
		p.addRaw()
	case ruleNoscript:
		if p.scripting {
			p.addRaw()
			break
		}
		p.reopen()
		p.addElement()
		p.raw = nil
	case ruleSelect:
		if p.close(p.inScope(defaultScope, e)) {
			break
		}
		p.reopen()
		p.addElement()
		p.framesetOK = false
	case ruleOption, ruleOptgroup:
		if p.inScope(defaultScope, p.elements.selection) >= 0 {
			except := atom.Atom(0)
			if e.start == ruleOption {
				except = atom.Optgroup
			}
			p.closeImplied(except)
		} else if p.topAtom() == atom.Option {
			p.pop()
		}
		p.reopen()
		p.addElement()
	case ruleRb, ruleRt:
		if p.inScope(defaultScope, p.elements.ruby) >= 0 {
			except := atom.Atom(0)
			if e.start == ruleRt {
				except = atom.Rtc
			}
			p.closeImplied(except)
		}
		p.addElement()
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
