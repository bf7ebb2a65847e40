package styled

import (
	"math"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/css"
)

// FromBrowser returns the styles of a page that a browser has computed. value
// returns the computed value of one of Properties, or "" for an element that is
// not shown.
func FromBrowser(d *dom.Document, value func(n dom.Node, property string) string) Styles {
	return &browserStyles{d, value}
}

// browserStyles tells what the page sets from what every page has: a value is the
// page's own if it is not the one that the element would have by itself.
type browserStyles struct {
	doc   *dom.Document
	value func(n dom.Node, property string) string
}

// Own returns a value that is neither inherited nor the default of the element.
func (b *browserStyles) Own(n dom.Node, property string) string {
	v := b.value(n, property)
	if v == "" && property == "display" {
		return "none"
	}
	if v == "" || v == b.standard(n, property) {
		return ""
	}
	switch property {
	case "margin-top", "margin-bottom":
		if px, ok := parseLength(v, 0); ok && math.Abs(px-defaultMargins[b.doc.Tag(n)]*b.Size(n)) < 0.5 {
			return ""
		}
	case "font-size":
		if parent := b.Size(b.doc.Parent(n)) * scaleOf(b.doc.Tag(n)); math.Abs(b.Size(n)-parent) < 0.5 {
			return ""
		}
	case "line-height":
		p := b.doc.Parent(n)
		if math.Abs(leading(v, b.Size(n))-leading(b.value(p, property), b.Size(p))) < 0.02 {
			return ""
		}
	case "width":
		if tag := b.doc.Tag(n); tag != dom.Img && tag != dom.Table && b.value(n, "float") == "none" {
			return "" // computed from that of the page
		}
	}
	return v
}

// Value returns the computed value. Chromium's own font and colour count as none.
func (b *browserStyles) Value(n dom.Node, property string) string {
	v := b.value(n, property)
	switch {
	case (property == "font-family" || property == "color") && v == initial[property],
		property == "color" && v == linkColor && b.doc.InLink(n):
		return ""
	}
	return v
}

const linkColor = "rgb(0, 0, 238)" // of Chromium

// Size returns the computed font size, or that of the nearest ancestor.
func (b *browserStyles) Size(n dom.Node) float64 {
	for ; n > b.doc.Root(); n = b.doc.Parent(n) {
		if px, ok := parseSize(b.value(n, "font-size"), css.InitialFontSize); ok && px > 0 {
			return px
		}
	}
	return css.InitialFontSize
}

// initial are the values that Chromium begins with.
var initial = map[string]string{
	"font-family": `"Times New Roman"`, "font-weight": "400", "font-style": "normal", "color": "rgb(0, 0, 0)", "line-height": "normal",
	"text-align": "start", "text-transform": "none", "letter-spacing": "normal", "text-indent": "0px", "list-style-type": "disc",
	"background-color": "rgba(0, 0, 0, 0)", "float": "none", "width": "auto", "text-decoration-line": "none", "border-top-left-radius": "0px",
}

// standard returns the value that an element has if the page sets none.
func (b *browserStyles) standard(n dom.Node, property string) string {
	tag := b.doc.Tag(n)
	switch property {
	case "font-weight":
		if isBold(tag) {
			return "700"
		}
	case "font-style":
		if isItalic(tag) {
			return "italic"
		}
	case "font-family":
		if tagScale[tag] == monospaceScale {
			return "monospace"
		}
	case "color":
		if tag == dom.A {
			return linkColor
		}
	case "text-decoration-line":
		switch tag {
		case dom.A, dom.U, dom.Ins:
			return "underline"
		case dom.S, dom.Strike, dom.Del:
			return "line-through"
		}
	case "text-align":
		if tag == dom.Th || tag == dom.Caption {
			return "center"
		}
	case "list-style-type":
		if tag == dom.Ol {
			return "decimal"
		}
		if v := b.value(n, property); tag == dom.Ul && (v == "circle" || v == "square") {
			return v // of a list in a list
		}
	case "margin-left", "margin-right":
		if tag == dom.Blockquote || tag == dom.Figure || tag == dom.Dd && property == "margin-left" {
			return "40px"
		}
	case "padding-left":
		if tag == dom.Ul || tag == dom.Ol || tag == dom.Menu || tag == dom.Dir {
			return "40px"
		}
	}
	if tag == dom.Td || tag == dom.Th {
		if strings.HasPrefix(property, "padding") {
			return "1px"
		}
	}
	if v, ok := initial[property]; ok && !slices.Contains(inherited, property) {
		return v
	}
	if slices.Contains(inherited, property) {
		if p := b.doc.Parent(n); p > b.doc.Root() {
			return b.value(p, property)
		}
		return initial[property]
	}
	switch {
	case property == "margin-top", property == "margin-bottom":
		return "" // see Own
	case strings.HasPrefix(property, "margin"), strings.HasPrefix(property, "padding"):
		return "0px"
	case strings.HasSuffix(property, "-style"):
		return "none"
	}
	return ""
}

// scaleOf returns the default font size of an element as a multiple of that of
// its parent.
func scaleOf(t dom.Tag) float64 {
	if s, ok := tagScale[t]; ok {
		return s
	}
	return 1
}

// defaultMargins are those above and below blocks, as multiples of the font size.
var defaultMargins = map[dom.Tag]float64{
	dom.P: 1, dom.Dl: 1, dom.Ul: 1, dom.Ol: 1, dom.Menu: 1, dom.Dir: 1, dom.Pre: 1, dom.Blockquote: 1, dom.Figure: 1,
	dom.H1: 0.67, dom.H2: 0.83, dom.H3: 1, dom.H4: 1.33, dom.H5: 1.67, dom.H6: 2.33, dom.Hr: 0.5,
}
