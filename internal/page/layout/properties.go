package layout

import (
	"strings"
	"sync"

	"github.com/lede-news/lede/internal/page/css"
)

// reader appends what the value of a property says to out, and nothing if the
// value is invalid.
type reader func(c viewport, val string, out []declaration) []declaration

// readers has every property that affects the layout. It is read only.
var readers = sync.OnceValue(func() map[string]reader {
	all := map[string]reader{
		"margin":         sides(marginTop, marginRight, marginBottom, marginLeft),
		"padding":        sides(paddingTop, paddingRight, paddingBottom, paddingLeft),
		"inset":          sides(insetTop, insetRight, insetBottom, insetLeft),
		"border-width":   sides(borderTop, borderRight, borderBottom, borderLeft),
		"margin-block":   sides(marginTop, marginBottom),
		"margin-inline":  sides(marginLeft, marginRight),
		"padding-block":  sides(paddingTop, paddingBottom),
		"padding-inline": sides(paddingLeft, paddingRight),
		"gap":            sides(rowGap, columnGap),
		"grid-gap":       sides(rowGap, columnGap),
		"border":         border(borderTop, borderRight, borderBottom, borderLeft),
		"border-style":   border(borderTop, borderRight, borderBottom, borderLeft),
		"border-top":     border(borderTop),
		"border-right":   border(borderRight),
		"border-bottom":  border(borderBottom),
		"border-left":    border(borderLeft),
		"font":           font,
		"font-family":    family,
		"flex":           flexible,
		"flex-flow":      flexFlow,
		"grid-template":  gridTemplate,
		"grid":           gridTemplate,
		"clip":           clipped,
		"clip-path":      clipped,
		"aspect-ratio":   ratio,
	}
	for name, p := range map[string]property{
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
	} {
		all[name] = single(p)
	}
	for name, p := range map[string]property{
		"grid-template-columns": gridTemplateColumns, "grid-template-areas": gridTemplateAreas,
		"grid-column": gridColumn, "grid-row": gridRow, "grid-area": gridArea,
	} {
		all[name] = asText(p)
	}
	return all
})

// single reads the first component of a value.
func single(p property) reader {
	return func(c viewport, val string, out []declaration) []declaration {
		if v, _, ok := c.component(val); ok {
			out = append(out, declaration{p, v})
		}
		return out
	}
}

// asText keeps a value for the layout to read.
func asText(p property) reader {
	return func(_ viewport, val string, out []declaration) []declaration {
		v := text(val)
		v.word = wideWord(val)
		return append(out, declaration{p, v})
	}
}

// sides reads one to four values as margin does (CSS Box 3 §4.2): a missing one
// is that of the opposite side.
func sides(ps ...property) reader {
	return func(c viewport, val string, out []declaration) []declaration {
		var vs [4]value
		n := 0
		for n < len(ps) && val != "" {
			v, rest, ok := c.component(val)
			if !ok {
				return out
			}
			vs[n] = v
			n++
			val = rest
		}
		if n == 0 {
			return out
		}
		for i := n; i < len(ps); i++ {
			vs[i] = vs[max(0, i-2)]
		}
		for i, p := range ps {
			out = append(out, declaration{p, vs[i]})
		}
		return out
	}
}

// border reads the width of "1px solid red". Without a style there is no border
// (CSS Backgrounds 3 §3.2).
func border(ps ...property) reader {
	return func(c viewport, val string, out []declaration) []declaration {
		w := pixels(3) // medium
		styled, sized := false, false
		for n := 0; val != "" && n < 8; n++ {
			var token string
			token, val = css.CutComponent(val)
			switch strings.ToLower(token) {
			case "none", "hidden":
				w, styled = pixels(0), true
			case "solid", "dashed", "dotted", "double", "groove", "ridge", "inset", "outset":
				styled = true
			case "thin":
				w = pixels(1)
			case "thick":
				w = pixels(5)
			default:
				if v, _, ok := c.component(token); ok && (v.Kind == css.Size || v.Kind == css.Number) {
					w, sized = v, true
				}
			}
		}
		if !styled {
			if !sized {
				return out
			}
			w = pixels(0)
		}
		return setAll(out, w, ps...)
	}
}

// setAll appends the same value for several properties.
func setAll(out []declaration, v value, ps ...property) []declaration {
	for _, p := range ps {
		out = append(out, declaration{p, v})
	}
	return out
}

// font reads "bold 12px/1.5 Arial" (CSS Fonts 4 §2.7). It resets weight and line
// height if they are missing.
func font(c viewport, val string, out []declaration) []declaration {
	if w := wideWord(val); w != noWord {
		return setAll(out, value{word: w}, fontSize, fontWeight, lineHeight, fontFamily)
	}
	weight, height := value{word: normal}, value{word: normal}
	for n := 0; n < 8; n++ {
		v, rest, ok := c.component(val)
		if !ok {
			return out
		}
		isSize := v.Kind == css.Size || v.Kind == css.Word && v.word >= xxSmall && v.word <= larger
		if v.Kind == css.Number && v.Length.Px < 100 {
			isSize = true // "font: 12 Arial" of old pages
		}
		if !isSize {
			if v.Kind == css.Number || v.word == bold || v.word == bolder || v.word == lighter {
				weight = v
			}
			val = rest
			continue
		}
		if strings.HasPrefix(rest, "/") {
			if height, rest, ok = c.component(rest[1:]); !ok {
				return out
			}
		}
		out = append(out,
			declaration{fontSize, v},
			declaration{fontWeight, weight},
			declaration{lineHeight, height})
		return family(c, rest, out)
	}
	return out
}

// family reads which of three kinds of fonts is meant; their widths differ.
func family(_ viewport, val string, out []declaration) []declaration {
	w := wideWord(val)
	for name := range css.Split(val) {
		if w != noWord {
			break
		}
		w = familyOf(strings.ToLower(css.Unquote(name)))
	}
	if w == noWord {
		return out
	}
	return append(out, declaration{fontFamily, value{word: w}})
}

func familyOf(name string) word {
	switch name {
	case "inherit":
		return inherit
	case "serif", "ui-serif", "georgia", "times", "times new roman", "palatino", "garamond", "cambria", "merriweather", "lora", "playfair display":
		return serif
	case "monospace", "ui-monospace", "courier", "courier new", "consolas", "menlo", "monaco":
		return mono
	case "sans-serif", "system-ui", "ui-sans-serif", "-apple-system", "blinkmacsystemfont", "arial", "helvetica", "helvetica neue",
		"verdana", "tahoma", "roboto", "open sans", "segoe ui", "trebuchet ms", "lato", "inter", "montserrat", "source sans pro", "noto sans":
		return sans
	}
	return noWord
}

func flexible(c viewport, val string, out []declaration) []declaration {
	grow, shrink, basis := number(1), number(1), pixels(0)
	switch wordOf(val) {
	case autoWord:
		basis = value{word: autoWord}
	case none:
		grow, shrink, basis = number(0), number(0), value{word: autoWord}
	case initial, unset, revert:
		grow, basis = number(0), value{word: autoWord}
	case inherit:
		return out
	default:
		numbers := 0
		for n := 0; val != "" && n < 3; n++ {
			v, rest, ok := c.component(val)
			if !ok {
				return out
			}
			switch {
			case v.Kind == css.Number && numbers == 0:
				grow = v
				numbers++
			case v.Kind == css.Number && numbers == 1:
				shrink = v
				numbers++
			case v.Kind == css.Size || v.Kind == css.Word || v.Kind == css.Number:
				basis = v
			}
			val = rest
		}
	}
	return append(out,
		declaration{flexGrow, grow},
		declaration{flexShrink, shrink},
		declaration{flexBasis, basis})
}

func flexFlow(c viewport, val string, out []declaration) []declaration {
	for n := 0; val != "" && n < 2; n++ {
		v, rest, ok := c.component(val)
		if !ok {
			return out
		}
		p := flexDirection
		if v.word == wrap || v.word == nowrap {
			p = flexWrap
		}
		out = append(out, declaration{p, v})
		val = rest
	}
	return out
}

// gridTemplate keeps the columns of "rows / columns".
func gridTemplate(_ viewport, val string, out []declaration) []declaration {
	rows, columns, ok := css.Cut(val, '/')
	if !ok {
		return out
	}
	return append(out, declaration{gridTemplateColumns, text(columns)}, declaration{gridTemplateAreas, text(rows)})
}

// clipped detects text for screen readers: a clip that leaves nothing.
func clipped(_ viewport, val string, out []declaration) []declaration {
	v := value{word: visible}
	open := strings.IndexByte(val, '(')
	if open > 0 {
		args := strings.NewReplacer(",", " ", "px", "", ")", "", "%", "").Replace(val[open+1:])
		switch strings.ToLower(strings.TrimSpace(val[:open])) {
		case "rect":
			v.word = hidden
			for f := range strings.FieldsSeq(args) {
				if f != "0" && f != "1" {
					v.word = visible
				}
			}
		case "inset":
			if a := strings.TrimSpace(args); a == "50" || a == "100" {
				v.word = hidden
			}
		}
	}
	return append(out, declaration{clipping, v})
}

// ratio reads "16 / 9".
func ratio(c viewport, val string, out []declaration) []declaration {
	val = strings.TrimPrefix(val, "auto")
	w, rest, ok := c.component(val)
	if !ok || w.Kind != css.Number {
		return out
	}
	h := number(1)
	if strings.HasPrefix(rest, "/") {
		if h, _, ok = c.component(rest[1:]); !ok || h.Kind != css.Number {
			return out
		}
	}
	if w.Length.Px <= 0 || h.Length.Px <= 0 {
		return out
	}
	return append(out, declaration{aspectRatio, number(w.Length.Px / h.Length.Px)})
}
