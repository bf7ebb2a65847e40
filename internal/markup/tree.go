package markup

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// addElement creates an element for the current tag, inserts it into the tree and
// opens it (13.2.6.1).
func (p *parser) addElement() *html.Node {
	n := p.slabs.node()
	n.Type = html.ElementNode
	n.DataAtom, n.Data, n.Attr = p.tok.atom, p.tok.data, p.tok.attr
	p.insert(n)
	p.push(n, p.tok.element.traits, p.tok.element.id)
	return n
}

// addImplied adds an element whose tag the page omits.
func (p *parser) addImplied(e *element) {
	n := p.slabs.node()
	n.Type = html.ElementNode
	n.DataAtom, n.Data = e.atom, e.name
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
		parent = p.doc
	case inAfterBody:
		parent = p.stack[0].node
	}
	p.addCommentTo(parent)
}

func (p *parser) addCommentTo(parent *html.Node) {
	p.empty++
	n := p.slabs.node()
	n.Type, n.Data = html.CommentNode, p.tok.data
	appendTo(parent, n)
}

// insert inserts a node at the current position.
func (p *parser) insert(n *html.Node) {
	if p.misplaced() {
		p.fosterParent(n)
	} else {
		appendTo(p.top(), n)
	}
}

// appendTo makes a new node the last child of parent.
func appendTo(parent, n *html.Node) {
	if last := parent.LastChild; last != nil {
		last.NextSibling = n
		n.PrevSibling = last
	} else {
		parent.FirstChild = n
	}
	parent.LastChild = n
	n.Parent = parent
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
		if last := p.top().LastChild; last != nil && last.Type == html.TextNode {
			p.join(last, text)
			return
		}
	}
	if blank {
		p.empty++
	}
	n := p.slabs.node()
	n.Type, n.Data = html.TextNode, text
	if fostered {
		p.fosterParent(n)
	} else {
		appendTo(p.top(), n)
	}
}

// join collects the parts of a text node until the end of parsing, so that many
// small ones do not take quadratic time.
func (p *parser) join(n *html.Node, text string) {
	if p.joined == nil {
		p.joined = make(map[*html.Node][]byte)
	}
	b, ok := p.joined[n]
	if !ok {
		b = []byte(n.Data)
	}
	p.joined[n] = append(b, text...)
}

// misplaced reports whether the next node must be moved out of a table.
func (p *parser) misplaced() bool {
	return p.fostering && len(p.stack) > 0 && p.stack[len(p.stack)-1].traits&foster != 0
}

// fosterParent inserts a node before the table that it must not be in (13.2.6.1).
func (p *parser) fosterParent(n *html.Node) {
	table, template := p.lastNamed(atom.Table), p.lastNamed(atom.Template)
	if template > table {
		p.stack[template].node.AppendChild(n)
		return
	}
	var parent, before, prev *html.Node
	if table < 0 {
		parent = p.stack[0].node
		prev = parent.LastChild
	} else {
		before = p.stack[table].node
		prev = before.PrevSibling
		if parent = before.Parent; parent == nil {
			p.err = ErrNoTree
			return
		}
	}
	if prev != nil && prev.Type == html.TextNode && n.Type == html.TextNode {
		p.join(prev, n.Data)
		return
	}
	parent.InsertBefore(n, before)
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

// slabs allocates nodes, attributes and strings in large blocks.
type slabs struct {
	nodes []html.Node
	attrs []html.Attribute // the used part of a block
	text  strings.Builder  // strings that differ from the page
	made  int              // number of nodes allocated
	next  int              // size of the next block of nodes
	wide  int              // size of the next block of attributes
}

const (
	smallestSlab = 16
	largestSlab  = 256 // about 26 KB; larger blocks take longer to allocate and waste more
	textSlab     = 4 << 10
)

func (s *slabs) node() *html.Node {
	if len(s.nodes) == 0 {
		s.nodes = make([]html.Node, s.next)
		s.next = min(2*s.next, largestSlab)
	}
	s.made++
	n := &s.nodes[0]
	s.nodes = s.nodes[1:]
	return n
}

// attr appends an attribute to those of the same tag, which begin at mark. It
// returns where they begin now.
func (s *slabs) attr(mark int, a html.Attribute) int {
	if len(s.attrs) == cap(s.attrs) {
		tag := s.attrs[mark:]
		s.moreAttrs(2 * len(tag))
		s.attrs = append(s.attrs, tag...)
		mark = 0
	}
	s.attrs = append(s.attrs, a)
	return mark
}

// moreAttrs begins a new block for at least n attributes.
func (s *slabs) moreAttrs(n int) {
	s.attrs = make([]html.Attribute, 0, max(s.wide, n))
	s.wide = min(2*s.wide, largestSlab)
}

// cloneAttrs copies attributes, since nodes must not share them.
func (s *slabs) cloneAttrs(attrs []html.Attribute) []html.Attribute {
	if len(attrs) == 0 {
		return nil
	}
	if cap(s.attrs)-len(s.attrs) < len(attrs) {
		s.moreAttrs(len(attrs))
	}
	mark := len(s.attrs)
	s.attrs = append(s.attrs, attrs...)
	return s.attrs[mark:len(s.attrs):len(s.attrs)]
}

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
