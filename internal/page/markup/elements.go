package markup

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

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
	ruleIgnored
	ruleImage
	ruleInput
	ruleItem
	ruleLink
	ruleMetadata
	ruleNobr
	ruleNoscript
	ruleObject
	ruleOptgroup
	ruleOption
	ruleP
	rulePart
	ruleRb
	ruleRt
	ruleSelect
	ruleTable
	ruleTemplate
	ruleTerm
)

// ruleNames are the names of the rules in elements.txt, in the order of the
// constants.
const ruleNames = `other block body br button foreign form format frameset heading hr html ignored image input item link metadata
	nobr noscript object optgroup option p part rb rt select table template term`

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
	closesP
	reopens
	void
	formatting
	marker
	preformatted
	content
	foreign // in SVG or MathML

	// x/net looks for these by name alone, also in SVG and MathML.
	anyNamespace = tableContext | sectionContext | rowContext | implied | foster
	rawKinds     = rawtext | rcdata | script | plaintext
)

const traitNames = `special scope list button table-scope table-context section-context row-context
	implied foster heading cell section breakout rawtext rcdata script plaintext closes-p reopens void formatting marker
	preformatted content`

// elementTable has the elements and those that the rules name.
type elementTable struct {
	list   []element // the first is that of all other names
	words  *wordTable
	byName map[string]uint8

	body, caption, colgroup, head, html, img, p, ruby *element
	selection, table, tbody, template, title, tr      *element
}

// elements reads the table once. It is read only.
var elements = sync.OnceValue(func() *elementTable {
	t := &elementTable{list: []element{{traits: reopens}}, byName: map[string]uint8{}}
	rules, traits := strings.Fields(ruleNames), strings.Fields(traitNames)
	names := []string{""}
	for line := range strings.Lines(elementsFile) {
		f := strings.Fields(line)
		if f[0] == "#" {
			continue
		}
		e := element{
			name: f[0], atom: atom.Lookup([]byte(f[0])), id: uint8(len(t.list)),
			start: rule(number(rules, f[1])), end: rule(number(rules, f[2])),
		}
		for _, word := range f[3:] {
			e.traits |= 1 << number(traits, word)
		}
		t.byName[f[0]] = e.id
		names, t.list = append(names, f[0]), append(t.list, e)
	}
	t.words = newWordTable(names)
	t.body, t.caption, t.colgroup = t.named("body"), t.named("caption"), t.named("colgroup")
	t.head, t.html, t.img = t.named("head"), t.named("html"), t.named("img")
	t.p, t.ruby, t.selection = t.named("p"), t.named("ruby"), t.named("select")
	t.table, t.tbody, t.tr = t.named("table"), t.named("tbody"), t.named("tr")
	t.template, t.title = t.named("template"), t.named("title")
	return t
})

// number returns the index of a word in a list. It panics if the word is missing,
// since elements.txt is part of the package.
func number(list []string, word string) int {
	i := slices.Index(list, word)
	if i < 0 {
		panic(fmt.Sprintf("markup: elements.txt has the unknown word %q", word))
	}
	return i
}

// other returns the element of names without rules.
func (t *elementTable) other() *element { return &t.list[0] }

// named returns the element with a name in lower case.
func (t *elementTable) named(name string) *element { return &t.list[t.byName[name]] }
