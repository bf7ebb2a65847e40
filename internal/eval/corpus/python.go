package corpus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// eachPython goes through the entries of a dict that a Python file assigns to
// a name. Only literals are understood: strings, numbers, lists, tuples, dicts, None, True and
// False. Nothing is ever run. With an error comes its line.
func eachPython(src, name string) func(func(entry) error) (int, error) {
	return func(do func(entry) error) (int, error) {
		p := &python{src: src}
		if !p.find(name) {
			return 0, fmt.Errorf("there is no %s = {…} in it", name)
		}
		err := p.dict(do)
		return 1 + strings.Count(p.src[:p.pos], "\n"), err
	}
}

// python reads Python literals from pos on.
type python struct {
	src          string
	pos          int
	depth        int
	lines, lined int // newlines before lined
}

// deepest is how far lists and dicts may be nested.
const deepest = 100

// find goes to the dict that is assigned to a name at the beginning of a line.
func (p *python) find(name string) bool {
	for start := true; p.pos < len(p.src); {
		if rest, is := strings.CutPrefix(p.src[p.pos:], name); start && is {
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
				p.pos++ // no string after all
			}
			start = false
		default:
			start = c == '\n'
			p.pos++
		}
	}
	return false
}

// space skips white space, comments and the backslash that continues a line.
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

// peek is the next byte, or 0 at the end.
func (p *python) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// line is the number of the line at pos, which only ever grows.
func (p *python) line() int {
	p.lines += strings.Count(p.src[p.lined:p.pos], "\n")
	p.lined = p.pos
	return p.lines + 1
}

func (p *python) unexpected(want string) error {
	if p.pos >= len(p.src) {
		return fmt.Errorf("the file ends where %s should be", want)
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.pos:])
	return fmt.Errorf("unexpected %q where %s should be", r, want)
}

// value reads any literal.
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

// dict gives its entries in order. Keys are strings.
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

// tuple reads a list in parentheses; one value in them without a comma is that value.
func (p *python) tuple() (any, error) {
	start := p.pos
	all, err := p.list(')')
	inside := strings.TrimRight(p.src[start:p.pos], " \t\r\n)")
	if err == nil && len(all) == 1 && !strings.HasSuffix(inside, ",") {
		return all[0], nil
	}
	return all, err
}

// elements reads what stands between commas, up to end.
func (p *python) elements(end byte, one func() error) error {
	if p.depth++; p.depth > deepest {
		return errors.New("nested too deep")
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
