package layout

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/css"
)

// cascade computes the style of every element that is shown, parents first.
type cascade struct {
	viewport
	doc    *dom.Document
	rules  *css.Cascade[declaration]
	styles []style
	at     []int32 // index of the style of each node, that of the parent for text, or notShown
	rem    float32
	mode   mode
	// showAll ignores rules that hide elements: see storyHidden.
	showAll     bool
	hiddenChars int
	hinted      []declaration // scratch
}

const notShown = -1

func newCascade(d *dom.Document, screen css.Screen) *cascade {
	v := viewport{screen}
	return &cascade{
		viewport: v,
		doc:      d,
		rules:    css.NewCascade(d, screen, css.Reader[declaration]{Known: knows, Read: v.read}),
		styles:   make([]style, 0, int(d.Counts(0).Elements)+64),
		at:       make([]int32, d.Len()),
		rem:      css.InitialFontSize,
		mode:     modeOf(d),
	}
}

// run computes the styles of the document.
func (c *cascade) run() {
	d := c.doc
	c.styles = append(c.styles, initialStyle)
	c.styles[0].setWord(display, block)
	c.at[0] = 0
	for n := dom.Node(1); n < dom.Node(d.Len()); {
		parent := c.at[d.Parent(n)]
		if d.IsText(n) {
			c.at[n] = parent
			n++
			continue
		}
		end := n + 1
		if !c.element(n, parent) {
			c.at[n] = notShown
			end = d.End(n)
		} else if isOpaque(d.Tag(n)) {
			end = d.End(n)
		}
		for n++; n < end; n++ {
			c.at[n] = notShown
		}
	}
}

// storyHidden reports whether style sheets hide most of the page until a script
// shows it.
func (c *cascade) storyHidden() bool {
	const enough = 200
	return c.hiddenChars > enough && 3*c.hiddenChars > 2*c.doc.Chars(0)
}

// restart prepares another run in which style sheets hide nothing.
func (c *cascade) restart() {
	c.styles = c.styles[:0]
	c.showAll, c.hiddenChars = true, 0
}

// element computes the style of n and reports whether it is shown.
func (c *cascade) element(n dom.Node, parent int32) bool {
	tag := c.doc.Tag(n)
	if parent == notShown {
		return false
	}
	i := len(c.styles)
	c.styles = append(c.styles, style{})
	s, p := &c.styles[i], &c.styles[parent]
	s.startFrom(p)
	c.hinted = c.hints(n, tag, c.hinted[:0])
	shows := c.compute(s, p, n, tag, c.rules.Element(n,
		css.Block[declaration]{Origin: css.UserAgent, Declarations: userAgent()[tag]},
		css.Block[declaration]{Origin: css.Hint, Declarations: c.hinted}))
	if !shows || c.isClosed(n, tag) {
		c.styles = c.styles[:i]
		return false
	}
	if tag == dom.HTML {
		c.rem = s.size
	}
	c.at[n] = int32(i)
	return true
}

// compute applies declarations from the weakest to the strongest and reports
// whether n is shown.
func (c *cascade) compute(s, parent *style, n dom.Node, tag dom.Tag, blocks []css.Block[declaration]) bool {
	for _, b := range blocks {
		if b.Origin == css.UserAgent && isMonospaced(tag) && parent.word(fontFamily) == mono {
			continue // <pre><code>: the smaller size of monospaced fonts counts once
		}
		for i := range b.Declarations {
			s.applyFont(&b.Declarations[i], parent, c.rem)
		}
	}
	shown, hiddenBy := inline, css.UserAgent // the display if nothing hid it, and what does
	for _, b := range blocks {
		for i := range b.Declarations {
			d := &b.Declarations[i]
			if d.property == fontSize || d.property == fontWeight {
				continue
			}
			s.apply(d, parent, c.rem)
			if d.property == display {
				if s.word(display) == none {
					hiddenBy = b.Origin
				} else {
					shown = s.word(display)
				}
			}
		}
	}
	return c.decideShown(s, n, tag, shown, hiddenBy)
}

// decideShown reports whether n is shown. Elements that the document shows
// although their attributes hide them are a story that a script would show.
func (c *cascade) decideShown(s *style, n dom.Node, tag dom.Tag, shown word, hiddenBy css.Origin) bool {
	if s.word(clipping) == hidden && s.word(position) != static {
		c.hiddenChars += c.doc.Chars(n)
		return false
	}
	if tag == dom.HTML || tag == dom.Body {
		s.setWord(visibility, visible)
	}
	if s.word(display) != none {
		return true
	}
	switch {
	case tag == dom.HTML || tag == dom.Body:
		shown = block
	case hiddenBy == css.Sheet && !c.showAll:
		c.hiddenChars += c.doc.Chars(n)
		return false
	case c.doc.Hidden(n):
		return false
	case tag == dom.Template:
		shown = contents
	}
	s.setWord(display, shown)
	return true
}

// isClosed reports whether n is the content of a closed <details> or a hidden
// input.
func (c *cascade) isClosed(n dom.Node, tag dom.Tag) bool {
	if tag == dom.Input {
		return strings.EqualFold(strings.TrimSpace(c.doc.Attr(n, "type")), "hidden")
	}
	p := c.doc.Parent(n)
	if tag == dom.Summary || c.doc.Tag(p) != dom.Details {
		return false
	}
	_, open := c.doc.LookupAttr(p, "open")
	return !open
}

func isMonospaced(tag dom.Tag) bool {
	switch tag {
	case dom.Code, dom.Kbd, dom.Samp, dom.Tt, dom.Pre, dom.Listing, dom.Plaintext, dom.Xmp:
		return true
	}
	return false
}

// isOpaque reports whether the content of an element has no boxes.
func isOpaque(tag dom.Tag) bool {
	switch tag {
	case dom.SVG, dom.Canvas, dom.Video, dom.Audio, dom.Iframe, dom.Select, dom.Textarea, dom.Meter, dom.Progress, dom.Embed, dom.Img, dom.Input:
		return true
	}
	return false
}

// hints appends the presentational attributes of n to out (HTML §15.3,
// "presentational hints").
func (c *cascade) hints(n dom.Node, tag dom.Tag, out []declaration) []declaration {
	set := func(p property, v value) { out = append(out, declaration{p, v}) }
	size := func(s string, ps ...property) {
		v, ok := dimensionAttr(s)
		if tag == dom.SVG { // has CSS lengths
			v, _, ok = c.component(s)
			if v.Kind == css.Number {
				v.Kind = css.Size
			}
		}
		if ok {
			out = setAll(out, v, ps...)
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
				size(val, width)
			}
		case "height":
			if takesSize(tag) {
				size(val, height)
			}
		case "align":
			out = align(tag, strings.ToLower(strings.TrimSpace(val)), out)
		case "valign":
			set(verticalAlign, value{word: wordOf(val)})
		case "dir":
			if w := wordOf(val); w == rtl || w == ltr {
				set(direction, value{word: w})
			}
		case "nowrap":
			if tag == dom.Td || tag == dom.Th {
				set(whiteSpace, value{word: nowrap})
			}
		case "size":
			if tag == dom.Font {
				set(fontSize, fontSizeAttr(strings.TrimSpace(val)))
			}
		case "face":
			if tag == dom.Font {
				out = family(c.viewport, val, out)
			}
		case "cellspacing":
			if tag == dom.Table {
				size(val, borderSpacing)
			}
		case "border":
			if tag == dom.Table || tag == dom.Img {
				if v, ok := dimensionAttr(val); ok {
					out = setAll(out, v, borderTop, borderRight, borderBottom, borderLeft)
				}
			}
		case "hspace":
			size(val, marginLeft, marginRight)
		case "vspace":
			size(val, marginTop, marginBottom)
		case "frameborder":
			if tag == dom.Iframe && (val == "0" || strings.EqualFold(val, "no")) {
				out = setAll(out, pixels(0), borderTop, borderRight, borderBottom, borderLeft)
			}
		case "marginwidth", "leftmargin", "rightmargin":
			if tag == dom.Body {
				size(val, marginLeft, marginRight)
			}
		case "marginheight", "topmargin", "bottommargin":
			if tag == dom.Body {
				size(val, marginTop, marginBottom)
			}
		case "type":
			if tag == dom.Input && strings.EqualFold(val, "hidden") {
				set(position, value{word: absolute})
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
			out = setAll(out, pixels(0), marginTop, marginBottom)
		}
	}
	return out
}

// tableQuirk has the text properties that tables do not inherit in quirks mode.
var tableQuirk = []declaration{
	{fontSize, value{word: medium}},
	{fontWeight, value{word: normal}},
	{lineHeight, value{word: normal}},
	{whiteSpace, value{word: normal}},
	{textAlign, value{word: start}},
}

// cellHints appends the attributes of a table that apply to its cells.
func (c *cascade) cellHints(n dom.Node, out []declaration) []declaration {
	t := c.doc.Closest(n, dom.Table)
	if t == dom.None {
		return out
	}
	if v, ok := dimensionAttr(c.doc.Attr(t, "cellpadding")); ok {
		out = setAll(out, v, paddingTop, paddingRight, paddingBottom, paddingLeft)
	}
	if b, ok := dimensionAttr(c.doc.Attr(t, "border")); ok && b.Length.Px > 0 {
		out = setAll(out, pixels(1), borderTop, borderRight, borderBottom, borderLeft)
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

// align appends the meaning of the align attribute, which depends on the element.
func align(tag dom.Tag, val string, out []declaration) []declaration {
	w := wordOf(val)
	set := func(p property, w word) { out = append(out, declaration{p, value{word: w}}) }
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

// dimensionAttr reads a number or a percentage (HTML §2.4.4.4).
func dimensionAttr(s string) (value, bool) {
	s = strings.TrimSpace(s)
	num, n := css.ParseNumber(s)
	if n == 0 || num < 0 {
		return value{}, false
	}
	if strings.HasPrefix(s[n:], "%") {
		return value{Value: css.Value{Kind: css.Size, Length: css.Length{Percent: css.Bound(num) / 100}}}, num > 0
	}
	if strings.HasPrefix(s[n:], "*") {
		return value{}, false
	}
	return pixels(css.Bound(num)), true
}

// fontSizeAttr reads <font size=1..7>, or a difference from 3 (HTML §15.3.4).
func fontSizeAttr(s string) value {
	num, n := css.ParseNumber(s)
	if n == 0 {
		return value{}
	}
	k := int(max(-10, min(num, 10)))
	if s[0] == '+' || s[0] == '-' {
		k += 3
	}
	return value{word: [...]word{xSmall, small, medium, large, xLarge, xxLarge, xxxLarge}[max(1, min(k, 7))-1]}
}

// mode is the compatibility mode of a page (Quirks Mode Standard).
type mode uint8

const (
	standards mode = iota
	limited        // a line without text is only as high as its content
	quirks         // and tables and cells have the rules of old browsers
)

// modeOf returns the mode that the doctype selects (HTML §13.2.6.4.1).
func modeOf(d *dom.Document) mode {
	n := d.HTML(0).FirstChild
	for ; n != nil; n = n.NextSibling {
		if n.DataAtom != 0 {
			return quirks // an element comes first
		}
		if n.Data == "html" { // only a doctype has this name, but is no element
			break
		}
	}
	if n == nil {
		return standards // a fragment
	}
	public, system := "", false
	for _, a := range n.Attr {
		switch a.Key {
		case "public":
			public = strings.ToLower(a.Val)
		case "system":
			system = true
		}
	}
	is := func(ids ...string) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(public, id) })
	}
	anonymous := is("-//w3c//dtd html 4.01 transitional//", "-//w3c//dtd html 4.01 frameset//")
	switch {
	case is("-//w3c//dtd html 3", "-//w3c//dtd html 4.0 ", "-//ietf//", "-//netscape", "-//microsoft"), anonymous && !system:
		return quirks
	case anonymous, is("-//w3c//dtd xhtml 1.0 transitional//", "-//w3c//dtd xhtml 1.0 frameset//"):
		return limited
	}
	return standards
}

//go:embed ua.css
var uaSheet string

// userAgent is the browser's own style sheet by tag. It is read only.
var userAgent = sync.OnceValue(func() *[dom.Xmp + 1][]declaration {
	v, byTag := viewport{}, [dom.Xmp + 1][]declaration{}
	for selectors, block := range v.Rules(uaSheet) {
		for name := range css.Split(selectors) {
			tag := dom.LookupTag(name)
			for d := range css.Declarations(block) {
				byTag[tag] = v.read(byTag[tag], d.Name, d.Value)
			}
		}
	}
	return &byTag
})
