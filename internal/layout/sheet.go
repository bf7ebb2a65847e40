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

// Custom properties (CSS Variables 1), in the simple case that nearly all
// pages have: they are set on the root and read anywhere.

const (
	maxVars     = 5000
	maxVarDepth = 8 // var() in the value of a custom property
)

// keepVars keeps the custom properties of a rule for the root or the body.
func (s *sheet) keepVars(prelude string, decls []declaration) {
	if len(decls) == 0 || !forRoot(prelude) {
		return
	}
	for i := range decls {
		d := &decls[i]
		if d.property != custom || d.vars || len(s.vars) >= maxVars {
			continue
		}
		if s.vars == nil {
			s.vars = map[string]string{}
		}
		s.vars[d.name] = d.value.text
	}
}

func forRoot(prelude string) bool {
	for prelude != "" {
		i := topLevel(prelude, ',')
		switch lower(trim(prelude[:i])) {
		case ":root", "html", "body", "*", ":host", ":where(:root)":
			return true
		}
		prelude = prelude[min(i+1, len(prelude)):]
	}
	return false
}

// resolveVars replaces every declaration that has var() in it by what it
// comes to, once all sheets are read: a property may be set after its use.
func (s *sheet) resolveVars() {
	var scratch []declaration
	for r := range s.rules {
		from, to := s.rules[r].from, s.rules[r].to
		any := false
		for i := from; i < to && !any; i++ {
			any = s.decls[i].vars
		}
		if !any {
			continue
		}
		scratch = append(scratch[:0], s.decls[from:to]...)
		s.rules[r].from = int32(len(s.decls))
		s.decls = s.resolve(scratch, s.decls)
		s.rules[r].to = int32(len(s.decls))
	}
}

// resolve appends in to out with every var() replaced. A declaration whose
// variable nobody sets is as if it were not there.
func (s *sheet) resolve(in, out []declaration) []declaration {
	for _, d := range in {
		if !d.vars {
			out = append(out, d)
			continue
		}
		val, ok := s.substitute(d.value.text, maxVarDepth)
		if !ok {
			continue
		}
		from := len(out)
		out = s.expand(d.name, val, out)
		for i := from; i < len(out); i++ {
			out[i].important = d.important
		}
	}
	return out
}

func (s *sheet) substitute(val string, depth int) (string, bool) {
	for n := 0; n < 16; n++ {
		i := strings.Index(val, "var(")
		if i < 0 {
			return trim(val), true
		}
		inside := val[i+len("var("):]
		end := topLevel(inside, ')')
		comma := min(topLevel(inside[:end], ','), end)
		v, ok := s.vars[trim(inside[:comma])]
		if !ok && comma < end {
			v, ok = inside[comma+1:end], true
		}
		if ok && depth > 0 && strings.Contains(v, "var(") {
			v, ok = s.substitute(v, depth-1)
		}
		if !ok || len(v) > maxValue {
			return "", false
		}
		val = val[:i] + v + inside[min(end+1, len(inside)):]
		if len(val) > maxValue {
			return "", false
		}
	}
	return "", false
}

// media reports whether a media query list holds on the screen (Media
// Queries 4). An empty list does.
func (c *viewport) media(list string) bool {
	if list = trim(list); list == "" {
		return true
	}
	for n := 0; list != "" && n < 64; n++ {
		i := topLevel(list, ',')
		if c.mediaQuery(lower(trim(list[:i]))) {
			return true
		}
		list = list[min(i+1, len(list)):]
	}
	return false
}

func (c *viewport) mediaQuery(q string) bool {
	negate := false
	if rest, ok := strings.CutPrefix(q, "not "); ok {
		q, negate = trim(rest), true
	}
	q = trim(strings.TrimPrefix(q, "only "))
	holds := true
	for n := 0; q != "" && n < 16; n++ {
		var part string
		if q[0] == '(' {
			i := 1 + topLevel(q[1:], ')')
			part, q = q[1:i], trim(q[min(i+1, len(q)):])
			holds = holds && c.mediaFeature(trim(part))
		} else {
			part, q, _ = strings.Cut(q, " ")
			q = trim(q)
			switch part {
			case "and", "all", "screen":
			case "or":
				if holds {
					return !negate
				}
				holds = true
			case "not":
				return negate != (holds && !c.mediaQuery(q))
			default: // print, speech, and what nobody knows
				holds = false
			}
		}
	}
	return holds != negate
}

func (c *viewport) mediaFeature(f string) bool {
	if strings.HasPrefix(f, "(") || strings.HasPrefix(f, "not ") {
		return c.mediaQuery(f)
	}
	if strings.ContainsAny(f, "<>") {
		return c.mediaRange(f)
	}
	name, val, _ := strings.Cut(f, ":")
	name, val = trim(name), trim(val)
	size := func() float64 {
		v, _, ok := c.component(val)
		if r, isLen := v.asLength(); ok && isLen {
			return r.nominal(c.screen)
		}
		return -1
	}
	switch strings.Replace(name, "device-", "", 1) {
	case "min-width":
		return c.screen.Width >= size()
	case "max-width":
		return c.screen.Width <= size()
	case "width":
		return val == "" || c.screen.Width == size()
	case "min-height":
		return c.screen.Height >= size()
	case "max-height":
		return c.screen.Height <= size()
	case "orientation":
		return (val == "landscape") == (c.screen.Width > c.screen.Height)
	case "hover", "any-hover":
		return val == "hover" || val == ""
	case "pointer", "any-pointer":
		return val == "fine" || val == ""
	case "prefers-color-scheme":
		return val == "light"
	case "prefers-reduced-motion", "prefers-contrast", "prefers-reduced-data":
		return val == "no-preference"
	case "color":
		return true
	case "scripting":
		return val == "enabled"
	}
	return false
}

// mediaRange is "width >= 600px" or "400px <= width < 700px" (§2.4.3).
func (c *viewport) mediaRange(f string) bool {
	value := func(s string) (float64, bool) {
		switch s = trim(s); s {
		case "width":
			return c.screen.Width, true
		case "height":
			return c.screen.Height, true
		}
		v, _, ok := c.component(s)
		r, isLen := v.asLength()
		return r.nominal(c.screen), ok && isLen
	}
	i := strings.IndexAny(f, "<>")
	a, ok := value(f[:i])
	for n := 0; ok && n < 2 && i >= 0; n++ {
		less, equal := f[i] == '<', i+1 < len(f) && f[i+1] == '='
		f = strings.TrimPrefix(f[i+1:], "=")
		i = strings.IndexAny(f, "<>")
		operand := f
		if i >= 0 {
			operand = f[:i]
		}
		var b float64
		if b, ok = value(operand); !ok {
			break
		}
		if !(less && a < b || !less && a > b || equal && a == b) {
			return false
		}
		a = b
	}
	return ok
}
