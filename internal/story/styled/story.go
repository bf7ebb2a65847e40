package styled

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/story/styled/css"
)

// story returns the copy of the story, if there is one, and the style sheet of the document.
func (t *subtree) story(found parts) (story []*html.Node, sheet string) {
	s, root := t.sheet, t.root()
	at := root
	if root != dom.None {
		t.index(root)
		s.setScale(t)
	} else if found.headline != dom.None {
		at = t.doc.Parent(found.headline)
	}
	base := s.base(t.doc, at)
	body := reader{sheet: s, node: at, get: func(property string) string { return s.styles.value(at, property) }}
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
		t.node(root, out, around{palette: base, parent: atom.Div})
		story = append(story, out)
	}
	s.header(&b, t.doc, base, root, found)
	if s.wide.Len() > 0 {
		s.rules.WriteString("@media (min-width: 40em) {\n" + s.wide.String() + "}\n")
	}
	return story, commonSheet + b.String() + s.rules.String() + lastSheet
}

// setScale finds the size of the main text of the story, and the scale that makes
// it legible.
func (s *sheet) setScale(t *subtree) {
	weight := map[float64]int{}
	at := dom.None // an element with the main text
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
			s.main, at = size, parent
		}
	}
	switch {
	case s.main == 0:
	case s.main != css.InitialFontSize || s.styles.value(at, "font-family") != "":
		s.scale = within(s.main, minBody, maxBody) / s.main
	default: // the page sets none
		s.scale = defaultBody / s.main
	}
}

// base returns the colours of n on the page.
func (s *sheet) base(d *dom.Document, n dom.Node) palette {
	c := palette{ink: defaultInk, ground: white}
	ink, isSet := parseColor(s.styles.value(n, "color"))
	isSet = isSet && ink.alpha > 0
	if ground, ok := s.background(d, n, dom.None); ok {
		c.ground = ground
	} else if isSet && contrast(ink.rgb, white) < 2 {
		c.ground = defaultInk // light text means a dark page
	}
	if isSet {
		c.ink = ink.over(c.ground)
	}
	c.shown = c.ink.on(c.ground)
	return c
}

// background returns the colour of n and its ancestors below upTo. ok is false if they have none.
func (s *sheet) background(d *dom.Document, n, upTo dom.Node) (c rgb, ok bool) {
	var layers []translucent
	for ; n != upTo && n != dom.None; n = d.Parent(n) {
		if p, ok := parseColor(s.styles.own(n, "background-color")); ok && p.alpha > 0 {
			layers = append(layers, p)
		}
	}
	c = white
	for _, p := range slices.Backward(layers) {
		c = p.over(c)
	}
	return c, len(layers) > 0
}

// header writes the rules of headline, standfirst and byline.
func (s *sheet) header(b *strings.Builder, d *dom.Document, base palette, root dom.Node, found parts) {
	if n := found.headline; n != dom.None && root != dom.None && !d.Contains(n, root) {
		if ground, ok := s.background(d, n, d.CommonAncestor(n, root)); ok && ground != base.ground {
			base.ground = ground
			rule(b, "header", "background: "+ground.String(), "padding: 1.5rem 1.25rem")
		}
	}
	if align := s.styles.value(found.headline, "text-align"); align == "center" || align == "right" {
		rule(b, "header", "text-align: "+align)
	}
	s.part(b, "h1", atom.H1, found.headline, base)
	s.part(b, ".standfirst", atom.P, found.standfirst, base)
	s.part(b, ".byline, .date", atom.P, found.byline, base)
}

// part writes the rule of a part of the header.
func (s *sheet) part(b *strings.Builder, selector string, name atom.Atom, n dom.Node, c palette) {
	const minHeadline = 22 // CSS pixels
	size := s.styles.size(n)
	r := reader{sheet: s, node: n, name: name, get: func(property string) string {
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
	}}
	r.colors(c)
	r.text()
	for i, d := range r.out {
		if size, ok := strings.CutPrefix(d, "font-size: "); ok && name == atom.H1 {
			r.out[i] = "font-size: clamp(1.5rem, 1rem + 4.5vw, " + size + ")" // smaller on phones
		}
	}
	rule(b, selector, r.out...)
}
