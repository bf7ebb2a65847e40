package markup

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// addElement creates an element for the current tag, inserts it into the tree and
// opens it (13.2.6.1).
func (p *parser) addElement() Ref {
	n := p.add(Node{Type: html.ElementNode, Atom: p.tok.atom, Data: p.tok.data, attrs: p.tok.attrs})
	p.insert(n)
	p.push(n, p.tok.element.traits, p.tok.element.id)
	return n
}

// addImplied adds an element whose tag the page omits.
func (p *parser) addImplied(e *element) {
	n := p.add(Node{Type: html.ElementNode, Atom: e.atom, Data: e.name})
	p.insert(n)
	p.push(n, e.traits, e.id)
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
	p.appendTo(parent, p.add(Node{Type: html.CommentNode, Data: p.tok.data}))
}

// insert inserts a node at the current position.
func (p *parser) insert(n Ref) {
	if p.misplaced() {
		p.fosterParent(n)
	} else {
		p.appendTo(p.top(), n)
	}
}

// addText adds a text node, or appends to the text node before it.
func (p *parser) addText(text string) {
	if text == "" {
		return
	}
	blank := spaces(text) == len(text)
	if !blank && p.mode != inText {
		p.shown += len(text)
	}
	fostered := p.misplaced()
	if !fostered {
		if last := p.nodes[p.top()].LastChild; last != None && p.nodes[last].Type == html.TextNode {
			p.join(last, text)
			return
		}
	}
	if blank {
		p.empty++
	}
	n := p.add(Node{Type: html.TextNode, Data: text})
	if fostered {
		p.fosterParent(n)
	} else {
		p.appendTo(p.top(), n)
	}
}

// join collects the parts of a text node until the end of parsing, so that many
// small ones do not take quadratic time.
func (p *parser) join(n Ref, text string) {
	if p.joined == nil {
		p.joined = make(map[Ref][]byte)
	}
	b, ok := p.joined[n]
	if !ok {
		b = []byte(p.nodes[n].Data)
	}
	p.joined[n] = append(b, text...)
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
	if prev != None && p.nodes[prev].Type == html.TextNode && p.nodes[n].Type == html.TextNode {
		p.join(prev, p.nodes[n].Data)
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
	p.tok.data = p.tok.data[spaces(p.tok.data):]
	return p.tok.data == ""
}

// addSpaces adds the leading white space of a text token to the tree and reports
// whether nothing is left.
func (p *parser) addSpaces() bool {
	n := spaces(p.tok.data)
	if n == 0 {
		return false
	}
	p.addText(p.tok.data[:n])
	p.tok.data = p.tok.data[n:]
	return p.tok.data == ""
}

// spaces returns the length of the leading white space of a text.
func spaces(s string) int {
	i := 0
	for i < len(s) && classes[s[i]]&space != 0 {
		i++
	}
	return i
}

// onlySpaces returns the white space of a text token.
func (p *parser) onlySpaces() string {
	s := p.tok.data
	if spaces(s) == len(s) {
		return s
	}
	mark := p.slabs.beginText(len(s))
	for i := range len(s) {
		if classes[s[i]]&space != 0 {
			p.slabs.text.WriteByte(s[i])
		}
	}
	return p.slabs.endText(mark)
}

// slabs allocates strings in large blocks.
type slabs struct {
	text strings.Builder // strings that differ from the page
}

const textSlab = 4 << 10

// beginText makes room for a string of up to n bytes. endText returns what was
// written since.
func (s *slabs) beginText(n int) (mark int) {
	if s.text.Cap()-s.text.Len() < n {
		s.text = strings.Builder{}
		s.text.Grow(max(textSlab, n))
	}
	return s.text.Len()
}

func (s *slabs) endText(mark int) string { return s.text.String()[mark:] }
