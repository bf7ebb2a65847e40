package comments

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// IsNamed reports whether the page calls n the place of comments, or a comment.
func IsNamed(d *dom.Document, n dom.Node) bool {
	if saysComment(d, n) {
		return true
	}
	for _, key := range []string{"id", "class"} {
		for name := range strings.FieldsSeq(d.AttrOr(n, key)) {
			if rolesOf(name)&(place|other|beside) == place {
				return true
			}
		}
	}
	return false
}

func isTool(t dom.Tag) bool {
	switch t {
	case dom.Form, dom.Button, dom.Select, dom.Textarea, dom.Input, dom.Label, dom.Nav, dom.Fieldset:
		return true
	}
	return false
}

// isToolBox reports whether n is named for what is pressed.
func isToolBox(d *dom.Document, n dom.Node) bool {
	const long = 25 // words: a name says little of a box of prose
	if isTool(d.Tag(n)) {
		return true
	}
	if d.Words(n) > long {
		return hasRole(d, n, form)
	}
	return hasRole(d, n, tool|form)
}

// hasRole reports whether a class or the id of n says one of the roles.
func hasRole(d *dom.Document, n dom.Node, r role) bool {
	for _, key := range []string{"id", "class"} {
		for name := range strings.FieldsSeq(d.AttrOr(n, key)) {
			if rolesOf(name)&r != 0 {
				return true
			}
		}
	}
	return false
}
