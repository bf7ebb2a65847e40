package styled

import (
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
