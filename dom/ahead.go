package dom

import (
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/internal/page/markup"
)

// ahead is the text of a subtree that is not indexed yet.
type ahead struct {
	prose, other int  // characters of prose outside of links, and of other text
	paragraphs   bool // there is prose in paragraphs
	controls     bool // there are buttons or fields
	unknown      bool // too much of the page was read ahead
}

// lookAhead reads the text of a subtree before it is indexed.
func (b *builder) lookAhead(n markup.Ref) (a ahead) {
	const maxNodes = 100_000 // on a page
	for m := range b.tree.Preorder(n) {
		if b.ahead++; b.ahead > maxNodes {
			return ahead{unknown: true}
		}
		switch node := b.tree.Node(m); node.Type {
		case markup.ElementNode:
			switch node.Atom() {
			case atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Form, atom.Nav:
				a.controls = true
			}
		case markup.TextNode:
			a.add(b.tree, m, n)
		}
	}
	return a
}

// add adds a text in the subtree of root.
func (a *ahead) add(t *markup.Tree, m, root markup.Ref) {
	const maxLevels = 4 // of elements around a text in a link
	text := t.Data(m)
	prose := proseChars(text)
	for p, i := t.Node(m).Parent, 0; p != markup.None && i < maxLevels; p, i = t.Node(p).Parent, i+1 {
		switch t.Node(p).Atom() {
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
	a.other += len(strings.TrimSpace(text))
}

// isLabel reports whether an unseen element holds a label. A long text with such a
// name is shown after all, since its name may mean something else, and so is a mark
// alone: the colon between a kicker and a headline, which readers see as a new line.
func (b *builder) isLabel(n markup.Ref) bool {
	const maxProse = 600 // characters
	if a := b.lookAhead(n); a.unknown || a.prose > maxProse {
		return false
	}
	t := b.tree
	return hasLetters(t, n) && !isTwin(t, elementBefore(t, n), n) && !isTwin(t, elementAfter(t, n), n)
}

// hasLetters reports whether the text of n has a letter or a digit.
func hasLetters(t *markup.Tree, n markup.Ref) bool {
	for m := range t.Preorder(n) {
		if t.Node(m).Type == markup.TextNode && strings.ContainsFunc(t.Data(m), isWordRune) {
			return true
		}
	}
	return false
}

// isTwin reports whether twin is hidden from screen readers, which are given n in its
// place. One of the two is text of the page.
func isTwin(t *markup.Tree, twin, n markup.Ref) bool {
	if twin == markup.None || !strings.EqualFold(attribute(t, twin, "aria-hidden"), "true") {
		return false
	}
	own := letters(t, twin)
	return own != "" && strings.Contains(letters(t, n), own)
}

// elementBefore returns the element before n if no text is between them, or None.
func elementBefore(t *markup.Tree, n markup.Ref) markup.Ref {
	for n = t.Node(n).PrevSibling; n != markup.None && isBlankText(t, n); n = t.Node(n).PrevSibling {
	}
	return n
}

// elementAfter returns the element after n if no text is between them, or None.
func elementAfter(t *markup.Tree, n markup.Ref) markup.Ref {
	for n = t.Node(n).NextSibling; n != markup.None && isBlankText(t, n); n = t.Node(n).NextSibling {
	}
	return n
}

func isBlankText(t *markup.Tree, n markup.Ref) bool {
	node := t.Node(n)
	return node.Type == markup.CommentNode || node.Type == markup.TextNode && (node.Blank || isBlank(t.Data(n)))
}

func attribute(t *markup.Tree, n markup.Ref, key string) string {
	v, _ := t.Attr(n, key)
	return strings.TrimSpace(v)
}

// letters returns the letters and digits of the first words in n, in lower case.
func letters(t *markup.Tree, n markup.Ref) string {
	const maxLen = 256
	var b strings.Builder
	for m := range t.Preorder(n) {
		if t.Node(m).Type != markup.TextNode {
			continue
		}
		for _, r := range t.Data(m) {
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
func (b *builder) isProse(n markup.Ref, tag Tag) bool {
	const minProse, muchMore = 80, 2
	if !tag.IsBlock() || attribute(b.tree, n, "role") == "dialog" || besideStory(b.tree, n) {
		return false
	}
	a := b.lookAhead(n)
	return !a.unknown && !a.controls && a.paragraphs && a.prose >= minProse && a.prose > muchMore*a.other
}

// besideStory reports whether n is, or is inside, an element that stories are not in.
func besideStory(t *markup.Tree, n markup.Ref) bool {
	const maxLevels = 64
	for i := 0; n != markup.None && i < maxLevels; n, i = t.Node(n).Parent, i+1 {
		switch t.Node(n).Atom() {
		case atom.Nav, atom.Dialog, atom.Aside, atom.Header, atom.Footer:
			return true
		}
	}
	return false
}
