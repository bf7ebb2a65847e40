package layout

import "strings"

type shorthand func(c *viewport, val string, out []declaration) []declaration

// shorthands is read only.
var shorthands = map[string]shorthand{
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

// sides sets one to four sides, in the way of margin (CSS Box 3 §4.2): what
// is missing is taken from the opposite side.
func sides(ps ...property) shorthand {
	return func(c *viewport, val string, out []declaration) []declaration {
		var vs [4]value
		n := 0
		for n < len(ps) && val != "" {
			v, rest, ok := c.component(val)
			if !ok {
				return out
			}
			vs[n] = v
			n++
			val = trim(rest)
		}
		if n == 0 {
			return out
		}
		for i := n; i < len(ps); i++ {
			vs[i] = vs[max(0, i-2)]
		}
		for i, p := range ps {
			out = append(out, declaration{property: p, value: vs[i]})
		}
		return out
	}
}

// border reads the width out of "1px solid red". Without a style there is no
// border, however wide (CSS Backgrounds 3 §3.2).
func border(ps ...property) shorthand {
	return func(c *viewport, val string, out []declaration) []declaration {
		w := value{kind: isLength, rel: relative{px: 3}} // medium
		styled, sized := false, false
		for n := 0; val != "" && n < 8; n++ {
			end := componentEnd(val)
			tok := lower(val[:end])
			val = trim(val[end:])
			switch tok {
			case "none", "hidden":
				w, styled = value{kind: isLength}, true
			case "solid", "dashed", "dotted", "double", "groove", "ridge", "inset", "outset":
				styled = true
			case "thin":
				w.rel.px = 1
			case "thick":
				w.rel.px = 5
			default:
				if v, _, ok := c.component(tok); ok && (v.kind == isLength || v.kind == isNumber) {
					w, sized = v, true
				}
			}
		}
		if !styled {
			if !sized {
				return out
			}
			w = value{kind: isLength}
		}
		for _, p := range ps {
			out = append(out, declaration{property: p, value: w})
		}
		return out
	}
}

// font reads "bold 12px/1.5 Arial" (CSS Fonts 4 §2.7). It resets weight and
// line height where it does not name them.
func font(c *viewport, val string, out []declaration) []declaration {
	if w := wideWord(val); w != noWord {
		for _, p := range [...]property{fontSize, fontWeight, lineHeight, fontFamily} {
			out = append(out, declaration{property: p, value: value{word: w}})
		}
		return out
	}
	weight, height := value{word: normal}, value{word: normal}
	for n := 0; n < 8; n++ {
		v, rest, ok := c.component(val)
		if !ok {
			return out
		}
		isSize := v.kind == isLength || v.kind == isWord && v.word >= xxSmall && v.word <= larger
		if v.kind == isNumber && v.rel.px < 100 {
			isSize = true // "font: 12 Arial", as old pages have it
		}
		if !isSize {
			if v.kind == isNumber || v.word == bold || v.word == bolder || v.word == lighter {
				weight = v
			}
			val = rest
			continue
		}
		if rest = trim(rest); strings.HasPrefix(rest, "/") {
			if height, rest, ok = c.component(rest[1:]); !ok {
				return out
			}
		}
		out = append(out,
			declaration{property: fontSize, value: v},
			declaration{property: fontWeight, value: weight},
			declaration{property: lineHeight, value: height})
		return family(c, rest, out)
	}
	return out
}

// family keeps which of three kinds of letters a font has; their widths differ.
func family(_ *viewport, val string, out []declaration) []declaration {
	w := wideWord(val)
	for n := 0; w == noWord && val != "" && n < 12; n++ {
		i := topLevel(val, ',')
		w = familyOf(lower(strings.Trim(trim(val[:i]), `"'`)))
		val = val[min(i+1, len(val)):]
	}
	if w == noWord {
		return out
	}
	return append(out, declaration{property: fontFamily, value: value{word: w}})
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

func flexible(c *viewport, val string, out []declaration) []declaration {
	num := func(f float32) value { return value{kind: isNumber, rel: relative{px: f}} }
	grow, shrink, basis := num(1), num(1), value{kind: isLength}
	switch wordOf(lower(val)) {
	case autoWord:
		basis = value{word: autoWord}
	case none:
		grow, shrink, basis = num(0), num(0), value{word: autoWord}
	case initial, unset, revert:
		grow, basis = num(0), value{word: autoWord}
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
			case v.kind == isNumber && numbers == 0:
				grow = v
				numbers++
			case v.kind == isNumber && numbers == 1:
				shrink = v
				numbers++
			case v.kind == isLength || v.kind == isWord || v.kind == isNumber:
				basis = v
			}
			val = trim(rest)
		}
	}
	return append(out,
		declaration{property: flexGrow, value: grow},
		declaration{property: flexShrink, value: shrink},
		declaration{property: flexBasis, value: basis})
}

func flexFlow(c *viewport, val string, out []declaration) []declaration {
	for n := 0; val != "" && n < 2; n++ {
		v, rest, ok := c.component(val)
		if !ok {
			return out
		}
		p := flexDirection
		if v.word == wrap || v.word == nowrap {
			p = flexWrap
		}
		out = append(out, declaration{property: p, value: v})
		val = trim(rest)
	}
	return out
}

// gridTemplate keeps the columns of "rows / columns".
func gridTemplate(_ *viewport, val string, out []declaration) []declaration {
	i := topLevel(val, '/')
	if i == len(val) {
		return out
	}
	return append(out,
		declaration{property: gridTemplateColumns, value: value{kind: isText, text: trim(val[i+1:])}},
		declaration{property: gridTemplateAreas, value: value{kind: isText, text: val[:i]}})
}

// clipped notes text for screen readers only: a clip that leaves nothing.
func clipped(_ *viewport, val string, out []declaration) []declaration {
	v := value{word: visible}
	open := strings.IndexByte(val, '(')
	if open > 0 {
		args := strings.NewReplacer(",", " ", "px", "", ")", "", "%", "").Replace(val[open+1:])
		switch lower(trim(val[:open])) {
		case "rect":
			v.word = hidden
			for f := range strings.FieldsSeq(args) {
				if f != "0" && f != "1" {
					v.word = visible
				}
			}
		case "inset":
			if a := trim(args); a == "50" || a == "100" {
				v.word = hidden
			}
		}
	}
	return append(out, declaration{property: clipping, value: v})
}

// ratio reads "16 / 9".
func ratio(c *viewport, val string, out []declaration) []declaration {
	val = strings.TrimPrefix(val, "auto")
	w, rest, ok := c.component(val)
	if !ok || w.kind != isNumber {
		return out
	}
	h := value{rel: relative{px: 1}}
	if rest = trim(rest); strings.HasPrefix(rest, "/") {
		if h, _, ok = c.component(rest[1:]); !ok || h.kind != isNumber {
			return out
		}
	}
	if w.rel.px <= 0 || h.rel.px <= 0 {
		return out
	}
	return append(out, declaration{property: aspectRatio, value: value{kind: isNumber, rel: relative{px: w.rel.px / h.rel.px}}})
}
