package styled

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/story/styled/css"
)

var inherited = []string{
	"font-family", "font-size", "font-weight", "font-style", "color", "line-height", "text-align", "text-transform", "letter-spacing",
	"text-indent", "list-style-type",
}

var notInherited = []string{
	"background-color", "display", "float", "width", "text-decoration-line", "border-top-left-radius",
	"margin-top", "margin-right", "margin-bottom", "margin-left", "padding-top", "padding-right", "padding-bottom", "padding-left",
	"border-top-width", "border-right-width", "border-bottom-width", "border-left-width",
	"border-top-style", "border-right-style", "border-bottom-style", "border-left-style",
	"border-top-color", "border-right-color", "border-bottom-color", "border-left-color",
}

// Properties returns the properties that a styled article uses.
func Properties() []string { return slices.Concat(inherited, notInherited) }

// initial are the values that Chromium begins with.
var initial = func() map[string]string {
	m := map[string]string{
		"font-family": `"Times New Roman"`, "font-size": "16px", "font-weight": "400", "font-style": "normal", "color": "rgb(0, 0, 0)",
		"line-height": "normal", "text-align": "start", "text-transform": "none", "letter-spacing": "normal", "text-indent": "0px",
		"list-style-type": "disc", "background-color": "rgba(0, 0, 0, 0)", "float": "none", "text-decoration-line": "none",
		"border-top-left-radius": "0px",
	}
	for _, side := range sideNames {
		m["margin-"+side], m["padding-"+side], m["border-"+side+"-style"] = "0px", "0px", "none"
	}
	return m
}()

//go:embed browser.css
var browserSheet string // what browsers set by themselves

//go:embed hints.css
var hintSheet string // presentational attributes

// styles provides the styles of the elements of a page: of Properties, with lengths in CSS
// pixels. They are Chromium's, or else those of the page's own sheets.
type styles struct {
	doc      *dom.Document
	computed func(n dom.Node, property string) string
	browser  *css.Cascade // of elements that the page does not style
	declared map[dom.Node]map[string]string
	sizes    map[dom.Node]float64
}

func newStyles(d *dom.Document, computed func(n dom.Node, property string) string) *styles {
	s := &styles{
		doc: d, computed: computed, browser: css.NewCascade(d, isKnown, browserSheet),
		declared: map[dom.Node]map[string]string{}, sizes: map[dom.Node]float64{},
	}
	if computed == nil {
		page := css.NewCascade(d, isKnown, browserSheet, append([]string{hintSheet}, css.Sheets(d)...)...)
		s.computed = (&pageStyles{s, page, map[dom.Node]*style{}}).get
	}
	return s
}

func isKnown(name string) bool {
	name = logical.Replace(name)
	return slices.Contains(inherited, name) || slices.Contains(notInherited, name) || slices.Contains(shorthands, name)
}

// own returns the value that the page sets for a property of n, or "" if it is inherited or the
// browser's.
func (s *styles) own(n dom.Node, property string) string {
	v, standard := s.computed(n, property), s.standard(n, property)
	switch {
	case v == standard:
		return ""
	case property == "width":
		if tag := s.doc.Tag(n); tag != dom.Img && tag != dom.Table && s.computed(n, "float") == "none" {
			return "" // computed from that of the page
		}
	case property == "line-height":
		if p := s.doc.Parent(n); math.Abs(leading(v, s.size(n))-leading(standard, s.size(p))) < 0.02 {
			return ""
		}
	default:
		a, isLength := parseLength(v, 0)
		if b, ok := parseLength(standard, 0); ok && isLength && math.Abs(a-b) < 0.5 {
			return ""
		}
	}
	return v
}

// standard returns the value that an element has if the page sets none.
func (s *styles) standard(n dom.Node, property string) string {
	if v := s.byBrowser(n, property); v != "" {
		return v
	}
	if p := s.doc.Parent(n); p > s.doc.Root() && slices.Contains(inherited, property) {
		return s.computed(p, property)
	}
	return initial[property]
}

// byBrowser returns what the browser itself sets on n, or "".
func (s *styles) byBrowser(n dom.Node, property string) string {
	set, ok := s.declared[n]
	if !ok && n > s.doc.Root() && !s.doc.IsText(n) {
		set = declarations(s.browser, n)
		s.declared[n] = set
	}
	if v := set[property]; v != "" {
		return s.resolve(n, property, v)
	}
	return ""
}

// value returns the value that n inherits or has of its own, or "" if the page sets none.
func (s *styles) value(n dom.Node, property string) string {
	for ; n > s.doc.Root(); n = s.doc.Parent(n) {
		if v := s.own(n, property); v != "" {
			return v
		}
		if v := s.byBrowser(n, property); v != "" {
			if property == "font-weight" || property == "font-style" {
				return v
			}
			return ""
		}
	}
	return ""
}

// resolve returns a declared value with lengths in pixels.
func (s *styles) resolve(n dom.Node, property, v string) string {
	if property == "width" || property == "line-height" {
		if _, ok := parseNumber(strings.TrimSuffix(v, "%")); ok {
			return v // percentages of the width are kept, and factors inherited
		}
	}
	if property == "font-size" {
		if px, ok := sizeNames[v]; ok {
			return decimal(px) + "px"
		}
		n = s.doc.Parent(n)
	}
	em := s.size(n)
	u := css.Units{Em: em, Rem: css.InitialFontSize, Percent: em}
	if px, ok := s.sizes[s.doc.First(dom.HTML)]; ok {
		u.Rem = px // sites set it so that 1rem is ten pixels
	}
	if px, ok := u.Length(v); ok {
		return decimal(px) + "px"
	}
	return v
}

// sizeNames are the named font sizes in CSS pixels.
var sizeNames = map[string]float64{
	"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "xxx-large": 48,
}

// size returns the font size of n in CSS pixels.
func (s *styles) size(n dom.Node) float64 {
	if n <= s.doc.Root() {
		return css.InitialFontSize
	}
	if px, ok := s.sizes[n]; ok {
		return px
	}
	px, ok := parseLength(s.computed(n, "font-size"), 0)
	if !ok {
		px = s.size(s.doc.Parent(n))
	}
	px = within(px, 0.1, 999)
	s.sizes[n] = px
	return px
}

// declarations returns the values that a cascade has for n, by property.
func declarations(c *css.Cascade, n dom.Node) map[string]string {
	all := c.Element(n)
	if len(all) == 0 {
		return nil
	}
	values := map[string]string{}
	for _, d := range all { // the strongest is the last
		longhands(d, func(property, value string) { values[property] = value })
	}
	return values
}

// pageStyles computes styles from the page's own sheets.
type pageStyles struct {
	*styles
	cascade *css.Cascade
	known   map[dom.Node]*style
}

// style is the values that the sheets set on an element. They are resolved when they are read.
type style struct {
	from   dom.Node
	parent *style // that of the closest ancestor with values
	values map[string]string
}

// get returns the computed value of a property.
func (p *pageStyles) get(n dom.Node, property string) string {
	isInherited := slices.Contains(inherited, property)
	for s := p.of(n); s != nil && (isInherited || s.from == n); s = s.parent {
		v, ok := s.values[property]
		switch {
		case !ok || v == "inherit" || v == "unset" || strings.HasPrefix(v, "revert"):
		case v == "initial":
			return initial[property]
		default:
			return p.resolve(s.from, property, v)
		}
	}
	return initial[property]
}

// of returns the style of n or of the closest ancestor with values, or nil.
func (p *pageStyles) of(n dom.Node) *style {
	if n <= p.doc.Root() {
		return nil
	}
	s, ok := p.known[n]
	if !ok {
		s = p.of(p.doc.Parent(n)) // the cascade goes from the root down
		if values := declarations(p.cascade, n); values != nil {
			s = &style{n, s, values}
		}
		p.known[n] = s
	}
	return s
}
