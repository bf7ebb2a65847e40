package dom

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// ahead is the text of a subtree that is not indexed yet.
type ahead struct {
	prose, other int  // characters of prose outside of links, and of other text
	paragraphs   bool // there is prose in paragraphs
	controls     bool // there are buttons or fields
	unknown      bool // too much of the page was read ahead
}

// lookAhead reads the text of a subtree before it is indexed.
func (h *hiddenText) lookAhead(n *html.Node) (a ahead) {
	const maxNodes = 100_000 // on a page
	for m := range preorder(n) {
		if h.ahead++; h.ahead > maxNodes {
			return ahead{unknown: true}
		}
		switch m.Type {
		case html.ElementNode:
			switch m.DataAtom {
			case atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Form, atom.Nav:
				a.controls = true
			}
		case html.TextNode:
			a.add(m, n)
		}
	}
	return a
}

// add adds a text in the subtree of root.
func (a *ahead) add(m, root *html.Node) {
	const maxLevels = 4 // of elements around a text in a link
	prose := proseChars(m.Data)
	for p, i := m.Parent, 0; p != nil && i < maxLevels; p, i = p.Parent, i+1 {
		switch p.DataAtom {
		case atom.Script, atom.Style, atom.Noscript, atom.Template:
			return
		case atom.A, atom.Button:
			prose = 0
		case atom.P, atom.Li, atom.Dd:
			a.paragraphs = a.paragraphs || prose > 0
		}
		if p == root {
			break
		}
	}
	if prose > 0 {
		a.prose += prose
		return
	}
	a.other += len(strings.TrimSpace(m.Data))
}

// isLabel reports whether an unseen element holds a label. A long text with such a
// name is shown after all, since its name may mean something else, and so is a mark
// alone: the colon between a kicker and a headline, which readers see as a new line.
func (h *hiddenText) isLabel(n *html.Node) bool {
	const maxProse = 600 // characters
	if a := h.lookAhead(n); a.unknown || a.prose > maxProse {
		return false
	}
	return hasLetters(n) && !isTwin(elementBefore(n), n) && !isTwin(elementAfter(n), n)
}

// hasLetters reports whether the text of n has a letter or a digit.
func hasLetters(n *html.Node) bool {
	for m := range preorder(n) {
		if m.Type == html.TextNode && strings.ContainsFunc(m.Data, isWordRune) {
			return true
		}
	}
	return false
}

// isTwin reports whether twin is hidden from screen readers, which are given n in its
// place. One of the two is text of the page.
func isTwin(twin, n *html.Node) bool {
	if twin == nil || !strings.EqualFold(attribute(twin, "aria-hidden"), "true") {
		return false
	}
	own := letters(twin)
	return own != "" && strings.Contains(letters(n), own)
}

// elementBefore returns the element before n if no text is between them, or nil.
func elementBefore(n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && isBlankText(n); n = n.PrevSibling {
	}
	return n
}

// elementAfter returns the element after n if no text is between them, or nil.
func elementAfter(n *html.Node) *html.Node {
	for n = n.NextSibling; n != nil && isBlankText(n); n = n.NextSibling {
	}
	return n
}

func isBlankText(n *html.Node) bool {
	return n.Type == html.CommentNode || n.Type == html.TextNode && isBlank(n.Data)
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// letters returns the letters and digits of the first words in n, in lower case.
func letters(n *html.Node) string {
	const maxLen = 256
	var b strings.Builder
	for m := range preorder(n) {
		if m.Type != html.TextNode {
			continue
		}
		for _, r := range m.Data {
			if b.Len() > maxLen {
				return b.String()
			}
			if isWordRune(r) {
				b.WriteRune(unicode.ToLower(r))
			}
		}
	}
	return b.String()
}

// isProse reports whether an element that is hidden only from screen readers holds
// prose and hardly anything else: a part of the story or a closed section, and not an
// icon, a menu, a dialog or a teaser.
func (b *builder) isProse(n *html.Node, tag Tag) bool {
	const minProse, muchMore = 80, 2
	if !tag.IsBlock() || attribute(n, "role") == "dialog" || besideStory(n) {
		return false
	}
	a := b.lookAhead(n)
	return !a.unknown && !a.controls && a.paragraphs && a.prose >= minProse && a.prose > muchMore*a.other
}

// besideStory reports whether n is, or is inside, an element that stories are not in.
func besideStory(n *html.Node) bool {
	const maxLevels = 64
	for i := 0; n != nil && i < maxLevels; n, i = n.Parent, i+1 {
		switch n.DataAtom {
		case atom.Nav, atom.Dialog, atom.Aside, atom.Header, atom.Footer:
			return true
		}
	}
	return false
}
