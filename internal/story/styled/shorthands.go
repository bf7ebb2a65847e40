package styled

import (
	"strings"

	"github.com/lede-news/lede/internal/story/styled/css"
)

// shorthands are the properties that longhands takes apart.
var shorthands = []string{
	"font", "background", "margin", "padding", "border", "border-top", "border-right", "border-bottom", "border-left",
	"border-width", "border-style", "border-color", "border-radius", "text-decoration", "list-style",
	"margin-block", "margin-inline", "padding-block", "padding-inline",
}

// logical replaces the sides of logical properties by those in a script from left to right.
var logical = strings.NewReplacer("-block-start", "-top", "-block-end", "-bottom", "-inline-start", "-left", "-inline-end", "-right")

// longhands sets the properties that a declaration sets.
func longhands(d css.Declaration, set func(property, value string)) {
	name, words := logical.Replace(d.Name), components(d.Value)
	if len(words) == 0 {
		return
	}
	kind, part, _ := strings.Cut(name, "-")
	switch name {
	case "margin", "padding":
		for i, side := range sideNames {
			set(name+"-"+side, ofSide(words, i))
		}
	case "border-width", "border-style", "border-color":
		for i, side := range sideNames {
			set("border-"+side+"-"+part, ofSide(words, i))
		}
	case "margin-block", "padding-block":
		set(kind+"-top", words[0])
		set(kind+"-bottom", words[len(words)-1])
	case "margin-inline", "padding-inline":
		set(kind+"-left", words[0])
		set(kind+"-right", words[len(words)-1])
	case "border":
		for _, side := range sideNames {
			border(words, "border-"+side, set)
		}
	case "border-top", "border-right", "border-bottom", "border-left":
		border(words, name, set)
	case "border-radius":
		set("border-top-left-radius", words[0])
	case "text-decoration":
		set("text-decoration-line", strings.ToLower(words[0]))
	case "list-style":
		set("list-style-type", strings.ToLower(words[0]))
	case "font":
		font(words, d.Value, set)
	case "background":
		color := "transparent"
		for _, word := range words {
			if _, ok := parseColor(word); ok {
				color = word
			}
		}
		set("background-color", color)
	default:
		set(name, d.Value)
	}
}

// components returns the components of a value.
func components(value string) (words []string) {
	const most = 32
	for value != "" && len(words) < most {
		var word string
		word, value = css.CutComponent(value)
		words = append(words, word)
	}
	return words
}

// ofSide returns the value for a side as margin has it (CSS Box 3 §4.2): a missing one is that of
// the opposite side.
func ofSide(words []string, i int) string {
	for i >= min(len(words), 4) {
		i = max(0, i-2)
	}
	return words[i]
}

// font reads "italic 700 38px/1.15 Georgia, serif".
func font(words []string, value string, set func(property, value string)) {
	style, weight, height := "normal", "normal", "normal"
	for i, word := range words {
		_, isName := sizeNames[word]
		_, isLength := parseLength(word, css.InitialFontSize)
		_, isNumber := parseNumber(word)
		_, isWeight := parseWeight(word)
		switch {
		case isName || isLength && !isNumber:
			_, families, _ := strings.Cut(value, word)
			if i+2 < len(words) && words[i+1] == "/" {
				height = words[i+2]
				_, families, _ = strings.Cut(families, height)
			}
			set("font-style", style)
			set("font-weight", weight)
			set("line-height", height)
			set("font-size", word)
			set("font-family", strings.TrimSpace(families))
			return
		case word == "italic" || word == "oblique":
			style = word
		case isWeight:
			weight = word
		}
	}
}

// border reads "1px solid red". Without a style there is no border (CSS Backgrounds 3 §3.2).
func border(words []string, name string, set func(property, value string)) {
	width, style, color := "medium", "none", "currentcolor"
	for _, word := range words {
		_, isName := borderWidths[strings.ToLower(word)]
		_, isLength := parseLength(word, css.InitialFontSize)
		_, isColor := parseColor(word)
		switch {
		case isName || isLength:
			width = word
		case isColor:
			color = word
		default:
			style = word
		}
	}
	set(name+"-width", width)
	set(name+"-style", style)
	set(name+"-color", color)
}
