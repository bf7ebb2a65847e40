package styled

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/css"
)

// Styles tells the style of a page's elements, as a browser has computed it.
type Styles interface {
	// Style is the value of one of Properties at n; empty when nobody knows.
	Style(n dom.Node, property string) string
}

// Properties are those that LookFrom asks for.
func Properties() []string {
	return append([]string{"background-color"}, faceProperties...)
}

var faceProperties = []string{
	"font-family", "font-size", "font-weight", "font-style", "color", "line-height", "text-align", "text-transform", "letter-spacing",
}

// LookFrom takes the look of a story from the styles of its parts. Where a part
// is set in several ways, the one with the most text counts.
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
		if n := r.main(nodes); n != dom.None && !l.Ground.Set {
			l.Ground = r.ground(n, dom.None)
		}
	}
	for _, part := range []struct {
		face  *Face
		nodes []dom.Node
	}{
		{&l.Headline, p.Headline}, {&l.Standfirst, p.Standfirst}, {&l.Byline, p.Byline},
		{&l.Lede, p.Lede}, {&l.Body, p.Body}, {&l.Heading, p.Heading}, {&l.Quote, p.Quote}, {&l.Caption, p.Caption},
	} {
		*part.face = r.face(r.main(part.nodes), l.Ground)
	}
	if reflect.DeepEqual(l.Lede, l.Body) {
		l.Lede = Face{}
	}
	l.Link = r.color(r.main(p.Link), "color", l.Ground)
	return l
}

type reader struct {
	doc    *dom.Document
	styles Styles
	body   dom.Node // what holds all of the story
}

// main is the node that stands for most of the text of nodes.
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

func (r *reader) face(n dom.Node, ground Color) Face {
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
		f.Ground = r.ground(n, r.shared(n))
	}
	if f.Ground.Set {
		ground = f.Ground
	}
	f.Color = r.color(n, "color", ground)
	f.Align = alignOf(style("text-align"))
	f.Case = caseOf(style("text-transform"))
	if v, ok := parseLength(style("letter-spacing"), f.Size); ok && f.Size > 0 {
		f.Spacing = v / f.Size
	}
	return f
}

// shared is the innermost element that holds both n and the story; what is
// painted there is the ground of the page.
func (r *reader) shared(n dom.Node) dom.Node {
	return r.doc.CommonAncestor(n, r.body)
}

// ground is the colour under n, looking no further up than to an element; none
// if nothing is painted on the way.
func (r *reader) ground(n, upTo dom.Node) Color {
	var coats []paint
	for ; n != upTo && n != dom.None; n = r.doc.Parent(n) {
		p, ok := parsePaint(r.styles.Style(n, "background-color"))
		if !ok || p.alpha == 0 {
			continue
		}
		coats = append(coats, p)
		if p.alpha == 1 {
			break
		}
	}
	if len(coats) == 0 {
		return Color{}
	}
	c := white
	for i := len(coats) - 1; i >= 0; i-- {
		c = coats[i].over(c)
	}
	return c
}

func (r *reader) color(n dom.Node, prop string, ground Color) Color {
	if n == dom.None {
		return Color{}
	}
	p, ok := parsePaint(r.styles.Style(n, prop))
	if !ok || p.alpha == 0 { // text that is not seen is an effect, not a colour
		return Color{}
	}
	if !ground.Set {
		ground = white
	}
	return p.over(ground)
}

// leading is the height of a line in sizes of the font; 0 when it is left to
// the browser.
func leading(s string, size float64) float64 {
	if v, ok := parseNumber(s); ok {
		return v
	}
	if v, ok := parseLength(s, size); ok && size > 0 {
		return v / size
	}
	return 0
}

func alignOf(s string) Align {
	s = strings.TrimPrefix(s, "-webkit-")
	for a, name := range alignNames {
		if s == name {
			return Align(a)
		}
	}
	return Start
}

func caseOf(s string) Case {
	for c, name := range caseNames {
		if s == name {
			return Case(c)
		}
	}
	return AsWritten
}

// LookOf takes the look of a story from the markup alone, for when there is no
// browser: style attributes, the page's own <style>, and what HTML had before
// there were style sheets. What lies in other files it cannot know.
func LookOf(d *dom.Document, p Parts) Look {
	return LookFrom(d, newMarkup(d), p.sample())
}

// sample is enough nodes of each kind to know how most of it is set.
func (p Parts) sample() Parts {
	const enough = 48
	for _, nodes := range []*[]dom.Node{&p.Headline, &p.Standfirst, &p.Byline, &p.Lede, &p.Body, &p.Heading, &p.Quote, &p.Caption, &p.Link} {
		*nodes = (*nodes)[:min(len(*nodes), enough)]
	}
	return p
}

// markup computes styles as a browser would, but knows only the page itself.
type markup struct {
	doc     *dom.Document
	cascade *css.Cascade[css.Declaration]
	own     map[dom.Node]map[string]string // the values that are set on an element itself
	hints   []css.Declaration              // scratch
}

// screen is the one for which the look of a page is taken.
var screen = css.Screen{Width: 1280, Height: 800}

func newMarkup(d *dom.Document) *markup {
	properties := append(Properties(), "font", "background")
	known := func(name string) bool { return slices.Contains(properties, name) }
	return &markup{
		doc:     d,
		cascade: css.NewCascade(d, screen, css.Reader[css.Declaration]{Known: known, Read: longhands}),
		own:     map[dom.Node]map[string]string{},
	}
}

// Style is the value of a property: what is said of the node, or of the
// nearest around it where the property is inherited.
func (m *markup) Style(n dom.Node, property string) string {
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
			return "" // a link has a colour of its own, if only the browser's
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

// absolute makes a length that depends on the size of the font one that does
// not, as that is what is inherited.
func (m *markup) absolute(n dom.Node, v string) string {
	em := m.size(n)
	if em == 0 {
		em = css.InitialFontSize
	}
	if px, ok := parseLength(v, em); ok {
		return decimal(px) + "px"
	}
	return v
}

// size is the size of the font at n in CSS pixels; 0 when nobody says.
func (m *markup) size(n dom.Node) float64 {
	var chain []dom.Node
	for ; n > m.doc.Root(); n = m.doc.Parent(n) {
		chain = append(chain, n)
	}
	px := 0.0
	for i := len(chain) - 1; i >= 0; i-- {
		v := m.of(chain[i])["font-size"]
		em := px
		if em == 0 {
			em = css.InitialFontSize
		}
		if s, ok := parseSize(v, em); ok {
			px = s
		} else if scale, ok := tagScale[m.doc.Tag(chain[i])]; ok && px > 0 {
			px *= scale
		}
	}
	return math.Min(px, 999)
}

// tagScale is how browsers set text that the page leaves to them, in sizes of
// the text around.
var tagScale = map[dom.Tag]float64{
	dom.H1: 2, dom.H2: 1.5, dom.H3: 1.17, dom.H5: 0.83, dom.H6: 0.67, dom.Small: 1 / 1.2, dom.Big: 1.2,
}

// of returns the values that are set on n itself.
func (m *markup) of(n dom.Node) map[string]string {
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

// attributes are the styles that HTML itself has: by the element, and in
// attributes from the time before style sheets.
func (m *markup) attributes(n dom.Node, out []css.Declaration) []css.Declaration {
	d := m.doc
	set := func(name, value string) {
		if value != "" {
			out = append(out, css.Declaration{Name: name, Value: value})
		}
	}
	set("background-color", oldColor(d.AttrOr(n, "bgcolor")))
	set("text-align", strings.ToLower(d.AttrOr(n, "align")))
	switch tag := d.Tag(n); tag {
	case dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6, dom.B, dom.Strong, dom.Th:
		set("font-weight", "bold")
	case dom.I, dom.Em, dom.Cite, dom.Address:
		set("font-style", "italic")
	case dom.Center:
		set("text-align", "center")
	case dom.Body:
		set("color", oldColor(d.AttrOr(n, "text")))
	case dom.A:
		if b := d.First(dom.Body); b != dom.None {
			set("color", oldColor(d.AttrOr(b, "link")))
		}
	case dom.Font:
		set("font-family", d.AttrOr(n, "face"))
		set("color", oldColor(d.AttrOr(n, "color")))
		set("font-size", oldSizes[strings.TrimSpace(d.AttrOr(n, "size"))])
	}
	return out
}

// oldSizes are those of <font size>.
var oldSizes = map[string]string{
	"1": "10px", "2": "13px", "3": "16px", "4": "18px", "5": "24px", "6": "32px", "7": "48px",
	"-2": "10px", "-1": "13px", "+1": "18px", "+2": "24px", "+3": "32px", "+4": "48px",
}

// oldColor allows for a colour in an attribute that lacks its hash.
func oldColor(s string) string {
	if _, ok := parsePaint(s); !ok && len(s) == 6 {
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
			if _, ok := parsePaint(word); ok {
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
