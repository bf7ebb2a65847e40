package browser

import "github.com/lede-news/lede/dom"

// Property is a computed style that is kept.
type Property uint8

// The properties, with the names that CSS has for them.
const (
	Display Property = iota
	Visibility
	FontSize
	FontWeight
	FontFamily
	FontStyle
	Color
	BackgroundColor
	TextAlign
	LineHeight
	TextDecorationLine
	TextTransform
	LetterSpacing
	properties
)

var propertyNames = []string{
	Display: "display", Visibility: "visibility", FontSize: "font-size", FontWeight: "font-weight",
	FontFamily: "font-family", FontStyle: "font-style", Color: "color", BackgroundColor: "background-color",
	TextAlign: "text-align", LineHeight: "line-height", TextDecorationLine: "text-decoration-line",
	TextTransform: "text-transform", LetterSpacing: "letter-spacing",
}

// String is the name in CSS.
func (p Property) String() string { return propertyNames[p] }

// Styles are the computed styles of the nodes of a document. A page has few
// different ones, so each is kept once. It is never changed once it is made.
type Styles struct {
	of   []int32 // by node: place in sets, -1 for none
	sets []set
}

type set [properties]string

// Get is the value of a property as Chromium spells it: "16px", "700",
// "rgb(0, 0, 0)". A text has the style of its element; what is not rendered
// has none, "".
func (s *Styles) Get(n dom.Node, p Property) string {
	if i := s.of[n]; i >= 0 {
		return s.sets[i][p]
	}
	return ""
}

// Same reports whether two nodes look alike in all properties.
func (s *Styles) Same(a, b dom.Node) bool { return s.of[a] == s.of[b] }

// wardrobe gathers styles and keeps equal ones once.
type wardrobe struct {
	Styles
	seen map[[properties]int32]int32
}

func newWardrobe(nodes int) *wardrobe {
	w := &wardrobe{seen: make(map[[properties]int32]int32)}
	w.of = make([]int32, nodes)
	for i := range w.of {
		w.of[i] = -1
	}
	return w
}

// hang notes the style of a node, given as numbers of strings.
func (w *wardrobe) hang(n dom.Node, style []int32, s *snapshot) {
	if len(style) != int(properties) {
		return
	}
	key := [properties]int32(style)
	at, ok := w.seen[key]
	if !ok {
		at = int32(len(w.sets))
		w.seen[key] = at
		var values set
		for p, i := range key {
			values[p] = s.string(i)
		}
		w.sets = append(w.sets, values)
	}
	w.of[n] = at
}
