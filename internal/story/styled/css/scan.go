// Package css reads the style sheets that a page has in itself and decides which of their
// declarations apply to each element: syntax (CSS Syntax 3), lengths (CSS Values 4), media
// queries, selectors (Selectors 4) and the cascade with custom properties (CSS Cascade 4,
// CSS Variables 1).
//
// Rules in linked sheets are unknown, and therefore a declaration with a variable that is not
// set is ignored instead of resetting its property. Nested rules are skipped, and @layer does
// not change the order.
//
// The tests compare the scanner with github.com/tdewolff/parse/v2/css, and the cascade with
// Chromium's computed styles.
package css

import (
	"iter"
	"strings"
)

// Declaration is a property with its value as written, without comments. The name is in lower
// case unless it is that of a custom property.
type Declaration struct {
	Name, Value string
	Important   bool
}

// declarations returns the declarations of a block, or of a style attribute.
func declarations(s string) (out []Declaration) {
	s = withoutComments(s)
	for i := skipSpace(s, 0); i < len(s); i = skipSpace(s, i) {
		end := find(s, i, ";{")
		if end < len(s) && s[end] == '{' {
			if !isCustom(s[i:]) {
				i = blockEnd(s, end) // a nested rule
				continue
			}
			end = find(s, end, ";")
		}
		if name, value, ok := strings.Cut(s[i:end], ":"); ok && isName(strings.TrimSpace(name)) {
			out = append(out, newDeclaration(strings.TrimSpace(name), strings.TrimSpace(value)))
		}
		i = end + 1
	}
	return out
}

func newDeclaration(name, value string) Declaration {
	d := Declaration{Name: name, Value: value}
	if !isCustom(name) {
		d.Name = strings.ToLower(name)
	}
	if i := strings.LastIndexByte(value, '!'); i >= 0 && strings.EqualFold(strings.TrimSpace(value[i+1:]), "important") {
		d.Value, d.Important = strings.TrimSpace(value[:i]), true
	}
	return d
}

func isCustom(name string) bool { return strings.HasPrefix(name, "--") }

// maxNesting is how deep @media and other conditional rules may nest.
const maxNesting = 16

// commentMarks are the marks of HTML comments that old pages hide their sheets in.
var commentMarks = strings.NewReplacer("<!--", "", "-->", "")

// styleRule is the selector list and the declaration block of a rule.
type styleRule struct{ selectors, block string }

// rules returns the style rules of a sheet whose conditions hold on the screen. What is malformed
// is skipped in the way of CSS Syntax 3 §5.4.
func rules(sheet string) []styleRule {
	return appendRules(nil, withoutComments(commentMarks.Replace(sheet)), 0)
}

func appendRules(out []styleRule, s string, depth int) []styleRule {
	for i := skipSpace(s, 0); i < len(s); i = skipSpace(s, i) {
		isAt, stop := s[i] == '@', "{"
		if isAt || depth > 0 {
			stop = "{;"
		}
		open := find(s, i, stop)
		if open == len(s) {
			break
		}
		if s[open] == ';' {
			i = open + 1
			continue
		}
		prelude, end := s[i:open], find(s, open+1, "}")
		block := s[open+1 : end]
		i = min(end+1, len(s))
		switch {
		case !isAt:
			out = append(out, styleRule{prelude, block})
		case depth < maxNesting && applies(prelude):
			out = appendRules(out, block, depth+1)
		}
	}
	return out
}

// applies reports whether the rules inside an at-rule are read.
func applies(prelude string) bool {
	name, condition := identifier(prelude[1:])
	switch strings.ToLower(name) {
	case "media":
		return matchesMedia(condition)
	case "supports", "layer":
		return true
	}
	return false
}

// skipSpace returns the index after white space.
func skipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

// find returns the index of the first byte of stop in s[i:] outside of strings and brackets, or
// len(s).
func find(s string, i int, stop string) int {
	var open []byte // what closes the brackets around i
	for i < len(s) {
		b := s[i]
		if len(open) == 0 && strings.IndexByte(stop, b) >= 0 {
			return i
		}
		next := opaqueEnd(s, i)
		switch {
		case next > i+1:
		case b == '(':
			open = append(open, ')')
		case b == '[' || b == '{':
			open = append(open, b+2) // ] and }
		case len(open) > 0 && b == open[len(open)-1]:
			open = open[:len(open)-1]
		}
		i = next
	}
	return len(s)
}

// opaqueEnd returns the index after the string, escape or other byte at i.
func opaqueEnd(s string, i int) int {
	switch s[i] {
	case '"', '\'':
		return stringEnd(s, i)
	case '\\':
		return min(i+2, len(s))
	}
	return i + 1
}

// split yields the parts of s between commas outside of strings and brackets.
func split(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i <= len(s); {
			end := find(s, i, ",")
			if !yield(strings.TrimSpace(s[i:end])) {
				return
			}
			i = end + 1
		}
	}
}

// CutComponent slices a value after its first component as it is written. Commas and slashes
// are components of their own.
func CutComponent(s string) (component, rest string) {
	s = strings.TrimSpace(s)
	i := find(s, 0, " \t\n\r\f,/([\"'")
	switch {
	case i == len(s):
	case s[i] == '(' || s[i] == '[':
		i = blockEnd(s, i)
	case i > 0:
	case s[i] == '"' || s[i] == '\'':
		i = stringEnd(s, i)
	default:
		i = 1
	}
	return s[:i], strings.TrimSpace(s[i:])
}

// blockEnd returns the index after the bracket that closes the one at i.
func blockEnd(s string, i int) int {
	closing := map[byte]string{'(': ")", '[': "]", '{': "}"}[s[i]]
	return min(find(s, i+1, closing)+1, len(s))
}

// stringEnd returns the index after the string that begins at i. A string ends at a line break
// that is not escaped (CSS Syntax 3 §4.3.5).
func stringEnd(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch s[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		case '\n', '\r', '\f':
			return i
		}
	}
	return len(s)
}

// withoutComments removes the comments of a sheet or a block.
func withoutComments(s string) string {
	if !strings.Contains(s, "/*") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if rest, ok := strings.CutPrefix(s[i:], "/*"); ok {
			_, rest, _ = strings.Cut(rest, "*/")
			i = len(s) - len(rest)
			continue
		}
		end := opaqueEnd(s, i)
		b.WriteString(s[i:end])
		i = end
	}
	return b.String()
}

// identifier reads the identifier that s begins with and returns it without the backslashes of
// escapes (CSS Syntax 3 §4.3.11); escapes by number are rare. It is empty where there is none.
func identifier(s string) (name, rest string) {
	start := strings.TrimPrefix(s, "-")
	if start == "" || start[0] >= '0' && start[0] <= '9' {
		return "", s
	}
	var b strings.Builder
	i := 0
	for ; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		} else if !isNameByte(s[i]) {
			break
		}
		b.WriteByte(s[i])
	}
	return b.String(), s[i:]
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' }

func isName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func isNameByte(b byte) bool {
	return b >= 0x80 || b == '-' || b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}
