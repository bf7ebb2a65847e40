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
		"font-family": `"Times New Roman"`, "font-weight": "400", "font-style": "normal", "color": "rgb(0, 0, 0)", "line-height": "normal",
		"text-align": "start", "text-transform": "none", "letter-spacing": "normal", "text-indent": "0px", "list-style-type": "disc",
		"background-color": "rgba(0, 0, 0, 0)", "float": "none", "text-decoration-line": "none", "border-top-left-radius": "0px",
	}
	for _, side := range sideNames {
		m["margin-"+side], m["padding-"+side], m["border-"+side+"-style"] = "0px", "0px", "none"
	}
	return m
}()

//go:embed browser.css
var browserSheet string // what browsers set by themselves

//go:embed hints.css
var hintSheet string // presentational attributes with a few values

// styles provides the styles of the elements of a page: of Properties, with lengths in CSS
// pixels. They are Chromium's, or else those of style attributes, <style> elements and
// presentational attributes.
type styles struct {
	doc      *dom.Document
	computed func(n dom.Node, property string) string // by Chromium, or nil
	cascade  *css.Cascade                             // with the page's own sheets only without Chromium
	declared map[dom.Node][]css.Declaration
	sizes    map[dom.Node]float64
}

func newStyles(d *dom.Document, computed func(n dom.Node, property string) string) *styles {
	properties := slices.Concat(inherited, notInherited, shorthands)
	known := func(name string) bool { return slices.Contains(properties, logical.Replace(name)) }
	var sheets []string
	if computed == nil {
		sheets = append([]string{hintSheet}, css.Sheets(d)...)
	}
	return &styles{
		doc: d, computed: computed, cascade: css.NewCascade(d, known, browserSheet, sheets...),
		declared: map[dom.Node][]css.Declaration{}, sizes: map[dom.Node]float64{},
	}
}

// own returns the value that the page sets for a property of n, or "" if it is inherited or the
// browser's.
func (s *styles) own(n dom.Node, property string) string {
	if s.computed != nil {
		return s.changed(n, property)
	}
	if d := s.declaration(n, property); !d.Default {
		return s.resolve(n, property, d.Value)
	}
	return ""
}

// changed returns a value of Chromium if the element would not have it by itself.
func (s *styles) changed(n dom.Node, property string) string {
	v, standard := s.computed(n, property), s.standard(n, property)
	switch {
	case v == "" && property == "display":
		return "none"
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

// standard returns the value that an element has in Chromium if the page sets none.
func (s *styles) standard(n dom.Node, property string) string {
	if d := s.declaration(n, property); d.Value != "" {
		return s.resolve(n, property, d.Value)
	}
	if p := s.doc.Parent(n); p > s.doc.Root() && slices.Contains(inherited, property) {
		return s.computed(p, property)
	}
	return initial[property]
}

// value returns the value that n inherits or has of its own, or "" if the page sets none.
func (s *styles) value(n dom.Node, property string) string {
	if s.computed != nil {
		v := s.computed(n, property)
		isFont, isColor := property == "font-family", property == "color"
		if (isFont || isColor) && v == initial[property] || isColor && s.doc.InLink(n) && v == linkColor {
			return ""
		}
		return v
	}
	isType := property == "font-weight" || property == "font-style"
	for ; n > s.doc.Root(); n = s.doc.Parent(n) {
		d := s.declaration(n, property)
		if d.Default && property == "text-align" {
			return "" // in a table
		}
		if v := s.resolve(n, property, d.Value); v != "" && (isType || !d.Default) {
			return v
		}
	}
	return ""
}

const linkColor = "rgb(0, 0, 238)" // of Chromium

// resolve returns a declared value with lengths in pixels.
func (s *styles) resolve(n dom.Node, property, v string) string {
	isInherited := slices.Contains(inherited, property)
	switch {
	case v == "" || v == "initial" || strings.HasPrefix(v, "revert") || isInherit(v) && !isInherited:
		return ""
	case isInherit(v):
		if of := s.value(s.doc.Parent(n), property); of != "" {
			return of
		}
		return initial[property]
	case property == "font-size":
		if px, ok := s.parseSize(v, s.size(s.doc.Parent(n))); ok {
			return decimal(px) + "px"
		}
		return ""
	case property == "width" || property == "line-height":
		if _, ok := parseNumber(strings.TrimSuffix(v, "%")); ok {
			return v // percentages of the width are kept, and factors inherited
		}
	}
	if px, ok := s.length(v, s.size(n)); ok {
		return decimal(px) + "px"
	}
	return v
}

// isInherit reports whether a value is that of the parent, as sites set that of headings.
func isInherit(v string) bool { return v == "inherit" || v == "unset" }

// size returns the font size of n in CSS pixels.
func (s *styles) size(n dom.Node) float64 {
	if n <= s.doc.Root() {
		return css.InitialFontSize
	}
	if px, ok := s.sizes[n]; ok {
		return px
	}
	px := s.size(s.doc.Parent(n))
	v := s.declaration(n, "font-size").Value
	if s.computed != nil {
		v = s.computed(n, "font-size")
	}
	if own, ok := s.parseSize(v, px); ok {
		px = min(max(own, 0.1), 999)
	}
	s.sizes[n] = px
	return px
}

// parseSize reads a font size. parent is that of the parent.
func (s *styles) parseSize(v string, parent float64) (float64, bool) {
	v = strings.ToLower(strings.TrimSpace(v))
	switch v {
	case "smaller":
		return parent / 1.2, true
	case "larger":
		return parent * 1.2, true
	}
	if px, ok := sizeNames[v]; ok {
		return px, true
	}
	px, ok := s.length(v, parent)
	return px, ok && px >= 0
}

// sizeNames are the named font sizes in CSS pixels.
var sizeNames = map[string]float64{
	"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "xxx-large": 48,
}

// length reads a length. Sites set the font size of the root so that 1rem is ten pixels.
func (s *styles) length(v string, em float64) (float64, bool) {
	u := css.Units{Em: em, Rem: css.InitialFontSize, Percent: em}
	if px, ok := s.sizes[s.doc.First(dom.HTML)]; ok {
		u.Rem = px
	}
	return u.Length(v)
}

// declaration returns what the style sheets set on n itself.
func (s *styles) declaration(n dom.Node, property string) css.Declaration {
	for _, d := range s.of(n) {
		if d.Name == property {
			return d
		}
	}
	return css.Declaration{}
}

// of returns the declarations that apply to n, one for each property.
func (s *styles) of(n dom.Node) []css.Declaration {
	if n <= s.doc.Root() || s.doc.IsText(n) {
		return nil
	}
	if own, ok := s.declared[n]; ok {
		return own
	}
	s.of(s.doc.Parent(n)) // the cascade goes from the root down
	var own []css.Declaration
	for _, d := range slices.Backward(s.cascade.Element(n, s.hints(n))) { // the strongest is the last
		for _, d := range slices.Backward(longhands(d)) {
			if !slices.ContainsFunc(own, func(o css.Declaration) bool { return o.Name == d.Name }) {
				own = append(own, d)
			}
		}
	}
	s.declared[n] = own
	return own
}

// attributes are presentational attributes with a value of their own.
var attributes = []struct {
	tag            dom.Tag // or dom.Unknown for all
	name, property string
}{
	{dom.Unknown, "bgcolor", "background-color"}, {dom.Body, "text", "color"}, {dom.Font, "color", "color"},
	{dom.Font, "face", "font-family"}, {dom.A, "link", "color"}, {dom.Img, "width", "width"}, {dom.Table, "width", "width"},
}

// hints returns what the presentational attributes of n set, with the unit or hash that they may
// lack.
func (s *styles) hints(n dom.Node) (out []css.Declaration) {
	for _, a := range attributes {
		if s.computed != nil || a.tag != dom.Unknown && a.tag != s.doc.Tag(n) {
			continue
		}
		v := s.doc.Attr(n, a.name)
		if body := s.doc.First(dom.Body); a.name == "link" && body != dom.None {
			v = s.doc.Attr(body, a.name)
		}
		_, isNumber := parseNumber(v)
		_, isColor := parseColor(v)
		_, isHex := parseHex(v)
		const maxValue = 1000 // bytes, since descendants inherit it
		switch {
		case v == "" || len(v) > maxValue:
			continue
		case a.property == "width" && isNumber:
			v += "px"
		case a.property != "width" && !isColor && isHex && len(v) == 6:
			v = "#" + v
		}
		out = append(out, css.Declaration{Name: a.property, Value: v})
	}
	return out
}
