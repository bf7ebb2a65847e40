package layout

import (
	"strings"

	"github.com/lede-news/lede/method"
)

// declaration is one property set to a value.
type declaration struct {
	property  property
	important bool
	value     value
	vars      bool // the value has var() in it: see resolveVars
	name      string
}

// viewport is what values depend on besides the page: the screen.
type viewport struct{ screen method.Screen }

// maxValue is how much of a value is read; longer ones are pictures in data:.
const maxValue = 1000

// declarations reads a declaration block up to its closing brace, or a style
// attribute up to its end, and returns how much of s that was (CSS Syntax 3
// §5.4.4). What it does not know, it skips.
func (c *viewport) declarations(s string, out []declaration) ([]declaration, int) {
	for i := 0; i < len(s); {
		for i < len(s) && (isSpace(s[i]) || s[i] == ';') {
			i++
		}
		if i == len(s) || s[i] == '}' {
			return out, i
		}
		from, colon := i, -1
		i, colon = declarationEnd(s, i)
		if i < len(s) && s[i] == '{' { // a nested rule
			i = blockEnd(s, i+1)
			continue
		}
		if colon > 0 {
			out = c.declare(trim(s[from:colon]), s[colon+1:i], out)
		}
	}
	return out, len(s)
}

// declarationEnd is where the declaration at i ends: at a semicolon, a closing
// brace, or an opening one, which makes it the prelude of a nested rule.
func declarationEnd(s string, i int) (end, colon int) {
	colon = -1
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case ':':
			if colon < 0 {
				colon = i
			}
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		case '"', '\'':
			i = stringEnd(s, i) - 1
		case '\\':
			i++
		case ';':
			if depth == 0 {
				return i, colon
			}
		case '}', '{':
			return i, colon
		}
	}
	return len(s), colon
}

// blockEnd is behind the brace that closes the block whose inside begins at i.
func blockEnd(s string, i int) int {
	for depth := 1; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			i = stringEnd(s, i) - 1
		case '\\':
			i++
		}
	}
	return len(s)
}

// declare adds what one declaration sets.
func (c *viewport) declare(name, val string, out []declaration) []declaration {
	if len(name) > 40 && !strings.HasPrefix(name, "--") || len(val) > maxValue {
		return out
	}
	val, important := cutImportant(val)
	if strings.HasPrefix(name, "--") {
		return append(out, declaration{property: custom, important: important, name: name, value: value{kind: isText, text: val}})
	}
	name = lower(name)
	if known(name) && strings.Contains(val, "var(") {
		return append(out, declaration{important: important, vars: true, name: name, value: value{text: val}})
	}
	from := len(out)
	out = c.expand(name, val, out)
	for i := from; i < len(out); i++ {
		out[i].important = important
	}
	return out
}

func cutImportant(val string) (string, bool) {
	if i := strings.LastIndexByte(val, '!'); i >= 0 && strings.EqualFold(trim(val[i+1:]), "important") {
		return trim(val[:i]), true
	}
	return trim(val), false
}

func known(name string) bool {
	_, single := singles[name]
	_, text := texts[name]
	_, shorthand := shorthands[name]
	return single || text || shorthand
}

// expand reads the value of a property, a shorthand into its parts.
func (c *viewport) expand(name, val string, out []declaration) []declaration {
	if p, ok := singles[name]; ok {
		v, _, ok := c.component(val)
		if !ok {
			return out
		}
		return append(out, declaration{property: p, value: v})
	}
	if p, ok := texts[name]; ok {
		return append(out, declaration{property: p, value: value{kind: isText, text: val, word: wideWord(val)}})
	}
	if f := shorthands[name]; f != nil {
		return f(c, val, out)
	}
	return out
}

// wideWord is inherit and its kin, which every property takes.
func wideWord(val string) word {
	if w := wordOf(lower(val)); w >= inherit && w <= revert {
		return w
	}
	return noWord
}
