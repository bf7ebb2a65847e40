package markup

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/net/html/atom"
)

//go:embed foreign.txt
var foreignFile string

// foreignTable has the names in SVG and MathML that are not in lower case.
type foreignTable struct {
	tags       map[string]string            // of SVG
	attributes map[string]map[string]string // by namespace
	xml        map[string]bool              // attributes with a namespace
}

// foreignNames reads the table once. It is read only.
var foreignNames = sync.OnceValue(func() *foreignTable {
	t := &foreignTable{map[string]string{}, map[string]map[string]string{inSVG.String(): {}, inMathML.String(): {}}, map[string]bool{}}
	for line := range strings.Lines(foreignFile) {
		switch f := strings.Fields(line); f[0] {
		case "tag":
			t.tags[strings.ToLower(f[2])] = f[2]
		case "attribute":
			t.attributes[f[1]][strings.ToLower(f[2])] = f[2]
		case "xml":
			t.xml[f[1]] = true
		}
	}
	return t
})

// inForeign reports whether the rules for foreign content apply (13.2.6).
func (p *parser) inForeign() bool {
	if !p.foreignTop() {
		return false
	}
	n, tag := &p.nodes[p.top()], p.tok.kind == startToken
	switch {
	case p.tok.kind == endToken:
		return false
	case !tag && p.tok.kind != textToken:
		return true
	case isMathText(n):
		return tag && (p.tok.atom == atom.Mglyph || p.tok.atom == atom.Malignmark)
	case n.ns == inMathML && n.atom == atom.AnnotationXml && tag && p.tok.atom == atom.Svg:
		return false
	}
	return !p.containsHTML(n)
}

// isMathText reports whether a node is a "MathML text integration point".
func isMathText(n *Node) bool {
	if n.ns != inMathML {
		return false
	}
	switch n.atom {
	case atom.Mi, atom.Mo, atom.Mn, atom.Ms, atom.Mtext:
		return true
	}
	return false
}

// containsHTML reports whether a node is an "HTML integration point".
func (p *parser) containsHTML(n *Node) bool {
	switch n.ns {
	case inSVG:
		return n.atom == atom.Desc || n.atom == atom.ForeignObject || n.atom == atom.Title
	case inMathML:
		if n.atom != atom.AnnotationXml {
			return false
		}
		encoding, _ := p.find(p.attrsIn(n.span), "encoding")
		return strings.EqualFold(encoding, "text/html") || strings.EqualFold(encoding, "application/xhtml+xml")
	}
	return false
}

// foreignToken is 13.2.6.5, "the rules for parsing tokens in foreign content".
func (p *parser) foreignToken() bool {
	switch p.tok.kind {
	case textToken:
		if p.framesetOK {
			p.framesetOK = strings.Trim(p.textAt(p.tok.text), " \t\r\n\f\x00") == ""
		}
		p.replaceNULs("\ufffd")
		p.addText(p.tok.text)
	case commentToken:
		p.addCommentTo(p.top())
	case startToken:
		if p.breaksOut() {
			for i := len(p.stack) - 1; i >= 0; i-- {
				if n := &p.nodes[p.stack[i].node]; n.ns == inHTML || p.containsHTML(n) || isMathText(n) {
					p.popTo(i + 1)
					break
				}
			}
			return p.dispatch()
		}
		p.addForeign(p.nodes[p.top()].ns)
		p.raw = nil
	case endTagToken:
		for i := len(p.stack) - 1; i >= 0; i-- {
			if strings.EqualFold(p.Data(p.stack[i].node), p.name(p.tok.atom)) {
				p.popTo(i)
				return true
			}
			if i > 0 && p.stack[i-1].traits&foreign == 0 {
				break
			}
		}
		return p.dispatch()
	}
	return true
}

// breaksOut reports whether a start tag closes SVG or MathML.
func (p *parser) breaksOut() bool {
	if p.tok.atom == atom.Font {
		for _, a := range p.attrsIn(p.tok.attrs) {
			switch p.Key(a.Key) {
			case "color", "face", "size":
				return true
			}
		}
	}
	return p.tok.element.traits&breakout != 0
}

// addForeign adds an element of SVG or MathML.
func (p *parser) addForeign(ns namespace) {
	names := foreignNames()
	if ns == inSVG {
		if name := names.tags[p.name(p.tok.atom)]; name != "" {
			p.tok.atom = p.atom(name)
		}
	}
	for i := p.tok.attrs.from; i < p.tok.attrs.to; i++ {
		a := &p.attrs[i]
		key := p.Key(a.Key)
		if name := names.attributes[ns.String()][key]; name != "" {
			a.Key = p.key(name)
		} else if names.xml[key] {
			if p.namespaces == nil {
				p.namespaces = map[int]string{}
			}
			p.namespaces[int(i)], key, _ = strings.Cut(key, ":")
			a.Key = p.key(key)
		}
	}
	n := p.insert(Node{Type: ElementNode, ns: ns, atom: p.tok.atom, span: p.tok.attrs})
	p.push(n, p.tok.element.traits&anyNamespace|p.foreignTraits(&p.nodes[n]), 0)
	if p.tok.selfClosing {
		p.pop()
	}
}

// foreignTraits returns the traits of an element in its namespace (13.2.4.2).
func (p *parser) foreignTraits(n *Node) traits {
	isSVG := n.ns == inSVG
	if isSVG && p.containsHTML(n) || isMathText(n) || !isSVG && n.atom == atom.AnnotationXml {
		return foreign | special | scope
	}
	return foreign
}
