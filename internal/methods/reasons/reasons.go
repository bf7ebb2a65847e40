// Package reasons has the words that the reasons of several methods share. Reasons
// are for readers of news: they say nothing about tags or the tree of a page.
package reasons

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/lines"
)

// Percent returns a probability or a share, such as "53 %". It never rounds up, so
// that what is not enough does not look so.
func Percent(p float64) string {
	const rounding = 1e-3 // of float32
	switch n := int(math.Floor(100*p + rounding)); {
	case n < 1:
		return "under 1 %"
	case n >= 99:
		return "over 99 %"
	default:
		return strconv.Itoa(n) + " %"
	}
}

// Count returns a number of things, such as "1 link" and "2 links".
func Count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// Element says what an element is that never holds text of a story, such as "a menu", or ""
// if it may.
func Element(tag dom.Tag) string {
	switch tag {
	case dom.Nav, dom.Menu:
		return "a menu"
	case dom.Footer:
		return "a footer"
	case dom.Aside:
		return "a box beside the text"
	case dom.Form:
		return "a form"
	case dom.Button:
		return "a button"
	case dom.Select:
		return "a list to choose from"
	case dom.Input, dom.Textarea:
		return "a field of a form"
	case dom.Label:
		return "a label of a form"
	case dom.Dialog:
		return "a window over the page"
	case dom.Caption:
		return "the caption of a table"
	case dom.Img:
		return "a picture"
	case dom.Link, dom.Script, dom.Style, dom.Noscript, dom.Embed, dom.Object, dom.Param, dom.Meta:
		return "nothing that readers see"
	}
	return ""
}

// Quote returns a text of the page in a form that can be quoted in a line, or ""
// if it has no letters or something that is not printable.
func Quote(s string) string {
	const maxChars = 50
	s = lines.Shorten(s, maxChars)
	isBad := func(r rune) bool { return !unicode.IsPrint(r) || r == '“' || r == '”' }
	if !strings.ContainsFunc(s, unicode.IsLetter) || strings.ContainsFunc(s, isBad) {
		return ""
	}
	return s
}
