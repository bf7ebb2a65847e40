package markup

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// open is an entry of the stack of open elements (13.2.4.2).
type open struct {
	node   *html.Node
	atom   atom.Atom
	traits traits
	id     uint8 // of its element in HTML
}

const deepest = 512

// push opens an element. Too deep a page ends here, as in x/net.
func (p *parser) push(n *html.Node, t traits, id uint8) {
	p.stack = append(p.stack, open{n, n.DataAtom, t, id})
	p.count[id]++
	if len(p.stack) > deepest {
		p.err = ErrTooDeep
	}
}

// top is the current node, or the document before there is one.
func (p *parser) top() *html.Node {
	if len(p.stack) == 0 {
		return p.doc
	}
	return p.stack[len(p.stack)-1].node
}

// topAtom is the name of the current node.
func (p *parser) topAtom() atom.Atom {
	if len(p.stack) == 0 {
		return 0
	}
	return p.stack[len(p.stack)-1].atom
}

func (p *parser) foreignTop() bool {
	return len(p.stack) > 0 && p.stack[len(p.stack)-1].traits&foreign != 0
}

func (p *parser) pop() {
	if len(p.stack) == 0 {
		p.err = ErrLost
		return
	}
	p.popTo(len(p.stack) - 1)
}

// popTo closes all elements but the first n.
func (p *parser) popTo(n int) {
	for _, o := range p.stack[n:] {
		p.count[o.id]--
	}
	p.stack = p.stack[:n]
}

// indexOf is the place of a node on the stack, or -1.
func (p *parser) indexOf(n *html.Node) int {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].node == n {
			return i
		}
	}
	return -1
}

// removeAt closes one element and leaves those inside it open.
func (p *parser) removeAt(i int) {
	if i < 0 {
		return
	}
	p.count[p.stack[i].id]--
	p.stack = append(p.stack[:i], p.stack[i+1:]...)
}

// insertAt opens an element in the midst of the stack.
func (p *parser) insertAt(i int, o open) {
	p.stack = append(p.stack, open{})
	copy(p.stack[i+1:], p.stack[i:])
	p.stack[i] = o
	p.count[o.id]++
}

// The scopes of 13.2.4.2 by what ends them.
const (
	defaultScope = scope
	itemScope    = scope | list
	buttonScope  = scope | button
)

// inScope is the place of the nearest open element e in a scope, or -1.
func (p *parser) inScope(ends traits, e *element) int {
	if p.count[e.id] == 0 {
		return -1
	}
	for i := len(p.stack) - 1; i >= 0; i-- {
		o := &p.stack[i]
		if o.id == e.id {
			return i
		}
		if o.traits&ends != 0 {
			break
		}
	}
	return -1
}

// kindInScope is the place of the nearest open element with a trait, or -1.
func (p *parser) kindInScope(ends, kind traits) int {
	for i := len(p.stack) - 1; i >= 0; i-- {
		o := &p.stack[i]
		if o.traits&kind != 0 {
			return i
		}
		if o.traits&ends != 0 {
			break
		}
	}
	return -1
}

// close ends the element at i and all inside it; it reports whether i is a place.
func (p *parser) close(i int) bool {
	if i < 0 {
		return false
	}
	p.popTo(i)
	return true
}

// closeP ends an open paragraph.
func (p *parser) closeP() { p.close(p.inScope(buttonScope, elementP)) }

// inTemplateElement reports whether a template is open.
func (p *parser) inTemplateElement() bool { return p.count[elementTemplate.id] > 0 }

// closeImplied ends the elements whose end tags may be left out, up to one
// called except (13.2.6.3).
func (p *parser) closeImplied(except atom.Atom) {
	i := len(p.stack)
	for i > 0 && p.stack[i-1].traits&implied != 0 && (except == 0 || p.stack[i-1].atom != except) {
		i--
	}
	p.popTo(i)
}

// clearTo closes all elements inside the nearest one of a context (13.2.6.4.9).
func (p *parser) clearTo(context traits) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].traits&context != 0 {
			p.popTo(i + 1)
			return
		}
	}
}

// resetMode finds the mode for what is open now (13.2.4.1). As in x/net, names
// count in any namespace, but for templates.
func (p *parser) resetMode() {
	for i := len(p.stack) - 1; i >= 0; i-- {
		o := &p.stack[i]
		switch o.atom {
		case atom.Td, atom.Th:
			p.mode = inCell
		case atom.Tr:
			p.mode = inRow
		case atom.Tbody, atom.Thead, atom.Tfoot:
			p.mode = inTableBody
		case atom.Caption:
			p.mode = inCaption
		case atom.Colgroup:
			p.mode = inColumnGroup
		case atom.Table:
			p.mode = inTable
		case atom.Template:
			if o.traits&foreign != 0 {
				continue
			}
			p.mode = inNone
			if k := len(p.templates); k > 0 {
				p.mode = p.templates[k-1]
			}
		case atom.Head:
			p.mode = inHead
		case atom.Body:
			p.mode = inBody
		case atom.Frameset:
			p.mode = inFrameset
		case atom.Html:
			p.mode = inAfterHead
			if p.head == nil {
				p.mode = inBeforeHead
			}
		default:
			if i > 0 {
				continue
			}
			p.mode = inBody
		}
		return
	}
}
