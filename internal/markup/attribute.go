package markup

import (
	"strings"

	"golang.org/x/net/html"
)

// readAttributes reads those of a start tag into the token. It gives the place
// of the '>' that ends the tag, and where the value of the last one ends.
func (p *parser) readAttributes(i int) (end, lastValue int) {
	mark, lastValue, nuls := len(p.slabs.attrs), -1, false
	var seen keys
	count := 0
	for i = p.skipSpace(i); i < len(p.page) && p.page[i] != '>'; i = p.skipSpace(i) {
		if count++; p.tooMany(count) {
			return len(p.page), -1
		}
		a := p.readAttribute(i)
		i = a.next
		if a.key == "" || seen.has(p.slabs.attrs[mark:], a.key) {
			continue
		}
		seen.add(a.key)
		nuls = nuls || p.nuls && strings.IndexByte(a.key, 0) >= 0
		value := p.decode(a.value, a.end, inAttribute)
		mark = p.slabs.attr(mark, html.Attribute{Key: a.key, Val: value})
		lastValue = a.end
	}
	p.tok.attr = nil
	if used := len(p.slabs.attrs); mark < used {
		p.tok.attr = p.slabs.attrs[mark:used:used]
	}
	if nuls {
		for i := range p.tok.attr {
			p.tok.attr[i].Key = strings.ReplaceAll(p.tok.attr[i].Key, "\x00", "\ufffd")
		}
	}
	return i, lastValue
}

// attribute is where the parts of one are.
type attribute struct {
	key   string
	value int // where its value begins
	end   int // and ends
	next  int // where to read on
}

// readAttribute reads a name and its value, if it has one (13.2.5.32 to 13.2.5.39).
// A slash is an attribute without a name.
func (p *parser) readAttribute(i int) attribute {
	page, start, seen := p.page, i, uint8(0)
	if page[i] == '=' { // one at the beginning is part of the name
		i++
	}
	for ; i < len(page); i++ {
		class := classes[page[i]]
		if class&endsKey != 0 {
			break
		}
		seen |= class
	}
	key, end := page[start:i], i
	if seen&changes != 0 {
		key = p.lower(key)
	}
	i = p.skipSpace(i)
	if i < len(page) && page[i] == '/' {
		return attribute{key, end, end, i + 1}
	}
	if i >= len(page) || page[i] != '=' {
		return attribute{key, end, end, i}
	}
	i = p.skipSpace(i + 1)
	if i >= len(page) || page[i] == '>' {
		return attribute{key, end, end, i}
	}
	if q := page[i]; q == '"' || q == '\'' {
		i++
		k := strings.IndexByte(page[i:], q)
		if k < 0 {
			return attribute{key, i, len(page), len(page)}
		}
		return attribute{key, i, i + k, i + k + 1}
	}
	start = i
	for i < len(page) && classes[page[i]]&endsValue == 0 {
		i++
	}
	return attribute{key, start, i, i}
}

func (p *parser) skipSpace(i int) int {
	for i < len(p.page) && classes[p.page[i]]&space != 0 {
		i++
	}
	return i
}

// keys are the names of attributes, once there are too many to look through
// them one by one each time.
type keys map[string]bool

// has reports whether attrs, all of which were added, have a key.
func (k *keys) has(attrs []html.Attribute, key string) bool {
	const many = 24
	if *k != nil {
		return (*k)[key]
	}
	if len(attrs) >= many {
		*k = make(keys, 2*len(attrs))
		for i := range attrs {
			k.add(attrs[i].Key)
		}
		return (*k)[key]
	}
	for i := range attrs {
		if attrs[i].Key == key {
			return true
		}
	}
	return false
}

func (k *keys) add(key string) {
	if *k != nil {
		(*k)[key] = true
	}
}
