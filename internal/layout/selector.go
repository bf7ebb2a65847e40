package layout

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// test is one simple selector, or a combinator between two compounds. A
// selector is a run of tests, matched from its right end.
type test struct {
	kind testKind
	not  bool   // :not(…)
	name int32  // interned, or a dom.Tag
	text string // of attributes and elements that HTML does not know
	val  string
}

type testKind uint8

const (
	testTag testKind = iota
	testID
	testClass
	testAttr      // [text]
	testAttrEqual // [text=val]
	testAttrWord  // [text~=val]
	testAttrStart // [text^=val]
	testAttrEnd   // [text$=val]
	testAttrPart  // [text*=val]
	testFirst     // :first-child
	testLast      // :last-child
	byDescendant
	byChild
	byNext
	bySibling
)

// specificity weighs ids, classes and types (Selectors 4 §17).
const (
	weightID    = 1 << 20
	weightClass = 1 << 10
	weightType  = 1
)

// maxTests is how many simple selectors one selector may have.
const maxTests = 24

// parseSelector appends the tests of a complex selector. ok is false where it
// has anything that we do not match, or that nothing on the page can match.
func (x *selectors) parseSelector(s string, out []test) (tests []test, weight uint32, ok bool) {
	from := len(out)
	for s != "" && len(out)-from <= maxTests {
		if isSpace(s[0]) || s[0] == '>' || s[0] == '+' || s[0] == '~' {
			var by testKind
			if by, s = combinator(s); s == "" || len(out) == from {
				return out, 0, false
			}
			out = append(out, test{kind: by})
			continue
		}
		t, w, rest, ok := x.parseSimple(s)
		if !ok {
			return out, 0, false
		}
		if t.name == noName && !t.not {
			return out, 0, false // nothing on the page has this name
		}
		out = append(out, t)
		weight += w
		s = rest
	}
	return out, weight, s == "" && len(out) > from
}

// Numbers of names that are none: "*", and one that is not on the page.
const (
	anyTag = -1
	noName = -2
)

// combinator takes a combinator off s.
func combinator(s string) (testKind, string) {
	by := byDescendant
	for s != "" {
		switch s[0] {
		case '>':
			by = byChild
		case '+':
			by = byNext
		case '~':
			by = bySibling
		default:
			if !isSpace(s[0]) {
				return by, s
			}
		}
		s = s[1:]
	}
	return by, s
}

// parseSimple reads one simple selector.
func (x *selectors) parseSimple(s string) (t test, weight uint32, rest string, ok bool) {
	switch s[0] {
	case '*':
		return test{kind: testTag, name: anyTag}, 0, s[1:], true
	case '#':
		name, rest := ident(s[1:])
		return test{kind: testID, name: x.ids.lookup(name)}, weightID, rest, name != ""
	case '.':
		name, rest := ident(s[1:])
		return test{kind: testClass, name: x.classes.lookup(name)}, weightClass, rest, name != ""
	case '[':
		return parseAttr(s)
	case ':':
		name, rest := ident(s[1:])
		switch lower(name) {
		case "root":
			return test{kind: testTag, name: int32(dom.HTML)}, weightClass, rest, true
		case "link", "any-link":
			return test{kind: testAttr, text: "href"}, weightClass, rest, true
		case "first-child":
			return test{kind: testFirst}, weightClass, rest, true
		case "last-child":
			return test{kind: testLast}, weightClass, rest, true
		case "not":
			return x.parseNot(rest)
		}
		return t, 0, "", false
	}
	name, rest := ident(s)
	if name == "" {
		return t, 0, "", false
	}
	name = lower(name)
	tag := dom.LookupTag(name)
	return test{kind: testTag, name: int32(tag), text: name}, weightType, rest, true
}

// parseNot reads :not() of one simple selector.
func (x *selectors) parseNot(s string) (t test, weight uint32, rest string, ok bool) {
	if s == "" || s[0] != '(' {
		return t, 0, "", false
	}
	end := 1 + topLevel(s[1:], ')')
	inside := trim(s[1:end])
	if end == len(s) || inside == "" || strings.HasPrefix(inside, ":not") {
		return t, 0, "", false
	}
	t, weight, more, ok := x.parseSimple(inside)
	t.not = true
	return t, weight, s[end+1:], ok && more == ""
}

// parseAttr reads [name], [name=value] and its kin.
func parseAttr(s string) (t test, weight uint32, rest string, ok bool) {
	end := topLevel(s[1:], ']') + 1
	if end >= len(s) {
		return t, 0, "", false
	}
	inside, rest := s[1:end], s[end+1:]
	name, val, valued := strings.Cut(inside, "=")
	t.kind = testAttr
	if valued {
		t.kind = testAttrEqual
		if n := len(name); n > 0 {
			switch name[n-1] {
			case '~':
				t.kind = testAttrWord
			case '^', '|':
				t.kind = testAttrStart
			case '$':
				t.kind = testAttrEnd
			case '*':
				t.kind = testAttrPart
			}
			if t.kind != testAttrEqual {
				name = name[:n-1]
			}
		}
		val = trim(val)
		if len(val) > 1 && (val[0] == '"' || val[0] == '\'') {
			val = val[1:max(1, strings.LastIndexByte(val, val[0]))]
		}
	}
	t.text, t.val = lower(trim(name)), val
	return t, weightClass, rest, t.text != ""
}

// ident reads an identifier with its escapes (CSS Syntax 3 §4.3.11).
func ident(s string) (name, rest string) {
	i := 0
	escaped := false
	for ; i < len(s); i++ {
		b := s[i]
		if b == '\\' && i+1 < len(s) {
			escaped = true
			i++
			continue
		}
		if b < 0x80 && b != '-' && b != '_' && (b < '0' || b > '9') && (b|0x20 < 'a' || b|0x20 > 'z') {
			break
		}
	}
	name, rest = s[:i], s[i:]
	if escaped {
		name = unescape(name)
	}
	return name, rest
}

// unescape takes the backslashes out, as in .md\:flex. Escapes by number are
// rare and then name no class.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
