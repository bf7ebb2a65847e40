package styled

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/css"
)

// Styles provides the computed styles of the elements of a page.
type Styles interface {
	// Style returns the value of one of Properties at n, or the empty string.
	Style(n dom.Node, property string) string
}

// Properties returns the properties that LookFrom uses.
func Properties() []string {
	return append([]string{"background-color"}, faceProperties...)
}

var faceProperties = []string{
	"font-family", "font-size", "font-weight", "font-style", "color", "line-height", "text-align", "text-transform", "letter-spacing",
}

// LookFrom returns the look of a story from the styles of its parts. If a part
// has several styles, that with the most text counts.
func LookFrom(d *dom.Document, s Styles, p Parts) Look {
	r := reader{doc: d, styles: s, body: dom.None}
	if len(p.Body) == 0 {
		p.Body, p.Lede = p.Lede, nil
	}
	if len(p.Body) > 0 {
		r.body = p.Body[0]
		for _, n := range p.Body {
			r.body = d.CommonAncestor(r.body, n)
		}
	}
	var l Look
	for _, nodes := range [][]dom.Node{p.Body, p.Headline} {
		if n := r.main(nodes); n != dom.None && !l.Background.Set {
			l.Background = r.background(n, dom.None)
		}
	}
	for _, part := range []struct {
		face  *Face
		nodes []dom.Node
	}{
		{&l.Headline, p.Headline}, {&l.Standfirst, p.Standfirst}, {&l.Byline, p.Byline},
		{&l.Lede, p.Lede}, {&l.Body, p.Body}, {&l.Heading, p.Heading}, {&l.Quote, p.Quote}, {&l.Caption, p.Caption},
	} {
		*part.face = r.face(r.main(part.nodes), l.Background)
	}
	if reflect.DeepEqual(l.Lede, l.Body) {
		l.Lede = Face{}
	}
	l.Link = r.color(r.main(p.Link), "color", l.Background)
	return l
}

type reader struct {
	doc    *dom.Document
	styles Styles
	body   dom.Node // contains the whole story
}

// main returns the first node with the style that most text of nodes has.
func (r *reader) main(nodes []dom.Node) dom.Node {
	weight := map[string]int{}
	best, most := dom.None, 0
	firsts := map[string]dom.Node{}
	for _, n := range nodes {
		var key strings.Builder
		for _, prop := range faceProperties {
			key.WriteString(r.styles.Style(n, prop))
			key.WriteByte('|')
		}
		k := key.String()
		if _, there := firsts[k]; !there {
			firsts[k] = n
		}
		weight[k] += len(r.doc.Text(n))
		if weight[k] > most {
			best, most = firsts[k], weight[k]
		}
	}
	return best
}

func (r *reader) face(n dom.Node, background Color) Face {
	if n == dom.None {
		return Face{}
	}
	style := func(prop string) string { return strings.ToLower(strings.TrimSpace(r.styles.Style(n, prop))) }
	f := Face{Families: parseFamilies(r.styles.Style(n, "font-family"))}
	if v, ok := parseSize(style("font-size"), css.InitialFontSize); ok {
		f.Size = v
	}
	if v, ok := parseWeight(style("font-weight")); ok {
		f.Weight = v
	}
	f.Italic = style("font-style") == "italic" || strings.HasPrefix(style("font-style"), "oblique")
	f.Leading = leading(style("line-height"), f.Size)
	if r.body != dom.None && !r.doc.Contains(n, r.body) {
		f.Background = r.background(n, r.doc.CommonAncestor(n, r.body)) // above is that of the page
	}
	if f.Background.Set {
		background = f.Background
	}
	f.Color = r.color(n, "color", background)
	align := strings.TrimPrefix(style("text-align"), "-webkit-")
	f.Align = Align(max(0, slices.Index(alignNames[:], align)))
	f.Case = Case(max(0, slices.Index(caseNames[:], style("text-transform"))))
	if v, ok := parseLength(style("letter-spacing"), f.Size); ok && f.Size > 0 {
		f.Spacing = v / f.Size
	}
	return f
}

// background returns the colour behind n from its ancestors below upTo, if any.
func (r *reader) background(n, upTo dom.Node) Color {
	var layers []translucent
	for ; n != upTo && n != dom.None; n = r.doc.Parent(n) {
		p, ok := parseColor(r.styles.Style(n, "background-color"))
		if !ok || p.alpha == 0 {
			continue
		}
		layers = append(layers, p)
		if p.alpha == 1 {
			break
		}
	}
	if len(layers) == 0 {
		return Color{}
	}
	c := white
	for _, l := range slices.Backward(layers) {
		c = l.over(c)
	}
	return c
}

func (r *reader) color(n dom.Node, prop string, background Color) Color {
	if n == dom.None {
		return Color{}
	}
	p, ok := parseColor(r.styles.Style(n, prop))
	if !ok || p.alpha == 0 { // transparent text is an effect
		return Color{}
	}
	if !background.Set {
		background = white
	}
	return p.over(background)
}

// leading returns the line height as a multiple of the font size, or 0 if it is
// normal.
func leading(s string, size float64) float64 {
	if v, ok := parseNumber(s); ok {
		return v
	}
	if v, ok := parseLength(s, size); ok && size > 0 {
		return v / size
	}
	return 0
}

// LookOf returns the look of a story without a browser: from style attributes,
// <style> elements and presentational attributes. It reads no linked sheets.
func LookOf(d *dom.Document, p Parts) Look {
	return LookFrom(d, newPageStyles(d), p.sample())
}

// sample limits the nodes of each part.
func (p Parts) sample() Parts {
	const enough = 48
	for _, nodes := range []*[]dom.Node{&p.Headline, &p.Standfirst, &p.Byline, &p.Lede, &p.Body, &p.Heading, &p.Quote, &p.Caption, &p.Link} {
		*nodes = (*nodes)[:min(len(*nodes), enough)]
	}
	return p
}

// pageStyles computes styles from the page alone.
type pageStyles struct {
	doc     *dom.Document
	cascade *css.Cascade[css.Declaration]
	own     map[dom.Node]map[string]string // the values that are set on an element itself
	hints   []css.Declaration              // scratch
}

// screen is the one for which the look of a page is taken.
var screen = css.Screen{Width: 1280, Height: 800}

func newPageStyles(d *dom.Document) *pageStyles {
	properties := append(Properties(), "font", "background")
	known := func(name string) bool { return slices.Contains(properties, name) }
	return &pageStyles{
		doc:     d,
		cascade: css.NewCascade(d, screen, css.Reader[css.Declaration]{Known: known, Read: longhands}),
		own:     map[dom.Node]map[string]string{},
	}
}

// Style returns the value of a property at n, or at its nearest ancestor if the
// property is inherited.
func (m *pageStyles) Style(n dom.Node, property string) string {
	switch {
	case property == "font-size":
		if px := m.size(n); px > 0 {
			return decimal(px) + "px"
		}
		return ""
	case property == "background-color":
		return m.of(n)[property]
	}
	for ; n > m.doc.Root(); n = m.doc.Parent(n) {
		v := m.of(n)[property]
		if property == "color" && v == "" && m.doc.Tag(n) == dom.A {
			return "" // that of the browser
		}
		if v != "" && v != "inherit" {
			if property == "line-height" || property == "letter-spacing" {
				return m.absolute(n, v)
			}
			return v
		}
	}
	return ""
}

// absolute resolves a length relative to the font size, since pixels are
// inherited.
func (m *pageStyles) absolute(n dom.Node, v string) string {
	if px, ok := parseLength(v, cmp.Or(m.size(n), css.InitialFontSize)); ok {
		return decimal(px) + "px"
	}
	return v
}

// size returns the font size at n in CSS pixels, or 0 if it is not set.
func (m *pageStyles) size(n dom.Node) float64 {
	var chain []dom.Node
	for ; n > m.doc.Root(); n = m.doc.Parent(n) {
		chain = append(chain, n)
	}
	px := 0.0
	for _, n := range slices.Backward(chain) {
		if s, ok := parseSize(m.of(n)["font-size"], cmp.Or(px, css.InitialFontSize)); ok {
			px = s
		} else if scale, ok := tagScale[m.doc.Tag(n)]; ok {
			px *= scale
		}
	}
	return math.Min(px, 999)
}

// tagScale are the default font sizes of browsers as multiples of the parent's.
var tagScale = map[dom.Tag]float64{
	dom.H1: 2, dom.H2: 1.5, dom.H3: 1.17, dom.H5: 0.83, dom.H6: 0.67, dom.Small: 1 / 1.2, dom.Big: 1.2,
}

// of returns the values that are set on n itself.
func (m *pageStyles) of(n dom.Node) map[string]string {
	if own, ok := m.own[n]; ok {
		return own
	}
	own := map[string]string{}
	m.own[n] = own
	if n == m.doc.Root() || m.doc.IsText(n) {
		return own
	}
	m.of(m.doc.Parent(n)) // the cascade goes from the root down
	m.hints = m.attributes(n, m.hints[:0])
	for _, b := range m.cascade.Element(n, css.Block[css.Declaration]{Origin: css.Hint, Declarations: m.hints}) {
		for _, d := range b.Declarations {
			own[d.Name] = d.Value
		}
	}
	return own
}

// attributes appends the default style of an element and its presentational
// attributes.
func (m *pageStyles) attributes(n dom.Node, out []css.Declaration) []css.Declaration {
	d := m.doc
	set := func(name, value string) {
		if value != "" {
			out = append(out, css.Declaration{Name: name, Value: value})
		}
	}
	set("background-color", attributeColor(d.Attr(n, "bgcolor")))
	set("text-align", strings.ToLower(d.Attr(n, "align")))
	switch tag := d.Tag(n); tag {
	case dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6, dom.B, dom.Strong, dom.Th:
		set("font-weight", "bold")
	case dom.I, dom.Em, dom.Cite, dom.Address:
		set("font-style", "italic")
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

// longhands takes apart the shorthands that matter.
func longhands(out []css.Declaration, name, value string) []css.Declaration {
	switch name {
	case "font":
		return fontShorthand(out, value)
	case "background":
		color := "transparent"
		for rest := value; rest != ""; {
			var word string
			word, rest = css.CutComponent(rest)
			if _, ok := parseColor(word); ok {
				color = word
			}
		}
		return append(out, css.Declaration{Name: "background-color", Value: color})
	}
	return append(out, css.Declaration{Name: name, Value: value})
}

// fontShorthand reads "italic 700 38px/1.15 Georgia, serif".
func fontShorthand(out []css.Declaration, value string) []css.Declaration {
	style, weight, height := "normal", "normal", "normal"
	for value != "" {
		var word string
		word, value = css.CutComponent(value)
		_, isSize := parseSize(word, css.InitialFontSize)
		_, isNumber := parseNumber(word)
		switch {
		case isSize && !isNumber:
			if after, ok := strings.CutPrefix(value, "/"); ok {
				height, value = css.CutComponent(after)
			}
			return append(out,
				css.Declaration{Name: "font-style", Value: style}, css.Declaration{Name: "font-weight", Value: weight},
				css.Declaration{Name: "line-height", Value: height}, css.Declaration{Name: "font-size", Value: word},
				css.Declaration{Name: "font-family", Value: value})
		case word == "italic" || word == "oblique":
			style = word
		default:
			if _, ok := parseWeight(word); ok {
				weight = word
			}
		}
	}
	return out
}
