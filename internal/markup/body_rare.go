package markup

import "golang.org/x/net/html/atom"

// rareStart has the rules for start tags that few pages have more than a few of.
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
		detach(p.stack[1].node)
		p.popTo(1)
		p.addElement()
		p.mode = inFrameset
	case rulePre:
		p.closeP()
		p.addElement()
		p.framesetOK = false
	case ruleForm:
		if p.form != nil && !p.inTemplateElement() {
			break
		}
		p.closeP()
		n := p.addElement()
		if !p.inTemplateElement() {
			p.form = n
		}
	case rulePlaintext:
		p.closeP()
		p.addElement()
	case ruleButton:
		if p.inScope(defaultScope, e) >= 0 {
			p.closeImplied(0)
			p.close(p.inScope(defaultScope, e))
		}
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
		p.close(p.inScope(defaultScope, elementSelect))
		p.reopen()
		p.addVoid()
		p.framesetOK = p.framesetOK && p.hidden()
	case ruleSource:
		p.addVoid()
	case ruleHr:
		if p.inScope(buttonScope, elementP) >= 0 {
			p.closeImplied(atom.P)
			p.close(p.inScope(defaultScope, elementP))
		}
		if p.inScope(defaultScope, elementSelect) >= 0 {
			p.closeImplied(0)
		}
		p.addVoid()
		p.framesetOK = false
	case ruleImage: // "Don't ask", says the standard.
		p.tok.element, p.tok.atom, p.tok.data = elementImg, elementImg.atom, elementImg.name
		return false
	default:
		p.rawOrChoice(e)
	}
	return true
}

// rawOrChoice has the rules for elements with raw text, choices and ruby.
func (p *parser) rawOrChoice(e *element) {
	switch e.start {
	case ruleTextarea, ruleIframe:
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
		if p.inScope(defaultScope, elementSelect) >= 0 {
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
		if p.inScope(defaultScope, elementRuby) >= 0 {
			except := atom.Atom(0)
			if e.start == ruleRt {
				except = atom.Rtc
			}
			p.closeImplied(except)
		}
		p.addElement()
	}
}
