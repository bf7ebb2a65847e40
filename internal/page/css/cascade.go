package css

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// Limits of the style sheets of a page. Of a thousand pages none comes near.
const (
	maxSelectors = 20_000  // what comes after is not read
	maxSheets    = 4 << 20 // bytes of all sheets
	maxValue     = 1000    // bytes of a value with variables, also when they are replaced
	maxVariables = 64      // nested in one another's values
)

// Origin is where declarations come from, from the weakest to the strongest.
type Origin uint8

// The origins.
const (
	UserAgent Origin = iota
	Hint             // a presentational attribute such as align
	Sheet
	Attribute // the style attribute
)

// Block is declarations of one origin and importance.
type Block[D any] struct {
	Origin       Origin
	Declarations []D
}

// Reader says how declarations are kept: D is what one declaration becomes, or
// each part of a shorthand.
type Reader[D any] struct {
	// Known reports whether Read takes a property. The name is in lower case.
	Known func(name string) bool
	// Read appends what a declaration says to out, and nothing if it is invalid.
	Read func(out []D, name, value string) []D
}

// Cascade decides which declarations apply to the elements of a document.
type Cascade[D any] struct {
	page
	reader    Reader[D]
	screen    Screen
	rules     []rule[D]
	attribute rule[D]    // the style attribute of an element
	applied   []*rule[D] // to an element
	blocks    []Block[D]
	arena     []D // what the rules say
	variables
}

// rule is a style rule. Its block is read when it first applies.
type rule[D any] struct {
	block         string
	declarations  [2][]D         // without and with !important
	custom        [2]*properties // likewise, or nil
	isRead        bool
	usesVariables bool
	scope         *scope // for which declarations with variables were read
}

// NewCascade reads the style sheets of a document.
func NewCascade[D any](d *dom.Document, screen Screen, reader Reader[D]) *Cascade[D] {
	c := &Cascade[D]{page: newPage(d), reader: reader, screen: screen}
	left := maxSheets
	for n := range d.All(d.Root(), dom.Style) {
		if t := strings.TrimSpace(d.Attr(n, "type")); t != "" && !strings.EqualFold(t, "text/css") {
			continue
		}
		if !screen.Matches(d.Attr(n, "media")) {
			continue
		}
		if c.elements == nil {
			c.indexNames()
		}
		sheet := d.Raw(n)
		sheet = sheet[:min(len(sheet), left)]
		left -= len(sheet)
		c.add(sheet)
	}
	return c
}

func (c *Cascade[D]) add(sheet string) {
	for selectors, block := range c.screen.Rules(sheet) {
		if len(c.selectors) >= maxSelectors {
			break
		}
		if c.addSelectors(selectors, int32(len(c.rules))) {
			c.rules = append(c.rules, rule[D]{block: block})
		}
	}
}

// Element returns the declarations that apply to n, from the weakest to the
// strongest. base are those of the user agent and of presentational hints,
// which are weaker than the page's own. It must be called for the ancestors of
// n before. The result is valid until the next call.
func (c *Cascade[D]) Element(n dom.Node, base ...Block[D]) []Block[D] {
	c.blocks = append(c.blocks[:0], base...)
	c.applied = c.applied[:0]
	for _, m := range c.match(n) {
		r := &c.rules[m.rule]
		if !r.isRead {
			r.readCustom()
		}
		c.applied = append(c.applied, r)
	}
	sheets := len(c.applied)
	if block, ok := c.doc.LookupAttr(n, "style"); ok && block != "" {
		r := &c.attribute
		*r = rule[D]{block: block, declarations: [2][]D{r.declarations[0][:0], r.declarations[1][:0]}}
		r.readCustom()
		c.applied = append(c.applied, r)
	}
	if len(c.applied) == 0 && c.scopes == nil {
		return c.blocks
	}
	scope := c.scopeOf(n)
	for i, r := range c.applied {
		if !r.isRead || r.usesVariables && r.scope != scope {
			c.read(r, scope, i < sheets && !r.isRead)
		}
	}
	for important := range 2 {
		for i, r := range c.applied {
			if ds := r.declarations[important]; len(ds) > 0 {
				origin := Sheet
				if i >= sheets {
					origin = Attribute
				}
				c.blocks = append(c.blocks, Block[D]{origin, ds})
			}
		}
	}
	return c.blocks
}

// scopeOf returns the scope of n, to which c.applied applies.
func (c *Cascade[D]) scopeOf(n dom.Node) *scope {
	c.sets = c.sets[:0]
	for important := range 2 {
		for _, r := range c.applied {
			if r.custom[important] != nil {
				c.sets = append(c.sets, r.custom[important])
			}
		}
	}
	return c.enter(c.doc, n)
}

// read reads the declarations of r for an element in a scope, into the arena
// or over what it has read before.
func (c *Cascade[D]) read(r *rule[D], s *scope, intoArena bool) {
	hasImportant := false
	for important := range r.declarations {
		if important == 1 && !hasImportant {
			break
		}
		out, from := r.declarations[important][:0], 0
		if intoArena {
			out, from = c.arena, len(c.arena)
		}
		for d := range Declarations(r.block) {
			hasImportant = hasImportant || d.Important
			if d.Important != (important == 1) || !c.reader.Known(d.Name) {
				continue
			}
			if strings.Contains(d.Value, "var(") {
				var ok bool
				r.usesVariables = true
				if d.Value, ok = c.substitute(d.Value, s, &c.budget); !ok {
					continue
				}
			}
			out = c.reader.Read(out, d.Name, d.Value)
		}
		if intoArena {
			c.arena = out
			out = out[from:len(out):len(out)]
		}
		r.declarations[important] = out
	}
	r.isRead, r.scope = true, s
}

// readCustom reads the custom properties of r.
func (r *rule[D]) readCustom() {
	if !strings.Contains(r.block, "--") {
		return
	}
	for d := range Declarations(r.block) {
		if !strings.HasPrefix(d.Name, "--") || len(d.Value) > maxValue {
			continue
		}
		important := 0
		if d.Important {
			important = 1
		}
		if r.custom[important] == nil {
			r.custom[important] = &properties{}
		}
		(*r.custom[important])[d.Name] = d.Value
	}
}
