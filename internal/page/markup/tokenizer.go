package markup

import (
	"strings"

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

// token is the current token (13.2.5).
type token struct {
	kind        tokenKind
	selfClosing bool
	element     *element  // of tags, never nil
	atom        atom.Atom // the name of a tag, see Tree.atom
	text        span      // of another token
	attrs       span
}

// The classes of bytes in tags.
const (
	endsName  = 1 << iota // ends the name of a tag
	endsKey               // ends the name of an attribute
	endsValue             // ends a value without quotes
	space
	changes // is replaced in a name
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

// next reads the next token (13.2.5.1).
func (p *parser) next() {
	page := p.page
	if p.raw != nil && p.rawToken() {
		return
	}
	start := p.pos
	for i := start; ; i++ {
		k := 0
		if i < len(page) && page[i] != '<' {
			k = strings.IndexByte(page[i:], '<')
		}
		if k < 0 || i+k+1 >= len(page) {
			if start == len(page) {
				p.endPage()
			} else {
				p.found(textToken, start, len(page), len(page), contentText)
			}
			return
		}
		i += k
		c := page[i+1]
		if classes[c]&letter == 0 && c != '/' && c != '!' && c != '?' {
			continue // a '<' that is text
		}
		switch {
		case i > start:
			p.found(textToken, start, i, i, contentText)
		case strings.HasPrefix(page[i:], "</>"): // is nothing (13.2.5.7)
			start = i + len("</>")
			i = start - 1
			continue
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

// endPage makes the end of the page the token. A truncated tag is dropped.
func (p *parser) endPage() {
	p.pos = len(p.page)
	p.tok = token{kind: endToken, element: p.elements.other()}
}

// found makes the text from i to end the token. The next one begins at next.
func (p *parser) found(kind tokenKind, i, end, next int, text textKind) {
	p.pos, p.tokStart = next, i
	p.tok.kind = kind
	p.tok.element, p.tok.atom = p.elements.other(), 0
	p.tok.text = p.decode(i, end, text)
}

// startTag reads a start tag whose name begins at i (13.2.5.8).
func (p *parser) startTag(i int) {
	i, lastValue := p.readAttributes(p.readName(i))
	if i >= len(p.page) {
		p.endPage()
		return
	}
	p.tok.kind = startToken
	// A slash at the end of the last value does not close the tag.
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
		p.found(textToken, i-len("</"), i, i, contentText)
		return
	case classes[p.page[i]]&letter == 0:
		p.bogusComment(i)
		return
	}
	i = p.skipSpace(p.readName(i))
	for i < len(p.page) && p.page[i] != '>' {
		_, i = p.readKey(i)
		_, i = p.readValue(i)
		i = p.skipSpace(i)
	}
	if i >= len(p.page) {
		p.endPage()
		return
	}
	p.tok.kind = endTagToken
	p.tok.attrs, p.tok.selfClosing = span{}, false
	p.pos = i + 1
}

// rawToken reads the text of a raw element and reports whether there was any
// (13.2.5.2 to 13.2.5.5).
func (p *parser) rawToken() bool {
	start, end := p.pos, len(p.page)
	e := p.raw
	p.raw = nil
	kind := rawText
	switch {
	case e.traits&script != 0:
		end = p.scriptEnd(start)
	case e.traits&plaintext == 0:
		if e.traits&rcdata != 0 {
			kind = rcdataText
		}
		for i := start; ; i++ {
			k := strings.Index(p.page[i:], "</")
			if k < 0 {
				break
			}
			i += k
			if p.endsRaw(i, e.name) {
				end = i
				break
			}
		}
	}
	if e == p.elements.title && end == len(p.page) && p.closeTitle {
		if k := strings.IndexByte(p.page[start:], '<'); k >= 0 {
			end = start + k
		}
	}
	if end == start {
		return false
	}
	p.found(textToken, start, end, end, kind)
	return true
}

// endsRaw reports whether the end tag of a raw element is at i.
func (p *parser) endsRaw(i int, name string) bool {
	end := i + len("</") + len(name)
	return end < len(p.page) && p.page[i+1] == '/' && classes[p.page[end]]&endsName != 0 && equalLower(p.page[end-len(name):end], name)
}

// equalLower reports whether s equals name, which is in lower case, ignoring case.
func equalLower(s, name string) bool {
	for i := range len(s) {
		if s[i]|0x20 != name[i] || classes[s[i]]&letter == 0 {
			return false
		}
	}
	return true
}

// scriptEnd returns the end of a script that begins at i (13.2.5.4, 13.2.5.15 to
// 13.2.5.31). An end tag inside a comment that contains another script does not
// end it.
func (p *parser) scriptEnd(i int) int {
	const name = "script"
	page := p.page
	for {
		k := strings.IndexByte(page[i:], '<')
		if k < 0 {
			return len(page)
		}
		i += k
		switch {
		case p.endsRaw(i, name):
			return i
		case !strings.HasPrefix(page[i:], "<!--"):
			i++
			continue
		}
		var ended bool
		if i, ended = p.scriptComment(i + len("<!")); ended {
			return i
		}
	}
}

// scriptComment reads a comment in a script whose dashes begin at i. It returns
// the end of the script, or the offset at which the script continues.
func (p *parser) scriptComment(i int) (next int, ended bool) {
	const name = "script"
	page, dashes, double := p.page, 0, false
	for i < len(page) {
		c := page[i]
		i++
		switch {
		case c == '-':
			dashes++
			continue
		case c == '>' && dashes >= 2:
			return i, false
		case c == '<' && i < len(page):
			switch end := i + len(name); {
			case page[i] == '/' && p.endsRaw(i-1, name):
				if !double {
					return i - 1, true
				}
				double = false
				i += len("/script>")
			case page[i] == '/' || double:
			case end < len(page) && classes[page[end]]&endsName != 0 && equalLower(page[i:end], name):
				double = true
				i = end + 1
			}
		}
		dashes = 0
	}
	return len(page), true
}

// declaration reads what follows "<!" (13.2.5.42).
func (p *parser) declaration(i int) {
	const doctype, cdata = "doctype", "[CDATA["
	rest := p.page[i:]
	switch {
	case strings.HasPrefix(rest, "--"):
		p.comment(i + len("--"))
	case len(rest) >= len(doctype) && equalLower(rest[:len(doctype)], doctype):
		i = p.skipSpace(i + len(doctype))
		end, next := p.closeAngle(i)
		p.found(doctypeToken, i, end, next, rawText)
	case strings.HasPrefix(rest, cdata) && p.foreignTop():
		i += len(cdata)
		end, next := len(p.page), len(p.page)
		if k := strings.Index(p.page[i:], "]]>"); k >= 0 {
			end, next = i+k, i+k+len("]]>")
		}
		p.found(textToken, i, i, next, rawText)
		p.tok.text = span{uint32(i), uint32(end)} // NULs are left to the tree construction
	default:
		p.bogusComment(i)
	}
}

// comment reads a comment after its first two dashes (13.2.5.43 to 13.2.5.52).
func (p *parser) comment(start int) {
	for i := start; ; i++ {
		k := strings.IndexByte(p.page[i:], '>')
		if k < 0 {
			break
		}
		i += k
		switch inside := p.page[start:i]; {
		case strings.HasSuffix(inside, "--"):
			p.found(commentToken, start, i-len("--"), i+1, rawText)
			return
		case strings.HasSuffix(inside, "--!"):
			p.found(commentToken, start, i-len("--!"), i+1, rawText)
			return
		case inside == "" || inside == "-":
			p.found(commentToken, start, start, i+1, rawText)
			return
		}
	}
	inside := p.page[start:] // the page ends before the comment does
	for _, tail := range []string{"--!", "--", "-"} {
		if rest, ok := strings.CutSuffix(inside, tail); ok {
			inside = rest
			break
		}
	}
	p.found(commentToken, start, start+len(inside), len(p.page), rawText)
}

// bogusComment reads up to the next '>' (13.2.5.41).
func (p *parser) bogusComment(i int) {
	end, next := p.closeAngle(i)
	p.found(commentToken, i, end, next, rawText)
}

// closeAngle returns the offset of the next '>' and the one after it.
func (p *parser) closeAngle(i int) (at, after int) {
	if k := strings.IndexByte(p.page[i:], '>'); k >= 0 {
		return i + k, i + k + 1
	}
	return len(p.page), len(p.page)
}
