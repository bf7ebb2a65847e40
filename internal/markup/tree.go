package markup

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// addElement makes an element of the current tag, puts it into the tree and
// opens it (13.2.6.1).
func (p *parser) addElement() *html.Node {
	n := p.slabs.node()
	n.Type = html.ElementNode
	n.DataAtom, n.Data, n.Attr = p.tok.atom, p.tok.data, p.tok.attr
	p.place(n)
	p.push(n, p.tok.element.traits, p.tok.element.id)
	return n
}

// addImplied adds an element that has no tag in the page.
func (p *parser) addImplied(e *element) {
	n := p.slabs.node()
	n.Type = html.ElementNode
	n.DataAtom, n.Data = e.atom, e.name
	p.place(n)
	p.push(n, e.traits, e.id)
}

// addVoid adds an element that never has anything in it.
func (p *parser) addVoid() {
	p.addElement()
	p.pop()
}

// addRaw adds an element whose text is raw (13.2.6.2).
func (p *parser) addRaw() {
	p.addElement()
	p.original = p.mode
	p.mode = inText
}

func (p *parser) addComment(parent *html.Node) {
	appendTo(parent, p.commentNode())
}

func (p *parser) commentNode() *html.Node {
	p.empty++
	n := p.slabs.node()
	n.Type, n.Data = html.CommentNode, p.tok.data
	return n
}

// place puts a node where the next one belongs.
func (p *parser) place(n *html.Node) {
	if p.misplaced() {
		p.fosterParent(n)
	} else {
		appendTo(p.top(), n)
	}
}

// appendTo makes a new node the last child of another.
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

// addText adds text to that before it, if there is any.
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

// join keeps the pieces of a text until the end, so that many small ones do not
// cost the square of their number.
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

// misplaced reports whether the next node may not stand where the parser is.
func (p *parser) misplaced() bool {
	return p.fostering && len(p.stack) > 0 && p.stack[len(p.stack)-1].traits&foster != 0
}

// fosterParent puts a node that does not belong into a table before it
// (13.2.6.1).
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
			p.err = ErrLost
			return
		}
	}
	if prev != nil && prev.Type == html.TextNode && n.Type == html.TextNode {
		p.join(prev, n.Data)
		return
	}
	parent.InsertBefore(n, before)
}

// lastNamed is the place of the innermost open element of a name, or -1.
func (p *parser) lastNamed(name atom.Atom) int {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].atom == name {
			return i
		}
	}
	return -1
}

// skipText takes the white space off the beginning of a text token, and reports
// whether nothing is left of it.
func (p *parser) skipText() bool {
	p.tok.data = p.tok.data[spaces(p.tok.data):]
	return p.tok.data == ""
}

// addSpaces adds the white space at the beginning of a text token, and reports
// whether nothing is left of it.
func (p *parser) addSpaces() bool {
	n := spaces(p.tok.data)
	if n == 0 {
		return false
	}
	p.addText(p.tok.data[:n])
	p.tok.data = p.tok.data[n:]
	return p.tok.data == ""
}

// spaces is how much white space a text begins with.
func spaces(s string) int {
	i := 0
	for i < len(s) && classes[s[i]]&space != 0 {
		i++
	}
	return i
}

// onlySpaces leaves out all that is no white space.
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

// slabs hand out memory for the tree in large pieces.
type slabs struct {
	nodes []html.Node
	attrs []html.Attribute // the used part of a piece
	text  strings.Builder  // strings that differ from the page
	made  int              // nodes handed out
	next  int              // size of the next piece of nodes
	wide  int              // and of the next one of attributes
}

const (
	smallestSlab = 16
	largestSlab  = 256 // some 26 KB: larger ones are slower to get and leave more unused
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

// attr puts an attribute behind those of the same tag, which begin at mark. It
// gives back where they begin now.
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

// moreAttrs begins a new piece with room for n attributes.
func (s *slabs) moreAttrs(n int) {
	s.attrs = make([]html.Attribute, 0, max(s.wide, n))
	s.wide = min(2*s.wide, largestSlab)
}

// cloneAttrs copies attributes, so that two nodes never share them.
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

// beginText makes room for a string of up to n bytes, and endText gives back
// what was written since.
func (s *slabs) beginText(n int) (mark int) {
	if s.text.Cap()-s.text.Len() < n {
		s.text = strings.Builder{}
		s.text.Grow(max(textSlab, n))
	}
	return s.text.Len()
}

func (s *slabs) endText(mark int) string { return s.text.String()[mark:] }
