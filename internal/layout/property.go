package layout

// property is a property that the estimate knows. Lengths come first, then
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
	lengths // how many lengths there are
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
	clipping   // clip and clip-path: hidden, where nothing is left
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
	custom // --name, kept for var()
)

const keywords = keywordEnd - lengths

// inherited says which properties pass to children; the others start anew.
var (
	inheritedLengths  = [...]property{textIndent, borderSpacing}
	inheritedKeywords = [...]property{visibility, textAlign, whiteSpace, direction, fontFamily, textTransform, borderCollapse}
)

func (p property) inherits() bool {
	switch p {
	case fontSize, fontWeight, lineHeight:
		return true
	}
	for _, q := range inheritedLengths {
		if p == q {
			return true
		}
	}
	for _, q := range inheritedKeywords {
		if p == q {
			return true
		}
	}
	return false
}

// singles are the properties that take one component. It is read only.
var singles = map[string]property{
	"margin-top": marginTop, "margin-right": marginRight, "margin-bottom": marginBottom, "margin-left": marginLeft,
	"margin-block-start": marginTop, "margin-block-end": marginBottom,
	"margin-inline-start": marginLeft, "margin-inline-end": marginRight,
	"padding-top": paddingTop, "padding-right": paddingRight, "padding-bottom": paddingBottom, "padding-left": paddingLeft,
	"padding-block-start": paddingTop, "padding-block-end": paddingBottom,
	"padding-inline-start": paddingLeft, "padding-inline-end": paddingRight,
	"border-top-width": borderTop, "border-right-width": borderRight,
	"border-bottom-width": borderBottom, "border-left-width": borderLeft,
	"top": insetTop, "right": insetRight, "bottom": insetBottom, "left": insetLeft,
	"width": width, "height": height, "min-width": minWidth, "min-height": minHeight,
	"max-width": maxWidth, "max-height": maxHeight, "inline-size": width, "max-inline-size": maxWidth,
	"text-indent": textIndent, "flex-basis": flexBasis, "row-gap": rowGap, "grid-row-gap": rowGap,
	"column-gap": columnGap, "grid-column-gap": columnGap, "border-spacing": borderSpacing,
	"display": display, "position": position, "float": float, "clear": clear, "visibility": visibility,
	"box-sizing": boxSizing, "text-align": textAlign, "white-space": whiteSpace, "vertical-align": verticalAlign,
	"flex-direction": flexDirection, "flex-wrap": flexWrap, "justify-content": justifyContent,
	"align-items": alignItems, "align-self": alignSelf, "direction": direction,
	"text-transform": textTransform, "grid-auto-flow": gridAutoFlow, "border-collapse": borderCollapse,
	"flex-grow": flexGrow, "flex-shrink": flexShrink, "font-size": fontSize, "font-weight": fontWeight,
	"line-height": lineHeight,
	"overflow":    overflow, "overflow-x": overflow, "overflow-y": overflow,
}

// texts are those that are kept as they are and read when they are used.
var texts = map[string]property{
	"grid-template-columns": gridTemplateColumns, "grid-template-areas": gridTemplateAreas,
	"grid-column": gridColumn, "grid-row": gridRow, "grid-area": gridArea,
}
