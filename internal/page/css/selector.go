package css

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
)

// test is one simple selector, or a combinator between two compounds. A
// complex selector is a list of tests, matched from its end.
type test struct {
	kind      testKind
	foldCase  bool      // [name=value i]
	name      int32     // interned, or a dom.Tag
	step, nth int32     // of step*n + nth
	text      string    // name of an attribute, or of an element that HTML does not know
	value     string    // of an attribute
	any       []complex // of :is() and :not()
}

type complex struct {
	tests       []test
	specificity uint32
	never       bool // nothing on the page can match it
}

type testKind uint8

const (
	testTag testKind = iota
	testID
	testClass
	testAttr     // [text]
	testEqual    // [text=value]
	testWord     // [text~=value]
	testLanguage // [text|=value]
	testPrefix   // [text^=value]
	testSuffix   // [text$=value]
	testPart     // [text*=value]
	testNth      // :nth-child()
	testNthLast
	testNthType // :nth-of-type()
	testNthLastType
	testIs
	testNot
	testNever // :hover and other states of a page in use
	descendant
	child // child, nextSibling and laterSibling are >, + and ~
	nextSibling
	laterSibling
)

// Specificity counts ids, classes and types (Selectors 4 §17). maxTests keeps
// the counts apart.
const (
	idSpecificity    = 1 << 20
	classSpecificity = 1 << 10
	typeSpecificity  = 1
)

// Limits of one selector.
const (
	maxTests        = 64 // simple selectors and combinators, nested ones included
	maxSelectorNest = 4  // :is() in :not()
)

// Names that have no number: "*", and one that is not on the page.
const (
	anyTag = -1
	noName = -2
)

// selectorParser reads the selectors of a page.
type selectorParser struct {
	*page
	left int // tests that the selector may still have
}

// parseComplex appends the tests of a complex selector to out. ok is false if
// it is invalid or unknown to us.
func (p *selectorParser) parseComplex(s string, out []test, depth int) (c complex, ok bool) {
	from := len(out)
	for s != "" {
		if p.left--; p.left < 0 {
			return c, false
		}
		if isSpace(s[0]) || s[0] == '>' || s[0] == '+' || s[0] == '~' {
			kind, rest, ok := combinator(s)
			if !ok || len(out) == from {
				return c, false
			}
			out, s = append(out, test{kind: kind}), rest
			continue
		}
		isType := s[0] == '*' || s[0] == '\\' || isNameByte(s[0])
		if isType && len(out) > from && out[len(out)-1].kind < descendant {
			return c, false // a type selector comes first
		}
		var specificity uint32
		if out, specificity, s, ok = p.parseSimple(s, out, depth); !ok {
			return c, false
		}
		c.specificity += specificity
		if t := &out[len(out)-1]; t.name == noName || t.kind == testNever {
			c.never = true
			if depth == maxSelectorNest {
				return c, true // most rules are for other pages of the site
			}
		}
	}
	c.tests = out[from:]
	return c, len(out) > from
}

func combinator(s string) (kind testKind, rest string, ok bool) {
	rest = strings.TrimLeft(s, " \t\n\r\f")
	if rest == "" {
		return descendant, "", false
	}
	i := strings.IndexByte(">+~", rest[0])
	if i < 0 {
		return descendant, rest, true
	}
	rest = strings.TrimLeft(rest[1:], " \t\n\r\f")
	return child + testKind(i), rest, rest != "" && !strings.ContainsRune(">+~", rune(rest[0]))
}

// parseSimple appends one simple selector to out.
func (p *selectorParser) parseSimple(s string, out []test, depth int) (tests []test, specificity uint32, rest string, ok bool) {
	switch s[0] {
	case '*':
		return append(out, test{kind: testTag, name: anyTag}), 0, s[1:], !strings.HasPrefix(s[1:], "|")
	case '#':
		name, rest := identifier(s[1:])
		return append(out, test{kind: testID, name: p.ids.lookup(name)}), idSpecificity, rest, name != ""
	case '.':
		name, rest := identifier(s[1:])
		return append(out, test{kind: testClass, name: p.classes.lookup(name)}), classSpecificity, rest, name != ""
	case '[':
		t, rest, ok := parseAttribute(s)
		return append(out, t), classSpecificity, rest, ok
	case ':':
		return p.parsePseudo(s[1:], out, depth)
	}
	name, rest := identifier(s)
	name = strings.ToLower(name)
	return append(out, test{kind: testTag, name: int32(dom.LookupTag(name)), text: name}), typeSpecificity, rest,
		name != "" && !strings.HasPrefix(rest, "|")
}

// parsePseudo reads a pseudo-class without its colon.
func (p *selectorParser) parsePseudo(s string, out []test, depth int) (tests []test, specificity uint32, rest string, ok bool) {
	name, rest := identifier(s)
	args := ""
	if strings.HasPrefix(rest, "(") {
		end := blockEnd(rest, 0)
		args, rest = strings.TrimSpace(strings.TrimSuffix(rest[1:end], ")")), rest[end:]
	}
	nth := func(kinds ...testKind) ([]test, uint32, string, bool) {
		for _, k := range kinds {
			out = append(out, test{kind: k, nth: 1})
		}
		return out, classSpecificity, rest, args == ""
	}
	switch name = strings.ToLower(name); name {
	case "root":
		return append(out, test{kind: testTag, name: int32(dom.HTML)}), classSpecificity, rest, args == ""
	case "link", "any-link":
		return append(out, test{kind: testAttr, text: "href"}), classSpecificity, rest, args == ""
	case "first-child":
		return nth(testNth)
	case "last-child":
		return nth(testNthLast)
	case "only-child":
		return nth(testNth, testNthLast)
	case "first-of-type":
		return nth(testNthType)
	case "last-of-type":
		return nth(testNthLastType)
	case "only-of-type":
		return nth(testNthType, testNthLastType)
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		kind := testNth
		if strings.HasSuffix(name, "type") {
			kind = testNthType
		}
		if strings.HasPrefix(name, "nth-last") {
			kind++
		}
		step, n, ok := parseNth(args)
		return append(out, test{kind: kind, step: step, nth: n}), classSpecificity, rest, ok
	case "not", "is", "where", "matches", "-webkit-any", "-moz-any":
		out, specificity, ok = p.parseAny(name, args, out, depth)
		return out, specificity, rest, ok
	case "hover", "active", "focus", "focus-visible", "focus-within", "visited", "target", "fullscreen":
		return append(out, test{kind: testNever}), classSpecificity, rest, args == ""
	}
	return out, 0, "", false
}

// parseAny reads the arguments of :is(), :where() and :not().
func (p *selectorParser) parseAny(name, args string, out []test, depth int) (tests []test, specificity uint32, ok bool) {
	if depth == 0 || args == "" {
		return out, 0, false
	}
	t := test{kind: testIs}
	if name == "not" {
		t.kind = testNot
	}
	for part := range Split(args) {
		c, ok := p.parseComplex(part, nil, depth-1)
		if !ok && name == "not" {
			return out, 0, false
		}
		if ok && name != "where" {
			specificity = max(specificity, c.specificity)
		}
		if ok && !c.never {
			t.any = append(t.any, c)
		}
	}
	switch {
	case t.kind == testNot:
	case len(t.any) == 0:
		t.kind = testNever
	case len(t.any) == 1 && isCompound(t.any[0].tests): // can be indexed by its names
		return append(out, t.any[0].tests...), specificity, true
	}
	return append(out, t), specificity, true
}

func isCompound(tests []test) bool {
	return !slices.ContainsFunc(tests, func(t test) bool { return t.kind >= descendant })
}

// parseNth reads an+b, odd and even (CSS Syntax 3 §6).
func parseNth(s string) (step, nth int32, ok bool) {
	integer := func(s string) int32 {
		n, err := strconv.ParseInt(s, 10, 32)
		ok = ok && err == nil
		return int32(n)
	}
	ok = true
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

// operators are what comes before the equals sign in the tests from testEqual to
// testPart.
var operators = []string{"", "~", "|", "^", "$", "*"}

// parseAttribute reads [name], [name=value] and the like (Selectors 4 §6).
func parseAttribute(s string) (t test, rest string, ok bool) {
	end := blockEnd(s, 0)
	name, value := identifier(strings.TrimSpace(strings.TrimSuffix(s[1:end], "]")))
	t = test{kind: testAttr, text: strings.ToLower(name)}
	if value = strings.TrimSpace(value); value == "" || name == "" {
		return t, s[end:], name != ""
	}
	operator, value, ok := strings.Cut(value, "=")
	i := slices.Index(operators, operator)
	if value = strings.TrimSpace(value); !ok || i < 0 || value == "" {
		return t, "", false
	}
	t.kind = testEqual + testKind(i)
	flag := ""
	if value[0] == '"' || value[0] == '\'' {
		n := stringEnd(value, 0)
		t.value, flag = Unquote(value[:n]), value[n:]
	} else if t.value, flag = identifier(value); t.value == "" {
		return t, "", false
	}
	flag = strings.ToLower(strings.TrimSpace(flag))
	t.foldCase = flag == "i"
	return t, s[end:], flag == "" || flag == "i" || flag == "s"
}

// SelectorOf returns a selector of an element that tells people which one it is:
// its name, ID and first two classes, of at most 40 characters.
func SelectorOf(d *dom.Document, n dom.Node) string {
	const maxChars = 40
	s := d.Name(n)
	if id := strings.TrimSpace(d.Attr(n, "id")); id != "" {
		s += "#" + id
	}
	classes := strings.Fields(d.Attr(n, "class"))
	for _, class := range classes[:min(len(classes), 2)] {
		s += "." + class
	}
	if runes := []rune(s); len(runes) > maxChars {
		return string(runes[:maxChars]) + "…"
	}
	return s
}
