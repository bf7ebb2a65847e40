package compose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// Labels that only screen readers read, such as "(opens in a new window)", stand at
// the end of links in an element of their own. Often only a style sheet outside
// of the page hides them, so that they are known by their repetition.

// countLabel counts a selected text in a link if it may be such a label.
func (c *composer) countLabel(n dom.Node) {
	if !c.doc.InLink(n) {
		return
	}
	if text := c.doc.Text(n); isLabelText(text) && endsLink(c.doc, n) {
		if c.labels == nil {
			c.labels = map[string]int{}
		}
		c.labels[text]++
	}
}

// isLabel reports whether a text is a label at the end of a link that other links
// have too.
func (c *composer) isLabel(n dom.Node) bool {
	const minLinks = 2
	return len(c.labels) > 0 && c.doc.InLink(n) && c.labels[c.doc.Text(n)] >= minLinks && endsLink(c.doc, n)
}

// isLabelText reports whether a text in a link reads like a label: a few words
// without numbers, in parentheses or after a comma.
func isLabelText(s string) bool {
	const minWords, minLetters, maxLen = 3, 8, 80 // Chinese and Japanese have no words; bytes
	first, size := utf8.DecodeRuneInString(s)
	if len(s) > maxLen || first != '(' && first != '（' && first != ',' {
		return false
	}
	inner := s[size:]
	if last, n := utf8.DecodeLastRuneInString(inner); last == ')' || last == '）' {
		inner = inner[:len(inner)-n]
	} else if first != ',' {
		return false
	}
	wide := 0 // letters of scripts without spaces
	for _, r := range inner {
		switch {
		case unicode.IsDigit(r) || strings.ContainsRune("()（）", r):
			return false
		case words.IsIdeograph(r) || unicode.Is(unicode.Thai, r):
			wide++
		}
	}
	return wide >= minLetters || len(strings.Fields(inner)) >= minWords
}

// endsLink reports whether a text is alone in an inline element at the very end of a
// link with other text.
func endsLink(d *dom.Document, n dom.Node) bool {
	const maxDepth = 4 // of the text in the link
	e := d.Parent(n)
	end := d.End(n)
	if d.Tag(e) == dom.A || d.FirstChild(e) != n || d.End(e) != end {
		return false
	}
	for range maxDepth {
		switch p := d.Parent(e); {
		case d.Tag(e).IsBlock() || p == dom.None || d.End(p) != end:
			return false
		case d.Tag(p) == dom.A:
			return d.Chars(p) > d.Chars(n)
		default:
			e = p
		}
	}
	return false
}
