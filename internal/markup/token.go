package markup

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

type tokenKind uint8

const (
	textToken tokenKind = iota + 1
	startToken
	endTagToken
	commentToken
	doctypeToken
	endToken // of the page
)

// token is what the tokenizer found (13.2.5). There is one at a time.
type token struct {
	kind        tokenKind
	selfClosing bool
	element     *element // of tags, never nil
	atom        atom.Atom
	data        string // the name of a tag, the text of all others
	attr        []html.Attribute
}

// classes of bytes in tags
const (
	endsName  = 1 << iota // ends the name of a tag
	endsKey               // ends the name of an attribute
	endsValue             // ends a value without quotes
	space
	changes // is not kept as it is in a name
	letter
)

var classes = func() (t [256]uint8) {
	for _, c := range " \n\r\t\f" {
		t[c] = space | endsName | endsKey | endsValue
	}
	t['/'] = endsName | endsKey
	t['>'] = endsName | endsKey | endsValue
	t['='] = endsKey
	t[0] = changes
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-0x20] = letter, letter|changes
	}
	return t
}()

// next reads a token (13.2.5.1).
func (p *parser) next() {
	page := p.page
	if p.raw != nil && p.rawToken() {
		return
	}
	start := p.pos
	for i := start; ; i++ {
		k := strings.IndexByte(page[i:], '<')
		if k < 0 || i+k+1 >= len(page) {
			if start == len(page) {
				p.endPage()
			} else {
				p.found(textToken, start, len(page), len(page), inContent)
			}
			return
		}
		i += k
		c := page[i+1]
		if classes[c]&letter == 0 && c != '/' && c != '!' && c != '?' {
			continue // a '<' that means nothing by itself
		}
		switch {
		case i > start:
			p.found(textToken, start, i, i, inContent)
		case c == '/':
			p.endTag(i + 2)
		case c == '!':
			p.declaration(i + 2)
		case c == '?':
			p.bogusComment(i + 1)
		default:
			p.startTag(i + 1)
		}
		return
	}
}

// endPage is the end of the page; a tag that it cuts off is dropped.
func (p *parser) endPage() {
	p.pos = len(p.page)
	p.tok = token{kind: endToken, element: otherElement}
}

// found makes a token of the text from i to end; the next one begins at next.
func (p *parser) found(kind tokenKind, i, end, next int, at place) {
	p.pos = next
	p.tok.kind = kind
	p.tok.element, p.tok.atom = otherElement, 0
	p.tok.data = p.decode(i, end, at)
}
