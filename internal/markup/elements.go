package markup

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

//go:embed elements.txt
var elementsFile string

// element has the rules for a tag name.
type element struct {
	name   string
	atom   atom.Atom
	start  rule // in a body
	end    rule // in a body
	traits traits
	id     uint8 // index of parser.count; 0 for all names without rules
}

// rule selects what a tag does in the body.
type rule uint8

const (
	ruleOther rule = iota
	ruleBlock
	ruleBody
	ruleBr
	ruleButton
	ruleForeign
	ruleForm
	ruleFormat
	ruleFrameset
	ruleHeading
	ruleHr
	ruleHTML
	ruleIframe
	ruleIgnored
	ruleImage
	ruleInput
	ruleItem
	ruleLink
	ruleMetadata
	ruleNobr
	ruleNoembed
	ruleNoscript
	ruleObject
	ruleOptgroup
	ruleOption
	ruleP
	rulePlaintext
	rulePre
	ruleRb
	ruleRt
	ruleSelect
	ruleSource
	ruleTable
	ruleTemplate
	ruleTerm
	ruleTextarea
	ruleVoid
	ruleXmp
)

// ruleNames are the names of the rules in elements.txt, in the order of the
// constants.
var ruleNames = strings.Fields(`other block body br button foreign form format frameset heading hr html iframe
	ignored image input item link metadata nobr noembed noscript object optgroup option p plaintext pre rb rt
	select source table template term textarea void xmp`)

// traits is a set of properties of an element.
type traits uint32

const (
	special traits = 1 << iota
	scope
	list
	button
	tableScope
	tableContext
	sectionContext
	rowContext
	implied
	foster
	heading
	cell
	section
	breakout
	rawtext
	rcdata
	script
	plaintext
	foreign // in SVG or MathML

	// x/net looks for these by name alone, also in SVG and MathML.
	anyNamespace = tableContext | sectionContext | rowContext | implied | foster
	rawKinds     = rawtext | rcdata | script | plaintext
)

var traitNames = strings.Fields(`special scope list button table-scope table-context section-context row-context
	implied foster heading cell section breakout rawtext rcdata script plaintext`)

// elements are found by a hash of their name; see [parser.readName].
var (
	elements     = readElements(elementsFile)
	otherElement = &element{}

	elementBody     = elementNamed("body")
	elementCaption  = elementNamed("caption")
	elementColgroup = elementNamed("colgroup")
	elementHead     = elementNamed("head")
	elementHTML     = elementNamed("html")
	elementImg      = elementNamed("img")
	elementP        = elementNamed("p")
	elementRuby     = elementNamed("ruby")
	elementSelect   = elementNamed("select")
	elementTable    = elementNamed("table")
	elementTbody    = elementNamed("tbody")
	elementTemplate = elementNamed("template")
	elementTitle    = elementNamed("title")
	elementTr       = elementNamed("tr")
)

const (
	elementSlots = 1024 // a power of two, far more than there are elements
	hashStart    = 2166136261
	hashFactor   = 16777619
)

func readElements(file string) *[elementSlots]*element {
	var table [elementSlots]*element
	var count uint8
	for line := range strings.Lines(file) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		count++
		e := &element{
			name: f[0], atom: atom.Lookup([]byte(f[0])), id: count,
			start: rule(number(ruleNames, f[1])), end: rule(number(ruleNames, f[2])),
		}
		for _, word := range f[3:] {
			e.traits |= 1 << number(traitNames, word)
		}
		if e.atom != 0 {
			e.name = e.atom.String() // share the string with package atom
		}
		slot := hashName(e.name)
		for table[slot%elementSlots] != nil {
			slot++
		}
		table[slot%elementSlots] = e
	}
	return &table
}

// number returns the index of a word in a list. It panics if the word is missing,
// since elements.txt is part of the package.
func number(list []string, word string) int {
	i := slices.Index(list, word)
	if i < 0 {
		panic(fmt.Sprintf("markup: elements.txt has the unknown word %q", word))
	}
	return i
}

func hashName(name string) uint32 {
	h := uint32(hashStart)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * hashFactor
	}
	return h
}

// elementNamed returns the element with a name in lower case.
func elementNamed(name string) *element { return findElement(hashName(name), name) }

func findElement(hash uint32, name string) *element {
	for {
		e := elements[hash%elementSlots]
		if e == nil {
			return otherElement
		}
		if e.name == name {
			return e
		}
		hash++
	}
}
