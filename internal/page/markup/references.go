package markup

import (
	"strings"

	"golang.org/x/net/html"
)

// textKind decides which bytes of a text change: & begins a character reference, which
// is resolved, and NULs are replaced.
type textKind uint8

const (
	contentText   textKind = iota // NULs are left to the tree construction
	attributeText                 // references are resolved with exceptions
	rcdataText
	rawText
)

var changing = [...]string{contentText: "&", attributeText: "&\x00", rcdataText: "&\x00", rawText: "\x00"}

// decode returns the page from start to end, with the changes of its kind. Most text stays as
// it is.
func (p *parser) decode(start, end int, kind textKind) span {
	if end <= p.ampersand && !p.nuls { // ampersand is the next one from start on, or before it
		return span{uint32(start), uint32(end)}
	}
	return p.decodeChanged(start, end, kind)
}

func (p *parser) decodeChanged(start, end int, kind textKind) span {
	same := span{uint32(start), uint32(end)}
	if !p.nuls && (kind == rawText || !p.hasReference(start, end)) {
		return same
	}
	mark, s := len(p.changed), p.page[start:end]
	for i := p.nextChange(s, kind); i >= 0; i = p.nextChange(s, kind) {
		p.changed = append(p.changed, s[:i]...)
		if s = s[i:]; s[0] == 0 {
			p.changed = append(p.changed, "\ufffd"...)
			s = s[1:]
		} else {
			s = s[p.reference(s, kind == attributeText):]
		}
	}
	if len(p.changed) == mark {
		return same
	}
	p.changed = append(p.changed, s...)
	return p.changedFrom(mark)
}

// nextChange returns the offset of the next byte that must change, or -1.
func (p *parser) nextChange(s string, kind textKind) int {
	if p.nuls {
		return strings.IndexAny(s, changing[kind])
	}
	return strings.IndexByte(s, '&')
}

// hasReference reports whether there may be a character reference from start to
// end. It remembers the offset of the next one, since most texts have none.
func (p *parser) hasReference(start, end int) bool {
	if p.ampersand < start {
		p.ampersand = len(p.page)
		if k := strings.IndexByte(p.page[start:], '&'); k >= 0 {
			p.ampersand = start + k
		}
	}
	return p.ampersand < end
}

// reference resolves the character reference at the beginning of s and returns its
// length (13.2.5.72).
func (p *parser) reference(s string, attribute bool) int {
	end := 1
	numeric := end < len(s) && s[end] == '#'
	if numeric {
		end++
	}
	for end < len(s) && isAlphanumeric(s[end]) {
		end++
	}
	closed := end < len(s) && s[end] == ';'
	if closed {
		end++
	}
	name := s[:end]
	attribute = attribute && !numeric
	if attribute && !closed && end < len(s) && s[end] == '=' {
		p.changed = append(p.changed, name...) // probably a parameter of a URL
		return end
	}
	resolved, ok := commonReferences[name]
	if !ok {
		resolved = html.UnescapeString(name)
	}
	if attribute && !resolvedWhole(name, resolved) {
		resolved = name
	}
	p.changed = append(p.changed, resolved...)
	return end
}

// commonReferences has nearly all references of most pages. The others are looked up in
// x/net.
var commonReferences = map[string]string{
	"&": "&", "&amp;": "&", "&nbsp;": "\u00a0", "&quot;": `"`, "&lt;": "<", "&gt;": ">", "&#39;": "'", "&#039;": "'", "&#x27;": "'",
	"&rsquo;": "’", "&lsquo;": "‘", "&ldquo;": "“", "&rdquo;": "”", "&ndash;": "–", "&mdash;": "—", "&#8217;": "’",
}

// resolvedWhole reports whether all of a name was resolved, and not only a prefix
// as in "&notit;". What remains of a name ends like the name, and no reference
// but that of the semicolon itself resolves to something that ends so.
func resolvedWhole(name, resolved string) bool {
	last := resolved[len(resolved)-1]
	if name[len(name)-1] == ';' {
		return last != ';' || resolved == ";"
	}
	return !isAlphanumeric(last)
}

func isAlphanumeric(c byte) bool {
	return classes[c]&letter != 0 || '0' <= c && c <= '9'
}
