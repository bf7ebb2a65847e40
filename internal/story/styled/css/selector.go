package css

import (
	"slices"
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

// Specificity counts ids, classes and types (Selectors 4 §17).
const (
	idSpecificity    = 1 << 20
	classSpecificity = 1 << 10
	typeSpecificity  = 1

	browserSpecificity = -1 << 40 // the browser's own sheet is weaker than the page's
)

// Limits of one selector.
const (
	maxSelector     = 500 // bytes; keeps the counts of its specificity apart
	maxSelectorNest = 4   // :is() in :not()
)

// simple is a simple selector.
type simple struct {
	test
	specificity int
	key         string // "#id", ".class" or a tag, or "*"
}

// parse reads a complex selector. ok is false if it is invalid or unknown to us.
func (m *matcher) parse(s string, depth int) (sel selector, ok bool) {
	sel.key = "*"
	at := compound{}
	if len(s) > maxSelector {
		return sel, false
	}
	for s != "" {
		if combinator, rest := cutCombinator(s); combinator != 0 {
			if len(at.tests) == 0 || rest == "" {
				return sel, false
			}
			sel.compounds = append(sel.compounds, at)
			at, s, sel.key = compound{combinator: combinator}, rest, "*"
		}
		isType := strings.IndexByte("#.[:", s[0]) < 0
		t, rest, ok := m.simple(s, depth)
		if !ok || isType && len(at.tests) > 0 { // a type selector comes first
			return sel, false
		}
		if t.key[0] == '#' || t.key[0] == '.' && sel.key[0] != '#' || sel.key == "*" {
			sel.key = t.key
		}
		at.tests = append(at.tests, t.test)
		sel.specificity += t.specificity
		s = rest
	}
	sel.compounds = append(sel.compounds, at)
	return sel, len(at.tests) > 0
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
func (m *matcher) simple(s string, depth int) (t simple, rest string, ok bool) {
	switch s[0] {
	case '*':
		return simple{func(dom.Node) bool { return true }, 0, "*"}, s[1:], !strings.HasPrefix(s[1:], "|")
	case '#':
		name, rest := identifier(s[1:])
		return simple{func(n dom.Node) bool { return m.attr(n, "id") == name }, idSpecificity, "#" + name}, rest, name != ""
	case '.':
		name, rest := identifier(s[1:])
		return simple{func(n dom.Node) bool { return hasWord(m.attr(n, "class"), name) }, classSpecificity, "." + name}, rest, name != ""
	case '[':
		test, rest, ok := m.attribute(s)
		return simple{test, classSpecificity, "*"}, rest, ok
	case ':':
		return m.pseudo(s[1:], depth)
	}
	name, rest := identifier(s)
	name = strings.ToLower(name)
	isTag := func(n dom.Node) bool { return m.doc.Name(n) == name }
	return simple{isTag, typeSpecificity, name}, rest, name != "" && !strings.HasPrefix(rest, "|")
}

// pseudo reads a pseudo-class without its colon.
func (m *matcher) pseudo(s string, depth int) (t simple, rest string, ok bool) {
	name, rest := identifier(s)
	args := ""
	if strings.HasPrefix(rest, "(") {
		end := blockEnd(rest, 0)
		args, rest = strings.TrimSpace(strings.TrimSuffix(rest[1:end], ")")), rest[end:]
	}
	t, ok = simple{specificity: classSpecificity, key: "*"}, args == ""
	switch name = strings.ToLower(name); name {
	case "root":
		t.test = func(n dom.Node) bool { return m.doc.Tag(n) == dom.HTML }
	case "link", "any-link":
		t.test = func(n dom.Node) bool { _, ok := m.doc.LookupAttr(n, "href"); return ok }
	case "first-child", "last-child", "first-of-type", "last-of-type":
		t.test = m.atEnd(name[0] == 'l', strings.HasSuffix(name, "-of-type"))
	case "not", "is", "where":
		t.test, t.specificity, ok = m.alternatives(name, args, depth)
	case "hover", "active", "focus", "focus-visible", "focus-within", "visited", "target", "fullscreen":
		t.test = func(dom.Node) bool { return false } // a page that is not in use
	}
	return t, rest, ok && t.test != nil
}

// alternatives reads the arguments of :is(), :where() and :not().
func (m *matcher) alternatives(name, args string, depth int) (t test, specificity int, ok bool) {
	if depth == 0 || args == "" {
		return nil, 0, false
	}
	var any []selector
	for part := range split(args) {
		sel, ok := m.parse(part, depth-1)
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
		matches := slices.ContainsFunc(any, func(s selector) bool { return m.matches(n, s.compounds) })
		return matches != (name == "not")
	}, specificity, true
}

// atEnd returns the test of :first-child, :last-of-type and the like.
func (m *matcher) atEnd(last, ofType bool) test {
	next := m.doc.Prev
	if last {
		next = m.doc.Next
	}
	return func(n dom.Node) bool {
		for s := next(n); s != dom.None; s = next(s) {
			if m.budget--; m.budget < 0 || !m.doc.IsText(s) && (!ofType || m.doc.Name(s) == m.doc.Name(n)) {
				return false
			}
		}
		return true
	}
}

// attribute reads [name], [name=value] and the like (Selectors 4 §6). Values are compared without
// regard to case, as the flag i says and as it is for most attributes of HTML.
func (m *matcher) attribute(s string) (t test, rest string, ok bool) {
	end := blockEnd(s, 0)
	name, value := identifier(strings.TrimSpace(strings.TrimSuffix(s[1:end], "]")))
	name, rest = strings.ToLower(name), s[end:]
	operator, value, hasValue := strings.Cut(strings.TrimSpace(value), "=")
	compare, ok := operators[operator]
	value = strings.TrimSpace(value)
	switch {
	case !hasValue:
		return func(n dom.Node) bool { _, ok := m.doc.LookupAttr(n, name); return ok }, rest, name != "" && operator == ""
	case !ok || value == "" || name == "":
		return nil, "", false
	case value[0] == '"' || value[0] == '\'':
		value = strings.Trim(value[:stringEnd(value, 0)], value[:1])
	default:
		if value, _ = identifier(value); value == "" {
			return nil, "", false
		}
	}
	value = strings.ToLower(value)
	return func(n dom.Node) bool {
		_, ok := m.doc.LookupAttr(n, name)
		return ok && compare(strings.ToLower(m.attr(n, name)), value)
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

func hasWord(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

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
