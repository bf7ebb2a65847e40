package styled

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/story/styled/css"
)

// sheet makes the rules of the copied elements: what the page sets on each of
// them, as far as it is safe and leaves the story readable. Equal styles share a
// class. All values are written anew, so that no value of the page gets into the
// sheet as it is.
type sheet struct {
	styles  *styles
	main    float64 // size of the main text on the page; 0 if there is none
	scale   float64 // from the sizes of the page to those of the file
	classes map[string]string
	rules   strings.Builder
	wide    strings.Builder // rules for screens that are wider than a phone
}

// palette is what an element inherits.
type palette struct {
	ink    rgb // of the text, as the page sets it
	shown  rgb // the same with enough contrast
	ground rgb // the background
}

// Sizes in CSS pixels, after scaling.
const (
	minSize, maxSize              = 13, 34
	maxHeading                    = 48
	minBody, maxBody, defaultBody = 16, 22, 18 // of the main text; defaultBody if the page sets none
	maxBorder, maxRadius          = 12, 24
	maxAcross, maxDown            = 48, 64 // margins and paddings
	column                        = 680    // the width of the story
)

const maxClasses = 2000

var (
	defaultInk  = rgb{0x1c, 0x1c, 0x1c}
	defaultLink = rgb{0x0b, 0x57, 0xa4}
)

const defaultFamilies = `"Georgia", "Times New Roman", serif`

// class returns the class of an element in the place of n, or "", and what its
// contents inherit.
func (s *sheet) class(n dom.Node, name atom.Atom, in palette, t *subtree) (string, palette) {
	r := reader{sheet: s, node: n, name: name, length: t.length(n), whole: t.length(t.doc.Root())}
	r.get = func(p string) string { return s.styles.own(n, p) }
	out := r.colors(in)
	r.text()
	wide := r.floating(t)
	r.box()
	return s.add(strings.Join(r.out, "\n"), strings.Join(wide, "\n")), out
}

// add returns the class with these declarations.
func (s *sheet) add(declarations, wide string) string {
	key := declarations + "|" + wide
	if class, ok := s.classes[key]; ok || key == "|" {
		return class
	}
	if len(s.classes) == maxClasses {
		return ""
	}
	class := "s" + strconv.Itoa(len(s.classes)+1)
	s.classes[key] = class
	if declarations != "" {
		rule(&s.rules, "."+class, strings.Split(declarations, "\n")...)
	}
	if wide != "" {
		rule(&s.wide, "."+class, strings.Split(wide, "\n")...)
	}
	return class
}

func rule(b *strings.Builder, selector string, declarations ...string) {
	b.WriteString(selector + " {\n")
	for _, d := range declarations {
		b.WriteString("  " + d + ";\n")
	}
	b.WriteString("}\n")
}

// reader turns the style of one element into declarations.
type reader struct {
	*sheet
	node          dom.Node
	name          atom.Atom
	length, whole int // characters in the element and in the article
	get           func(property string) string
	boxed         bool // it has a background or a border of its own
	out           []string
}

func (r *reader) set(property, value string) { r.out = append(r.out, property+": "+value) }

// word returns the value of a property in lower case.
func (r *reader) word(property string) string {
	return strings.ToLower(strings.TrimSpace(r.get(property)))
}

// pixels returns a length, scaled.
func (r *reader) pixels(property string) (float64, bool) {
	v, ok := parseLength(r.word(property), r.styles.size(r.node))
	return v * r.scale, ok
}

// colors sets background and colour, with enough contrast between them.
func (r *reader) colors(in palette) palette {
	if p, ok := parseColor(r.get("background-color")); ok && p.alpha > 0 {
		if ground := p.over(in.ground); ground != in.ground {
			in.ground, r.boxed = ground, true
			r.set("background", ground.String())
		}
	}
	isLink := r.name == atom.A
	if p, ok := parseColor(r.get("color")); ok && p.alpha > 0 { // transparent text is an effect
		in.ink = p.over(in.ground)
	} else if isLink {
		in.ink = defaultLink
	}
	if shown := in.ink.on(in.ground); shown != in.shown || isLink {
		in.shown = shown
		r.set("color", shown.String())
	}
	return in
}

// text sets the properties of letters and lines.
func (r *reader) text() {
	if r.name == atom.Img || r.name == atom.Hr {
		return
	}
	r.font()
	for _, k := range keywords {
		v := strings.TrimPrefix(r.word(k.property), "-webkit-")
		const maxCapitals = 120 // characters; a story in capitals is hard to read
		if slices.Contains(strings.Fields(k.values), v) && (v != "uppercase" || r.length <= maxCapitals) {
			r.set(strings.TrimSuffix(k.property, "-line"), v)
		}
	}
	size := r.styles.size(r.node) * r.scale
	if v, ok := r.pixels("letter-spacing"); ok && size > 0 {
		r.set("letter-spacing", decimal(within(v/size, -0.05, 0.2))+"em")
	}
	if v, ok := r.pixels("text-indent"); ok {
		r.set("text-indent", rem(within(v, 0, maxAcross)))
	}
}

// keywords are the words that properties of texts may have.
var keywords = []struct{ property, values string }{
	{"text-align", "left right center start end justify"}, {"text-transform", "none lowercase capitalize uppercase"},
	{"letter-spacing", "normal"}, {"text-decoration-line", "none underline line-through overline"}, {"font-style", "normal italic oblique"},
	{"list-style-type", "none disc circle square decimal lower-alpha upper-alpha lower-roman upper-roman"},
}

// font sets font and line height.
func (r *reader) font() {
	if list := familyList(r.get("font-family")); list != "" {
		r.set("font-family", list)
	}
	size := r.styles.size(r.node) * r.scale
	isRaised := r.name == atom.Sub || r.name == atom.Sup || r.name == atom.Rt
	if r.get("font-size") != "" && size > 0 && !isRaised {
		largest := float64(maxSize)
		if slices.Contains(headings, r.name) {
			largest = maxHeading
		}
		r.set("font-size", rem(within(size, minSize, largest)))
	}
	if v, ok := parseWeight(r.word("font-weight")); ok {
		r.set("font-weight", strconv.Itoa(max(300, min(v, 900))))
	}
	if v := leading(r.word("line-height"), r.styles.size(r.node)); v > 0 && !isRaised {
		least := 1.25
		if size >= 24 {
			least = 1
		}
		r.set("line-height", decimal(within(v, least, 2)))
	}
}

var headings = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

var sideNames = [...]string{"top", "right", "bottom", "left"}

// isWrapper reports whether the element contains most of the story.
func (r *reader) isWrapper() bool { return 2*r.length > r.whole && r.name == atom.Div }

// box sets display, borders, margins and paddings.
func (r *reader) box() {
	if v := displays[r.word("display")]; isInline(r.name) && v != "" {
		r.set("display", v)
	}
	r.borders()
	isWrapper := r.isWrapper()
	isCell := r.name == atom.Td || r.name == atom.Th
	isList := (r.name == atom.Ul || r.name == atom.Ol) && r.styles.value(r.node, "list-style-type") != "none"
	isPlain := (r.name == atom.Div || r.name == atom.P || slices.Contains(headings, r.name)) && !r.boxed
	for i, side := range sideNames {
		isAcross := i%2 == 1
		limit := float64(maxDown)
		if isAcross {
			limit = maxAcross
		}
		if isPlain && isAcross || isWrapper && !r.boxed || isList && side == "left" {
			continue // it separates columns, or leaves room for the markers
		}
		if v, ok := r.pixels("padding-" + side); ok && r.name != atom.Img {
			r.set("padding-"+side, rem(within(v, 0, limit)))
		}
		switch v, ok := r.pixels("margin-" + side); {
		case isCell || isWrapper:
		case isAcross && (v > limit || r.word("margin-"+side) == "auto"): // centred in something wider
			if r.name == atom.Img || r.name == atom.Figure {
				r.set("margin-"+side, "auto")
			}
		case ok && (v >= 1 || r.name != atom.P || r.get("text-indent") != ""): // what separates the paragraphs may be gone
			r.set("margin-"+side, rem(within(v, 0, limit)))
		}
	}
}

// displays are the values of display in which an element of a line is a box. Columns become rows,
// since what stood beside the story is gone.
var displays = map[string]string{
	"block": "block", "flex": "block", "grid": "block", "list-item": "block", "table": "block", "flow-root": "block",
	"inline-block": "inline-block", "inline-flex": "inline-block",
}

// borders sets the lines around an element.
func (r *reader) borders() {
	var lines []string
	for _, side := range sideNames {
		name := "border-" + side
		style, ok := borderStyles[r.word(name+"-style")]
		width, isName := borderWidths[r.word(name+"-width")]
		if v, isLength := r.pixels(name + "-width"); isLength && !isName {
			width = v / r.scale
		} else if !isName {
			width = borderWidths["medium"]
		}
		color, hasColor := parseColor(r.get(name + "-color"))
		if !ok || width < 0.1 || hasColor && color.alpha == 0 {
			continue
		}
		line := name + ": " + decimal(within(width, 1, maxBorder)) + "px " + style
		if hasColor {
			line += " " + color.over(white).String()
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 || r.isWrapper() && len(lines) < len(sideNames) {
		return // a line between the story and something else
	}
	r.boxed = true
	r.out = append(r.out, lines...)
	if v, ok := r.pixels("border-top-left-radius"); ok && v > 0 {
		r.set("border-radius", decimal(within(v/r.scale, 0, maxRadius))+"px")
	}
}

var borderWidths = map[string]float64{"thin": 1, "medium": 3, "thick": 5}

var borderStyles = map[string]string{
	"solid": "solid", "dashed": "dashed", "dotted": "dotted", "double": "double",
	"groove": "solid", "ridge": "solid", "inset": "solid", "outset": "solid",
}

// floating returns the declarations of an element that stands beside the text, as
// pictures and quotes do. It needs a width, and on phones it is above the text.
func (r *reader) floating(t *subtree) []string {
	width, ok := r.width()
	switch {
	case r.name != atom.Img && r.name != atom.Table || !ok || width < 40:
	case width >= 0.8*column:
		r.set("width", "100%")
	case r.name == atom.Img:
		r.set("width", "min(100%, "+rem(width)+")")
	}
	side := r.word("float")
	if side != "left" && side != "right" || 4*r.length > r.whole {
		return nil
	}
	if !ok {
		for img := range t.doc.All(r.node, dom.Img) {
			if t.media[img] != nil {
				width, ok = parseLength(r.styles.own(img, "width"), 0)
				width *= r.scale
			}
		}
	}
	const least, most = 80, 0.6 * column
	if !ok || width < least || width > most {
		return nil
	}
	margin := map[string]string{"left": "0.3em 1.5em 1em 0", "right": "0.3em 0 1em 1.5em"}[side]
	return []string{"float: " + side, "width: " + rem(width), "max-width: 50%", "clear: " + side, "margin: " + margin}
}

// width returns the width of an element, if the page sets it.
func (r *reader) width() (float64, bool) {
	v := r.word("width")
	if percent, ok := strings.CutSuffix(v, "%"); ok {
		p, ok := parseNumber(percent)
		return p / 100 * column, ok
	}
	px, ok := parseLength(v, r.styles.size(r.node))
	if !ok {
		px, ok = parseNumber(v) // of an attribute
	}
	return px * r.scale, ok
}

// within limits v; NaN becomes the lower limit.
func within(v, low, high float64) float64 {
	if math.IsNaN(v) {
		return low
	}
	return min(max(v, low), high)
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

// rem returns a size relative to the font size that the reader has set.
func rem(px float64) string { return decimal(px/css.InitialFontSize) + "rem" }

//go:embed styled.css
var commonSheet string

//go:embed print.css
var lastSheet string
