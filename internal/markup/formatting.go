package markup

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// addFormatting adds an element that is opened again where others end it too
// early (13.2.4.3). As in x/net, its attributes are put in order.
func (p *parser) addFormatting() {
	n := p.addElement()
	sortAttributes(n.Attr)
	// No more than three of a kind: the "Noah's Ark clause".
	same := 0
	for i := len(p.active) - 1; i >= 0 && p.active[i] != nil; i-- {
		if a := p.active[i]; a.DataAtom == n.DataAtom && slices.Equal(a.Attr, n.Attr) {
			if same++; same >= 3 {
				p.active = slices.Delete(p.active, i, i+1)
			}
		}
	}
	p.active = append(p.active, n)
}

func sortAttributes(attrs []html.Attribute) {
	if len(attrs) > 1 {
		slices.SortFunc(attrs, func(a, b html.Attribute) int {
			return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Val, b.Val))
		})
	}
}

// addMarker keeps formatting outside from what begins now.
func (p *parser) addMarker() { p.active = append(p.active, nil) }

// clearToMarker forgets the formatting of what ended.
func (p *parser) clearToMarker() {
	if len(p.active) == 0 {
		p.err = ErrLost
		return
	}
	i := len(p.active) - 1
	for i > 0 && p.active[i] != nil {
		i--
	}
	p.active = p.active[:i]
}

func (p *parser) indexActive(n *html.Node) int {
	for i := len(p.active) - 1; i >= 0; i-- {
		if p.active[i] == n {
			return i
		}
	}
	return -1
}

func (p *parser) removeActive(n *html.Node) {
	if i := p.indexActive(n); i >= 0 {
		p.active = slices.Delete(p.active, i, i+1)
	}
}

// reopen opens the formatting elements that others ended (13.2.4.3).
func (p *parser) reopen() {
	i := len(p.active)
	for i > 0 && p.active[i-1] != nil && p.indexOf(p.active[i-1]) < 0 {
		i--
	}
	for ; i < len(p.active); i++ {
		n := p.clone(p.active[i])
		p.place(n)
		e := elementNamed(n.Data)
		p.push(n, e.traits, e.id)
		p.active[i] = n
	}
}

func (p *parser) clone(n *html.Node) *html.Node {
	p.countClone()
	c := p.slabs.node()
	c.Type, c.DataAtom, c.Data = n.Type, n.DataAtom, n.Data
	c.Attr = p.slabs.cloneAttrs(n.Attr)
	return c
}

// endFormatting ends a formatting element: the adoption agency (13.2.6.4.7). The
// numbers are the steps of the standard.
func (p *parser) endFormatting(e *element) {
	// 2: the current node has the name and is no formatting element.
	if n := p.top(); n.Data == e.name && p.indexActive(n) < 0 {
		p.pop()
		return
	}
	for range 8 { // 3, 4
		format := p.lastActive(e.atom)
		if format == nil { // 4.3
			p.endOther(e.atom, e.name)
			return
		}
		place := p.indexOf(format)
		if place < 0 { // 4.4
			p.removeActive(format)
			return
		}
		if p.inScope(defaultScope, e) < 0 { // 4.5
			return
		}
		// 4.7: the furthest block is the outermost special element inside it.
		block := place
		for block < len(p.stack) && p.stack[block].traits&special == 0 {
			block++
		}
		if block == len(p.stack) { // 4.8
			p.popTo(place)
			p.removeActive(format)
			return
		}
		if place == 0 {
			p.err = ErrLost
			return
		}
		p.adopt(format, place, block)
	}
}

// adopt moves the furthest block, and what formats it, out of a formatting
// element that ends before it does (4.9 to 4.18).
func (p *parser) adopt(format *html.Node, place, block int) {
	ancestor, furthest := p.stack[place-1], p.stack[block].node
	bookmark := p.indexActive(format)
	last := furthest
	for x, inner := block-1, 1; p.stack[x].node != format; x, inner = x-1, inner+1 {
		node := p.stack[x].node
		at := p.indexActive(node)
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
		clone := p.clone(node)
		p.active[at], p.stack[x].node = clone, clone
		if last == furthest {
			bookmark = at + 1
		}
		detach(last)
		clone.AppendChild(last)
		last = clone
	}
	detach(last)
	if ancestor.traits&foster != 0 { // 4.14
		p.fosterParent(last)
	} else {
		ancestor.node.AppendChild(last)
	}
	clone := p.clone(format) // 4.15 to 4.17
	for c := furthest.FirstChild; c != nil; c = furthest.FirstChild {
		furthest.RemoveChild(c)
		clone.AppendChild(c)
	}
	furthest.AppendChild(clone)
	// 4.18 and 4.19: the clone takes the place of the element in both lists.
	if at := p.indexActive(format); at >= 0 && at < bookmark {
		bookmark--
	}
	p.removeActive(format)
	p.active = slices.Insert(p.active, bookmark, clone)
	at := p.indexOf(format)
	entry := p.stack[at]
	entry.node = clone
	p.removeAt(at)
	p.insertAt(p.indexOf(furthest)+1, entry)
}

func detach(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// lastActive is the innermost active element of a name since the last marker.
func (p *parser) lastActive(name atom.Atom) *html.Node {
	for i := len(p.active) - 1; i >= 0 && p.active[i] != nil; i-- {
		if p.active[i].DataAtom == name {
			return p.active[i]
		}
	}
	return nil
}

// endOther ends the nearest element of a name, unless a special one is inside it.
func (p *parser) endOther(name atom.Atom, data string) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		o := &p.stack[i]
		if o.atom == name && o.traits&foreign == 0 && (name != 0 || o.node.Data == data) {
			p.popTo(i)
			return
		}
		if o.traits&special != 0 {
			return
		}
	}
}
