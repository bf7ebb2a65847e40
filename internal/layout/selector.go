package layout

import (
	"cmp"
	"slices"
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

// selectors is every selector of a page, indexed by the rarest name of its
// rightmost compound, so that an element is held only against those that
// could be meant for it.
type selectors struct {
	tests        []test
	list         []selector
	elements     []element // by node
	classList    []int32
	ids, classes names
	byTag        [dom.Xmp + 1]int32 // first of a chain through selector.next
	byAny        int32
}

type selector struct {
	from, to int32 // its tests
	rule     int32
	next     int32 // in the same bucket
	weight   uint32
	need     uint64 // a bit of the filter of ancestors, or 0
}

// element is what selectors can ask of a node.
type element struct {
	id       int32  // or noName
	from, to int32  // of its classes in classList
	filter   uint64 // the names of its ancestors, and once it is matched its own
}

// names numbers the names that a page has. Selectors with other names cannot
// match anything on it, and are dropped while they are read.
type names struct {
	number map[string]int32
	first  []int32 // of the chain of selectors with this name
}

const noSelector = -1

// init reads the ids and classes of the page, if there are any style sheets.
func (x *selectors) init(d *dom.Document) {
	x.byAny = noSelector
	for i := range x.byTag {
		x.byTag[i] = noSelector
	}
	if d == nil || d.First(dom.Style) == dom.None {
		return
	}
	x.elements = make([]element, d.Len())
	x.ids.number, x.classes.number = make(map[string]int32, 64), make(map[string]int32, 128)
	for n := range dom.Node(d.Len()) {
		e := &x.elements[n]
		e.id, e.from = noName, int32(len(x.classList))
		if !d.IsText(n) && n != 0 {
			if id, ok := d.Attr(n, "id"); ok {
				e.id = x.ids.intern(id)
			}
			if class, ok := d.Attr(n, "class"); ok {
				for w := range strings.FieldsSeq(class) {
					x.classList = append(x.classList, x.classes.intern(w))
				}
			}
		}
		e.to = int32(len(x.classList))
	}
}

func (ns *names) intern(name string) int32 {
	if n, ok := ns.number[name]; ok {
		return n
	}
	n := int32(len(ns.first))
	ns.number[name] = n
	ns.first = append(ns.first, noSelector)
	return n
}

func (ns *names) lookup(name string) int32 {
	if n, ok := ns.number[name]; ok {
		return n
	}
	return noName
}

// addSelectors reads the selector list of a rule. One that we cannot match
// does not spoil the others: what a page writes for newer browsers is as good
// for us.
func (x *selectors) addSelectors(list string, rule int32) (any bool) {
	for list != "" && len(x.list) < maxSelectors {
		i := topLevel(list, ',')
		s := trim(list[:i])
		list = list[min(i+1, len(list)):]
		from := len(x.tests)
		var weight uint32
		var ok bool
		if x.tests, weight, ok = x.parseSelector(s, x.tests); !ok {
			x.tests = x.tests[:from]
			continue
		}
		x.list = append(x.list, selector{from: int32(from), to: int32(len(x.tests)), rule: rule, weight: weight})
		x.file(int32(len(x.list) - 1))
		any = true
	}
	return any
}

// file puts a selector into the bucket of its rightmost id, class or tag.
func (x *selectors) file(n int32) {
	s := &x.list[n]
	bucket, rarest := &x.byAny, testAttr
	i := s.to - 1
	for ; i >= s.from && x.tests[i].kind < byDescendant; i-- {
		t := &x.tests[i]
		switch {
		case t.not:
		case t.kind == testID:
			bucket, rarest = &x.ids.first[t.name], testID
		case t.kind == testClass && rarest != testID:
			bucket, rarest = &x.classes.first[t.name], testClass
		case t.kind == testTag && rarest == testAttr && t.name != anyTag:
			bucket, rarest = &x.byTag[t.name], testTag
		}
	}
	s.next, *bucket = *bucket, n
	for ; i >= s.from; i-- { // of what must stand above, one test will do
		t := &x.tests[i]
		if t.kind == byNext || t.kind == bySibling {
			break
		}
		if t.kind <= testClass && t.name >= 0 && !t.not {
			s.need = t.bit()
			break
		}
	}
}

// bit is where a name stands in the filter of ancestors.
func (t *test) bit() uint64 { return nameBit(t.kind, t.name) }

func nameBit(k testKind, name int32) uint64 {
	return 1 << ((uint32(name)*4 + uint32(k)) * 0x9E3779B1 >> 26)
}

// found is a selector that matches.
type found struct {
	weight uint32
	rule   int32
}

// matcher finds the rules of one element after the other, parents first.
type matcher struct {
	*sheet
	doc    *dom.Document
	budget int
	found  []found
}

// The work of matching is bounded: by so much for a node, and what is saved
// on one may be spent on another.
const workPerNode = 400

func newMatcher(d *dom.Document, s *sheet) *matcher {
	return &matcher{sheet: s, doc: d, budget: workPerNode * (d.Len() + 1000)}
}

// match returns the rules of n from the weakest to the strongest.
func (m *matcher) match(n dom.Node, tag dom.Tag) []found {
	m.found = m.found[:0]
	if len(m.list) == 0 {
		return nil
	}
	e := &m.elements[n]
	if p := m.doc.Parent(n); p != dom.None {
		e.filter = m.elements[p].filter
	}
	m.try(n, m.byAny)
	m.try(n, m.byTag[tag])
	for _, c := range m.classList[e.from:e.to] {
		m.try(n, m.classes.first[c])
	}
	if e.id >= 0 {
		m.try(n, m.ids.first[e.id])
	}
	slices.SortFunc(m.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.rule, b.rule))
	})
	// What stands below n may ask for n.
	e.filter |= nameBit(testTag, int32(tag))
	if e.id >= 0 {
		e.filter |= nameBit(testID, e.id)
	}
	for _, c := range m.classList[e.from:e.to] {
		e.filter |= nameBit(testClass, c)
	}
	return m.found
}

func (m *matcher) try(n dom.Node, s int32) {
	filter := m.elements[n].filter
	for ; s != noSelector && m.budget > 0; s = m.list[s].next {
		m.budget--
		sel := &m.list[s]
		if sel.need&^filter == 0 && m.matches(n, sel.from, sel.to) {
			m.found = append(m.found, found{sel.weight, sel.rule})
		}
	}
}

// matches holds tests[from:to] against n from right to left.
func (m *matcher) matches(n dom.Node, from, to int32) bool {
	for i := to - 1; i >= from; i-- {
		t := &m.tests[i]
		if t.kind < byDescendant {
			if m.passes(n, t) == t.not {
				return false
			}
			continue
		}
		return m.above(n, t.kind, from, i)
	}
	return true
}

// above looks for an element in the place that a combinator names.
func (m *matcher) above(n dom.Node, by testKind, from, to int32) bool {
	step := m.doc.Parent
	if by == byNext || by == bySibling {
		step = m.doc.Prev
	}
	for n = step(n); n != dom.None && m.budget > 0; n = step(n) {
		if m.doc.IsText(n) {
			continue
		}
		m.budget--
		if m.matches(n, from, to) {
			return true
		}
		if by == byChild || by == byNext {
			return false
		}
	}
	return false
}

func (m *matcher) passes(n dom.Node, t *test) bool {
	switch t.kind {
	case testTag:
		return t.name == anyTag && n != 0 || int32(m.doc.Tag(n)) == t.name &&
			(t.name != int32(dom.Unknown) || m.doc.Name(n) == t.text)
	case testID:
		return m.elements[n].id == t.name
	case testClass:
		e := &m.elements[n]
		return slices.Contains(m.classList[e.from:e.to], t.name)
	}
	switch t.kind {
	case testFirst:
		return m.alone(n, m.doc.Prev)
	case testLast:
		return m.alone(n, m.doc.Next)
	}
	v, ok := m.doc.Attr(n, t.text)
	switch t.kind {
	case testAttr:
		return ok
	case testAttrEqual:
		return ok && v == t.val
	case testAttrWord:
		return ok && slices.Contains(strings.Fields(v), t.val)
	case testAttrStart:
		return ok && t.val != "" && strings.HasPrefix(v, t.val)
	case testAttrEnd:
		return ok && t.val != "" && strings.HasSuffix(v, t.val)
	case testAttrPart:
		return ok && t.val != "" && strings.Contains(v, t.val)
	}
	return false
}

// alone reports whether there is no element on one side of n.
func (m *matcher) alone(n dom.Node, step func(dom.Node) dom.Node) bool {
	for n = step(n); n != dom.None; n = step(n) {
		if !m.doc.IsText(n) {
			return false
		}
	}
	return true
}
