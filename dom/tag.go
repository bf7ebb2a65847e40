package dom

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/internal/page/markup"
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

// tagNames has the names of the tags in the order of the constants.
var tagNames = append([]string{""}, strings.Fields(`
	#document #text a abbr address applet area article aside audio b base bdi bdo big blockquote body br
	button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div
	dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head
	header hgroup hr html i iframe img input ins kbd label legend li link listing main map mark math
	menu meta meter nav nobr noembed noframes noscript object ol optgroup option output p param picture
	plaintext pre progress q rp rt ruby s samp script search section select small source span strike
	strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track
	tt u ul var video wbr xmp`)...)

// trait is a set of properties of an element.
type trait uint16

const (
	// block elements begin and end a line of text.
	block trait = 1 << iota
	// spaced elements are inline, but their text is separate from the words
	// around them, as in buttons, form fields and custom elements.
	spaced
	// raw elements have text that is not markup.
	raw
	// invisible elements are not shown by browsers that run scripts.
	invisible
	// preformatted elements keep their white space.
	preformatted
	// formatting elements change the look of the words in them.
	formatting
)

var tagTraits = func() (traits [tagCount]trait) {
	for x, tags := range map[trait][]Tag{
		block: {
			Root, Address, Article, Aside, Blockquote, Body, Br, Caption, Center, Dd, Details, Dialog, Dir, Div,
			Dl, Dt, Fieldset, Figcaption, Figure, Footer, Form, Frameset, H1, H2, H3, H4, H5, H6, Head, Header,
			Hgroup, Hr, HTML, Legend, Li, Listing, Main, Menu, Nav, Ol, Optgroup, Option, P, Plaintext, Pre,
			Search, Section, Summary, Table, Tbody, Td, Textarea, Tfoot, Th, Thead, Tr, Ul, Xmp,
		},
		spaced: {
			Unknown, Audio, Button, Canvas, Embed, Iframe, Input, Meter, Object, Output, Progress, Rt, Select,
			SVG, Video,
		},
		raw: {Iframe, Noembed, Noframes, Noscript, Plaintext, Script, Style, Textarea, Title, Xmp},
		invisible: {
			Applet, Area, Audio, Base, Canvas, Col, Colgroup, Datalist, Frame, Head, Iframe, Link, Meta, Meter,
			Noembed, Noframes, Noscript, Object, Param, Progress, Rp, Script, Source, Style, SVG, Template,
			Title, Track, Video,
		},
		preformatted: {Listing, Plaintext, Pre, Textarea, Xmp},
		formatting:   {B, Big, Cite, Code, Em, Font, I, Mark, S, Small, Strike, Strong, Tt, U, Var},
	} {
		for _, tag := range tags {
			traits[tag] |= x
		}
	}
	return traits
}()

// String returns the name of the element in lower case. It is "" for Unknown.
func (t Tag) String() string { return tagNames[t] }

// IsBlock reports whether the text of the element is on lines of its own.
func (t Tag) IsBlock() bool { return t.is(block) }

// IsHeading reports whether the element is one of h1 to h6.
func (t Tag) IsHeading() bool { return t >= H1 && t <= H6 }

// IsFormatting reports whether the element only changes the look of its words,
// as b, em and font do.
func (t Tag) IsFormatting() bool { return t.is(formatting) }

func (t Tag) is(x trait) bool { return tagTraits[t]&x != 0 }

// tagOf returns the tag of n, which is Unknown for the elements inside SVG and
// MathML.
func tagOf(n *markup.Node) Tag {
	if n.IsHTML() {
		return tagOfAtom[n.Atom()]
	}
	return Unknown
}

var tagOfAtom = func() map[atom.Atom]Tag {
	tags := map[atom.Atom]Tag{}
	for t := A; t < tagCount; t++ {
		tags[atom.Lookup([]byte(tagNames[t]))] = t
	}
	return tags
}()
