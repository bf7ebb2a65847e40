package layout

import (
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
)

// style is what an element says about its layout.
type style struct {
	display                 display
	float                   side
	clear                   bool // begins below all floats
	outOfFlow               bool // has an absolute or fixed position
	centred                 bool // its margins on both sides are auto
	margin, padding         edges
	width, maxWidth, height length

	// inherited
	size       float64 // of the font, in pixels
	lineHeight float64 // in font sizes
	weight     int     // of the font
}

type display uint8

const (
	inline display = iota
	block
	inlineBlock
	replaced // a picture, a player, a form field
	table
	tableGroup // <tbody>, for example
	tableRow
	tableCell
)

type side uint8

const (
	left side = 1 + iota
	right
)

// edges are the four sides of a margin or a padding, in pixels.
type edges struct{ top, right, bottom, left float64 }

func (e edges) across() float64 { return e.left + e.right }

// maxLength is the longest length, in pixels, that a page can ask for.
const maxLength = 1 << 20

// length is a length in pixels, or a share of the width around it.
type length struct {
	px, share float64
	set       bool
}

func (l length) of(base float64) float64 { return l.px + l.share*base }

// or returns l if it is set, and otherwise other.
func (l length) or(base, other float64) float64 {
	if l.set {
		return l.of(base)
	}
	return other
}

// usualStyle is how browsers show an element. Sizes and vertical margins are in font
// sizes; the indent is in pixels.
type usualStyle struct {
	display display
	size    float64 // 0 for that of the parent
	margin  float64 // above and below
	indent  float64 // on the left; for quotes and figures, also on the right
	bold    bool
}

var usualStyles = func() (all [dom.Xmp + 1]usualStyle) {
	for t := range all {
		if dom.Tag(t).IsBlock() {
			all[t].display = block
		}
	}
	for t, s := range map[dom.Tag]usualStyle{
		dom.Body:       {display: block, margin: 0.5, indent: 8},
		dom.P:          {display: block, margin: 1},
		dom.Dl:         {display: block, margin: 1},
		dom.Ul:         {display: block, margin: 1, indent: 40},
		dom.Ol:         {display: block, margin: 1, indent: 40},
		dom.Dd:         {display: block, indent: 40},
		dom.Blockquote: {display: block, margin: 1, indent: 40},
		dom.Figure:     {display: block, margin: 1, indent: 40},
		dom.Pre:        {display: block, size: 0.81, margin: 1},
		dom.Hr:         {display: block, margin: 0.5},
		dom.H1:         {display: block, size: 2, margin: 0.67, bold: true},
		dom.H2:         {display: block, size: 1.5, margin: 0.83, bold: true},
		dom.H3:         {display: block, size: 1.17, margin: 1, bold: true},
		dom.H4:         {display: block, margin: 1.33, bold: true},
		dom.H5:         {display: block, size: 0.83, margin: 1.67, bold: true},
		dom.H6:         {display: block, size: 0.67, margin: 2.33, bold: true},
		dom.B:          {bold: true},
		dom.Strong:     {bold: true},
		dom.Small:      {size: 0.83},
		dom.Table:      {display: table},
		dom.Thead:      {display: tableGroup},
		dom.Tbody:      {display: tableGroup},
		dom.Tfoot:      {display: tableGroup},
		dom.Tr:         {display: tableRow},
		dom.Td:         {display: tableCell},
		dom.Th:         {display: tableCell, bold: true},
		dom.Button:     {display: inlineBlock, size: 0.83},
		dom.Img:        {display: replaced},
		dom.Video:      {display: replaced},
		dom.Iframe:     {display: replaced},
		dom.Embed:      {display: replaced},
		dom.Object:     {display: replaced},
		dom.Input:      {display: replaced},
		dom.Select:     {display: replaced},
		dom.Textarea:   {display: replaced},
	} {
		all[t] = s
	}
	return all
}()

// computeStyles computes the styles of all elements, parents first.
func (e *estimator) computeStyles() {
	e.styles[0] = style{display: block, size: 16, lineHeight: 1.15, weight: 400}
	for n := dom.Node(1); n < dom.Node(e.doc.Len()); n++ {
		if !e.doc.IsText(n) {
			e.styles[n] = e.compute(n, &e.styles[e.doc.Parent(n)])
		}
	}
}

func (e *estimator) compute(n dom.Node, parent *style) style {
	tag := e.doc.Tag(n)
	usual := &usualStyles[tag]
	s := style{
		display: usual.display,
		size:    parent.size, lineHeight: parent.lineHeight, weight: parent.weight,
	}
	if usual.size > 0 {
		s.size = min(s.size*usual.size, maxLength)
	}
	if usual.bold {
		s.weight = 700
	}
	s.margin = edges{top: usual.margin * s.size, bottom: usual.margin * s.size, left: usual.indent}
	switch tag {
	case dom.Body, dom.Blockquote, dom.Figure:
		s.margin.right = usual.indent
	case dom.Td, dom.Th:
		const inside = 2 // with half of the space between cells
		s.padding = edges{inside, inside, inside, inside}
	}
	for key, val := range e.doc.Attrs(n) {
		s.setAttribute(key, val)
	}
	if inlineStyle := e.doc.Attr(n, "style"); inlineStyle != "" {
		s.setAll(inlineStyle, parent)
	}
	return s
}

// setAttribute applies an attribute of the time before style sheets.
func (s *style) setAttribute(key, val string) {
	switch key {
	case "width":
		if s.display >= replaced {
			s.width, _ = parseLength(val, s.size)
		}
	case "height":
		if s.display >= replaced {
			s.height, _ = parseLength(val, s.size)
		}
	case "align": // pictures and tables float; in others, text is aligned
		if s.display == replaced || s.display == table {
			s.float = parseSide(val)
			s.centred = strings.EqualFold(val, "center")
		}
	case "clear":
		s.clear = true
	}
}

// setAll applies a style attribute.
func (s *style) setAll(decls string, parent *style) {
	for decl := range strings.SplitSeq(decls, ";") {
		name, val, ok := strings.Cut(strings.ToLower(decl), ":")
		if !ok {
			continue
		}
		val, _, _ = strings.Cut(val, "!")
		s.set(strings.TrimSpace(name), strings.TrimSpace(val), parent)
	}
}

// setLineHeight applies a line height: a number of font sizes, or a length.
func (s *style) setLineHeight(val string) {
	const most = 20
	l, ok := parseLength(val, s.size)
	if !ok || s.size <= 0 {
		return
	}
	factor := l.of(s.size) / s.size
	if c := val[len(val)-1]; c >= '0' && c <= '9' {
		factor = l.px
	}
	s.lineHeight = max(0, min(factor, most))
}

func (s *style) set(name, val string, parent *style) {
	switch name {
	case "font-size":
		if l, ok := parseLength(val, parent.size); ok {
			s.size = max(0, min(l.of(parent.size), maxLength))
		}
	case "line-height":
		s.setLineHeight(val)
	case "display":
		s.setDisplay(val)
	case "float":
		s.float = parseSide(val)
	case "clear":
		s.clear = val != "none"
	case "position":
		s.outOfFlow = val == "absolute" || val == "fixed"
	case "width":
		s.width, _ = parseLength(val, s.size)
	case "max-width":
		s.maxWidth, _ = parseLength(val, s.size)
	case "height", "min-height":
		s.height, _ = parseLength(val, s.size)
	case "margin":
		s.margin.setAll(val, s.size)
		fields := strings.Fields(val)
		s.centred = len(fields) > 0 && fields[min(1, len(fields)-1)] == "auto"
	case "padding":
		s.padding.setAll(val, s.size)
	default:
		if edge, ok := strings.CutPrefix(name, "margin-"); ok {
			s.margin.set(edge, val, s.size)
			s.centred = s.centred || edge == "left" && val == "auto"
		} else if edge, ok := strings.CutPrefix(name, "padding-"); ok {
			s.padding.set(edge, val, s.size)
		}
	}
}

// setDisplay applies display. What hides an element is known to dom, and only elements of
// tables make tables.
func (s *style) setDisplay(val string) {
	switch {
	case s.display >= replaced || val == "none" || val == "contents":
	case strings.HasPrefix(val, "inline-"):
		s.display = inlineBlock
	case val == "inline":
		s.display = inline
	default:
		s.display = block
	}
}

func (e *edges) set(name, val string, em float64) {
	l, ok := parseLength(val, em)
	if !ok {
		return
	}
	switch name {
	case "top":
		e.top = l.px
	case "right":
		e.right = l.px
	case "bottom":
		e.bottom = l.px
	case "left":
		e.left = l.px
	}
}

// setAll sets one to four sides, clockwise from the top. A side that is missing is that of the
// opposite one.
func (e *edges) setAll(val string, em float64) {
	of := [...][4]int{1: {0, 0, 0, 0}, 2: {0, 1, 0, 1}, 3: {0, 1, 2, 1}, 4: {0, 1, 2, 3}}
	f := strings.Fields(val)
	if len(f) == 0 || len(f) >= len(of) {
		return
	}
	for i, side := range [...]string{"top", "right", "bottom", "left"} {
		e.set(side, f[of[len(f)][i]], em)
	}
}

func parseSide(val string) side {
	switch strings.ToLower(strings.TrimSpace(val)) {
	case "left":
		return left
	case "right":
		return right
	}
	return 0
}

// parseLength reads a number with or without a unit. Units that depend on the screen, and
// other values such as auto, are no length.
func parseLength(val string, em float64) (length, bool) {
	val = strings.TrimSpace(val)
	n := 0
	for n < len(val) && (val[n] >= '0' && val[n] <= '9' || val[n] == '.' || n == 0 && (val[n] == '-' || val[n] == '+')) {
		n++
	}
	num, err := strconv.ParseFloat(val[:n], 64)
	if err != nil {
		return length{}, false
	}
	num = max(-maxLength, min(num, maxLength))
	l := length{px: num, set: true}
	switch strings.ToLower(val[n:]) {
	case "", "px":
	case "em":
		l.px *= em
	case "rem":
		l.px *= 16
	case "pt":
		l.px *= 4.0 / 3
	case "%":
		l.px, l.share = 0, num/100
	default:
		return length{}, false
	}
	return l, true
}
