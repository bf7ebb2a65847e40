package styled

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/css"
)

// Styles provides the styles of the elements of a page: of Properties, with
// lengths in CSS pixels.
type Styles interface {
	// Own returns the value that the page sets for a property of n, or "" if it
	// is inherited or the browser's.
	Own(n dom.Node, property string) string
	// Value returns the value that n inherits or has of its own, or "" if the
	// page sets none.
	Value(n dom.Node, property string) string
	// Size returns the font size of n in CSS pixels.
	Size(n dom.Node) float64
}

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

// FromPage returns the styles of a page without a browser: from style attributes,
// <style> elements and presentational attributes. It reads no linked sheets.
func FromPage(d *dom.Document) Styles {
	properties := slices.Concat(inherited, notInherited, shorthands)
	known := func(name string) bool { return slices.Contains(properties, name) }
	return &pageStyles{
		doc:     d,
		cascade: css.NewCascade(d, screen, css.Reader[css.Declaration]{Known: known, Read: longhands}),
		own:     make([][]css.Declaration, d.Len()),
		sizes:   make([]float64, d.Len()),
		values:  map[string]string{},
	}
}

// screen is the one for which the look of a page is taken.
var screen = css.Screen{Width: 1280, Height: 800}

// pageStyles computes styles from the page alone.
type pageStyles struct {
	doc     *dom.Document
	cascade *css.Cascade[css.Declaration]
	own     [][]css.Declaration // by node; nil if not computed
	sizes   []float64           // by node; 0 if not computed
	values  map[string]string   // scratch
	hints   []css.Declaration   // scratch
}

// Own returns what is set on n itself, with lengths in pixels.
func (m *pageStyles) Own(n dom.Node, property string) string {
	v := m.raw(n, property)
	if v == "" {
		return ""
	}
	switch property {
	case "font-size":
		if _, ok := m.parseSize(v, css.InitialFontSize); !ok && !isInherit(v) {
			return ""
		}
		return decimal(m.Size(n)) + "px"
	case "width", "line-height":
		if _, ok := parseNumber(strings.TrimSuffix(v, "%")); ok {
			return v // percentages of the width are kept, and factors inherited
		}
	}
	if px, ok := m.length(v, m.Size(n)); ok {
		return decimal(px) + "px"
	}
	switch {
	case isInherit(v) && slices.Contains(inherited, property):
		return cmp.Or(m.Value(m.doc.Parent(n), property), plain[property])
	case isInherit(v), v == "initial", strings.HasPrefix(v, "revert"):
		return ""
	}
	return v
}

// isInherit reports whether a value is that of the parent, as sites set that of
// headings.
func isInherit(v string) bool { return v == "inherit" || v == "unset" }

// plain are the values of what browsers show in another way by default.
var plain = map[string]string{"font-weight": "400", "font-style": "normal", "text-align": "start"}

// Value returns what is set on n, or on the nearest ancestor.
func (m *pageStyles) Value(n dom.Node, property string) string {
	for ; n > m.doc.Root(); n = m.doc.Parent(n) {
		if v := m.Own(n, property); v != "" {
			return v
		}
		switch tag := m.doc.Tag(n); {
		case property == "font-weight" && isBold(tag):
			return "700"
		case property == "font-style" && isItalic(tag):
			return "italic"
		case property == "text-align" && tag == dom.Table:
			return "" // only the table itself is centred
		}
	}
	return ""
}

// isBold reports whether browsers show an element in bold type.
func isBold(t dom.Tag) bool {
	return t.IsHeading() || t == dom.B || t == dom.Strong || t == dom.Th
}

// isItalic reports whether browsers show an element in italics.
func isItalic(t dom.Tag) bool {
	return slices.Contains([]dom.Tag{dom.I, dom.Em, dom.Cite, dom.Address, dom.Var, dom.Dfn}, t)
}

// Size returns the font size of n.
func (m *pageStyles) Size(n dom.Node) float64 {
	if n <= m.doc.Root() {
		return css.InitialFontSize
	}
	if m.sizes[n] == 0 {
		px := m.Size(m.doc.Parent(n))
		if s, ok := m.parseSize(m.raw(n, "font-size"), px); ok {
			px = s
		} else if !isInherit(m.raw(n, "font-size")) {
			px *= scaleOf(m.doc.Tag(n))
		}
		m.sizes[n] = min(max(px, 0.1), 999)
	}
	return m.sizes[n]
}

// parseSize reads a font size. Sites set that of the root so that 1rem is ten
// pixels.
func (m *pageStyles) parseSize(v string, parent float64) (float64, bool) {
	if px, ok := m.length(v, parent); ok {
		return px, px >= 0
	}
	return parseSize(v, parent)
}

func (m *pageStyles) length(v string, em float64) (float64, bool) {
	if !strings.Contains(v, "rem") {
		return parseLength(v, em)
	}
	rem := float64(css.InitialFontSize)
	if html := m.doc.First(dom.HTML); html != dom.None && m.sizes[html] > 0 {
		rem = m.sizes[html]
	}
	return parseLengths(v, em, rem)
}

// tagScale are the default font sizes of browsers as multiples of the parent's.
var tagScale = map[dom.Tag]float64{
	dom.H1: 2, dom.H2: 1.5, dom.H3: 1.17, dom.H5: 0.83, dom.H6: 0.67, dom.Small: 1 / 1.2, dom.Sub: 1 / 1.2, dom.Sup: 1 / 1.2, dom.Big: 1.2,
	dom.Pre: monospaceScale, dom.Code: monospaceScale, dom.Kbd: monospaceScale, dom.Samp: monospaceScale, dom.Tt: monospaceScale,
}

const monospaceScale = 13.0 / 16

// raw returns the value that is set on n itself, or "".
func (m *pageStyles) raw(n dom.Node, property string) string {
	for _, d := range m.of(n) {
		if d.Name == property {
			return d.Value
		}
	}
	return ""
}

// of returns the declarations that apply to n, one for each property.
func (m *pageStyles) of(n dom.Node) []css.Declaration {
	if n <= m.doc.Root() || m.doc.IsText(n) || m.own[n] != nil {
		return m.own[max(n, 0)]
	}
	m.of(m.doc.Parent(n)) // the cascade goes from the root down
	m.hints = m.attributes(n, m.hints[:0])
	clear(m.values)
	for _, b := range m.cascade.Element(n, css.Block[css.Declaration]{Origin: css.Hint, Declarations: m.hints}) {
		for _, d := range b.Declarations {
			m.values[d.Name] = d.Value // the strongest is the last
		}
	}
	own := make([]css.Declaration, 0, len(m.values))
	for name, value := range m.values {
		own = append(own, css.Declaration{Name: name, Value: value})
	}
	m.own[n] = own
	return own
}

// attributes appends the presentational attributes of an element.
func (m *pageStyles) attributes(n dom.Node, out []css.Declaration) []css.Declaration {
	d := m.doc
	set := func(name, value string) {
		if value != "" {
			out = append(out, css.Declaration{Name: name, Value: value})
		}
	}
	set("background-color", attributeColor(d.Attr(n, "bgcolor")))
	align := strings.ToLower(d.Attr(n, "align"))
	switch tag := d.Tag(n); tag {
	case dom.Img, dom.Table:
		set("float", align)
		set("width", attributeLength(d.Attr(n, "width")))
	default:
		set("text-align", align)
	}
	switch tag := d.Tag(n); tag {
	case dom.Center:
		set("text-align", "center")
	case dom.Body:
		set("color", attributeColor(d.Attr(n, "text")))
	case dom.A:
		if b := d.First(dom.Body); b != dom.None {
			set("color", attributeColor(d.Attr(b, "link")))
		}
	case dom.Font:
		set("font-family", d.Attr(n, "face"))
		set("color", attributeColor(d.Attr(n, "color")))
		set("font-size", fontSizes[strings.TrimSpace(d.Attr(n, "size"))])
	}
	return out
}

// fontSizes are the values of <font size>.
var fontSizes = map[string]string{
	"1": "10px", "2": "13px", "3": "16px", "4": "18px", "5": "24px", "6": "32px", "7": "48px",
	"-2": "10px", "-1": "13px", "+1": "18px", "+2": "24px", "+3": "32px", "+4": "48px",
}

// attributeColor adds a missing hash to the colour of an attribute.
func attributeColor(s string) string {
	if _, ok := parseColor(s); !ok && len(s) == 6 {
		if _, ok := parseHex(s); ok {
			return "#" + s
		}
	}
	return s
}

// attributeLength adds the missing unit to the length of an attribute.
func attributeLength(s string) string {
	if _, ok := parseNumber(s); ok {
		return s + "px"
	}
	return s
}
