package css

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// page has what selectors ask of the elements of a document, and the selectors
// of its rules, indexed by the rarest name of their last compound, so that an
// element is compared only with those that may match it.
type page struct {
	doc          *dom.Document
	elements     []element // by node
	classList    []int32
	ids, classes names
	tests        []test // of all selectors, one after the other
	scratch      []test // of the selector that is being read
	selectors    []selector
	byTag        [dom.Xmp + 1]int32 // the first of a chain through selector.next
	byAny        int32
	budget       int // steps of matching that are left
	found        []match
}

type element struct {
	id       int32  // or noName
	from, to int32  // of its classes in classList
	filter   uint64 // bits of the names of its ancestors and, once it is matched, its own
}

type selector struct {
	complex
	rule int32
	next int32  // in the same chain
	need uint64 // bits of the names that ancestors must have
}

// match is a rule that applies to an element.
type match struct {
	specificity uint32
	rule        int32
}

// names numbers the names that a page has.
type names struct {
	number map[string]int32
	first  []int32 // of the chain of selectors with this name
}

const noSelector = -1

// Matching is bounded: stepsPerNode for each node, and what is saved on one
// may be spent on another.
const stepsPerNode = 400

func newPage(d *dom.Document) page {
	p := page{doc: d, byAny: noSelector, budget: stepsPerNode * (d.Len() + 1000)}
	for i := range p.byTag {
		p.byTag[i] = noSelector
	}
	return p
}

// indexNames numbers the ids and classes of the page.
func (p *page) indexNames() {
	d := p.doc
	p.elements = make([]element, d.Len())
	p.scratch = make([]test, 0, maxTests)
	p.ids.number, p.classes.number = make(map[string]int32, 64), make(map[string]int32, 128)
	for n := range dom.Node(d.Len()) {
		e := &p.elements[n]
		e.id, e.from = noName, int32(len(p.classList))
		if !d.IsText(n) && n != d.Root() {
			if id, ok := d.LookupAttr(n, "id"); ok {
				e.id = p.ids.intern(id)
			}
			if class, ok := d.LookupAttr(n, "class"); ok {
				for name := range strings.FieldsSeq(class) {
					p.classList = append(p.classList, p.classes.intern(name))
				}
			}
		}
		e.to = int32(len(p.classList))
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

// addSelectors adds the selectors of a rule that something on the page may
// match, and reports whether there are any. An invalid selector does not spoil
// the others of its list, as it does in browsers: what we do not know is often
// valid.
func (p *page) addSelectors(list string, rule int32) (added bool) {
	for s := range Split(list) {
		if len(p.selectors) == maxSelectors {
			break
		}
		parser := selectorParser{page: p, left: maxTests}
		c, ok := parser.parseComplex(s, p.scratch, maxSelectorNest)
		if !ok || c.never {
			continue
		}
		from := len(p.tests)
		p.tests = append(p.tests, c.tests...)
		c.tests = p.tests[from:len(p.tests):len(p.tests)]
		p.selectors = append(p.selectors, selector{complex: c, rule: rule})
		p.index(int32(len(p.selectors) - 1))
		added = true
	}
	return added
}

// index puts a selector into the chain of its last id, class or tag.
func (p *page) index(n int32) {
	s := &p.selectors[n]
	chain, rarest := &p.byAny, testAttr
	i := len(s.tests) - 1
	for ; i >= 0 && s.tests[i].kind < descendant; i-- {
		t := &s.tests[i]
		switch {
		case t.kind == testID:
			chain, rarest = &p.ids.first[t.name], testID
		case t.kind == testClass && rarest != testID:
			chain, rarest = &p.classes.first[t.name], testClass
		case t.kind == testTag && rarest == testAttr && t.name != anyTag:
			chain, rarest = &p.byTag[t.name], testTag
		}
	}
	s.next, *chain = *chain, n
	above := false
	for ; i >= 0; i-- {
		switch t := &s.tests[i]; {
		case t.kind >= descendant:
			above = t.kind == descendant || t.kind == child
		case above && t.kind <= testClass && t.name >= 0:
			s.need |= nameBit(t.kind, t.name)
		}
	}
}

// nameBit returns the bit of a name in the filters of ancestors.
func nameBit(k testKind, name int32) uint64 {
	return 1 << ((uint32(name)*4 + uint32(k)) * 0x9E3779B1 >> 26)
}

// match returns the rules that apply to n from the weakest to the strongest.
// Ancestors of n must have been matched before.
func (p *page) match(n dom.Node) []match {
	p.found = p.found[:0]
	if len(p.selectors) == 0 {
		return nil
	}
	e, tag := &p.elements[n], p.doc.Tag(n)
	if parent := p.doc.Parent(n); parent != dom.None {
		e.filter = p.elements[parent].filter
	}
	p.try(n, p.byAny)
	p.try(n, p.byTag[tag])
	own := nameBit(testTag, int32(tag))
	for _, c := range p.classList[e.from:e.to] {
		p.try(n, p.classes.first[c])
		own |= nameBit(testClass, c)
	}
	if e.id >= 0 {
		p.try(n, p.ids.first[e.id])
		own |= nameBit(testID, e.id)
	}
	e.filter |= own
	slices.SortFunc(p.found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.specificity, b.specificity), cmp.Compare(a.rule, b.rule))
	})
	return p.found
}

// try compares n with a chain of selectors.
func (p *page) try(n dom.Node, chain int32) {
	filter := p.elements[n].filter
	for s := chain; s != noSelector && p.budget > 0; s = p.selectors[s].next {
		p.budget--
		sel := &p.selectors[s]
		if sel.need&^filter == 0 && p.matches(n, sel.tests) == matched {
			p.found = append(p.found, match{sel.specificity, sel.rule})
		}
	}
}

// outcome of matching a selector against an element. It says which other
// elements need not be tried, so that backtracking takes linear time.
type outcome uint8

const (
	matched        outcome = iota
	failed                 // another element may match
	failedSiblings         // no earlier sibling matches either
	failedAll              // no earlier sibling or ancestor matches either
)

// matches compares n with a complex selector from right to left.
func (p *page) matches(n dom.Node, tests []test) outcome {
	for i := len(tests) - 1; i >= 0; i-- {
		if t := &tests[i]; t.kind >= descendant {
			return p.relative(n, t.kind, tests[:i])
		} else if !p.passes(n, t) {
			return failed
		}
	}
	return matched
}

// relative looks for an element that matches where a combinator asks for it.
func (p *page) relative(n dom.Node, combinator testKind, tests []test) outcome {
	exhausted, next := failedAll, p.doc.Parent
	if combinator == nextSibling || combinator == laterSibling {
		exhausted, next = failedSiblings, p.doc.Prev
	}
	for n = next(n); n > p.doc.Root(); n = next(n) {
		if p.doc.IsText(n) {
			continue
		}
		if p.budget--; p.budget < 0 {
			return failedAll
		}
		switch o := p.matches(n, tests); {
		case o == matched || o >= exhausted || combinator == nextSibling:
			return o
		case combinator == child:
			return failedSiblings // they have the same parent
		}
	}
	return exhausted
}

// passes reports whether n matches a simple selector.
func (p *page) passes(n dom.Node, t *test) bool {
	switch t.kind {
	case testTag:
		return t.name == anyTag || int32(p.doc.Tag(n)) == t.name &&
			(t.name != int32(dom.Unknown) || p.doc.Name(n) == t.text)
	case testID:
		return p.elements[n].id == t.name
	case testClass:
		e := &p.elements[n]
		return slices.Contains(p.classList[e.from:e.to], t.name)
	case testIs, testNot:
		any := slices.ContainsFunc(t.any, func(c complex) bool { return p.matches(n, c.tests) == matched })
		return any == (t.kind == testIs)
	case testNth, testNthLast, testNthType, testNthLastType:
		k := p.position(n, t.kind)
		if t.step == 0 {
			return k == t.nth
		}
		return (k-t.nth)%t.step == 0 && (k-t.nth)/t.step >= 0
	}
	value, ok := p.doc.LookupAttr(n, t.text)
	return ok && t.matchesValue(value)
}

// position counts n and the elements before it, or after it.
func (p *page) position(n dom.Node, kind testKind) int32 {
	next := p.doc.Prev
	if kind == testNthLast || kind == testNthLastType {
		next = p.doc.Next
	}
	tag := p.doc.Tag(n)
	k := int32(1)
	for s := next(n); s != dom.None && p.budget > 0; s = next(s) {
		p.budget--
		if !p.doc.IsText(s) && (kind <= testNthLast || p.doc.Tag(s) == tag && p.doc.Name(s) == p.doc.Name(n)) {
			k++
		}
	}
	return k
}

// matchesValue compares the value of an attribute (Selectors 4 §6).
func (t *test) matchesValue(value string) bool {
	want := t.value
	if t.foldCase {
		value, want = strings.ToLower(value), strings.ToLower(want)
	}
	switch t.kind {
	case testAttr:
		return true
	case testEqual:
		return value == want
	case testWord:
		return slices.Contains(strings.Fields(value), want)
	case testLanguage:
		rest, ok := strings.CutPrefix(value, want)
		return ok && (rest == "" || rest[0] == '-')
	case testPrefix:
		return want != "" && strings.HasPrefix(value, want)
	case testSuffix:
		return want != "" && strings.HasSuffix(value, want)
	case testPart:
		return want != "" && strings.Contains(value, want)
	}
	return false
}
