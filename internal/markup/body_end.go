package markup

// bodyEnd has the rules for end tags in a body (13.2.6.4.7).
func (p *parser) bodyEnd() bool {
	switch e := p.tok.element; e.end {
	case ruleOther:
		p.endOther(p.tok.atom, p.tok.data)
	case ruleBlock:
		if p.inScope(defaultScope, e) >= 0 {
			p.closeImplied(0)
			p.close(p.inScope(defaultScope, e))
		}
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
		if p.inScope(defaultScope, elementBody) < 0 {
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
	case ruleBr: // an end tag that is none
		p.tok.kind = startToken
		return false
	case ruleTemplate:
		return p.inHead()
	}
	return true
}

func (p *parser) endForm(e *element) {
	at := p.inScope(defaultScope, e)
	if p.inTemplateElement() {
		if at < 0 {
			return
		}
		p.closeImplied(0)
		p.close(p.inScope(defaultScope, e))
		return
	}
	form := p.form
	p.form = nil
	if form == nil || at < 0 || p.stack[at].node != form {
		return
	}
	p.closeImplied(0)
	p.removeAt(p.indexOf(form))
}
