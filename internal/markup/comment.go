package markup

import "strings"

// As in x/net, character references count in comments, doctypes and CDATA too.

// declaration reads what follows "<!" (13.2.5.42).
func (p *parser) declaration(i int) {
	const doctype, cdata = "doctype", "[CDATA["
	rest := p.page[i:]
	switch {
	case strings.HasPrefix(rest, "--"):
		p.realComment(i + len("--"))
	case len(rest) >= len(doctype) && equalLower(rest[:len(doctype)], doctype):
		i = p.skipSpace(i + len(doctype))
		end, next := p.closeAngle(i)
		p.found(doctypeToken, i, end, next, inContent)
	case strings.HasPrefix(rest, cdata) && p.foreignTop():
		i += len(cdata)
		end, next := len(p.page), len(p.page)
		if k := strings.Index(p.page[i:], "]]>"); k >= 0 {
			end, next = i+k, i+k+len("]]>")
		}
		p.found(textToken, i, end, next, inRcdata)
	default:
		p.bogusComment(i)
	}
}

// realComment reads a comment from behind its first two dashes (13.2.5.43 to
// 13.2.5.52).
func (p *parser) realComment(start int) {
	for i := start; ; i++ {
		k := strings.IndexByte(p.page[i:], '>')
		if k < 0 {
			break
		}
		i += k
		switch inside := p.page[start:i]; {
		case strings.HasSuffix(inside, "--"):
			p.found(commentToken, start, i-len("--"), i+1, inRcdata)
			return
		case strings.HasSuffix(inside, "--!"):
			p.found(commentToken, start, i-len("--!"), i+1, inRcdata)
			return
		case inside == "" || inside == "-":
			p.found(commentToken, start, start, i+1, inRcdata)
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
	p.found(commentToken, start, start+len(inside), len(p.page), inRcdata)
}

// bogusComment reads on to the next angle (13.2.5.41).
func (p *parser) bogusComment(i int) {
	end, next := p.closeAngle(i)
	p.found(commentToken, i, end, next, inRcdata)
}

// closeAngle is the place of the next '>' and the one after it.
func (p *parser) closeAngle(i int) (at, after int) {
	if k := strings.IndexByte(p.page[i:], '>'); k >= 0 {
		return i + k, i + k + 1
	}
	return len(p.page), len(p.page)
}
