package layout

// word is a keyword that some property here knows.
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
	legacyCenter // what <center> and align=center mean: blocks too
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

// words is read only.
var words = map[string]word{
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

func wordOf(s string) word {
	if len(s) > 24 {
		return noWord
	}
	return words[s]
}
