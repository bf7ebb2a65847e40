package dom

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Tag is the name of an element as a small number. Elements that HTML does
// not know are Unknown; [Document.Name] still tells their name.
type Tag uint8

// The kinds of nodes that are not elements, and the elements by name.
const (
	Unknown Tag = iota
	Root        // the document itself, node 0
	Text        // a run of text
	A
	Abbr
	Address
	Applet
	Area
	Article
	Aside
	Audio
	B
	Base
	Bdi
	Bdo
	Big
	Blockquote
	Body
	Br
	Button
	Canvas
	Caption
	Center
	Cite
	Code
	Col
	Colgroup
	Data
	Datalist
	Dd
	Del
	Details
	Dfn
	Dialog
	Dir
	Div
	Dl
	Dt
	Em
	Embed
	Fieldset
	Figcaption
	Figure
	Font
	Footer
	Form
	Frame
	Frameset
	H1
	H2
	H3
	H4
	H5
	H6
	Head
	Header
	Hgroup
	Hr
	HTML
	I
	Iframe
	Img
	Input
	Ins
	Kbd
	Label
	Legend
	Li
	Link
	Listing
	Main
	Map
	Mark
	Math
	Menu
	Meta
	Meter
	Nav
	Nobr
	Noembed
	Noframes
	Noscript
	Object
	Ol
	Optgroup
	Option
	Output
	P
	Param
	Picture
	Plaintext
	Pre
	Progress
	Q
	Rp
	Rt
	Ruby
	S
	Samp
	Script
	Search
	Section
	Select
	Small
	Source
	Span
	Strike
	Strong
	Style
	Sub
	Summary
	Sup
	SVG
	Table
	Tbody
	Td
	Template
	Textarea
	Tfoot
	Th
	Thead
	Time
	Title
	Tr
	Track
	Tt
	U
	Ul
	Var
	Video
	Wbr
	Xmp
	tagCount
)

// trait says how an element behaves when the page is shown.
type trait uint16

const (
	// block elements begin and end a row of text.
	block trait = 1 << iota
	// spaced elements are inline, but what stands in them never touches its
	// neighbours on the screen: buttons, pictures, fields.
	spaced
	// void elements have no content.
	void
	// raw elements hold text that is not markup.
	raw
	// unseen elements are not shown by any browser that runs scripts.
	unseen
	// preformatted elements keep their white space.
	preformatted
	// formatting elements change the look of the words in them.
	formatting
	// active elements are those that HTML5 opens anew in every block that
	// they were not closed before ("list of active formatting elements").
	active
	// scope elements stop the reach of active elements.
	scope
	// wrapper elements say nothing about their content.
	wrapper
)

// tags is indexed by Tag. It is read only.
var tags = [tagCount]struct {
	name   string
	traits trait
}{
	Unknown:    {"", spaced}, // a component of the page's own making is never part of a word
	Root:       {"#document", block},
	Text:       {"#text", 0},
	A:          {"a", active},
	Abbr:       {"abbr", 0},
	Address:    {"address", block},
	Applet:     {"applet", unseen | scope},
	Area:       {"area", void | unseen},
	Article:    {"article", block},
	Aside:      {"aside", block},
	Audio:      {"audio", spaced | unseen},
	B:          {"b", formatting | active},
	Base:       {"base", void | unseen},
	Bdi:        {"bdi", 0},
	Bdo:        {"bdo", 0},
	Big:        {"big", formatting | active},
	Blockquote: {"blockquote", block},
	Body:       {"body", block},
	Br:         {"br", void | block},
	Button:     {"button", spaced},
	Canvas:     {"canvas", spaced | unseen},
	Caption:    {"caption", block | scope},
	Center:     {"center", block | wrapper},
	Cite:       {"cite", formatting},
	Code:       {"code", formatting | active},
	Col:        {"col", void | unseen},
	Colgroup:   {"colgroup", unseen},
	Data:       {"data", 0},
	Datalist:   {"datalist", unseen},
	Dd:         {"dd", block},
	Del:        {"del", 0},
	Details:    {"details", block},
	Dfn:        {"dfn", 0},
	Dialog:     {"dialog", block},
	Dir:        {"dir", block},
	Div:        {"div", block | wrapper},
	Dl:         {"dl", block},
	Dt:         {"dt", block},
	Em:         {"em", formatting | active},
	Embed:      {"embed", void | spaced},
	Fieldset:   {"fieldset", block},
	Figcaption: {"figcaption", block},
	Figure:     {"figure", block},
	Font:       {"font", formatting | active | wrapper},
	Footer:     {"footer", block},
	Form:       {"form", block},
	Frame:      {"frame", void | unseen},
	Frameset:   {"frameset", block},
	H1:         {"h1", block},
	H2:         {"h2", block},
	H3:         {"h3", block},
	H4:         {"h4", block},
	H5:         {"h5", block},
	H6:         {"h6", block},
	Head:       {"head", block | unseen},
	Header:     {"header", block},
	Hgroup:     {"hgroup", block},
	Hr:         {"hr", void | block},
	HTML:       {"html", block},
	I:          {"i", formatting | active},
	Iframe:     {"iframe", spaced | raw | unseen},
	Img:        {"img", void},
	Input:      {"input", void | spaced},
	Ins:        {"ins", 0},
	Kbd:        {"kbd", 0},
	Label:      {"label", 0},
	Legend:     {"legend", block},
	Li:         {"li", block},
	Link:       {"link", void | unseen},
	Listing:    {"listing", block | preformatted},
	Main:       {"main", block},
	Map:        {"map", 0},
	Mark:       {"mark", formatting},
	Math:       {"math", 0},
	Menu:       {"menu", block},
	Meta:       {"meta", void | unseen},
	Meter:      {"meter", spaced | unseen},
	Nav:        {"nav", block},
	Nobr:       {"nobr", active},
	Noembed:    {"noembed", raw | unseen},
	Noframes:   {"noframes", raw | unseen},
	Noscript:   {"noscript", raw | unseen},
	Object:     {"object", spaced | unseen | scope},
	Ol:         {"ol", block},
	Optgroup:   {"optgroup", block},
	Option:     {"option", block},
	Output:     {"output", spaced},
	P:          {"p", block},
	Param:      {"param", void | unseen},
	Picture:    {"picture", 0},
	Plaintext:  {"plaintext", block | preformatted | raw},
	Pre:        {"pre", block | preformatted},
	Progress:   {"progress", spaced | unseen},
	Q:          {"q", 0},
	Rp:         {"rp", unseen},
	Rt:         {"rt", spaced},
	Ruby:       {"ruby", 0},
	S:          {"s", formatting | active},
	Samp:       {"samp", 0},
	Script:     {"script", raw | unseen},
	Search:     {"search", block},
	Section:    {"section", block | wrapper},
	Select:     {"select", spaced},
	Small:      {"small", formatting | active},
	Source:     {"source", void | unseen},
	Span:       {"span", wrapper},
	Strike:     {"strike", formatting | active},
	Strong:     {"strong", formatting | active},
	Style:      {"style", raw | unseen},
	Sub:        {"sub", 0},
	Summary:    {"summary", block},
	Sup:        {"sup", 0},
	SVG:        {"svg", spaced | unseen},
	Table:      {"table", block},
	Tbody:      {"tbody", block},
	Td:         {"td", block | scope},
	Template:   {"template", unseen | scope},
	Textarea:   {"textarea", block | preformatted | raw},
	Tfoot:      {"tfoot", block},
	Th:         {"th", block | scope},
	Thead:      {"thead", block},
	Time:       {"time", 0},
	Title:      {"title", raw | unseen},
	Tr:         {"tr", block},
	Track:      {"track", void | unseen},
	Tt:         {"tt", formatting | active},
	U:          {"u", formatting | active},
	Ul:         {"ul", block},
	Var:        {"var", formatting},
	Video:      {"video", spaced | unseen},
	Wbr:        {"wbr", void},
	Xmp:        {"xmp", block | preformatted | raw},
}

// String is the name of the element in lower case.
func (t Tag) String() string { return tags[t].name }

// IsBlock reports whether the element stands on rows of its own.
func (t Tag) IsBlock() bool { return tags[t].traits&block != 0 }

// IsHeading reports whether the element is one of h1 to h6.
func (t Tag) IsHeading() bool { return t >= H1 && t <= H6 }

// IsFormatting reports whether the element only changes the look of words.
func (t Tag) IsFormatting() bool { return tags[t].traits&formatting != 0 }

func (t Tag) is(x trait) bool { return tags[t].traits&x != 0 }

// tagOf is Unknown also for the parts of drawings and formulas.
func tagOf(n *html.Node) Tag {
	if n.Namespace == "" || n.Namespace == n.Data {
		return tagOfAtom(n.DataAtom)
	}
	return Unknown
}

// tagAt reads the name of the tag that b begins with and how long it is. A
// name goes up to white space, '/' or '>', as in <b-card>, which is not a <b>.
func tagAt(b []byte) (Tag, int) {
	var name [12]byte // longer than any name that HTML knows
	for i, c := range b {
		switch {
		case isSpace(c) || c == '/' || c == '>':
			if i > len(name) {
				return Unknown, i
			}
			return tagOfAtom(atom.Lookup(name[:i])), i
		case i == 0 && !isLetter(c):
			return Unknown, 0
		case i >= len(name):
		case c >= 'A' && c <= 'Z':
			name[i] = c | 0x20
		default:
			name[i] = c
		}
	}
	if len(b) > len(name) {
		return Unknown, len(b)
	}
	return tagOfAtom(atom.Lookup(name[:len(b)])), len(b)
}

// LookupTag finds the element of a name in lower case.
func LookupTag(name string) Tag { return tagOfAtom(atom.Lookup([]byte(name))) }

// tagSlots maps the parser's atoms to tags: open addressing with a
// multiplicative hash, since this is asked once for every element of a page.
var tagSlots = func() (slots [tagSlotCount]struct {
	atom atom.Atom
	tag  Tag
}) {
	for t := A; t < tagCount; t++ {
		a := atom.Lookup([]byte(tags[t].name))
		i := tagHash(a)
		for slots[i].atom != 0 {
			i = (i + 1) % tagSlotCount
		}
		slots[i].atom, slots[i].tag = a, t
	}
	return slots
}()

const tagSlotCount = 1024

func tagHash(a atom.Atom) uint32 { return uint32(a) * 0x9E3779B1 >> 22 }

func tagOfAtom(a atom.Atom) Tag {
	if a == 0 {
		return Unknown
	}
	for i := tagHash(a); ; i = (i + 1) % tagSlotCount {
		switch s := &tagSlots[i]; s.atom {
		case a:
			return s.tag
		case 0:
			return Unknown
		}
	}
}
