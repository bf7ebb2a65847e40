package dom

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/page/markup"
)

// attributes is what the index needs to know from the attributes of an element.
type attributes struct {
	link   bool // <a href>
	hidden bool // by hidden, an inline style or as a dialog
	aria   bool // hidden from screen readers
	unseen bool // by a class or an inline style, for all but screen readers
	shadow bool // a template that is a shadow root, which browsers show
	image  bool // <amp-img>
	class  uint16
}

// inspect reads the attributes of n.
func (b *builder) inspect(n markup.Ref, tag Tag) (a attributes) {
	closed := tag == Dialog
	streamed := false
	attrs := b.tree.Attrs(n)
	for i := range attrs {
		switch at := &attrs[i]; at.Key {
		case markup.Href:
			a.link = tag == A
		case markup.Hidden:
			a.hidden = a.hidden || !strings.EqualFold(b.tree.Value(at), "until-found")
		case markup.Popover:
			a.hidden = true
		case markup.Role: // lies over the page: a question about cookies, for example
			role := b.tree.Value(at)
			a.hidden = a.hidden || strings.EqualFold(role, "dialog") || strings.EqualFold(role, "alertdialog")
		case markup.AriaHidden:
			a.aria = strings.EqualFold(strings.TrimSpace(b.tree.Value(at)), "true")
		case markup.Class:
			a.class = b.classes.number(b.tree.Value(at))
			a.unseen = a.unseen || a.class > 0 && b.classes.list[a.class-1].unseen
		case markup.Style:
			hides, unseen := styleHides(b.tree.Value(at))
			a.hidden, a.unseen = a.hidden || hides, a.unseen || unseen
		case markup.ID:
			// React streams parts of a page as <div hidden id="S:1"> and moves
			// them into place later.
			streamed = strings.HasPrefix(b.tree.Value(at), "S:")
		case markup.Open:
			closed = false
		case markup.ShadowRootMode, markup.ShadowRoot:
			a.shadow = tag == Template
		}
	}
	a.hidden = (a.hidden || closed) && !streamed
	switch tag {
	case HTML, Body:
		// A page that is hidden as a whole is shown by a script.
		a.hidden, a.aria, a.unseen = false, false, false
	case Unknown:
		a.image = b.tree.Data(n) == "amp-img"
	}
	return a
}

// styleHides reports whether an inline style hides an element, and whether it hides
// it for all but screen readers.
func styleHides(style string) (hides, unseen bool) {
	if strings.Contains(style, "/*") {
		style = stripComments(style)
	}
	var display, visibility declaration
	var place box
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
		default:
			place.set(prop, val)
		}
	}
	return display.hides || visibility.hides, place.unseen()
}

// declaration is the value of a property so far. A later one overrides it, unless
// only the earlier one is important.
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

// maxRestarts bounds how often a page is indexed again because its story turned
// out to be hidden.
const maxRestarts = 3

// hiddenText finds a story that is hidden behind a consent dialog, or until a
// script runs.
type hiddenText struct {
	current  hiddenSubtree // that the walk is in
	largest  hiddenSubtree
	prose    int          // characters of visible prose
	revealed []markup.Ref // hidden subtrees to show after all
	ahead    int          // nodes that lookAhead has read
}

type hiddenSubtree struct {
	node  markup.Ref
	chars int
}

// leaveHidden notes the end of the subtree of n.
func (h *hiddenText) leaveHidden(n markup.Ref) {
	if h.current.node != n || n == markup.None {
		return
	}
	if h.current.chars > h.largest.chars {
		h.largest = h.current
	}
	h.current = hiddenSubtree{}
}

// storyHidden reports whether one hidden subtree has far more prose than the
// visible page.
func (h *hiddenText) storyHidden() bool {
	const minChars, farMore = 200, 2
	return h.largest.chars > minChars && h.largest.chars > farMore*h.prose
}

// minProse is the least number of bytes of a text that counts as prose. Labels,
// buttons and names of countries are shorter.
const minProse = 40

// proseChars returns the number of characters of a text if it is prose.
func proseChars(s string) int {
	if s = strings.TrimSpace(s); len(s) < minProse {
		return 0
	}
	return utf8.RuneCountInString(s)
}
