package dom

import (
	"slices"
	"strings"
)

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
