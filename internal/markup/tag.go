package markup

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// startTag reads a tag from its name on (13.2.5.8).
func (p *parser) startTag(i int) {
	i, lastValue := p.readAttributes(p.readName(i))
	if i >= len(p.page) {
		p.endPage()
		return
	}
	p.tok.kind = startToken
	// A slash at the end of the last value is no end of the tag. As in x/net, a
	// repeated attribute does not count for the last.
	p.tok.selfClosing = p.page[i-1] == '/' && i != lastValue
	p.pos = i + 1
	if p.tok.element.traits&rawKinds != 0 {
		p.raw = p.tok.element
	}
}

// endTag reads what follows "</" (13.2.5.7).
func (p *parser) endTag(i int) {
	switch {
	case i >= len(p.page):
		p.found(textToken, i-len("</"), i, i, inContent)
		return
	case p.page[i] == '>':
		p.found(commentToken, i, i, i+1, inRcdata) // an empty one, as in x/net
		return
	case classes[p.page[i]]&letter == 0:
		p.bogusComment(i)
		return
	}
	i = p.skipSpace(p.readName(i))
	for i < len(p.page) && p.page[i] != '>' {
		i = p.skipSpace(p.readAttribute(i).next)
	}
	if i >= len(p.page) {
		p.endPage()
		return
	}
	p.tok.kind = endTagToken
	p.tok.attr, p.tok.selfClosing = nil, false
	p.pos = i + 1
}

// readName reads the name of a tag into the token and gives the place after it.
func (p *parser) readName(i int) int {
	page, start := p.page, i
	hash, seen := uint32(hashStart), uint8(0)
	for ; i < len(page); i++ {
		c := page[i]
		class := classes[c]
		if class&endsName != 0 {
			break
		}
		seen |= class
		hash = (hash ^ uint32(c)) * hashFactor
	}
	name := page[start:i]
	if seen&changes != 0 {
		name = p.lower(name)
		hash = hashName(name)
	}
	e := findElement(hash, name)
	p.tok.element = e
	if e != otherElement {
		p.tok.atom, p.tok.data = e.atom, e.name
		return i
	}
	name = strings.ReplaceAll(name, "\x00", "\ufffd")
	p.tok.atom, p.tok.data = lookup(name), name
	return i
}

// lookup finds the atom of a name that has no rules: x/net knows the names of
// attributes as tags as well.
func lookup(name string) atom.Atom {
	var b [32]byte
	if len(name) > len(b) {
		return 0 // longer than all of them
	}
	return atom.Lookup(b[:copy(b[:], name)])
}

// lower puts the letters of ASCII in lower case.
func (p *parser) lower(s string) string {
	mark := p.slabs.beginText(len(s))
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		p.slabs.text.WriteByte(c)
	}
	return p.slabs.endText(mark)
}
