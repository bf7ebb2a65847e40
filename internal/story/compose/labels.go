package compose

import (
	"strings"
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
	const minWords, maxLen = 3, 80 // bytes
	inner, comma := strings.CutPrefix(s, ",")
	if !comma {
		inner = strings.TrimRight(strings.TrimLeft(s, "(（"), ")）")
		if first, _ := utf8.DecodeRuneInString(s); first != '(' && first != '（' || strings.HasSuffix(s, inner) {
			return false
		}
	}
	return len(s) <= maxLen && !strings.ContainsAny(inner, "()（）0123456789") && words.Count(inner, minWords) == minWords
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
