package styled

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// declaration is a property with its value, both as the page has them.
type declaration struct {
	property, value string
	important       bool
}

// cssRule is a list of declarations for the elements that its selectors match.
type cssRule struct {
	selectors []selector
	body      []declaration
}

const maxRules = 4000

// parseSheet reads a style sheet in a simple way: rules, and of what is in
// at-rules those that are for a usual screen.
func parseSheet(s string) []cssRule { return appendRules(nil, stripComments(s), 0) }

func appendRules(rules []cssRule, s string, depth int) []cssRule {
	for len(rules) < maxRules {
		s = strings.TrimSpace(s)
		open := strings.IndexAny(s, "{;")
		if open < 0 {
			break
		}
		if s[open] == ';' { // @import, @charset, or a slip
			s = s[open+1:]
			continue
		}
		end := blockEnd(s, open)
		prelude, body := strings.TrimSpace(s[:open]), s[open+1:end]
		s = strings.TrimPrefix(s[end:], "}")
		if strings.HasPrefix(prelude, "@") {
			if forScreen(prelude) && depth < 4 {
				rules = appendRules(rules, body, depth+1)
			}
			continue
		}
		var sel []selector
		for one := range strings.SplitSeq(prelude, ",") {
			if parsed, ok := parseSelector(one); ok {
				sel = append(sel, parsed)
			}
		}
		if len(sel) > 0 {
			rules = append(rules, cssRule{sel, parseDeclarations(body)})
		}
	}
	return rules
}

// blockEnd is where the block that opens at i ends: its closing brace, or the
// end of the sheet.
func blockEnd(s string, i int) int {
	depth, quote := 0, byte(0)
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// parseDeclarations reads the inside of a rule or of a style attribute, with
// the shorthands that matter taken apart.
func parseDeclarations(s string) []declaration {
	var out []declaration
	if strings.Contains(s, "/*") {
		s = stripComments(s)
	}
	for decl := range strings.SplitSeq(s, ";") {
		prop, value, ok := strings.Cut(decl, ":")
		if !ok {
			continue
		}
		value, flag, _ := strings.Cut(value, "!")
		important := strings.EqualFold(strings.TrimSpace(flag), "important")
		prop, value = strings.TrimSpace(prop), strings.TrimSpace(value)
		if !strings.HasPrefix(prop, "--") {
			prop = strings.ToLower(prop)
		}
		for _, d := range longhands(prop, value) {
			d.important = important
			out = append(out, d)
		}
	}
	return out
}

func longhands(prop, value string) []declaration {
	switch prop {
	case "font":
		return fontShorthand(value)
	case "background":
		// Other layers than the colour are pictures, which nobody looks at here.
		for _, word := range cssWords(value) {
			if _, ok := parsePaint(word); ok || strings.HasPrefix(word, "var(") {
				return []declaration{{property: "background-color", value: word}}
			}
		}
		return nil
	}
	return []declaration{{property: prop, value: value}}
}

// fontShorthand reads "italic 700 38px/1.15 Georgia, serif".
func fontShorthand(s string) []declaration {
	out := []declaration{
		{property: "font-style", value: "normal"}, {property: "font-weight", value: "normal"}, {property: "line-height", value: "normal"},
	}
	words := cssWords(s)
	for i, word := range words {
		size, height, tall := strings.Cut(word, "/")
		_, isSize := parseSize(size, initialSize)
		_, isNumber := parseNumber(word)
		switch {
		case isSize && !isNumber:
			if tall {
				out = append(out, declaration{property: "line-height", value: height})
			}
			return append(out, declaration{property: "font-size", value: size},
				declaration{property: "font-family", value: strings.Join(words[i+1:], " ")})
		case word == "italic" || word == "oblique":
			out = append(out, declaration{property: "font-style", value: word})
		case word == "small-caps":
		default:
			if _, ok := parseWeight(word); ok {
				out = append(out, declaration{property: "font-weight", value: word})
			}
		}
	}
	return nil
}

// cssWords takes a value apart at white space outside of brackets and quotes.
func cssWords(s string) []string {
	depth, quote := 0, rune(0)
	return strings.FieldsFunc(s, func(r rune) bool {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '(':
			depth++
		case r == ')':
			depth--
		}
		return depth <= 0 && quote == 0 && (r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f')
	})
}

func stripComments(s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, ok := strings.Cut(s, "/*")
		b.WriteString(before)
		if !ok {
			break
		}
		_, s, _ = strings.Cut(rest, "*/")
		b.WriteByte(' ')
	}
	return b.String()
}

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
