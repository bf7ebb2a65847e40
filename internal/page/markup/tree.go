package markup

import "golang.org/x/net/html/atom"

// addElement creates an element for the current tag, inserts it into the tree and
// opens it (13.2.6.1).
func (p *parser) addElement() Ref {
	n := p.insert(Node{Type: ElementNode, atom: p.tok.atom, span: p.tok.attrs})
	p.push(n, p.tok.element.traits, p.tok.element.id)
	return n
}

// addImplied adds an element whose tag the page omits.
func (p *parser) addImplied(e *element) {
	p.push(p.insert(Node{Type: ElementNode, atom: e.atom}), e.traits, e.id)
}

// addVoid adds an element without content.
func (p *parser) addVoid() {
	p.addElement()
	p.pop()
}

// addRaw adds an element with raw text (13.2.6.2).
func (p *parser) addRaw() {
	p.addElement()
	p.original = p.mode
	p.mode = inText
}

// addComment adds a comment where the mode says.
func (p *parser) addComment() {
	parent := p.top()
	switch p.mode {
	case inInitial, inBeforeHTML, inAfterAfterBody, inAfterAfterFrameset:
		parent = Root
	case inAfterBody:
		parent = p.stack[0].node
	}
	p.addCommentTo(parent)
}

func (p *parser) addCommentTo(parent Ref) {
	p.empty++
	p.addLast(parent, Node{Type: CommentNode, span: p.tok.text})
}

// insert adds a node at the current position.
func (p *parser) insert(node Node) Ref {
	if p.misplaced() {
		n := p.add(node)
		p.fosterParent(n)
		return n
	}
	return p.addLast(p.top(), node)
}

// addText adds a text node, or appends to the text node before it.
func (p *parser) addText(text span) {
	if text.empty() {
		return
	}
	blank := p.isBlank(text)
	if last := p.nodes[p.top()].LastChild; last != None && p.nodes[last].Type == TextNode && !p.misplaced() {
		p.join(last, text)
		return
	}
	if blank {
		p.empty++
	}
	p.insert(Node{Type: TextNode, span: text, Blank: blank})
}

// join collects the parts of a text node until the end of parsing, so that many
// small ones do not take quadratic time.
func (p *parser) join(n Ref, text span) {
	if p.joined == nil {
		p.joined = make(map[Ref][]byte)
	}
	b, ok := p.joined[n]
	if !ok {
		b = []byte(p.Data(n))
		p.nodes[n].Blank = false
	}
	p.joined[n] = append(b, p.textAt(text)...)
}

// misplaced reports whether the next node must be moved out of a table.
func (p *parser) misplaced() bool {
	return p.fostering && len(p.stack) > 0 && p.stack[len(p.stack)-1].traits&foster != 0
}

// fosterParent inserts a node before the table that it must not be in (13.2.6.1).
func (p *parser) fosterParent(n Ref) {
	table, template := p.lastNamed(atom.Table), p.lastNamed(atom.Template)
	if template > table {
		p.appendTo(p.stack[template].node, n)
		return
	}
	var parent, before, prev Ref
	if table < 0 {
		parent = p.stack[0].node
		prev = p.nodes[parent].LastChild
	} else {
		before = p.stack[table].node
		prev = p.nodes[before].PrevSibling
		if parent = p.nodes[before].Parent; parent == None {
			p.err = ErrNoTree
			return
		}
	}
	if prev != None && p.nodes[prev].Type == TextNode && p.nodes[n].Type == TextNode {
		p.join(prev, p.nodes[n].span)
		return
	}
	p.insertBefore(parent, n, before)
}

// lastNamed returns the index of the innermost open element with a name, or -1.
func (p *parser) lastNamed(name atom.Atom) int {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].atom == name {
			return i
		}
	}
	return -1
}

// skipSpaces removes leading white space from a text token and reports whether
// nothing is left.
func (p *parser) skipSpaces() bool {
	p.tok.text.from += p.spaces(p.tok.text)
	return p.tok.text.empty()
}

// addSpaces adds the leading white space of a text token to the tree and reports
// whether nothing is left.
func (p *parser) addSpaces() bool {
	from, n := p.tok.text.from, p.spaces(p.tok.text)
	if n == 0 {
		return false
	}
	p.addText(span{from, from + n})
	p.tok.text.from += n
	return p.tok.text.empty()
}

// spaces returns the length of the leading white space of a text.
func (p *parser) spaces(text span) uint32 {
	s, i := p.textAt(text), 0
	for i < len(s) && classes[s[i]]&space != 0 {
		i++
	}
	return uint32(i)
}

func (p *parser) isBlank(text span) bool { return p.spaces(text) == text.to-text.from }

// onlySpaces returns the white space of a text token.
func (p *parser) onlySpaces() span {
	if p.isBlank(p.tok.text) {
		return p.tok.text
	}
	mark, s := len(p.changed), p.textAt(p.tok.text)
	for i := range len(s) {
		if classes[s[i]]&space != 0 {
			p.changed = append(p.changed, s[i])
		}
	}
	return p.changedFrom(mark)
}
