package markup

import (
	"strings"

	"golang.org/x/net/html"
)

// textKind decides which character references are resolved in a text and
// whether NUL bytes are replaced.
type textKind uint8

const (
	contentText   textKind = iota // references are resolved, NULs are left to the tree construction
	attributeText                 // references are resolved with exceptions, NULs are replaced
	rcdataText                    // references are resolved, NULs are replaced
	rawText                       // only NULs are replaced
)

// decode returns the page from start to end, with NULs replaced and character
// references resolved. Most text stays as it is.
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
	s := p.page[start:end]
	i := p.nextChange(s, 0, kind)
	if i == len(s) {
		return same
	}
	mark := len(p.changed)
	for from := 0; ; {
		p.changed = append(p.changed, s[from:i]...)
		if i == len(s) {
			return p.changedFrom(mark)
		}
		if s[i] == 0 {
			p.changed = append(p.changed, "\ufffd"...)
			i++
		} else {
			i = p.reference(s, i, kind == attributeText)
		}
		from = i
		i = p.nextChange(s, i, kind)
	}
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

// nextChange returns the offset of the next byte from i on that must change.
func (p *parser) nextChange(s string, i int, kind textKind) int {
	change := len(s)
	if kind != rawText {
		if k := strings.IndexByte(s[i:], '&'); k >= 0 {
			change = i + k
		}
	}
	if p.nuls && kind != contentText {
		if k := strings.IndexByte(s[i:change], 0); k >= 0 {
			change = i + k
		}
	}
	return change
}

// reference resolves the character reference that begins at i and returns the
// offset after it (13.2.5.72).
func (p *parser) reference(s string, i int, attribute bool) int {
	end := i + 1
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
	name := s[i:end]
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
