package dom

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

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
