// Package css reads style sheets and decides which of their declarations apply
// to each element of a page: its syntax (CSS Syntax 3), values and lengths
// (CSS Values 4), media queries, selectors (Selectors 4) and the cascade with
// custom properties (CSS Cascade 4, CSS Variables 1).
//
// It reads what a page has in itself: its <style> elements and style
// attributes. Rules in linked sheets are unknown, and therefore a declaration
// with a variable that is not set is ignored instead of resetting its
// property. Nested rules are skipped, and @layer does not change the order.
//
// The scanner is our own, since package lede reaches this package through the
// estimated layout and promises to import no module but x/net and x/text. The
// tests compare it with github.com/tdewolff/parse/v2/css, and the cascade with
// Chromium's computed styles.
package css

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// Declaration is a property with its value as written, without comments. The
// name is in lower case unless it is that of a custom property.
type Declaration struct {
	Name, Value string
	Important   bool
}

// Declarations yields the declarations of a block, or of a style attribute.
// Nested rules are skipped.
func Declarations(s string) iter.Seq[Declaration] {
	return func(yield func(Declaration) bool) {
		for i := skipSpace(s, 0); i < len(s); i = skipSpace(s, i) {
			end := declarationStops.find(s, i)
			if end < len(s) && s[end] == '{' {
				if !strings.HasPrefix(s[i:], "--") {
					i = blockEnd(s, end)
					continue
				}
				end = until[';'].find(s, end)
			}
			name, value, ok := strings.Cut(replaceComments(s[i:end], " "), ":")
			name = strings.TrimSpace(name)
			if ok && isName(name) && !yield(newDeclaration(name, strings.TrimSpace(value))) {
				return
			}
			i = end + 1
		}
	}
}

func newDeclaration(name, value string) Declaration {
	d := Declaration{Name: name, Value: value}
	if !strings.HasPrefix(name, "--") {
		d.Name = strings.ToLower(name)
	}
	if i := strings.LastIndexByte(value, '!'); i >= 0 && strings.EqualFold(strings.TrimSpace(value[i+1:]), "important") {
		d.Value, d.Important = strings.TrimSpace(value[:i]), true
	}
	return d
}

// Rules yields the style rules of a sheet whose conditions hold on the screen:
// the selector list and the declaration block of each. What is malformed is
// skipped in the way of CSS Syntax 3 §5.4.
func (m Screen) Rules(sheet string) iter.Seq2[string, string] {
	return func(yield func(selectors, block string) bool) {
		m.ruleList(sheet, 0, yield)
	}
}

// maxNesting is how deep @media and other conditional rules may nest.
const maxNesting = 32

// ruleList reads rules up to the brace that closes the list, and returns how
// much of s that was; -1 once yield returns false.
func (m Screen) ruleList(s string, depth int, yield func(selectors, block string) bool) int {
	stops := &preludeStops
	if depth > 0 {
		stops = &nestedStops
	}
	for i := 0; i < len(s); {
		if i = skipMarks(s, i); i == len(s) {
			break
		}
		switch s[i] {
		case '}':
			if depth > 0 {
				return i + 1
			}
		case '@':
			n := m.atRule(s[i:], depth, yield)
			if n < 0 {
				return n
			}
			i += n
			continue
		}
		open := stops.find(s, i)
		if open == len(s) || s[open] != '{' {
			i = open
			if i < len(s) && s[i] == ';' {
				i++
			}
			continue
		}
		end := until['}'].find(s, open+1)
		if !yield(replaceComments(s[i:open], ""), s[open+1:end]) {
			return -1
		}
		i = min(end+1, len(s))
	}
	return len(s)
}

// skipMarks returns the index after white space, comments, and the marks of
// HTML comments that old pages hide their sheets in.
func skipMarks(s string, i int) int {
	for {
		i = skipSpace(s, i)
		switch {
		case strings.HasPrefix(s[i:], "<!--"):
			i += len("<!--")
		case strings.HasPrefix(s[i:], "-->"):
			i += len("-->")
		default:
			return i
		}
	}
}

// skipSpace returns the index after white space and comments.
func skipSpace(s string, i int) int {
	for i < len(s) {
		end := commentEnd(s, i)
		if end == i && !isSpace(s[i]) {
			break
		}
		i = max(end, i+1)
	}
	return i
}

func (m Screen) atRule(s string, depth int, yield func(selectors, block string) bool) int {
	open := nestedStops.find(s, 0)
	if open == len(s) || s[open] != '{' {
		if open < len(s) && s[open] == ';' {
			open++
		}
		return open
	}
	name, condition := identifier(s[1:open])
	condition = strings.TrimSpace(replaceComments(condition, " "))
	applies := false
	switch strings.ToLower(name) {
	case "media":
		applies = m.Matches(condition)
	case "supports":
		applies = len(condition) < 3 || !strings.EqualFold(condition[:3], "not")
	case "layer", "scope", "document":
		applies = true
	}
	if !applies || depth >= maxNesting {
		return blockEnd(s, open)
	}
	n := m.ruleList(s[open+1:], depth+1, yield)
	if n < 0 {
		return n
	}
	return open + 1 + n
}

// stops are the bytes that a search ends at, and those that begin something
// in which it does not end.
type stops [256]byte

const (
	opaque = 1 << iota // begins a string, an escape, a comment or a bracket
	stop
)

func stopAt(bytes string) (t stops) {
	for _, b := range []byte(`"'\/()[]{}`) {
		t[b] = opaque
	}
	for _, b := range []byte(bytes) {
		t[b] |= stop
	}
	return t
}

// These are read only.
var (
	declarationStops = stopAt(";{")
	preludeStops     = stopAt("{")
	nestedStops      = stopAt("{;}")
	componentStops   = stopAt(" \t\n\r\f,/([\"'")
	until            = func() (t [128]stops) {
		for _, b := range []byte(";)]},/") {
			t[b] = stopAt(string(b))
		}
		return t
	}()
)

// find returns the index of the first stop in s[i:] outside of strings,
// comments, unquoted URLs and brackets, or len(s).
func (t *stops) find(s string, i int) int {
	var buf [16]byte
	open := buf[:0] // what closes the brackets around i
	for i < len(s) {
		kind := t[s[i]]
		if kind == 0 {
			i++
			continue
		}
		if kind&stop != 0 && len(open) == 0 {
			return i
		}
		switch b := s[i]; b {
		case '"', '\'':
			i = stringEnd(s, i)
			continue
		case '\\':
			i++
		case '/':
			if end := commentEnd(s, i); end > i {
				i = end
				continue
			}
		case '(':
			if isURL(s, i) {
				i = urlEnd(s, i)
				continue
			}
			open = append(open, ')')
		case '[', '{':
			open = append(open, closing(b))
		case ')', ']', '}':
			if n := len(open); n > 0 && open[n-1] == b {
				open = open[:n-1]
			}
		}
		i++
	}
	return len(s)
}

// Split yields the parts of s between commas outside of strings and brackets.
func Split(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for more := true; more; {
			var part string
			if part, s, more = Cut(s, ','); !yield(part) {
				return
			}
		}
	}
}

// Cut slices s around the first comma or slash outside of strings and brackets.
func Cut(s string, separator byte) (before, after string, found bool) {
	if i := until[separator].find(s, 0); i < len(s) {
		return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:]), true
	}
	return strings.TrimSpace(s), "", false
}

// blockEnd returns the index after the bracket that closes the one at i.
func blockEnd(s string, i int) int {
	if s[i] == '(' && isURL(s, i) {
		return urlEnd(s, i)
	}
	return min(until[closing(s[i])].find(s, i+1)+1, len(s))
}

func closing(open byte) byte {
	if open == '(' {
		return ')'
	}
	return open + 2 // [ and ], { and }
}

// stringEnd returns the index after the string that begins at i. A string
// ends at a line break that is not escaped (CSS Syntax 3 §4.3.5).
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

// isURL reports whether the parenthesis at i opens an unquoted URL
// (CSS Syntax 3 §4.3.4).
func isURL(s string, i int) bool {
	if i < 3 || !strings.EqualFold(s[i-3:i], "url") || i > 3 && isNameByte(s[i-4]) {
		return false
	}
	for i++; i < len(s) && isSpace(s[i]); i++ {
	}
	return i == len(s) || s[i] != '"' && s[i] != '\''
}

func urlEnd(s string, i int) int {
	for ; i < len(s); i++ {
		switch s[i] {
		case ')':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(s)
}

// commentEnd returns the index after the comment at i, or i if there is none.
func commentEnd(s string, i int) int {
	if !strings.HasPrefix(s[i:], "/*") {
		return i
	}
	if n := strings.Index(s[i+2:], "*/"); n >= 0 {
		return i + 2 + n + 2
	}
	return len(s)
}

// replaceComments replaces the comments of s by a string: a space in values,
// where they separate tokens, and nothing in selectors, where a space would be a
// combinator.
func replaceComments(s, by string) string {
	if !strings.Contains(s, "/*") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		end := i + 1
		switch s[i] {
		case '"', '\'':
			end = stringEnd(s, i)
		case '\\':
			end = min(i+2, len(s))
		case '(':
			if isURL(s, i) {
				end = urlEnd(s, i)
			}
		case '/':
			if after := commentEnd(s, i); after > i {
				b.WriteString(by)
				i = after
				continue
			}
		}
		b.WriteString(s[i:end])
		i = end
	}
	return b.String()
}

// identifier reads the identifier that s begins with and returns it without
// escapes (CSS Syntax 3 §4.3.11). It is empty where there is none.
func identifier(s string) (name, rest string) {
	start := strings.TrimPrefix(s, "-")
	if start == "" || start[0] >= '0' && start[0] <= '9' {
		return "", s
	}
	return nameOf(s)
}

// nameOf is identifier for names that may begin with a digit.
func nameOf(s string) (name, rest string) {
	i := 0
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	if i == len(s) || s[i] != '\\' {
		return s[:i], s[i:]
	}
	var buf [64]byte
	b := append(buf[:0], s[:i]...)
	for i < len(s) {
		if isNameByte(s[i]) {
			b = append(b, s[i])
			i++
			continue
		}
		if s[i] != '\\' || i+1 == len(s) || s[i+1] == '\n' {
			break
		}
		r, n := escaped(s[i+1:])
		b = utf8.AppendRune(b, r)
		i += 1 + n
	}
	return string(b), s[i:]
}

// escaped reads what follows a backslash (CSS Syntax 3 §4.3.7).
func escaped(s string) (r rune, n int) {
	for n < len(s) && n < 6 && isHex(s[n]) {
		r = r<<4 | rune(s[n]&0xF)
		if s[n] > '9' {
			r += 9
		}
		n++
	}
	if n == 0 {
		return utf8.DecodeRuneInString(s)
	}
	if n < len(s) && isSpace(s[n]) {
		n++
	}
	if r == 0 || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	return r, n
}

// Unquote returns the contents of a string with its escapes undone, or s if it
// is no string.
func Unquote(s string) string {
	if len(s) < 2 || s[0] != '"' && s[0] != '\'' || s[len(s)-1] != s[0] {
		return s
	}
	s = s[1 : len(s)-1]
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
		} else if s[i+1] == '\n' {
			i++
		} else {
			r, n := escaped(s[i+1:])
			b.WriteRune(r)
			i += n
		}
	}
	return b.String()
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' }

func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f'
}

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
