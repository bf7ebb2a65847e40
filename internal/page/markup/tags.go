package markup

import (
	"slices"
	"strings"
)

// readName reads the name of a tag into the token and returns the offset after it.
func (p *parser) readName(i int) int {
	page, start := p.page, i
	word, length := readWord(page, i)
	if length > 0 && classes[page[i+length]]&endsName != 0 {
		if e := &p.elements.list[p.elements.words.find(word)]; e.atom != 0 {
			p.tok.element, p.tok.atom = e, e.atom
			return i + length
		}
	}
	seen := uint8(0)
	for ; i < len(page) && classes[page[i]]&endsName == 0; i++ {
		seen |= classes[page[i]]
	}
	name := page[start:i]
	if seen&changes != 0 {
		name = strings.ReplaceAll(lowerASCII(name), "\x00", "\ufffd")
	}
	p.tok.element = p.elements.named(name)
	p.tok.atom = p.atom(name)
	return i
}

// readAttributes reads the attributes of a start tag into the token. It returns
// the offset of the '>' that ends the tag and the end of the last value.
func (p *parser) readAttributes(i int) (end, lastValue int) {
	mark, lastValue, nuls := len(p.attrs), -1, false
	var seen keys
	for i = p.skipSpace(i); i < len(p.page) && p.page[i] != '>'; i = p.skipSpace(i) {
		var key Key
		var value span
		key, i = p.readKey(i)
		value, i = p.readValue(i)
		if key == noKey {
			continue
		}
		lastValue = int(value.to)
		if !seen.add(p.attrs[mark:], key) {
			continue
		}
		nuls = nuls || p.nuls && strings.IndexByte(p.Key(key), 0) >= 0
		p.attrs = append(p.attrs, Attr{key, p.decode(int(value.from), int(value.to), attributeText)})
	}
	p.tok.attrs = p.attrsFrom(mark)
	if nuls {
		for i := range p.attrs[mark:] {
			a := &p.attrs[mark+i]
			a.Key = p.key(strings.ReplaceAll(p.Key(a.Key), "\x00", "\ufffd"))
		}
	}
	return i, lastValue
}

// readKey reads the name of an attribute (13.2.5.32 and 13.2.5.33). It returns noKey
// for a slash.
func (p *parser) readKey(i int) (key Key, end int) {
	page, start := p.page, i
	word, length := readWord(page, i)
	if length > 0 && classes[page[i+length]]&endsKey != 0 {
		if k := keyWords.find(word); k > 0 {
			return Key(k), i + length
		}
	}
	if page[i] == '=' { // a leading one is part of the name
		i++
	}
	seen := uint8(0)
	for ; i < len(page) && classes[page[i]]&endsKey == 0; i++ {
		seen |= classes[page[i]]
	}
	name := page[start:i]
	if seen&changes != 0 {
		name = lowerASCII(name)
	}
	return p.key(name), i
}

// readValue reads the value of an attribute, if any, whose name ends at i (13.2.5.34
// to 13.2.5.39). It returns the offset of what follows.
func (p *parser) readValue(i int) (value span, next int) {
	page, none := p.page, span{uint32(i), uint32(i)}
	if i+1 < len(page) && page[i] == '=' && page[i+1] == '"' { // nearly all
		if k := strings.IndexByte(page[i+2:], '"'); k >= 0 {
			return span{uint32(i + 2), uint32(i + 2 + k)}, i + 2 + k + 1
		}
	}
	i = p.skipSpace(i)
	if i < len(page) && page[i] == '/' {
		return none, i + 1
	}
	if i >= len(page) || page[i] != '=' {
		return none, i
	}
	i = p.skipSpace(i + 1)
	if i >= len(page) || page[i] == '>' {
		return none, i
	}
	if q := page[i]; q == '"' || q == '\'' {
		i++
		k := strings.IndexByte(page[i:], q)
		if k < 0 {
			return span{uint32(i), uint32(len(page))}, len(page)
		}
		return span{uint32(i), uint32(i + k)}, i + k + 1
	}
	start := i
	for i < len(page) && classes[page[i]]&endsValue == 0 {
		i++
	}
	return span{uint32(start), uint32(i)}, i
}

func (p *parser) skipSpace(i int) int {
	for i < len(p.page) && classes[p.page[i]]&space != 0 {
		i++
	}
	return i
}

// keys is a set of the names of attributes. It stays nil while there are so few
// of them that a linear search is faster.
type keys map[Key]bool

// add adds a key and reports whether it is new. attrs has all that were added before.
func (k *keys) add(attrs []Attr, key Key) bool {
	const many = 24
	if *k == nil && len(attrs) < many {
		return !slices.ContainsFunc(attrs, func(a Attr) bool { return a.Key == key })
	}
	if *k == nil {
		*k = make(keys, 2*len(attrs))
		for _, a := range attrs {
			(*k)[a.Key] = true
		}
	}
	isNew := !(*k)[key]
	(*k)[key] = true
	return isNew
}

// lowerASCII returns s with letters of ASCII in lower case.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
