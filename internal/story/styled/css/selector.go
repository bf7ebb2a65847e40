package css

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
)

// selector is a complex selector: its compounds from left to right.
type selector struct {
	compounds   []compound
	specificity int
	key         string // "#id", ".class" or the tag of the last compound, or "*"
}

// compound is the simple selectors for one element.
type compound struct {
	combinator byte // between it and the compound before: ' ', '>', '+' or '~'
	tests      []test
}

// test is a simple selector.
type test func(n dom.Node) bool

// Specificity counts ids, classes and types (Selectors 4 §17). maxTests keeps the counts apart.
const (
	idSpecificity    = 1 << 20
	classSpecificity = 1 << 10
	typeSpecificity  = 1

	browserSpecificity = -1 << 40 // the browser's own sheet is weaker than the page's
)

// Limits of one selector.
const (
	maxTests        = 64 // simple selectors, nested ones included
	maxSelectorNest = 4  // :is() in :not()
)

// selectorParser reads one selector.
type selectorParser struct {
	*matcher
	left int // tests that the selector may still have
}

// parse reads a complex selector. ok is false if it is invalid or unknown to us.
func (p *selectorParser) parse(s string, depth int) (sel selector, ok bool) {
	sel.key = "*"
	at := compound{}
	for s != "" {
		if combinator, rest := cutCombinator(s); combinator != 0 {
			if len(at.tests) == 0 || rest == "" {
				return sel, false
			}
			sel.compounds = append(sel.compounds, at)
			at, s, sel.key = compound{combinator: combinator}, rest, "*"
		}
		if p.left--; p.left < 0 {
			return sel, false
		}
		isType := s[0] == '*' || s[0] == '\\' || isNameByte(s[0])
		if isType && len(at.tests) > 0 {
			return sel, false // a type selector comes first
		}
		t, specificity, rest, ok := p.simple(s, depth)
		if !ok {
			return sel, false
		}
		if key := keyOf(s); key[0] == '#' || key[0] == '.' && sel.key[0] != '#' || sel.key == "*" {
			sel.key = key
		}
		at.tests = append(at.tests, t)
		sel.specificity += specificity
		s = rest
	}
	sel.compounds = append(sel.compounds, at)
	return sel, len(at.tests) > 0
}

// keyOf returns the name by which a simple selector finds elements.
func keyOf(s string) string {
	switch {
	case s[0] == '#' || s[0] == '.':
		name, _ := identifier(s[1:])
		return s[:1] + name
	case s[0] == '\\' || isNameByte(s[0]):
		name, _ := identifier(s)
		return strings.ToLower(name)
	}
	return "*"
}

// cutCombinator reads a combinator, or returns 0.
func cutCombinator(s string) (combinator byte, rest string) {
	rest = strings.TrimLeft(s, " \t\n\r\f")
	if rest != "" && strings.IndexByte(">+~", rest[0]) >= 0 {
		return rest[0], strings.TrimLeft(rest[1:], " \t\n\r\f")
	}
	if rest == s {
		return 0, s
	}
	return ' ', rest
}

// simple reads one simple selector.
func (p *selectorParser) simple(s string, depth int) (t test, specificity int, rest string, ok bool) {
	switch s[0] {
	case '*':
		return func(dom.Node) bool { return true }, 0, s[1:], !strings.HasPrefix(s[1:], "|")
	case '#':
		name, rest := identifier(s[1:])
		return func(n dom.Node) bool { return p.attr(n, "id") == name }, idSpecificity, rest, name != ""
	case '.':
		name, rest := identifier(s[1:])
		return func(n dom.Node) bool { return hasWord(p.attr(n, "class"), name) }, classSpecificity, rest, name != ""
	case '[':
		t, rest, ok := p.attribute(s)
		return t, classSpecificity, rest, ok
	case ':':
		return p.pseudo(s[1:], depth)
	}
	name, rest := identifier(s)
	name = strings.ToLower(name)
	return func(n dom.Node) bool { return p.doc.Name(n) == name }, typeSpecificity, rest, name != "" && !strings.HasPrefix(rest, "|")
}

// pseudo reads a pseudo-class without its colon.
func (p *selectorParser) pseudo(s string, depth int) (t test, specificity int, rest string, ok bool) {
	name, rest := identifier(s)
	args := ""
	if strings.HasPrefix(rest, "(") {
		end := blockEnd(rest, 0)
		args, rest = strings.TrimSpace(strings.TrimSuffix(rest[1:end], ")")), rest[end:]
	}
	specificity, ok = classSpecificity, args == ""
	name = strings.ToLower(name)
	ofType := strings.HasSuffix(name, "-of-type")
	switch name {
	case "root":
		return func(n dom.Node) bool { return p.doc.Tag(n) == dom.HTML }, specificity, rest, ok
	case "link", "any-link":
		return func(n dom.Node) bool { _, ok := p.doc.LookupAttr(n, "href"); return ok }, specificity, rest, ok
	case "first-child", "last-child", "first-of-type", "last-of-type":
		return p.nth(0, 1, name[0] == 'l', ofType), specificity, rest, ok
	case "only-child", "only-of-type":
		first, last := p.nth(0, 1, false, ofType), p.nth(0, 1, true, ofType)
		return func(n dom.Node) bool { return first(n) && last(n) }, specificity, rest, ok
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		step, nth, ok := parseNth(args)
		return p.nth(step, nth, strings.HasPrefix(name, "nth-last"), ofType), specificity, rest, ok
	case "not", "is", "where", "matches", "-webkit-any", "-moz-any":
		t, specificity, ok = p.alternatives(name, args, depth)
		return t, specificity, rest, ok
	case "hover", "active", "focus", "focus-visible", "focus-within", "visited", "target", "fullscreen":
		return func(dom.Node) bool { return false }, specificity, rest, ok // a page that is not in use
	}
	return nil, 0, "", false
}

// alternatives reads the arguments of :is(), :where() and :not().
func (p *selectorParser) alternatives(name, args string, depth int) (t test, specificity int, ok bool) {
	if depth == 0 || args == "" {
		return nil, 0, false
	}
	var any []selector
	for part := range split(args) {
		sel, ok := p.parse(part, depth-1)
		if !ok && name == "not" {
			return nil, 0, false
		}
		if ok {
			any = append(any, sel)
			specificity = max(specificity, sel.specificity)
		}
	}
	if name == "where" {
		specificity = 0
	}
	return func(n dom.Node) bool {
		matches := slices.ContainsFunc(any, func(s selector) bool { return p.matches(n, s.compounds) })
		return matches != (name == "not")
	}, specificity, true
}

// nth returns the test of :nth-child() and the like.
func (p *selectorParser) nth(step, nth int, fromEnd, ofType bool) test {
	return func(n dom.Node) bool {
		k := p.position(n, fromEnd, ofType)
		if step == 0 {
			return k == nth
		}
		return (k-nth)%step == 0 && (k-nth)/step >= 0
	}
}

// parseNth reads an+b, odd and even (CSS Syntax 3 §6).
func parseNth(s string) (step, nth int, ok bool) {
	ok = true
	integer := func(s string) int {
		n, err := strconv.ParseInt(s, 10, 32)
		ok = ok && err == nil
		return int(n)
	}
	s = strings.ToLower(strings.Join(strings.Fields(s), ""))
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	a, b, stepped := strings.Cut(s, "n")
	switch {
	case !stepped:
		return 0, integer(a), ok
	case a == "" || a == "+" || a == "-":
		a += "1"
	}
	step = integer(a)
	if b != "" {
		nth = integer(b)
		ok = ok && (b[0] == '+' || b[0] == '-')
	}
	return step, nth, ok
}

// attribute reads [name], [name=value] and the like (Selectors 4 §6).
func (p *selectorParser) attribute(s string) (t test, rest string, ok bool) {
	end := blockEnd(s, 0)
	name, value := identifier(strings.TrimSpace(strings.TrimSuffix(s[1:end], "]")))
	name, rest = strings.ToLower(name), s[end:]
	if value = strings.TrimSpace(value); value == "" || name == "" {
		return func(n dom.Node) bool { _, ok := p.doc.LookupAttr(n, name); return ok }, rest, name != ""
	}
	operator, value, _ := strings.Cut(value, "=")
	compare, ok := operators[operator]
	if value = strings.TrimSpace(value); !ok || value == "" {
		return nil, "", false
	}
	want, flag := "", ""
	if value[0] == '"' || value[0] == '\'' {
		n := stringEnd(value, 0)
		want, flag = strings.Trim(value[:n], value[:1]), value[n:]
	} else if want, flag = identifier(value); want == "" {
		return nil, "", false
	}
	fold := func(s string) string { return s }
	switch strings.ToLower(strings.TrimSpace(flag)) {
	case "i":
		fold = strings.ToLower
	case "", "s":
	default:
		return nil, "", false
	}
	return func(n dom.Node) bool {
		_, ok := p.doc.LookupAttr(n, name)
		return ok && compare(fold(p.attr(n, name)), fold(want))
	}, rest, true
}

// operators compare the value of an attribute, by what comes before the equals sign.
var operators = map[string]func(value, want string) bool{
	"":  func(value, want string) bool { return value == want },
	"~": hasWord,
	"|": func(value, want string) bool {
		rest, ok := strings.CutPrefix(value, want)
		return ok && (rest == "" || rest[0] == '-')
	},
	"^": func(value, want string) bool { return want != "" && strings.HasPrefix(value, want) },
	"$": func(value, want string) bool { return want != "" && strings.HasSuffix(value, want) },
	"*": func(value, want string) bool { return want != "" && strings.Contains(value, want) },
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// matcher compares elements with selectors. Its work is bounded.
type matcher struct {
	doc    *dom.Document
	budget int // steps that are left
}

// attr returns an attribute. A long one costs more.
func (m *matcher) attr(n dom.Node, key string) string {
	value := m.doc.Attr(n, key)
	m.budget -= len(value) / 64
	return value
}

// matches compares n with a complex selector from right to left.
func (m *matcher) matches(n dom.Node, s []compound) bool {
	last, rest := s[len(s)-1], s[:len(s)-1]
	for _, t := range last.tests {
		if m.budget--; m.budget < 0 || !t(n) {
			return false
		}
	}
	if len(rest) == 0 {
		return true
	}
	next := m.doc.Parent
	if last.combinator == '+' || last.combinator == '~' {
		next = m.prev
	}
	for n = next(n); n > m.doc.Root() && m.budget >= 0; n = next(n) {
		if m.matches(n, rest) {
			return true
		}
		if last.combinator == '>' || last.combinator == '+' {
			break
		}
	}
	return false
}

// prev returns the element before n.
func (m *matcher) prev(n dom.Node) dom.Node {
	for n = m.doc.Prev(n); n != dom.None && m.doc.IsText(n); n = m.doc.Prev(n) {
		m.budget--
	}
	return n
}

// position counts n and the elements before it, or after it.
func (m *matcher) position(n dom.Node, fromEnd, ofType bool) int {
	next := m.doc.Prev
	if fromEnd {
		next = m.doc.Next
	}
	k := 1
	for s := next(n); s != dom.None && m.budget > 0; s = next(s) {
		m.budget--
		if !m.doc.IsText(s) && (!ofType || m.doc.Name(s) == m.doc.Name(n)) {
			k++
		}
	}
	return k
}
