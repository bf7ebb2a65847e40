package markup

import "golang.org/x/net/html/atom"

// Elements that are nested too deeply are left out of a flat tree. Wrappers, which mean
// nothing for their content, are left out first. Text stays, and a line break stands
// where a block was, to keep words apart.
const (
	wrapperDepth = 100 // of deeper elements without a rule, or <div>, <span>, <b> and the like
	elementDepth = 200 // of all others
	tableParts   = 10  // deeper, so that a table that is kept has its rows and cells
)

// leaveOut leaves a tag of an element that is too deep out of a flat tree, and reports
// whether it did.
func (p *parser) leaveOut() bool {
	e := p.tok.element
	switch p.tok.kind {
	case startToken:
		if len(p.stack) < wrapperDepth {
			clear(p.omitted[:]) // the elements around those left out are closed
		}
		if p.fits(e) {
			return false
		}
		if !p.tok.selfClosing {
			p.omitted[e.id]++
		}
	case endTagToken:
		if p.omitted[e.id] == 0 {
			return false
		}
		p.omitted[e.id]--
	default:
		return false
	}
	if last := p.nodes[p.top()].LastChild; e.traits&special != 0 && (last == None || p.nodes[last].atom != atom.Br) {
		p.insert(Node{Type: ElementNode, atom: atom.Br})
	}
	return true
}

// fits reports whether an element is opened in a flat tree, or is never open for long.
func (p *parser) fits(e *element) bool {
	depth := elementDepth
	switch e.start {
	case ruleImage, ruleHTML, ruleBody:
		return true
	case rulePart:
		depth += tableParts
	case ruleNobr, ruleForeign:
		depth = wrapperDepth
	case ruleOther:
		if e.traits&(special|closesP) == 0 || e.atom == atom.Div || e.atom == atom.Section || e.atom == atom.Center {
			depth = wrapperDepth
		}
	}
	return len(p.stack) < depth || e.traits&(void|rawKinds) != 0 || e.start == ruleMetadata && e.atom != atom.Template
}
