package styled

import (
	"strings"

	"github.com/lede-news/lede/internal/page/css"
)

// shorthands are the properties that longhands takes apart.
var shorthands = []string{
	"font", "background", "margin", "padding", "border", "border-top", "border-right", "border-bottom", "border-left",
	"border-width", "border-style", "border-color", "border-radius", "text-decoration", "list-style",
	"margin-block", "margin-inline", "padding-block", "padding-inline",
	"margin-block-start", "margin-block-end", "margin-inline-start", "margin-inline-end",
	"padding-block-start", "padding-block-end", "padding-inline-start", "padding-inline-end",
	"border-inline-start", "border-inline-end", "border-block-start", "border-block-end",
}

// sides of the logical properties in a script from left to right.
var logical = strings.NewReplacer("-block-start", "-top", "-block-end", "-bottom", "-inline-start", "-left", "-inline-end", "-right")

// longhands takes apart the shorthands that matter.
func longhands(out []css.Declaration, name, value string) []css.Declaration {
	name = logical.Replace(name)
	switch name {
	case "margin", "padding":
		return fourSides(out, name+"-", "", value)
	case "border-width", "border-style", "border-color":
		return fourSides(out, "border-", strings.TrimPrefix(name, "border"), value)
	case "margin-block", "padding-block", "margin-inline", "padding-inline":
		property, axis, _ := strings.Cut(name, "-")
		first, second, _ := strings.Cut(value, " ")
		if second == "" {
			second = first
		}
		sides := [2]string{"-top", "-bottom"}
		if axis == "inline" {
			sides = [2]string{"-left", "-right"}
		}
		return append(out, css.Declaration{Name: property + sides[0], Value: first}, css.Declaration{Name: property + sides[1], Value: strings.TrimSpace(second)})
	case "border":
		for _, side := range sideNames {
			out = border(out, side, value)
		}
		return out
	case "border-top", "border-right", "border-bottom", "border-left":
		return border(out, strings.TrimPrefix(name, "border-"), value)
	case "border-radius":
		first, _ := css.CutComponent(value)
		return append(out, css.Declaration{Name: "border-top-left-radius", Value: first})
	case "text-decoration", "list-style":
		return firstWord(out, name, strings.ToLower(value))
	case "font":
		return fontShorthand(out, value)
	case "background":
		color := "transparent"
		for rest := value; rest != ""; {
			var word string
			word, rest = css.CutComponent(rest)
			if _, ok := parseColor(word); ok {
				color = word
			}
		}
		return append(out, css.Declaration{Name: "background-color", Value: color})
	}
	return append(out, css.Declaration{Name: name, Value: value})
}

// fontShorthand reads "italic 700 38px/1.15 Georgia, serif".
func fontShorthand(out []css.Declaration, value string) []css.Declaration {
	style, weight, height := "normal", "normal", "normal"
	for value != "" {
		var word string
		word, value = css.CutComponent(value)
		_, isSize := parseSize(word, css.InitialFontSize)
		_, isNumber := parseNumber(word)
		switch {
		case isSize && !isNumber:
			if after, ok := strings.CutPrefix(value, "/"); ok {
				height, value = css.CutComponent(after)
			}
			return append(out,
				css.Declaration{Name: "font-style", Value: style}, css.Declaration{Name: "font-weight", Value: weight},
				css.Declaration{Name: "line-height", Value: height}, css.Declaration{Name: "font-size", Value: word},
				css.Declaration{Name: "font-family", Value: value})
		case word == "italic" || word == "oblique":
			style = word
		default:
			if _, ok := parseWeight(word); ok {
				weight = word
			}
		}
	}
	return out
}

// fourSides reads one to four values as margin does (CSS Box 3 §4.2): a missing
// one is that of the opposite side.
func fourSides(out []css.Declaration, before, after, value string) []css.Declaration {
	var vs []string
	for len(vs) < 4 && value != "" {
		var v string
		v, value = css.CutComponent(value)
		vs = append(vs, v)
	}
	for i := len(vs); i > 0 && i < 4; i++ {
		vs = append(vs, vs[max(0, i-2)])
	}
	for i, v := range vs {
		out = append(out, css.Declaration{Name: before + sideNames[i] + after, Value: v})
	}
	return out
}

// border reads "1px solid red". Without a style there is no border
// (CSS Backgrounds 3 §3.2).
func border(out []css.Declaration, side, value string) []css.Declaration {
	width, style, color := "medium", "none", "currentcolor"
	for value != "" {
		var v string
		v, value = css.CutComponent(value)
		_, isWidth := borderWidths[strings.ToLower(v)]
		_, isLength := parseLength(v, css.InitialFontSize)
		switch _, isColor := parseColor(v); {
		case isWidth || isLength:
			width = v
		case isColor:
			color = v
		default:
			style = v
		}
	}
	return append(out, css.Declaration{Name: "border-" + side + "-width", Value: width},
		css.Declaration{Name: "border-" + side + "-style", Value: style}, css.Declaration{Name: "border-" + side + "-color", Value: color})
}

// firstWord reads the lines of text-decoration or the marker of list-style.
func firstWord(out []css.Declaration, name, value string) []css.Declaration {
	property := map[string]string{"text-decoration": "text-decoration-line", "list-style": "list-style-type"}[name]
	first, _ := css.CutComponent(value)
	return append(out, css.Declaration{Name: property, Value: first})
}
