package corpus

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// atString tells whether a string begins, with its prefix if it has one.
func (p *python) atString() bool {
	n := p.prefix()
	return p.pos+n < len(p.src) && (p.src[p.pos+n] == '"' || p.src[p.pos+n] == '\'')
}

// prefix is the length of letters such as in r"…" and rb'…'.
func (p *python) prefix() int {
	n := 0
	for n < 2 && p.pos+n < len(p.src) && strings.IndexByte("rRbBuUfF", p.src[p.pos+n]) >= 0 {
		n++
	}
	return n
}

// str reads strings that follow on each other as one, as Python does.
func (p *python) str() (string, error) {
	var b strings.Builder
	for p.atString() {
		n := p.prefix()
		raw := strings.ContainsAny(p.src[p.pos:p.pos+n], "rR")
		p.pos += n
		s, err := p.quoted(raw)
		if err != nil {
			return "", err
		}
		b.WriteString(s)
		p.space()
	}
	return b.String(), nil
}

var errOpenString = errors.New("a string without end")

// quoted reads one string from its quotation mark on.
func (p *python) quoted(raw bool) (string, error) {
	start, mark := p.pos, p.src[p.pos:p.pos+1]
	if three := strings.Repeat(mark, 3); strings.HasPrefix(p.src[p.pos:], three) {
		mark = three
	}
	p.pos += len(mark)
	var b strings.Builder
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case strings.HasPrefix(p.src[p.pos:], mark):
			p.pos += len(mark)
			return b.String(), nil
		case c == '\n' && len(mark) == 1:
			p.pos = start
			return "", errOpenString
		case c == '\\' && p.pos+1 < len(p.src):
			p.escape(&b, raw)
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	p.pos = start
	return "", errOpenString
}

// escapes are those of one letter.
var escapes = map[byte]string{
	'\\': "\\", '\'': "'", '"': "\"", '\n': "",
	'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// escape reads a backslash and what it stands for. What Python does not know, and
// characters by their names, stay as they are.
func (p *python) escape(b *strings.Builder, raw bool) {
	c := p.src[p.pos+1]
	if raw {
		b.WriteString(p.src[p.pos : p.pos+2])
		p.pos += 2
		return
	}
	if s, known := escapes[c]; known {
		b.WriteString(s)
		p.pos += 2
		return
	}
	if strings.HasPrefix(p.src[p.pos+1:], "\r\n") {
		p.pos += 3
		return
	}
	digits, base := p.src[p.pos+2:], 16
	switch c {
	case 'x':
		digits = digits[:min(2, len(digits))]
	case 'u':
		digits = digits[:min(4, len(digits))]
	case 'U':
		digits = digits[:min(8, len(digits))]
	default:
		digits, base = octal(p.src[p.pos+1:]), 8
	}
	if n, err := strconv.ParseUint(digits, base, 32); err == nil && n <= utf8.MaxRune {
		b.WriteRune(rune(n))
		p.pos += len(digits) + 1
		if base == 16 {
			p.pos++
		}
		return
	}
	b.WriteByte('\\')
	p.pos++
}

func octal(s string) string {
	n := 0
	for n < 3 && n < len(s) && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	return s[:n]
}
