package markup

import (
	"strings"

	"golang.org/x/net/html"
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
	case commentToken:
		p.place(p.commentNode())
	case endToken:
		if len(p.templates) > 0 {
			p.mode = inTemplate
			return false
		}
	}
	return true
}

func (p *parser) bodyText() {
	text := p.tok.data
	switch p.topAtom() {
	case atom.Pre, atom.Listing:
		if p.top().FirstChild == nil {
			text = skipNewline(text)
		}
	}
	if p.nuls {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	if text == "" {
		return
	}
	p.reopen()
	p.addText(text)
	if p.framesetOK && spaces(text) < len(text) {
		p.framesetOK = false
	}
}

// skipNewline takes off a line end at the beginning of preformatted text. A
// carriage return can only stand there as a character reference; as in x/net,
// it counts.
func skipNewline(text string) string {
	text = strings.TrimPrefix(text, "\r")
	return strings.TrimPrefix(text, "\n")
}

// bodyStart has the rules for the start tags that pages are full of.
func (p *parser) bodyStart() bool {
	switch e := p.tok.element; e.start {
	case ruleOther:
		p.reopen()
		p.addElement()
	case ruleBlock:
		p.closeP()
		p.addElement()
	case ruleLink:
		if n := p.lastActive(atom.A); n != nil {
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
		p.addForeign(e.name)
	case ruleIgnored:
	default:
		return p.rareStart(e)
	}
	return true
}

// closeItem ends the list item, or the term, that a new one follows.
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

// mergeAttributes gives a node the attributes of a later tag that it lacks.
func (p *parser) mergeAttributes(n *html.Node, has *keys) {
	for _, a := range p.tok.attr {
		if !has.has(n.Attr, a.Key) {
			has.add(a.Key)
			n.Attr = append(n.Attr, a)
		}
	}
}

// hidden reports whether the current tag is that of a hidden input.
func (p *parser) hidden() bool {
	for _, a := range p.tok.attr {
		if a.Key == "type" && strings.EqualFold(a.Val, "hidden") {
			return true
		}
	}
	return false
}
