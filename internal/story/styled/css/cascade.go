package css

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// Limits of the style sheets of a page. Of a thousand pages none comes near.
const (
	maxSelectors = 20_000  // what comes after is not read
	maxSheets    = 4 << 20 // bytes of all sheets
	maxValue     = 1000    // bytes of a value, also when its variables are replaced
	maxVariables = 20      // nested in one another's values
	stepsPerNode = 400     // of matching; what is saved on one node may be spent on another
)

// Cascade decides which declarations apply to the elements of a document.
type Cascade struct {
	matcher
	withPage  bool // style attributes count
	known     func(name string) bool
	rules     []rule
	selectors int
	byKey     map[string][]indexed
	scopes    map[dom.Node]*scope
}

// rule is a style rule. Its block is read when it first applies.
type rule struct {
	block        string
	isRead       bool
	declarations []Declaration
}

// indexed is a selector of a rule.
type indexed struct {
	selector
	rule int
}

// scope is the custom properties of an element and its descendants.
type scope struct {
	parent *scope
	values map[string]string
}

// Sheets returns the style sheets that a page has in itself.
func Sheets(d *dom.Document) (sheets []string) {
	left := maxSheets
	for n := range d.All(d.Root(), dom.Style) {
		t := strings.TrimSpace(d.Attr(n, "type"))
		if t != "" && !strings.EqualFold(t, "text/css") || !matchesMedia(d.Attr(n, "media")) {
			continue
		}
		sheet := d.Raw(n)
		sheet = sheet[:min(len(sheet), left)]
		left -= len(sheet)
		sheets = append(sheets, sheet)
	}
	return sheets
}

// NewCascade returns the cascade of the browser's own style sheet and those of the page, if any,
// with the properties that are known. Style attributes count if there are sheets of the page.
func NewCascade(d *dom.Document, known func(name string) bool, browser string, page ...string) *Cascade {
	c := &Cascade{
		matcher: matcher{d, stepsPerNode * (d.Len() + 1000)}, withPage: page != nil, known: known,
		byKey: map[string][]indexed{}, scopes: map[dom.Node]*scope{},
	}
	c.add(browser, browserSpecificity)
	for _, sheet := range page {
		c.add(sheet, 0)
	}
	return c
}

// add adds a style sheet whose selectors have a specificity more. An invalid selector does not
// spoil the others of its list, as it does in browsers: what we do not know is often valid.
func (c *Cascade) add(sheet string, specificity int) {
	for _, r := range rules(sheet) {
		c.rules = append(c.rules, rule{block: r.block})
		for s := range split(r.selectors) {
			if c.selectors == maxSelectors {
				return
			}
			if sel, ok := c.parse(s, maxSelectorNest); ok {
				sel.specificity += specificity
				c.byKey[sel.key] = append(c.byKey[sel.key], indexed{sel, len(c.rules) - 1})
				c.selectors++
			}
		}
	}
}

// Element returns the declarations that apply to n, from the weakest to the strongest. It must be
// called for the ancestors of n before.
func (c *Cascade) Element(n dom.Node) (out []Declaration) {
	rules := c.match(n)
	if c.withPage {
		rules = append(rules, &rule{block: c.doc.Attr(n, "style")})
	}
	var plain, important []Declaration
	for _, r := range rules {
		c.read(r)
		if c.budget -= len(r.declarations); c.budget < 0 {
			break
		}
		for _, d := range r.declarations {
			if d.Important {
				important = append(important, d)
			} else {
				plain = append(plain, d)
			}
		}
	}
	all := append(plain, important...)
	scope := c.enter(n, all)
	for _, d := range all {
		value, ok := c.substitute(d.Value, scope, maxVariables)
		if name, isAttr := strings.CutPrefix(value, "attr("); isAttr {
			value = c.attr(n, strings.TrimSuffix(name, ")"))
		}
		if d.Value = value; ok && !isCustom(d.Name) && value != "" && len(value) <= maxValue {
			out = append(out, d)
		}
	}
	return out
}

// match returns the rules that apply to n from the weakest to the strongest.
func (c *Cascade) match(n dom.Node) []*rule {
	keys := []string{"*", c.doc.Name(n)}
	if id := c.doc.Attr(n, "id"); id != "" {
		keys = append(keys, "#"+id)
	}
	for class := range strings.FieldsSeq(c.doc.Attr(n, "class")) {
		keys = append(keys, "."+class)
	}
	var found []indexed
	for _, key := range keys {
		for _, s := range c.byKey[key] {
			if c.budget--; c.budget < 0 {
				return nil
			}
			if c.matches(n, s.compounds) {
				found = append(found, s)
			}
		}
	}
	slices.SortFunc(found, func(a, b indexed) int {
		return cmp.Or(cmp.Compare(a.specificity, b.specificity), cmp.Compare(a.rule, b.rule))
	})
	out := make([]*rule, len(found))
	for i, s := range found {
		out[i] = &c.rules[s.rule]
	}
	return out
}

// enter returns the scope of the custom properties of n.
func (c *Cascade) enter(n dom.Node, all []Declaration) *scope {
	s := c.scopes[c.doc.Parent(n)]
	values := map[string]string{}
	for _, d := range all {
		if isCustom(d.Name) {
			values[d.Name] = d.Value
		}
	}
	if len(values) > 0 {
		s = &scope{s, values}
	}
	c.scopes[n] = s
	return s
}

// read reads the declarations of a rule.
func (c *Cascade) read(r *rule) {
	if r.isRead {
		return
	}
	r.isRead = true
	for _, d := range declarations(r.block) {
		if len(d.Value) <= maxValue && (isCustom(d.Name) || c.known(d.Name)) {
			r.declarations = append(r.declarations, d)
		}
	}
}

// substitute replaces var() in a value (CSS Variables 1 §3). ok is false if a variable without a
// fallback is not set or depends on itself, or if the value becomes too long.
func (c *Cascade) substitute(value string, s *scope, depth int) (string, bool) {
	if !strings.Contains(value, "var(") {
		return value, true
	}
	var b strings.Builder
	for {
		i := strings.Index(value, "var(")
		if i < 0 {
			b.WriteString(value)
			return strings.TrimSpace(b.String()), b.Len() <= maxValue
		}
		if c.budget -= 1 + len(value)/16; c.budget < 0 || depth == 0 || len(value) > maxValue {
			return "", false
		}
		end := blockEnd(value, i+len("var"))
		args := strings.TrimSuffix(value[i+len("var("):end], ")")
		comma := find(args, 0, ",")
		with, ok := c.lookup(strings.TrimSpace(args[:comma]), s, depth-1)
		if !ok && comma < len(args) {
			with, ok = c.substitute(strings.TrimSpace(args[comma+1:]), s, depth-1)
		}
		if !ok || b.Len()+len(with) > maxValue {
			return "", false
		}
		// Spaces, since what is replaced never joins what stands beside it.
		b.WriteString(value[:i] + " " + with + " ")
		value = value[end:]
	}
}

// lookup returns the value of a custom property.
func (c *Cascade) lookup(name string, s *scope, depth int) (string, bool) {
	for ; s != nil; s = s.parent {
		c.budget--
		if value, ok := s.values[name]; ok {
			return c.substitute(value, s, depth)
		}
	}
	return "", false
}
