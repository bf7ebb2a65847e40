package styled

import (
	"math"
	"strings"

	"github.com/lede-news/lede/dom"
)

// LookOf takes the look of a story from the markup alone, for when there is no
// browser: style attributes, the page's own <style>, and what HTML had before
// there were style sheets. What lies in other files it cannot know.
func LookOf(d *dom.Document, p Parts) Look {
	return LookFrom(d, newMarkup(d), p.sample())
}

// sample is enough nodes of each kind to know how most of it is set.
func (p Parts) sample() Parts {
	const enough = 48
	for _, nodes := range []*[]dom.Node{&p.Headline, &p.Standfirst, &p.Byline, &p.Lede, &p.Body, &p.Heading, &p.Quote, &p.Caption, &p.Link} {
		*nodes = (*nodes)[:min(len(*nodes), enough)]
	}
	return p
}

// markup computes styles as a browser would, but knows much less.
type markup struct {
	doc   *dom.Document
	rules []cssRule
	own   map[dom.Node]map[string]string // what is said of a node itself
	steps int                            // left for the matching of selectors
}

const (
	maxSheets = 1 << 20  // bytes of style sheets that are read
	maxSteps  = 20 << 20 // a page of hostile rules gets no further
)

func newMarkup(d *dom.Document) *markup {
	m := &markup{doc: d, own: map[dom.Node]map[string]string{}, steps: maxSteps}
	room := maxSheets
	for n := range d.All(d.Root(), dom.Style) {
		sheet := d.Raw(n)
		if media := d.AttrOr(n, "media"); len(sheet) > room || media != "" && !forScreen("@media "+media) {
			continue
		}
		room -= len(sheet)
		m.rules = append(m.rules, parseSheet(sheet)...)
	}
	return m
}

// Style is the value of a property: what is said of the node, or of the
// nearest around it where the property is inherited.
func (m *markup) Style(n dom.Node, property string) string {
	switch {
	case property == "font-size":
		if px := m.size(n); px > 0 {
			return decimal(px) + "px"
		}
		return ""
	case property == "background-color":
		return m.resolve(n, m.of(n)[property], 0)
	}
	for ; n > m.doc.Root(); n = m.doc.Parent(n) {
		v := m.of(n)[property]
		if property == "color" && v == "" && m.doc.Tag(n) == dom.A {
			return "" // a link has a colour of its own, if only the browser's
		}
		if v != "" && v != "inherit" {
			if property == "line-height" || property == "letter-spacing" {
				return m.absolute(n, m.resolve(n, v, 0))
			}
			return m.resolve(n, v, 0)
		}
	}
	return ""
}

// absolute makes a length that depends on the size of the font one that does
// not, as that is what is inherited.
func (m *markup) absolute(n dom.Node, v string) string {
	em := m.size(n)
	if em == 0 {
		em = initialSize
	}
	if px, ok := parseLength(v, em); ok {
		return decimal(px) + "px"
	}
	return v
}

// size is the size of the font at n in CSS pixels; 0 when nobody says.
func (m *markup) size(n dom.Node) float64 {
	var chain []dom.Node
	for ; n > m.doc.Root(); n = m.doc.Parent(n) {
		chain = append(chain, n)
	}
	px := 0.0
	for i := len(chain) - 1; i >= 0; i-- {
		v := m.resolve(chain[i], m.of(chain[i])["font-size"], 0)
		em := px
		if em == 0 {
			em = initialSize
		}
		if s, ok := parseSize(v, em); ok {
			px = s
		} else if scale, ok := tagScale[m.doc.Tag(chain[i])]; ok && px > 0 {
			px *= scale
		}
	}
	return math.Min(px, 999)
}

// tagScale is how browsers set text that the page leaves to them, in sizes of
// the text around.
var tagScale = map[dom.Tag]float64{
	dom.H1: 2, dom.H2: 1.5, dom.H3: 1.17, dom.H5: 0.83, dom.H6: 0.67, dom.Small: 1 / 1.2, dom.Big: 1.2,
}

// resolve puts in what var() names.
func (m *markup) resolve(n dom.Node, v string, depth int) string {
	from := strings.Index(v, "var(")
	if from < 0 || depth > 4 {
		return v
	}
	to := strings.IndexByte(v[from:], ')')
	if to < 0 {
		return ""
	}
	name, spare, _ := strings.Cut(v[from+len("var("):from+to], ",")
	name, value := strings.TrimSpace(name), strings.TrimSpace(spare)
	for a := n; a > m.doc.Root(); a = m.doc.Parent(a) {
		if said := m.of(a)[name]; said != "" {
			value = said
			break
		}
	}
	if len(value) > 500 {
		return ""
	}
	return m.resolve(n, v[:from]+value+v[from+to+1:], depth+1)
}

// of is what is said of n itself, the strongest word for each property.
func (m *markup) of(n dom.Node) map[string]string {
	if said, ok := m.own[n]; ok {
		return said
	}
	said := map[string]string{}
	m.own[n] = said
	if m.doc.IsText(n) {
		return said
	}
	m.attributes(n, said)
	rank := map[string]int{}
	tell := func(ds []declaration, specificity int) {
		for _, d := range ds {
			r := specificity
			if d.important {
				r += 1 << 20
			}
			if r >= rank[d.property] {
				rank[d.property], said[d.property] = r, d.value
			}
		}
	}
	for i := range m.rules {
		if best := m.match(&m.rules[i], n); best >= 0 {
			tell(m.rules[i].body, best)
		}
	}
	if s := m.doc.AttrOr(n, "style"); s != "" && len(s) < 10_000 {
		tell(parseDeclarations(s), 1<<16)
	}
	return said
}

// match is the specificity of the rule's best selector for n, or -1.
func (m *markup) match(r *cssRule, n dom.Node) int {
	best := -1
	for i := range r.selectors {
		m.steps--
		if s := &r.selectors[i]; m.steps > 0 && s.specificity > best && s.matches(m.doc, n, &m.steps) {
			best = s.specificity
		}
	}
	return best
}

// attributes are the styles that HTML itself has: by the element, and in
// attributes from the time before style sheets.
func (m *markup) attributes(n dom.Node, said map[string]string) {
	d := m.doc
	say := func(prop, value string) {
		if value != "" {
			said[prop] = value
		}
	}
	say("background-color", oldColor(d.AttrOr(n, "bgcolor")))
	say("text-align", strings.ToLower(d.AttrOr(n, "align")))
	switch tag := d.Tag(n); tag {
	case dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6, dom.B, dom.Strong, dom.Th:
		say("font-weight", "bold")
	case dom.I, dom.Em, dom.Cite, dom.Address:
		say("font-style", "italic")
	case dom.Center:
		say("text-align", "center")
	case dom.Body:
		say("color", oldColor(d.AttrOr(n, "text")))
	case dom.A:
		if b := d.First(dom.Body); b != dom.None {
			say("color", oldColor(d.AttrOr(b, "link")))
		}
	case dom.Font:
		say("font-family", d.AttrOr(n, "face"))
		say("color", oldColor(d.AttrOr(n, "color")))
		say("font-size", oldSizes[strings.TrimSpace(d.AttrOr(n, "size"))])
	}
}

// oldSizes are those of <font size>.
var oldSizes = map[string]string{
	"1": "10px", "2": "13px", "3": "16px", "4": "18px", "5": "24px", "6": "32px", "7": "48px",
	"-2": "10px", "-1": "13px", "+1": "18px", "+2": "24px", "+3": "32px", "+4": "48px",
}

// oldColor allows for a colour in an attribute that lacks its hash.
func oldColor(s string) string {
	if _, ok := parsePaint(s); !ok && len(s) == 6 {
		if _, ok := parseHex(s); ok {
			return "#" + s
		}
	}
	return s
}
