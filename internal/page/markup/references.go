package markup

import (
	"strings"
	"unicode/utf8"

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
	if end < len(s) && s[end] == '#' {
		return p.numeric(s, i)
	}
	for end < len(s) && isAlphanumeric(s[end]) {
		end++
	}
	closed := end < len(s) && s[end] == ';'
	if closed {
		end++
	}
	name := s[i:end]
	switch {
	case len(name) <= len("&;"):
		p.changed = append(p.changed, name...)
		return end
	case attribute && !closed && end < len(s) && s[end] == '=':
		p.changed = append(p.changed, name...) // probably a parameter of a URL
		return end
	}
	switch name {
	case "&amp;":
		p.changed = append(p.changed, '&')
		return end
	case "&nbsp;":
		p.changed = append(p.changed, "\u00a0"...)
		return end
	case "&quot;":
		p.changed = append(p.changed, '"')
		return end
	case "&lt;":
		p.changed = append(p.changed, '<')
		return end
	case "&gt;":
		p.changed = append(p.changed, '>')
		return end
	}
	resolved := p.named(name)
	if attribute && !resolvedWhole(name, resolved) {
		resolved = name
	}
	p.changed = append(p.changed, resolved...)
	return end
}

// named resolves a reference with all the letters that follow it. It uses the
// table of x/net and caches the results for the page.
func (p *parser) named(name string) string {
	resolved, ok := p.known[name]
	if ok {
		return resolved
	}
	const maxKnown = 1000 // made-up names must not fill the memory
	resolved = html.UnescapeString(name)
	if p.known == nil {
		p.known = make(map[string]string)
	}
	if len(p.known) < maxKnown {
		p.known[name] = resolved
	}
	return resolved
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

// numeric resolves a numeric reference that begins at i (13.2.5.75 to 13.2.5.80).
func (p *parser) numeric(s string, i int) int {
	end, base := i+len("&#"), 10
	if end < len(s) && s[end]|0x20 == 'x' {
		end, base = end+1, 16
	}
	digits, value := end, 0
	for ; end < len(s); end++ {
		d := digit(s[end])
		if d >= base {
			break
		}
		value = min(value*base+d, utf8.MaxRune+1)
	}
	if end == digits {
		p.changed = append(p.changed, '&')
		return i + 1
	}
	if end < len(s) && s[end] == ';' {
		end++
	}
	if value == 0 || 0x80 <= value && value <= 0x9F || !utf8.ValidRune(rune(value)) {
		// Characters of windows-1252 in place of controls, and invalid characters.
		p.changed = append(p.changed, html.UnescapeString(s[i:end])...)
	} else {
		p.changed = utf8.AppendRune(p.changed, rune(value))
	}
	return end
}

// digit returns the value of a hexadecimal digit, or 16 for another byte.
func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 16
}
