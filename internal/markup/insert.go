package markup

import (
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
