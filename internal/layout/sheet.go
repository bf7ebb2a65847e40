package layout

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Limits of style sheets. Of a thousand pages none comes near the first two.
const (
	maxSelectors = 20_000  // of all sheets of a page; what comes after is not read
	maxSheets    = 4 << 20 // bytes of all sheets that are read
	maxNesting   = 32      // @media in @media
)

// sheet is all the style rules of a page.
type sheet struct {
	viewport
	decls []declaration
	rules []rule
	vars  map[string]string // custom properties of :root, html and body
	bytes int
	selectors
}

// rule is a declaration block: decls[from:to].
type rule struct{ from, to int32 }

// newSheet makes a sheet for a page; without one, only rules for tags are kept.
func newSheet(screen method.Screen, d *dom.Document) *sheet {
	s := &sheet{viewport: viewport{screen: screen}}
	s.selectors.init(d)
	return s
}

// add reads one style sheet. It never fails: what is broken is skipped in the
// way of CSS Syntax 3 §5.4.
func (s *sheet) add(css string) {
	css = css[:min(len(css), maxSheets-s.bytes)]
	s.bytes += len(css)
	s.ruleList(withoutComments(css), 0)
}

func withoutComments(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	b.Grow(len(css))
	for css != "" {
		before, rest, ok := strings.Cut(css, "/*")
		b.WriteString(before)
		if !ok {
			break
		}
		b.WriteByte(' ')
		_, css, _ = strings.Cut(rest, "*/")
	}
	return b.String()
}

// ruleList reads rules up to the brace that closes the list, and returns how
// much of css that was.
func (s *sheet) ruleList(css string, depth int) int {
	for i := 0; i < len(css); {
		switch b := css[i]; {
		case isSpace(b) || b == ';':
			i++
		case b == '}':
			if depth > 0 {
				return i + 1
			}
			i++
		case b == '<' || b == '-' || b == ']':
			i += max(1, wrapping(css[i:]))
		case len(s.list) >= maxSelectors:
			return len(css)
		case b == '@':
			i += s.atRule(css[i:], depth)
		default:
			i += s.styleRule(css[i:])
		}
	}
	return len(css)
}

// wrapping is how long what old pages hide their sheets in is, if s begins
// with it.
func wrapping(s string) int {
	for _, w := range [...]string{"<!--", "-->", "<![CDATA[", "]]>"} {
		if strings.HasPrefix(s, w) {
			return len(w)
		}
	}
	return 0
}

// prelude is where the block of a rule opens. found is false where a
// semicolon (of a statement such as @import) or the end comes first.
func prelude(css string, statement bool) (end int, found bool) {
	for i := 0; i < len(css); i++ {
		switch css[i] {
		case '{':
			return i, true
		case ';':
			if statement {
				return i, false
			}
		case '}':
			return i, false
		case '"', '\'':
			i = stringEnd(css, i) - 1
		case '\\':
			i++
		}
	}
	return len(css), false
}

func (s *sheet) styleRule(css string) int {
	i, found := prelude(css, false)
	if !found {
		return min(i+1, len(css))
	}
	applies := s.addSelectors(css[:i], int32(len(s.rules)))
	if !applies && !strings.Contains(css[:i], "root") {
		return blockEnd(css, i+1) // most rules are for other pages of the site
	}
	from := len(s.decls)
	var n int
	s.decls, n = s.declarations(css[i+1:], s.decls)
	s.rules = append(s.rules, rule{int32(from), int32(len(s.decls))})
	s.keepVars(css[:i], s.decls[from:])
	return min(i+1+n+1, len(css))
}

func (s *sheet) atRule(css string, depth int) int {
	i, found := prelude(css, true)
	if !found {
		return min(i+1, len(css))
	}
	name, cond, _ := strings.Cut(css[1:i], " ")
	if j := strings.IndexByte(name, '('); j >= 0 { // @media(min-width:…)
		name, cond = name[:j], css[1+j:i]
	}
	applies := false
	switch lower(trim(name)) {
	case "media":
		applies = s.media(cond)
	case "supports":
		applies = !strings.HasPrefix(lower(trim(cond)), "not")
	case "layer", "scope", "document":
		applies = true
	}
	if !applies || depth >= maxNesting {
		return blockEnd(css, i+1)
	}
	return i + 1 + s.ruleList(css[i+1:], depth+1)
}
