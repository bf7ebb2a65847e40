package corpus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// eachPython returns an iterator over the entries of a dict that a Python file
// assigns to a name. It reads literals only: strings, numbers, lists, tuples,
// dicts, None, True and False. The iterator returns the line of an error.
func eachPython(src, name string) func(func(entry) error) (int, error) {
	return func(do func(entry) error) (int, error) {
		p := &python{src: src}
		if !p.find(name) {
			return 0, fmt.Errorf("no %s = {…} in the file", name)
		}
		err := p.dict(do)
		return 1 + strings.Count(p.src[:p.pos], "\n"), err
	}
}

// python is a parser of Python literals.
type python struct {
	src          string
	pos          int
	depth        int
	lines, lined int // number of newlines before the position lined
}

// maxDepth limits the nesting of lists and dicts.
const maxDepth = 100

// find moves to the dict that is assigned to a name at the beginning of a line.
func (p *python) find(name string) bool {
	for start := true; p.pos < len(p.src); {
		if rest, ok := strings.CutPrefix(p.src[p.pos:], name); start && ok {
			line, _, _ := strings.Cut(rest, "\n")
			if at := strings.IndexByte(line, '='); at >= 0 && strings.IndexAny(line[:1], " \t:=") == 0 {
				p.pos += len(name) + at + 1
				p.space()
				if p.peek() == '{' {
					return true
				}
				continue
			}
		}
		switch c := p.src[p.pos]; {
		case c == '#':
			p.comment()
			start = false
		case c == '"' || c == '\'':
			if _, err := p.quoted(false); err != nil {
				p.pos++ // not a string
			}
			start = false
		default:
			start = c == '\n'
			p.pos++
		}
	}
	return false
}

// space skips white space, comments and line continuations.
func (p *python) space() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case strings.IndexByte(" \t\r\n\f", c) >= 0:
			p.pos++
		case c == '#':
			p.comment()
		case c == '\\' && strings.IndexAny(p.src[p.pos+1:], "\r\n") == 0:
			p.pos++
		default:
			return
		}
	}
}

func (p *python) comment() {
	if end := strings.IndexByte(p.src[p.pos:], '\n'); end >= 0 {
		p.pos += end
	} else {
		p.pos = len(p.src)
	}
}

// peek returns the next byte, or 0 at the end.
func (p *python) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// line returns the number of the line at pos. It must not be called for an
// earlier position than before.
func (p *python) line() int {
	p.lines += strings.Count(p.src[p.lined:p.pos], "\n")
	p.lined = p.pos
	return p.lines + 1
}

func (p *python) unexpected(want string) error {
	if p.pos >= len(p.src) {
		return fmt.Errorf("unexpected end of file, want %s", want)
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.pos:])
	return fmt.Errorf("unexpected %q, want %s", r, want)
}

// value parses any literal.
func (p *python) value() (any, error) {
	switch c := p.peek(); {
	case c == '{':
		m := map[string]any{}
		err := p.dict(func(e entry) error { m[e.key] = e.value; return nil })
		return m, err
	case c == '[':
		return p.list(']')
	case c == '(':
		return p.tuple()
	case p.atString():
		return p.str()
	case c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9':
		return p.number()
	}
	word := p.word()
	switch word {
	case "None":
		return nil, nil
	case "True":
		return true, nil
	case "False":
		return false, nil
	case "":
		return nil, p.unexpected("a value")
	}
	p.pos -= len(word)
	return nil, fmt.Errorf("%s is not a literal", word)
}

func (p *python) word() string {
	start := p.pos
	for c := p.peek(); c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.src[start:p.pos]
}

func (p *python) number() (any, error) {
	start := p.pos
	for strings.IndexByte("+-._xXeE0123456789abcdfABCDF", p.peek()) >= 0 && p.pos < len(p.src) {
		p.pos++
	}
	word := strings.ReplaceAll(p.src[start:p.pos], "_", "")
	if n, err := strconv.ParseFloat(word, 64); err == nil {
		return n, nil
	}
	if n, err := strconv.ParseInt(word, 0, 64); err == nil {
		return float64(n), nil
	}
	p.pos = start
	return nil, fmt.Errorf("%q is not a number", word)
}

// dict calls do with the entries of a dict in order. Keys are strings.
func (p *python) dict(do func(entry) error) error {
	return p.elements('}', func() error {
		e := entry{line: p.line()}
		if !p.atString() {
			return p.unexpected("a string as key")
		}
		var err error
		if e.key, err = p.str(); err != nil {
			return err
		}
		p.space()
		if p.peek() != ':' {
			return p.unexpected("a colon")
		}
		p.pos++
		p.space()
		if e.value, err = p.value(); err != nil {
			return err
		}
		return do(e)
	})
}

func (p *python) list(end byte) ([]any, error) {
	all := []any{}
	err := p.elements(end, func() error {
		v, err := p.value()
		all = append(all, v)
		return err
	})
	return all, err
}

// tuple parses a list in parentheses. A single value without a comma is that value.
func (p *python) tuple() (any, error) {
	start := p.pos
	all, err := p.list(')')
	inside := strings.TrimRight(p.src[start:p.pos], " \t\r\n)")
	if err == nil && len(all) == 1 && !strings.HasSuffix(inside, ",") {
		return all[0], nil
	}
	return all, err
}

// elements calls one for each element of a list, up to end.
func (p *python) elements(end byte, one func() error) error {
	if p.depth++; p.depth > maxDepth {
		return errors.New("nested too deeply")
	}
	p.pos++
	for {
		p.space()
		if p.peek() == end {
			p.pos++
			p.depth--
			return nil
		}
		if err := one(); err != nil {
			return err
		}
		p.space()
		switch p.peek() {
		case ',':
			p.pos++
		case end:
		default:
			return p.unexpected("a comma")
		}
	}
}

// atString reports whether a string literal, possibly with a prefix, begins here.
func (p *python) atString() bool {
	n := p.prefix()
	return p.pos+n < len(p.src) && (p.src[p.pos+n] == '"' || p.src[p.pos+n] == '\'')
}

// prefix returns the length of a string prefix, as in r"…" and rb'…'.
func (p *python) prefix() int {
	n := 0
	for n < 2 && p.pos+n < len(p.src) && strings.IndexByte("rRbBuUfF", p.src[p.pos+n]) >= 0 {
		n++
	}
	return n
}

// str parses a string literal. Adjacent literals are concatenated, as in Python.
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

var errOpenString = errors.New("unterminated string")

// quoted parses one string literal without its prefix.
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

// escapes has the escape sequences of one character.
var escapes = map[byte]string{
	'\\': "\\", '\'': "'", '"': "\"", '\n': "",
	'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// escape parses an escape sequence. Unknown ones, and characters by name, are
// copied as they are.
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
