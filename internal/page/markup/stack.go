package markup

import (
	"cmp"
	"slices"

	"golang.org/x/net/html/atom"
)

// open is an entry of the stack of open elements (13.2.4.2).
type open struct {
	node   Ref
	atom   atom.Atom
	traits traits
	id     uint8 // element.id, or 0 if it is not an HTML element
}

// maxDepth is the same as in x/net.
const maxDepth = 512

// push opens an element.
func (p *parser) push(n Ref, t traits, id uint8) {
	p.stack = append(p.stack, open{n, p.nodes[n].atom, t, id})
	p.count[id]++
	if len(p.stack) > maxDepth {
		p.err = ErrTooDeep
	}
}

// top returns the current node, or the document if no element is open.
func (p *parser) top() Ref {
	if len(p.stack) == 0 {
		return Root
	}
	return p.stack[len(p.stack)-1].node
}

// topAtom returns the name of the current node.
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
		p.err = ErrNoTree
		return
	}
	p.popTo(len(p.stack) - 1)
}

// popTo closes all open elements but the first n.
func (p *parser) popTo(n int) {
	for _, o := range p.stack[n:] {
		p.count[o.id]--
	}
	p.stack = p.stack[:n]
}

// indexOf returns the index of a node in the stack, or -1.
func (p *parser) indexOf(n Ref) int {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].node == n {
			return i
		}
	}
	return -1
}

// removeAt closes one element but not those inside it.
func (p *parser) removeAt(i int) {
	if i >= 0 {
		p.count[p.stack[i].id]--
		p.stack = slices.Delete(p.stack, i, i+1)
	}
}

// The scopes of 13.2.4.2, by the elements that end them.
const (
	defaultScope = scope
	itemScope    = scope | list
	buttonScope  = scope | button
)

// inScope returns the index of the innermost open element e in a scope, or -1.
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

// kindInScope returns the index of the innermost open element with a trait in a
// scope, or -1.
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

// close closes the element at i and all inside it. It reports whether i is valid.
func (p *parser) close(i int) bool {
	if i < 0 {
		return false
	}
	p.popTo(i)
	return true
}

// closeP closes an open paragraph.
func (p *parser) closeP() { p.close(p.inScope(buttonScope, p.elements.p)) }

// inTemplateElement reports whether a template is open.
func (p *parser) inTemplateElement() bool { return p.count[p.elements.template.id] > 0 }

// closeImplied closes the elements whose end tags may be omitted, up to one
// named except (13.2.6.3).
func (p *parser) closeImplied(except atom.Atom) {
	i := len(p.stack)
	for i > 0 && p.stack[i-1].traits&implied != 0 && (except == 0 || p.stack[i-1].atom != except) {
		i--
	}
	p.popTo(i)
}

// clearTo closes all elements inside the innermost one of a context (13.2.6.4.9).
func (p *parser) clearTo(context traits) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].traits&context != 0 {
			p.popTo(i + 1)
			return
		}
	}
}

// modeIn has the modes inside elements.
var modeIn = map[atom.Atom]mode{
	atom.Td: inCell, atom.Th: inCell, atom.Tr: inRow, atom.Tbody: inTableBody, atom.Thead: inTableBody, atom.Tfoot: inTableBody,
	atom.Caption: inCaption, atom.Colgroup: inColumnGroup, atom.Table: inTable, atom.Head: inHead, atom.Body: inBody,
	atom.Frameset: inFrameset, atom.Html: inAfterHead,
}

// resetMode sets the mode for the open elements (13.2.4.1). As in x/net, the
// namespace matters only for templates.
func (p *parser) resetMode() {
	for i := len(p.stack) - 1; i >= 0; i-- {
		o := &p.stack[i]
		if o.atom == atom.Template && o.traits&foreign == 0 {
			if len(p.templates) == 0 {
				p.err = ErrNoTree
				return
			}
			p.mode = p.templates[len(p.templates)-1]
			return
		}
		if m, ok := modeIn[o.atom]; ok {
			p.mode = m
			if o.atom == atom.Html && p.head == None {
				p.mode = inBeforeHead
			}
			return
		}
	}
}

// addFormatting adds a formatting element, which is opened again if others close
// it too early (13.2.4.3). As in x/net, its attributes are sorted.
func (p *parser) addFormatting() {
	n := p.addElement()
	if p.flat {
		return
	}
	attrs := p.Attrs(n)
	slices.SortFunc(attrs, func(a, b Attr) int {
		return cmp.Or(cmp.Compare(p.Key(a.Key), p.Key(b.Key)), cmp.Compare(p.Value(&a), p.Value(&b)))
	})
	// The "Noah's Ark clause": no more than three of a kind.
	same := 0
	for i := len(p.active) - 1; i >= 0 && p.active[i] != None; i-- {
		if a := p.active[i]; p.nodes[a].atom == p.nodes[n].atom && p.sameAttrs(p.Attrs(a), attrs) {
			if same++; same >= 3 {
				p.active = slices.Delete(p.active, i, i+1)
			}
		}
	}
	p.active = append(p.active, n)
}

func (p *parser) sameAttrs(a, b []Attr) bool {
	return slices.EqualFunc(a, b, func(a, b Attr) bool { return a.Key == b.Key && p.Value(&a) == p.Value(&b) })
}

// addMarker keeps the formatting outside from being opened inside.
func (p *parser) addMarker() { p.active = append(p.active, None) }

// clearToMarker removes the active formatting elements up to the last marker.
func (p *parser) clearToMarker() {
	if len(p.active) == 0 {
		p.err = ErrNoTree
		return
	}
	i := len(p.active) - 1
	for i > 0 && p.active[i] != None {
		i--
	}
	p.active = p.active[:i]
}

func (p *parser) removeActive(n Ref) {
	p.active = slices.DeleteFunc(p.active, func(a Ref) bool { return a == n })
}

// reopen opens the formatting elements again that others closed (13.2.4.3).
func (p *parser) reopen() {
	i := len(p.active)
	for i > 0 && p.active[i-1] != None && p.indexOf(p.active[i-1]) < 0 {
		i--
	}
	for ; i < len(p.active); i++ {
		n := p.insert(p.clone(p.active[i]))
		e := p.elements.named(p.Data(n))
		p.push(n, e.traits, e.id)
		p.active[i] = n
	}
}

// clone copies a formatting element to open it again.
func (p *parser) clone(n Ref) Node {
	if p.clones++; p.clones > p.maxClones() {
		p.err = ErrCostly
	}
	from := &p.nodes[n]
	return Node{Type: from.Type, atom: from.atom, span: from.span}
}

// endFormatting closes a formatting element with the adoption agency algorithm
// (13.2.6.4.7). The numbers are the steps of the standard.
func (p *parser) endFormatting(e *element) {
	// 2: the current node has the name and is not an active formatting element.
	if n := p.top(); p.nodes[n].atom == e.atom && !slices.Contains(p.active, n) {
		p.pop()
		return
	}
	for range 8 { // 3, 4
		format := p.lastActive(e.atom)
		if format == None { // 4.3
			p.endOther(e.atom)
			return
		}
		at := p.indexOf(format)
		if at < 0 { // 4.4
			p.removeActive(format)
			return
		}
		if p.inScope(defaultScope, e) < 0 { // 4.5
			return
		}
		// 4.7: the furthest block is the outermost special element inside it.
		block := at
		for block < len(p.stack) && p.stack[block].traits&special == 0 {
			block++
		}
		if block == len(p.stack) { // 4.8
			p.popTo(at)
			p.removeActive(format)
			return
		}
		if at == 0 {
			p.err = ErrNoTree
			return
		}
		p.adopt(format, at, block)
	}
}

// adopt moves the furthest block, and its formatting, out of a formatting element
// that ends before it (4.9 to 4.18).
func (p *parser) adopt(format Ref, start, block int) {
	ancestor, furthest := p.stack[start-1], p.stack[block].node
	bookmark := slices.Index(p.active, format)
	last := furthest
	for x, inner := block-1, 1; p.stack[x].node != format; x, inner = x-1, inner+1 {
		node := p.stack[x].node
		at := slices.Index(p.active, node)
		if at >= 0 && inner > 3 {
			// As in x/net, such an element stays on the stack here.
			p.removeActive(node)
			if at <= bookmark {
				bookmark--
			}
			continue
		}
		if at < 0 {
			p.removeAt(x)
			continue
		}
		clone := p.add(p.clone(node))
		p.active[at], p.stack[x].node = clone, clone
		if last == furthest {
			bookmark = at + 1
		}
		p.detach(last)
		p.appendTo(clone, last)
		last = clone
	}
	p.detach(last)
	if ancestor.traits&foster != 0 { // 4.14
		p.fosterParent(last)
	} else {
		p.appendTo(ancestor.node, last)
	}
	clone := p.add(p.clone(format)) // 4.15 to 4.17
	p.moveChildren(furthest, clone)
	p.appendTo(furthest, clone)
	// 4.18 and 4.19: the clone takes the place of the element in both lists.
	if at := slices.Index(p.active, format); at >= 0 && at < bookmark {
		bookmark--
	}
	p.removeActive(format)
	p.active = slices.Insert(p.active, bookmark, clone)
	at := p.indexOf(format)
	entry := p.stack[at]
	entry.node = clone
	p.stack = slices.Delete(p.stack, at, at+1)
	p.stack = slices.Insert(p.stack, p.indexOf(furthest)+1, entry)
}

// lastActive returns the innermost active element with a name since the last marker.
func (p *parser) lastActive(name atom.Atom) Ref {
	for i := len(p.active) - 1; i >= 0 && p.active[i] != None; i-- {
		if p.nodes[p.active[i]].atom == name {
			return p.active[i]
		}
	}
	return None
}

// endOther closes the innermost element with a name, unless a special one is
// inside it.
func (p *parser) endOther(name atom.Atom) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		o := &p.stack[i]
		if o.atom == name && o.traits&foreign == 0 {
			p.popTo(i)
			return
		}
		if o.traits&special != 0 {
			return
		}
	}
}
