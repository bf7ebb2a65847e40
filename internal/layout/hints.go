package layout

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// hints are the presentational attributes of old pages, as declarations that
// are weaker than any of the author's style sheets (HTML §15.3, "presentational
// hints").
func (c *cascade) hints(n dom.Node, tag dom.Tag, out []declaration) []declaration {
	set := func(p property, v value) { out = append(out, declaration{property: p, value: v}) }
	size := func(p property, s string) {
		v, ok := dimensionAttr(s)
		if tag == dom.SVG { // there they are lengths of CSS
			v, _, ok = c.component(s)
			if v.kind == isNumber {
				v.kind = isLength
			}
		}
		if ok {
			set(p, v)
		}
	}
	for key, val := range c.doc.Attrs(n) {
		switch key {
		case "hidden":
			if !strings.EqualFold(val, "until-found") {
				set(display, value{word: none})
			}
		case "popover":
			set(display, value{word: none})
		case "width":
			if takesSize(tag) {
				size(width, val)
			}
		case "height":
			if takesSize(tag) {
				size(height, val)
			}
		case "align":
			out = align(tag, lower(trim(val)), out)
		case "valign":
			set(verticalAlign, value{word: wordOf(lower(trim(val)))})
		case "dir":
			if w := wordOf(lower(trim(val))); w == rtl || w == ltr {
				set(direction, value{word: w})
			}
		case "nowrap":
			if tag == dom.Td || tag == dom.Th {
				set(whiteSpace, value{word: nowrap})
			}
		case "size":
			if tag == dom.Font {
				set(fontSize, fontSizeAttr(trim(val)))
			}
		case "face":
			if tag == dom.Font {
				out = family(&c.viewport, val, out)
			}
		case "cellspacing":
			if tag == dom.Table {
				size(borderSpacing, val)
			}
		case "border":
			if tag == dom.Table || tag == dom.Img {
				if v, ok := dimensionAttr(val); ok {
					out = append(out, sideValues(borderTop, v)...)
				}
			}
		case "hspace":
			size(marginLeft, val)
			size(marginRight, val)
		case "vspace":
			size(marginTop, val)
			size(marginBottom, val)
		case "frameborder":
			if tag == dom.Iframe && (val == "0" || strings.EqualFold(val, "no")) {
				out = append(out, sideValues(borderTop, value{kind: isLength})...)
			}
		case "marginwidth", "leftmargin", "rightmargin":
			if tag == dom.Body {
				size(marginLeft, val)
				size(marginRight, val)
			}
		case "marginheight", "topmargin", "bottommargin":
			if tag == dom.Body {
				size(marginTop, val)
				size(marginBottom, val)
			}
		case "type":
			if tag == dom.Input && strings.EqualFold(val, "hidden") {
				set(position, value{word: absolute}) // out of the way; see replaced
			}
		}
	}
	switch tag {
	case dom.Table:
		if c.mode == quirks { // HTML §15.3.10
			out = append(out, tableQuirk...)
		}
	case dom.Td, dom.Th:
		out = c.cellHints(n, out)
	case dom.Ul, dom.Ol, dom.Menu, dom.Dir:
		if c.doc.Closest(c.doc.Parent(n), dom.Ul, dom.Ol, dom.Menu, dom.Dir) != dom.None {
			set(marginTop, value{kind: isLength})
			set(marginBottom, value{kind: isLength})
		}
	}
	return out
}

// tableQuirk: in quirks mode tables do not inherit how text is set.
var tableQuirk = []declaration{
	{property: fontSize, value: value{word: medium}},
	{property: fontWeight, value: value{word: normal}},
	{property: lineHeight, value: value{word: normal}},
	{property: whiteSpace, value: value{word: normal}},
	{property: textAlign, value: value{word: start}},
}

func sideValues(first property, v value) []declaration {
	var ds [4]declaration
	for i := range ds {
		ds[i] = declaration{property: first + property(i), value: v}
	}
	return ds[:]
}

// cellHints are the attributes of its table that a cell follows.
func (c *cascade) cellHints(n dom.Node, out []declaration) []declaration {
	t := c.doc.Closest(n, dom.Table)
	if t == dom.None {
		return out
	}
	if v, ok := dimensionAttr(c.doc.AttrOr(t, "cellpadding")); ok {
		out = append(out, sideValues(paddingTop, v)...)
	}
	if b, ok := dimensionAttr(c.doc.AttrOr(t, "border")); ok && b.rel.px > 0 {
		out = append(out, sideValues(borderTop, value{kind: isLength, rel: relative{px: 1}})...)
	}
	return out
}

func takesSize(tag dom.Tag) bool {
	switch tag {
	case dom.Table, dom.Td, dom.Th, dom.Tr, dom.Col, dom.Colgroup, dom.Img, dom.Iframe, dom.Video, dom.Canvas, dom.Embed,
		dom.Object, dom.Applet, dom.SVG, dom.Hr, dom.Pre, dom.Input:
		return true
	}
	return false
}

// align is what the attribute of that name means on different elements.
func align(tag dom.Tag, val string, out []declaration) []declaration {
	w := wordOf(val)
	set := func(p property, w word) { out = append(out, declaration{property: p, value: value{word: w}}) }
	switch tag {
	case dom.Img, dom.Iframe, dom.Object, dom.Embed, dom.Applet:
		if w == left || w == right {
			set(float, w)
		}
	case dom.Table, dom.Hr:
		switch {
		case w == center || w == middle:
			set(marginLeft, autoWord)
			set(marginRight, autoWord)
		case tag == dom.Table && (w == left || w == right):
			set(float, w)
		}
	case dom.Div, dom.Td, dom.Th, dom.Tr, dom.Tbody, dom.Thead, dom.Tfoot:
		switch w {
		case center, middle:
			set(textAlign, legacyCenter)
		case left:
			set(textAlign, legacyLeft)
		case right:
			set(textAlign, legacyRight)
		}
	case dom.P, dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6, dom.Caption:
		if w == left || w == right || w == center || w == justify {
			set(textAlign, w)
		}
	}
	return out
}

// dimensionAttr reads a width or the like: a number, or a percentage (HTML
// §2.4.4.4).
func dimensionAttr(s string) (value, bool) {
	s = trim(s)
	num, n := number(s)
	if n == 0 || num < 0 {
		return value{}, false
	}
	if strings.HasPrefix(s[n:], "%") {
		return value{kind: isLength, rel: relative{pct: bound(num) / 100}}, num > 0
	}
	if strings.HasPrefix(s[n:], "*") {
		return value{}, false
	}
	return value{kind: isLength, rel: relative{px: bound(num)}}, true
}

// fontSizeAttr is <font size=1..7>, or +1 and -1 from 3 (HTML §15.3.4).
func fontSizeAttr(s string) value {
	num, n := number(s)
	if n == 0 {
		return value{}
	}
	k := int(max(-10, min(num, 10)))
	if s[0] == '+' || s[0] == '-' {
		k += 3
	}
	return value{word: [...]word{xSmall, small, medium, large, xLarge, xxLarge, xxxLarge}[max(1, min(k, 7))-1]}
}
