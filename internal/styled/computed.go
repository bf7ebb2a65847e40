package styled

import (
	"math"
	"reflect"
	"strings"

	"github.com/lede-news/lede/dom"
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
	if v, ok := parseSize(style("font-size"), initialSize); ok {
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

// markup computes styles as a browser would, but knows much less.
type markup struct {
	doc   *dom.Document
	rules []cssRule
	own   map[dom.Node]map[string]string // what is said of a node itself
	steps int                            // left for the matching of selectors
}

const (
	maxSheets = 1 << 20  // bytes of style sheets that are read
	maxSteps  = 20 << 20 // a page of hostile rules gets no further
)

func newMarkup(d *dom.Document) *markup {
	m := &markup{doc: d, own: map[dom.Node]map[string]string{}, steps: maxSteps}
	room := maxSheets
	for n := range d.All(d.Root(), dom.Style) {
		sheet := d.Raw(n)
		if media := d.AttrOr(n, "media"); len(sheet) > room || media != "" && !forScreen("@media "+media) {
			continue
		}
		room -= len(sheet)
		m.rules = append(m.rules, parseSheet(sheet)...)
	}
	return m
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
		return m.resolve(n, m.of(n)[property], 0)
	}
	for ; n > m.doc.Root(); n = m.doc.Parent(n) {
		v := m.of(n)[property]
		if property == "color" && v == "" && m.doc.Tag(n) == dom.A {
			return "" // a link has a colour of its own, if only the browser's
		}
		if v != "" && v != "inherit" {
			if property == "line-height" || property == "letter-spacing" {
				return m.absolute(n, m.resolve(n, v, 0))
			}
			return m.resolve(n, v, 0)
		}
	}
	return ""
}

// absolute makes a length that depends on the size of the font one that does
// not, as that is what is inherited.
func (m *markup) absolute(n dom.Node, v string) string {
	em := m.size(n)
	if em == 0 {
		em = initialSize
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
		v := m.resolve(chain[i], m.of(chain[i])["font-size"], 0)
		em := px
		if em == 0 {
			em = initialSize
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

// resolve puts in what var() names.
func (m *markup) resolve(n dom.Node, v string, depth int) string {
	from := strings.Index(v, "var(")
	if from < 0 || depth > 4 {
		return v
	}
	to := strings.IndexByte(v[from:], ')')
	if to < 0 {
		return ""
	}
	name, spare, _ := strings.Cut(v[from+len("var("):from+to], ",")
	name, value := strings.TrimSpace(name), strings.TrimSpace(spare)
	for a := n; a > m.doc.Root(); a = m.doc.Parent(a) {
		if said := m.of(a)[name]; said != "" {
			value = said
			break
		}
	}
	if len(value) > 500 {
		return ""
	}
	return m.resolve(n, v[:from]+value+v[from+to+1:], depth+1)
}

// of is what is said of n itself, the strongest word for each property.
func (m *markup) of(n dom.Node) map[string]string {
	if said, ok := m.own[n]; ok {
		return said
	}
	said := map[string]string{}
	m.own[n] = said
	if m.doc.IsText(n) {
		return said
	}
	m.attributes(n, said)
	rank := map[string]int{}
	tell := func(ds []declaration, specificity int) {
		for _, d := range ds {
			r := specificity
			if d.important {
				r += 1 << 20
			}
			if r >= rank[d.property] {
				rank[d.property], said[d.property] = r, d.value
			}
		}
	}
	for i := range m.rules {
		if best := m.match(&m.rules[i], n); best >= 0 {
			tell(m.rules[i].body, best)
		}
	}
	if s := m.doc.AttrOr(n, "style"); s != "" && len(s) < 10_000 {
		tell(parseDeclarations(s), 1<<16)
	}
	return said
}

// match is the specificity of the rule's best selector for n, or -1.
func (m *markup) match(r *cssRule, n dom.Node) int {
	best := -1
	for i := range r.selectors {
		m.steps--
		if s := &r.selectors[i]; m.steps > 0 && s.specificity > best && s.matches(m.doc, n, &m.steps) {
			best = s.specificity
		}
	}
	return best
}

// attributes are the styles that HTML itself has: by the element, and in
// attributes from the time before style sheets.
func (m *markup) attributes(n dom.Node, said map[string]string) {
	d := m.doc
	say := func(prop, value string) {
		if value != "" {
			said[prop] = value
		}
	}
	say("background-color", oldColor(d.AttrOr(n, "bgcolor")))
	say("text-align", strings.ToLower(d.AttrOr(n, "align")))
	switch tag := d.Tag(n); tag {
	case dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6, dom.B, dom.Strong, dom.Th:
		say("font-weight", "bold")
	case dom.I, dom.Em, dom.Cite, dom.Address:
		say("font-style", "italic")
	case dom.Center:
		say("text-align", "center")
	case dom.Body:
		say("color", oldColor(d.AttrOr(n, "text")))
	case dom.A:
		if b := d.First(dom.Body); b != dom.None {
			say("color", oldColor(d.AttrOr(b, "link")))
		}
	case dom.Font:
		say("font-family", d.AttrOr(n, "face"))
		say("color", oldColor(d.AttrOr(n, "color")))
		say("font-size", oldSizes[strings.TrimSpace(d.AttrOr(n, "size"))])
	}
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
