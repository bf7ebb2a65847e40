package styled

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/story/styled/css"
)

// story adds the copy of the story after the header and returns the style sheet.
func (p *page) story(t *subtree, styles *styles, found parts) string {
	root := t.root()
	s := &sheet{styles: styles, scale: 1, classes: map[string]string{}}
	t.sheet = s
	base := palette{ink: defaultInk, ground: white}
	at := root
	if root != dom.None {
		t.index(root)
		s.setScale(t)
	} else if found.headline != dom.None {
		at = t.doc.Parent(found.headline)
	}
	body := reader{sheet: s, node: at, get: func(string) string { return "" }}
	if at != dom.None {
		base = s.base(t.doc, at)
		body.get = func(property string) string { return styles.value(at, property) }
	}
	base.shown = base.ink.on(base.ground)
	body.font()
	scheme := "light"
	if base.ground.luminance() < base.shown.luminance() {
		scheme = "dark"
	}
	var b strings.Builder
	rule(&b, ":root", "color-scheme: only "+scheme)
	rule(&b, "body", append([]string{
		"font-family: " + defaultFamilies, "font-size: " + rem(defaultBody), "line-height: 1.6",
		"color: " + base.shown.String(), "background: " + base.ground.String(),
	}, body.out...)...)
	rule(&b, "a", "color: "+defaultLink.on(base.ground).String())
	if root != dom.None {
		out := element(atom.Div, "class", "story")
		in := around{palette: base}
		in.parent = atom.Div
		t.node(root, out, in)
		p.insert(out)
	}
	s.header(&b, p, t, base, root, found)
	wide := s.wide.String()
	if wide != "" {
		wide = "@media (min-width: 40em) {\n" + wide + "}\n"
	}
	return commonSheet + b.String() + s.rules.String() + wide + lastSheet
}

// setScale finds the size of the main text of the story, and the scale that makes
// it legible.
func (s *sheet) setScale(t *subtree) {
	weight := map[float64]int{}
	isSet := false
	for _, n := range t.nodes {
		if t.steps.Done() {
			return
		}
		if !t.doc.IsText(n) {
			continue
		}
		parent := t.doc.Parent(n)
		size := s.styles.size(parent)
		if weight[size] += t.doc.Chars(n); weight[size] > weight[s.main] {
			s.main = size
			isSet = size != css.InitialFontSize || s.styles.value(parent, "font-size") != "" && s.styles.value(parent, "font-family") != ""
		}
	}
	switch {
	case s.main == 0:
	case isSet:
		s.scale = within(s.main, minBody, maxBody) / s.main
	default:
		s.scale = defaultBody / s.main
	}
}

// base returns the colours of n on the page.
func (s *sheet) base(d *dom.Document, n dom.Node) palette {
	c := palette{ink: defaultInk, ground: s.background(d, n, dom.None)}
	p, ok := parseColor(s.styles.value(n, "color"))
	isSet := ok && p.alpha > 0
	if isSet {
		c.ink = p.Color
	}
	if !c.ground.Set {
		// Light text means a dark page.
		c.ground = white
		if isSet && contrast(c.ink, white) < 2 {
			c.ground = defaultInk
		}
	}
	if isSet {
		c.ink = p.over(c.ground)
	}
	return c
}

// background returns the colour of n and its ancestors below upTo, if any.
func (s *sheet) background(d *dom.Document, n, upTo dom.Node) Color {
	var layers []translucent
	for ; n != upTo && n != dom.None; n = d.Parent(n) {
		if p, ok := parseColor(s.styles.own(n, "background-color")); ok && p.alpha > 0 {
			layers = append(layers, p)
		}
	}
	if len(layers) == 0 {
		return Color{}
	}
	c := white
	for i := len(layers) - 1; i >= 0; i-- {
		c = layers[i].over(c)
	}
	return c
}

// header writes the rules of headline, standfirst and byline.
func (s *sheet) header(b *strings.Builder, p *page, t *subtree, base palette, root dom.Node, found parts) {
	head := base
	if n := found.headline; n != dom.None && root != dom.None && !t.doc.Contains(n, root) {
		if ground := s.background(t.doc, n, t.doc.CommonAncestor(n, root)); ground.Set && ground != base.ground {
			head.ground = ground
			rule(b, "header", "background: "+ground.String(), "padding: 1.5rem 1.25rem")
		}
	}
	head.shown = Color{} // set the colour of each
	align := s.part(b, "h1", atom.H1, found.headline, head)
	for _, part := range []struct {
		selector string
		node     dom.Node
	}{{".standfirst", found.standfirst}, {".byline, .date", found.byline}} {
		if s.part(b, part.selector, atom.P, part.node, head) == "" && align != "" {
			rule(b, part.selector, align)
		}
	}
	if align != "" {
		rule(b, "header", align)
	}
}

// part writes the rule of a part of the header and returns its alignment, if the
// page sets one.
func (s *sheet) part(b *strings.Builder, selector string, name atom.Atom, n dom.Node, c palette) (align string) {
	r := reader{sheet: s, node: n, name: name, get: func(string) string { return "" }}
	if n != dom.None {
		size := s.styles.size(n)
		r.get = func(property string) string {
			switch property {
			case "background-color", "text-indent", "list-style-type", "text-decoration-line":
				return ""
			case "font-size", "font-weight":
				// As large as the story: the page does not style it.
				if name == atom.H1 && size*s.scale < minHeadline || property == "font-size" && size == s.main {
					return ""
				}
			}
			return s.styles.value(n, property)
		}
	}
	r.colors(c)
	if n != dom.None {
		r.text()
	}
	for i, d := range r.out {
		if strings.HasPrefix(d, "text-align") {
			align = d
		}
		if size, ok := strings.CutPrefix(d, "font-size: "); ok && name == atom.H1 {
			r.out[i] = "font-size: clamp(1.5rem, 1rem + 4.5vw, " + size + ")" // smaller on phones
		}
	}
	rule(b, selector, r.out...)
	return align
}

// minHeadline is the size of the smallest headline in CSS pixels.
const minHeadline = 22

// shows reports whether a picture is part of the story.
func (t *subtree) shows(im *article.Image) bool {
	for _, b := range t.media {
		if b.Image != nil && b.Image.URL == im.URL {
			return true
		}
	}
	return false
}
