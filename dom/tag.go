package dom

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Tag is the name of an element as a constant, or Root or Text for other nodes.
type Tag uint8

// The tags. Each constant is the name of an element of HTML, except for the first
// three.
const (
	Unknown Tag = iota // an element that is not part of HTML; see Document.Name
	Root               // the document itself, node 0
	Text               // a text node
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

// trait is a set of properties of an element.
type trait uint16

const (
	// block elements begin and end a line of text.
	block trait = 1 << iota
	// spaced elements are inline, but their text is separate from the words
	// around them, as in buttons and form fields.
	spaced
	// void elements have no content.
	void
	// raw elements have text that is not markup.
	raw
	// invisible elements are not shown by browsers that run scripts.
	invisible
	// preformatted elements keep their white space.
	preformatted
	// formatting elements change the look of the words in them.
	formatting
	// active elements are opened again in every block that follows, unless they
	// are closed (the "list of active formatting elements" of HTML5).
	active
	// scope elements keep active elements inside.
	scope
	// wrapper elements mean nothing for their content.
	wrapper
)

// tags is indexed by Tag.
var tags = [tagCount]struct {
	name   string
	traits trait
}{
	Unknown:    {"", spaced}, // a custom element is never part of a word
	Root:       {"#document", block},
	Text:       {"#text", 0},
	A:          {"a", active},
	Abbr:       {"abbr", 0},
	Address:    {"address", block},
	Applet:     {"applet", invisible | scope},
	Area:       {"area", void | invisible},
	Article:    {"article", block},
	Aside:      {"aside", block},
	Audio:      {"audio", spaced | invisible},
	B:          {"b", formatting | active},
	Base:       {"base", void | invisible},
	Bdi:        {"bdi", 0},
	Bdo:        {"bdo", 0},
	Big:        {"big", formatting | active},
	Blockquote: {"blockquote", block},
	Body:       {"body", block},
	Br:         {"br", void | block},
	Button:     {"button", spaced},
	Canvas:     {"canvas", spaced | invisible},
	Caption:    {"caption", block | scope},
	Center:     {"center", block | wrapper},
	Cite:       {"cite", formatting},
	Code:       {"code", formatting | active},
	Col:        {"col", void | invisible},
	Colgroup:   {"colgroup", invisible},
	Data:       {"data", 0},
	Datalist:   {"datalist", invisible},
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
	Frame:      {"frame", void | invisible},
	Frameset:   {"frameset", block},
	H1:         {"h1", block},
	H2:         {"h2", block},
	H3:         {"h3", block},
	H4:         {"h4", block},
	H5:         {"h5", block},
	H6:         {"h6", block},
	Head:       {"head", block | invisible},
	Header:     {"header", block},
	Hgroup:     {"hgroup", block},
	Hr:         {"hr", void | block},
	HTML:       {"html", block},
	I:          {"i", formatting | active},
	Iframe:     {"iframe", spaced | raw | invisible},
	Img:        {"img", void},
	Input:      {"input", void | spaced},
	Ins:        {"ins", 0},
	Kbd:        {"kbd", 0},
	Label:      {"label", 0},
	Legend:     {"legend", block},
	Li:         {"li", block},
	Link:       {"link", void | invisible},
	Listing:    {"listing", block | preformatted},
	Main:       {"main", block},
	Map:        {"map", 0},
	Mark:       {"mark", formatting},
	Math:       {"math", 0},
	Menu:       {"menu", block},
	Meta:       {"meta", void | invisible},
	Meter:      {"meter", spaced | invisible},
	Nav:        {"nav", block},
	Nobr:       {"nobr", active},
	Noembed:    {"noembed", raw | invisible},
	Noframes:   {"noframes", raw | invisible},
	Noscript:   {"noscript", raw | invisible},
	Object:     {"object", spaced | invisible | scope},
	Ol:         {"ol", block},
	Optgroup:   {"optgroup", block},
	Option:     {"option", block},
	Output:     {"output", spaced},
	P:          {"p", block},
	Param:      {"param", void | invisible},
	Picture:    {"picture", 0},
	Plaintext:  {"plaintext", block | preformatted | raw},
	Pre:        {"pre", block | preformatted},
	Progress:   {"progress", spaced | invisible},
	Q:          {"q", 0},
	Rp:         {"rp", invisible},
	Rt:         {"rt", spaced},
	Ruby:       {"ruby", 0},
	S:          {"s", formatting | active},
	Samp:       {"samp", 0},
	Script:     {"script", raw | invisible},
	Search:     {"search", block},
	Section:    {"section", block | wrapper},
	Select:     {"select", spaced},
	Small:      {"small", formatting | active},
	Source:     {"source", void | invisible},
	Span:       {"span", wrapper},
	Strike:     {"strike", formatting | active},
	Strong:     {"strong", formatting | active},
	Style:      {"style", raw | invisible},
	Sub:        {"sub", 0},
	Summary:    {"summary", block},
	Sup:        {"sup", 0},
	SVG:        {"svg", spaced | invisible},
	Table:      {"table", block},
	Tbody:      {"tbody", block},
	Td:         {"td", block | scope},
	Template:   {"template", invisible | scope},
	Textarea:   {"textarea", block | preformatted | raw},
	Tfoot:      {"tfoot", block},
	Th:         {"th", block | scope},
	Thead:      {"thead", block},
	Time:       {"time", 0},
	Title:      {"title", raw | invisible},
	Tr:         {"tr", block},
	Track:      {"track", void | invisible},
	Tt:         {"tt", formatting | active},
	U:          {"u", formatting | active},
	Ul:         {"ul", block},
	Var:        {"var", formatting},
	Video:      {"video", spaced | invisible},
	Wbr:        {"wbr", void},
	Xmp:        {"xmp", block | preformatted | raw},
}

// String returns the name of the element in lower case. It is "" for Unknown.
func (t Tag) String() string { return tags[t].name }

// IsBlock reports whether the text of the element is on lines of its own.
func (t Tag) IsBlock() bool { return tags[t].traits&block != 0 }

// IsHeading reports whether the element is one of h1 to h6.
func (t Tag) IsHeading() bool { return t >= H1 && t <= H6 }

// IsFormatting reports whether the element only changes the look of its words,
// as b, em and font do.
func (t Tag) IsFormatting() bool { return tags[t].traits&formatting != 0 }

func (t Tag) is(x trait) bool { return tags[t].traits&x != 0 }

// tagOf returns the tag of n, which is Unknown for the elements inside SVG and
// MathML.
func tagOf(n *html.Node) Tag {
	if n.Namespace == "" || n.Namespace == n.Data {
		return tagOfAtom(n.DataAtom)
	}
	return Unknown
}

// tagAt returns the tag whose name b begins with, and the length of the name. The
// name extends to white space, '/' or '>': <b-card> is not a <b>.
func tagAt(b []byte) (Tag, int) {
	var name [12]byte // longer than any name in HTML
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

// LookupTag returns the tag with a name in lower case, or Unknown.
func LookupTag(name string) Tag { return tagOfAtom(atom.Lookup([]byte(name))) }

// tagSlots maps atoms to tags. It is a hash table with open addressing, since
// every element of a page is looked up.
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
