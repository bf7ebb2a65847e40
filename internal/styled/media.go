package styled

import "strings"

// screenWidth is that of the screen for which a page's look is taken.
const screenWidth = 1280

// forScreen reports whether the rules in an at-rule count on a usual screen.
func forScreen(prelude string) bool {
	name, query, _ := strings.Cut(strings.ToLower(prelude), " ")
	switch name {
	case "@layer", "@supports":
		return true
	case "@media":
		for one := range strings.SplitSeq(query, ",") {
			if mediaMatches(one) {
				return true
			}
		}
	}
	return false
}

// mediaMatches knows kinds of media and widths; what it does not know does not
// match.
func mediaMatches(query string) bool {
	for part := range strings.SplitSeq(query, " and ") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "only ")
		if part == "screen" || part == "all" {
			continue
		}
		feature, value, _ := strings.Cut(strings.Trim(part, "()"), ":")
		width, ok := parseLength(value, initialSize)
		switch feature = strings.TrimSpace(feature); {
		case ok && feature == "min-width" && width <= screenWidth:
		case ok && feature == "max-width" && width >= screenWidth:
		default:
			return false
		}
	}
	return true
}
