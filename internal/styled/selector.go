package styled

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// compound is one part of a selector: a tag, an id and classes.
type compound struct {
	tag, id string
	classes []string
	child   bool // the part before it is the parent, not just an ancestor
}

// selector is parts from the outside in.
type selector struct {
	parts       []compound
	specificity int
}

// parseSelector reads tags, ids and classes below one another. Selectors with
// anything else (states, attributes, siblings) are refused.
func parseSelector(s string) (selector, bool) {
	var sel selector
	child := false
	for word := range strings.FieldsSeq(strings.ReplaceAll(s, ">", " > ")) {
		if word == ">" {
			child = true
			continue
		}
		c, ok := parseCompound(word)
		if !ok || len(sel.parts) == 8 {
			return selector{}, false
		}
		c.child, child = child, false
		sel.parts = append(sel.parts, c)
		sel.specificity += 10 * len(c.classes)
		if c.id != "" {
			sel.specificity += 100
		}
		if c.tag != "" && c.tag != "*" {
			sel.specificity++
		}
	}
	return sel, len(sel.parts) > 0 && !child
}

func parseCompound(s string) (compound, bool) {
	if s == ":root" {
		return compound{tag: "html"}, true
	}
	if strings.ContainsAny(s, ":[]+~()\\\"'&") {
		return compound{}, false
	}
	var c compound
	for s != "" {
		kind := s[0]
		if kind == '.' || kind == '#' {
			s = s[1:]
		}
		end := strings.IndexAny(s, ".#")
		if end < 0 {
			end = len(s)
		}
		name := s[:end]
		s = s[end:]
		switch {
		case name == "":
			return compound{}, false
		case kind == '.':
			c.classes = append(c.classes, name)
		case kind == '#':
			c.id = name
		default:
			c.tag = strings.ToLower(name)
		}
	}
	return c, true
}

func (c *compound) matches(d *dom.Document, n dom.Node) bool {
	if c.tag != "" && c.tag != "*" && c.tag != d.Name(n) || c.id != "" && c.id != d.AttrOr(n, "id") {
		return false
	}
	for _, class := range c.classes {
		if !d.HasClass(n, class) {
			return false
		}
	}
	return true
}

// matches takes the nearest ancestor for each part, and does not look for
// another if that leads nowhere.
func (s *selector) matches(d *dom.Document, n dom.Node, steps *int) bool {
	i := len(s.parts) - 1
	if !s.parts[i].matches(d, n) {
		return false
	}
	child := s.parts[i].child
	for i--; i >= 0; i-- {
		for n = d.Parent(n); ; n = d.Parent(n) {
			if *steps--; n <= d.Root() || *steps < 0 {
				return false
			}
			if s.parts[i].matches(d, n) {
				break
			}
			if child {
				return false
			}
		}
		child = s.parts[i].child
	}
	return true
}
