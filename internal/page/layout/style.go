package layout

import (
	"slices"
	"strings"
	"sync"

	"github.com/lede-news/lede/internal/page/css"
)

// style is the computed style of an element.
type style struct {
	l [lengths]length
	k [keywords]word

	size       float32 // of the font
	lineFactor float32 // line-height as a number
	linePx     float32 // line-height as a length; with neither it is normal
	weight     int16

	grow, shrink float32
	ratio        float32 // aspect-ratio, 0 for none
	grid         *gridStyle
}

// gridStyle has the texts of gridTemplateColumns to gridArea. It is separate, since
// few elements have it.
type gridStyle [gridEnd - gridTemplateColumns]string

func (s *style) gridText(p property) string {
	if s.grid == nil {
		return ""
	}
	return s.grid[p-gridTemplateColumns]
}

func (s *style) word(p property) word { return s.k[p-lengths] }

func (s *style) setWord(p property, w word) { s.k[p-lengths] = w }

// initialStyle has the initial value of every property. It is read only.
var initialStyle = func() (s style) {
	for _, p := range [...]property{insetTop, insetRight, insetBottom, insetLeft, width, height, minWidth, minHeight, maxWidth, maxHeight, flexBasis} {
		s.l[p] = auto
	}
	for _, k := range [...]struct {
		property
		word
	}{
		{display, inline}, {position, static}, {float, none}, {clear, none}, {visibility, visible},
		{boxSizing, contentBox}, {textAlign, start}, {whiteSpace, normal}, {verticalAlign, baseline},
		{overflow, visible}, {flexDirection, row}, {flexWrap, nowrap}, {justifyContent, start},
		{alignItems, stretch}, {alignSelf, autoWord}, {direction, ltr}, {fontFamily, serif},
		{textTransform, none}, {borderCollapse, normal}, {gridAutoFlow, row}, {clipping, visible},
	} {
		s.setWord(k.property, k.word)
	}
	s.size, s.weight, s.shrink = 16, 400, 1
	return s
}()

// startFrom sets s to the style of a child of parent without declarations.
func (s *style) startFrom(parent *style) {
	*s = initialStyle
	s.size, s.weight = parent.size, parent.weight
	s.lineFactor, s.linePx = parent.lineFactor, parent.linePx
	for _, p := range inheritedLengths {
		s.l[p] = parent.l[p]
	}
	for _, p := range inheritedKeywords {
		s.setWord(p, parent.word(p))
	}
}

// applyFont applies d if it sets the font size or weight. Fonts come first, since
// lengths may be relative to them.
func (s *style) applyFont(d *declaration, parent *style, rem float32) {
	if d.property != fontSize && d.property != fontWeight {
		return
	}
	v := &d.value
	switch from, ignored := d.source(parent); {
	case ignored:
	case d.property == fontSize && from != nil:
		s.size = from.size
	case d.property == fontSize:
		s.setSize(v, parent, rem)
	case from != nil:
		s.weight = from.weight
	case v.Kind == css.Number && v.Length.Px >= 1 && v.Length.Px <= 1000:
		s.weight = int16(v.Length.Px)
	case v.word == bold:
		s.weight = 700
	case v.word == normal:
		s.weight = 400
	case v.word == bolder: // CSS Fonts 4 §2.2.1
		s.weight = 700
		if parent.weight >= 600 {
			s.weight = max(parent.weight, 900)
		}
	case v.word == lighter:
		s.weight = 400
		if parent.weight < 600 {
			s.weight = 100
		}
	}
}

// setSize follows CSS Fonts 4 §2.5.
func (s *style) setSize(v *value, parent *style, rem float32) {
	const most = 2000
	size := float32(-1)
	switch {
	case v.Kind == css.Size || v.Kind == css.Number && v.Length.Px == 0:
		r := resolve(v.Length, parent.size, rem)
		size = r.px + r.pct*parent.size
	case v.Kind != css.Word:
	case v.word >= xxSmall && v.word <= xxxLarge:
		size = [...]float32{9, 10, 13, 16, 18, 24, 32, 48}[v.word-xxSmall]
	case v.word == smaller:
		size = parent.size / 1.2
	case v.word == larger:
		size = parent.size * 1.2
	}
	if size >= 0 {
		s.size = min(size, most)
	}
}

// source returns the style from which a declaration with inherit, initial or unset
// takes its value, or nil. A declaration with revert is ignored.
func (d *declaration) source(parent *style) (from *style, ignored bool) {
	switch w := d.value.word; {
	case w == inherit, w == unset && d.property.inherits():
		return parent, false
	case w == initial, w == unset:
		return &initialStyle, false
	}
	return nil, d.value.word == revert
}

// apply applies any other declaration.
func (s *style) apply(d *declaration, parent *style, rem float32) {
	v, p := &d.value, d.property
	from, ignored := d.source(parent)
	switch {
	case ignored:
	case p < lengths:
		if from != nil {
			s.l[p] = from.l[p]
		} else if l, ok := v.length(p, s.size, rem); ok {
			s.l[p] = l
		}
	case p < keywordEnd:
		if from != nil {
			s.setWord(p, from.word(p))
		} else if v.Kind == css.Word && v.word.fits(p) {
			s.setWord(p, v.word)
		}
	case p == lineHeight:
		s.setLineHeight(v, from, rem)
	case v.Kind == css.Number && v.Length.Px >= 0:
		switch p {
		case flexGrow:
			s.grow = v.Length.Px
		case flexShrink:
			s.shrink = v.Length.Px
		case aspectRatio:
			s.ratio = v.Length.Px
		}
	case v.Kind == css.Text && from == nil && p >= gridTemplateColumns:
		g := gridStyle{}
		if s.grid != nil {
			g = *s.grid // which others may share
		}
		g[p-gridTemplateColumns] = v.Text
		s.grid = &g
	}
}

func (s *style) setLineHeight(v *value, from *style, rem float32) {
	switch {
	case from != nil:
		s.lineFactor, s.linePx = from.lineFactor, from.linePx
	case v.Kind == css.Number && v.Length.Px >= 0:
		s.lineFactor, s.linePx = v.Length.Px, 0
	case v.Kind == css.Size:
		l := resolve(v.Length, s.size, rem)
		if px := l.px + l.pct*s.size; px >= 0 {
			s.lineFactor, s.linePx = 0, px
		}
	case v.word == normal:
		s.lineFactor, s.linePx = 0, 0
	}
}

// length reads v as the length of p.
func (v *value) length(p property, em, rem float32) (length, bool) {
	if v.Kind == css.Word {
		isBorder := p >= borderTop && p <= borderLeft
		switch {
		case v.word == autoWord || v.word == none:
			return auto, p <= marginLeft || p >= insetTop && p <= maxHeight || p == flexBasis
		case v.word == fitContent:
			return fit, p >= width && p <= maxHeight || p == flexBasis
		case v.word == normal:
			return length{}, p == rowGap || p == columnGap
		case v.word == thin && isBorder:
			return length{px: 1}, true
		case v.word == medium && isBorder:
			return length{px: 3}, true
		case v.word == thick && isBorder:
			return length{px: 5}, true
		}
		return length{}, false
	}
	if v.Kind != css.Size && (v.Kind != css.Number || v.Length.Px != 0) {
		return length{}, false
	}
	l := resolve(v.Length, em, rem)
	if mayBeNegative := p <= marginLeft || p >= insetTop && p <= insetLeft || p == textIndent; !mayBeNegative && l.px < 0 && l.pct <= 0 {
		return length{}, false
	}
	return l, true
}

// fits reports whether w is a value of p; others are ignored.
func (w word) fits(p property) bool {
	switch p {
	case display:
		return w == none || w >= inline && w <= ruby
	case position:
		return w >= static && w <= sticky
	case float:
		return w == left || w == right || w == none
	case clear:
		return w == left || w == right || w == both || w == none
	case visibility:
		return w == visible || w == hidden || w == collapse
	case boxSizing:
		return w == borderBox || w == contentBox
	case whiteSpace:
		return w == normal || w >= nowrap && w <= preWrap
	case overflow:
		return w == visible || w == hidden || w == clip || w == scroll || w == autoWord
	case direction:
		return w == rtl || w == ltr
	case flexDirection:
		return w >= row && w <= columnReverse
	}
	return w != noWord
}

// property is a property that affects the layout. Lengths come first, then
// keywords, so that a style is two arrays and a few numbers.
type property uint8

const (
	marginTop property = iota
	marginRight
	marginBottom
	marginLeft
	paddingTop
	paddingRight
	paddingBottom
	paddingLeft
	borderTop // border-top-width, and so on
	borderRight
	borderBottom
	borderLeft
	insetTop // top, and so on
	insetRight
	insetBottom
	insetLeft
	width
	height
	minWidth
	minHeight
	maxWidth
	maxHeight
	textIndent
	flexBasis
	rowGap
	columnGap
	borderSpacing
	lengths // number of lengths
)

const (
	display = lengths + iota
	position
	float
	clear
	visibility
	boxSizing
	textAlign
	whiteSpace
	verticalAlign
	overflow
	flexDirection
	flexWrap
	justifyContent
	alignItems
	alignSelf
	direction
	fontFamily
	textTransform
	borderCollapse
	gridAutoFlow
	clipping   // clip and clip-path: hidden if nothing is left
	keywordEnd // one past the last keyword
)

const (
	flexGrow = keywordEnd + iota
	flexShrink
	fontSize
	fontWeight
	lineHeight
	aspectRatio
	gridTemplateColumns
	gridTemplateAreas
	gridColumn
	gridRow
	gridArea
	gridEnd // one past the last text of a grid
)

const keywords = keywordEnd - lengths

// Inherited properties, besides those of fonts.
var (
	inheritedLengths  = [...]property{textIndent, borderSpacing}
	inheritedKeywords = [...]property{visibility, textAlign, whiteSpace, direction, fontFamily, textTransform, borderCollapse}
)

func (p property) inherits() bool {
	switch p {
	case fontSize, fontWeight, lineHeight:
		return true
	}
	return slices.Contains(inheritedLengths[:], p) || slices.Contains(inheritedKeywords[:], p)
}

// word is a keyword of one of the properties.
type word uint8

const (
	noWord word = iota // any other
	// CSS-wide (CSS Cascade 4 §7.3)
	inherit
	initial
	unset
	revert
	// lengths
	autoWord
	none
	fitContent
	// display and white-space
	inline
	block
	inlineBlock
	listItem
	flex
	inlineFlex
	grid
	inlineGrid
	table
	inlineTable
	tableRow
	tableRowGroup
	tableCell
	tableColumn
	tableCaption
	contents
	flowRoot
	ruby
	nowrap
	pre
	preLine
	preWrap
	// position
	static
	relativePos
	absolute
	fixed
	sticky
	// float, clear, text-align, vertical-align, flex alignment
	left
	right
	both
	center
	justify
	start
	end
	legacyCenter // of <center> and align=center: aligns blocks too
	legacyLeft
	legacyRight
	top
	middle
	bottom
	baseline
	stretch
	spaceBetween
	spaceAround
	spaceEvenly
	// the rest
	visible
	hidden
	collapse
	clip
	scroll
	borderBox
	contentBox
	row
	rowReverse
	column
	columnReverse
	wrap
	rtl
	ltr
	serif
	sans
	mono
	normal
	bold
	bolder
	lighter
	uppercase
	// font sizes, in order (CSS Fonts 4 §2.5)
	xxSmall
	xSmall
	small
	medium
	large
	xLarge
	xxLarge
	xxxLarge
	smaller
	larger
	thin
	thick
	dense
)

// words has the keywords by name. It is read only.
var words = sync.OnceValue(func() map[string]word {
	return map[string]word{
		"inherit": inherit, "initial": initial, "unset": unset, "revert": revert, "revert-layer": revert,
		"auto": autoWord, "none": none,
		"fit-content": fitContent, "-moz-fit-content": fitContent, "max-content": fitContent, "min-content": fitContent,
		"inline": inline, "block": block, "inline-block": inlineBlock, "list-item": listItem,
		"flex": flex, "-webkit-flex": flex, "-webkit-box": flex, "-ms-flexbox": flex,
		"inline-flex": inlineFlex, "-webkit-inline-box": inlineFlex, "-ms-inline-flexbox": inlineFlex,
		"grid": grid, "-ms-grid": grid, "inline-grid": inlineGrid,
		"table": table, "inline-table": inlineTable, "table-row": tableRow, "table-cell": tableCell,
		"table-row-group": tableRowGroup, "table-header-group": tableRowGroup, "table-footer-group": tableRowGroup,
		"table-column": tableColumn, "table-column-group": tableColumn, "table-caption": tableCaption,
		"contents": contents, "flow-root": flowRoot, "ruby": ruby,
		"nowrap": nowrap, "pre": pre, "pre-line": preLine, "pre-wrap": preWrap, "break-spaces": preWrap,
		"static": static, "relative": relativePos, "absolute": absolute, "fixed": fixed,
		"sticky": sticky, "-webkit-sticky": sticky,
		"left": left, "right": right, "both": both, "center": center, "justify": justify,
		"start": start, "end": end, "flex-start": start, "flex-end": end, "self-start": start, "self-end": end,
		"inline-start": left, "inline-end": right,
		"-webkit-center": legacyCenter, "-moz-center": legacyCenter, "-webkit-left": legacyLeft, "-webkit-right": legacyRight,
		"top": top, "middle": middle, "bottom": bottom, "baseline": baseline, "stretch": stretch,
		"text-top": top, "text-bottom": bottom,
		"space-between": spaceBetween, "space-around": spaceAround, "space-evenly": spaceEvenly,
		"visible": visible, "hidden": hidden, "collapse": collapse, "clip": clip, "scroll": scroll,
		"border-box": borderBox, "content-box": contentBox,
		"row": row, "row-reverse": rowReverse, "column": column, "column-reverse": columnReverse,
		"wrap": wrap, "wrap-reverse": wrap, "rtl": rtl, "ltr": ltr,
		"normal": normal, "bold": bold, "bolder": bolder, "lighter": lighter, "uppercase": uppercase,
		"xx-small": xxSmall, "x-small": xSmall, "small": small, "medium": medium, "large": large,
		"x-large": xLarge, "xx-large": xxLarge, "xxx-large": xxxLarge, "smaller": smaller, "larger": larger,
		"thin": thin, "thick": thick, "dense": dense,
	}
})

func wordOf(s string) word {
	return words()[strings.ToLower(strings.TrimSpace(s))]
}
