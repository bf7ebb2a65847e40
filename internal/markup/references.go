package markup

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// place is where a piece of text stands; what is changed in it depends on that.
type place uint8

const (
	inContent   place = iota // references count, NULs are left to the tree
	inAttribute              // references count with exceptions, NULs are replaced
	inRcdata                 // references count, NULs are replaced
	inRawtext                // only NULs are replaced
)

// decode gives the page from start to end, with NULs replaced and character
// references resolved. Most text comes back as it is.
func (p *parser) decode(start, end int, at place) string {
	s := p.page[start:end]
	if !p.nuls && (at == inRawtext || !p.hasReference(start, end)) {
		return s
	}
	i := p.nextChange(s, 0, at)
	if i == len(s) {
		return s
	}
	// No reference gets longer than half as much again.
	mark := p.slabs.beginText(len(s) + len(s)/2 + 8)
	out := &p.slabs.text
	for from := 0; ; {
		out.WriteString(s[from:i])
		if i == len(s) {
			return p.slabs.endText(mark)
		}
		if s[i] == 0 {
			out.WriteString("\ufffd")
			i++
		} else {
			i = p.reference(out, s, i, at == inAttribute)
		}
		from = i
		i = p.nextChange(s, i, at)
	}
}

// hasReference reports whether there may be a character reference from start to
// end. It remembers where the next one stands: most pieces of a page have none, and
// need not be looked through.
func (p *parser) hasReference(start, end int) bool {
	if p.ampersand < start {
		p.ampersand = len(p.page)
		if k := strings.IndexByte(p.page[start:], '&'); k >= 0 {
			p.ampersand = start + k
		}
	}
	return p.ampersand < end
}

// nextChange is the place of the next byte from i on that does not stay as it is.
func (p *parser) nextChange(s string, i int, at place) int {
	change := len(s)
	if at != inRawtext {
		if k := strings.IndexByte(s[i:], '&'); k >= 0 {
			change = i + k
		}
	}
	if p.nuls && at != inContent {
		if k := strings.IndexByte(s[i:change], 0); k >= 0 {
			change = i + k
		}
	}
	return change
}

// reference resolves the character reference that begins at i, and gives the
// place after it (13.2.5.72).
func (p *parser) reference(out *strings.Builder, s string, i int, attribute bool) int {
	end := i + 1
	if end < len(s) && s[end] == '#' {
		return p.numeric(out, s, i)
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
		out.WriteString(name)
		return end
	case attribute && !closed && end < len(s) && s[end] == '=':
		out.WriteString(name) // more likely a part of an address
		return end
	}
	switch name {
	case "&amp;":
		out.WriteByte('&')
		return end
	case "&nbsp;":
		out.WriteString("\u00a0")
		return end
	case "&quot;":
		out.WriteByte('"')
		return end
	case "&lt;":
		out.WriteByte('<')
		return end
	case "&gt;":
		out.WriteByte('>')
		return end
	}
	resolved := p.named(name)
	if attribute && !whole(name, resolved) {
		resolved = name
	}
	out.WriteString(resolved)
	return end
}

// named resolves a reference with all the letters that follow it. The one table
// of names is the one in x/net; what it says is kept for the rest of the page.
func (p *parser) named(name string) string {
	resolved, ok := p.known[name]
	if ok {
		return resolved
	}
	const most = 1000 // made-up names must not fill the memory
	resolved = html.UnescapeString(name)
	if p.known == nil {
		p.known = make(map[string]string)
	}
	if len(p.known) < most {
		p.known[name] = resolved
	}
	return resolved
}

// whole reports whether all of a name was resolved, and not only its beginning
// as in "&notit;". What is left over ends as the name does, and of all the
// references only that of the semicolon itself gives something that ends so.
func whole(name, resolved string) bool {
	last := resolved[len(resolved)-1]
	if name[len(name)-1] == ';' {
		return last != ';' || resolved == ";"
	}
	return !isAlphanumeric(last)
}

func isAlphanumeric(c byte) bool {
	return classes[c]&letter != 0 || '0' <= c && c <= '9'
}

// numeric resolves a reference by number that begins at i (13.2.5.75 to 13.2.5.80).
func (p *parser) numeric(out *strings.Builder, s string, i int) int {
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
		out.WriteByte('&')
		return i + 1
	}
	if end < len(s) && s[end] == ';' {
		end++
	}
	if value == 0 || 0x80 <= value && value <= 0x9F || !utf8.ValidRune(rune(value)) {
		// What Windows had in place of control characters, and what is none.
		out.WriteString(html.UnescapeString(s[i:end]))
	} else {
		out.WriteRune(rune(value))
	}
	return end
}

// digit is the value of a hexadecimal digit, or more than any has.
func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 16
}
