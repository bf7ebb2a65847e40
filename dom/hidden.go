package dom

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// appearance is what the attributes of an element say about how it is shown.
type appearance struct {
	link   bool // <a href>
	hidden bool // by hidden, aria-hidden or an inline style
	shadow bool // a template that is a shadow root: browsers show it
	image  bool // an element of its own kind that shows a picture
}

// inspect reads the attributes of n once.
func inspect(n *html.Node, tag Tag) (a appearance) {
	closed := tag == Dialog
	streamed := false
	for i := range n.Attr {
		switch at := &n.Attr[i]; at.Key {
		case "href":
			a.link = tag == A
		case "hidden":
			a.hidden = a.hidden || !strings.EqualFold(at.Val, "until-found")
		case "popover":
			a.hidden = true
		case "aria-hidden":
			a.hidden = a.hidden || strings.EqualFold(strings.TrimSpace(at.Val), "true")
		case "style":
			a.hidden = a.hidden || styleHides(at.Val)
		case "id":
			// React sends late parts of a page as <div hidden id="S:1"> and
			// moves them into their place when they are there.
			streamed = strings.HasPrefix(at.Val, "S:")
		case "open":
			closed = false
		case "shadowrootmode", "shadowroot":
			a.shadow = tag == Template
		}
	}
	a.hidden = (a.hidden || closed) && !streamed
	switch tag {
	case HTML, Body:
		// A page that hides all of itself waits for a script to show it.
		a.hidden = false
	case Unknown:
		a.image = n.Data == "amp-img"
	}
	return a
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func attr(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// rawText joins all text below n.
func rawText(n *html.Node) string {
	switch {
	case n.Type == html.TextNode:
		return n.Data
	case n.FirstChild == nil:
		return ""
	case n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode:
		return n.FirstChild.Data
	}
	var b strings.Builder
	for c := range preorder(n) {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// preorder goes through n and all below it without recursion.
func preorder(root *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := root; yield(n); {
			if n.FirstChild != nil {
				n = n.FirstChild
				continue
			}
			for n != root && n.NextSibling == nil {
				n = n.Parent
			}
			if n == root {
				return
			}
			n = n.NextSibling
		}
	}
}

// styleHides reports whether an inline style takes an element off the page.
func styleHides(style string) bool {
	if strings.Contains(style, "/*") {
		style = stripComments(style)
	}
	var display, visibility declaration
	for style != "" {
		var decl string
		decl, style, _ = strings.Cut(style, ";")
		prop, val, _ := strings.Cut(decl, ":")
		prop = strings.TrimSpace(prop)
		switch {
		case strings.EqualFold(prop, "display"):
			display.set(val, "none")
		case strings.EqualFold(prop, "visibility"):
			visibility.set(val, "hidden", "collapse")
		}
	}
	return display.hides || visibility.hides
}

// declaration is the value of a property so far: the last one counts, but not
// against an important one.
type declaration struct{ hides, important bool }

func (d *declaration) set(val string, hiding ...string) {
	val, flag, important := strings.Cut(val, "!")
	important = important && strings.EqualFold(strings.TrimSpace(flag), "important")
	if d.important && !important {
		return
	}
	val = strings.TrimSpace(val)
	d.important = important
	d.hides = slices.ContainsFunc(hiding, func(h string) bool { return strings.EqualFold(h, val) })
}

func stripComments(style string) string {
	var b strings.Builder
	for style != "" {
		before, rest, ok := strings.Cut(style, "/*")
		b.WriteString(before)
		if !ok {
			break
		}
		_, style, _ = strings.Cut(rest, "*/")
	}
	return b.String()
}

// maxRescues bounds how often a page is indexed anew because its story turned
// out to stand in something hidden.
const maxRescues = 3

// rescue looks for a story in what an attribute hides: behind a consent dialog,
// or waiting for a script.
type rescue struct {
	current hiddenSubtree // the one that the walk is in
	largest hiddenSubtree
	prose   int          // characters of prose that are shown
	shown   []*html.Node // hidden subtrees that are shown after all
}

type hiddenSubtree struct {
	node  *html.Node
	chars int
}

// leaveHidden notes that the walk is through with n.
func (r *rescue) leaveHidden(n *html.Node) {
	if r.current.node != n || n == nil {
		return
	}
	if r.current.chars > r.largest.chars {
		r.largest = r.current
	}
	r.current = hiddenSubtree{}
}

// storyHidden reports whether far more prose is hidden in one place than is
// shown in the whole page.
func (r *rescue) storyHidden() bool {
	const enough, farMore = 200, 2
	return r.largest.chars > enough && r.largest.chars > farMore*r.prose
}

// long is how many bytes a text has at least that is part of a story; labels,
// buttons and the names of countries have less.
const long = 40

// proseChars counts the characters of a text that nobody sees, if it is long.
func proseChars(s string) int {
	if s = strings.TrimSpace(s); len(s) < long {
		return 0
	}
	return utf8.RuneCountInString(s)
}

func (r *rescue) isShown(n *html.Node) bool {
	for _, s := range r.shown {
		if s == n {
			return true
		}
	}
	return false
}
