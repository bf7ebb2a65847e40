package storylinks

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// place says where on the page a link is. The zero value means that the page gives
// no clue.
type place uint16

const (
	inNav place = 1 << iota
	inHeader
	inFooter
	inArticle
	inHeading
	isPaid
	isMenu // in a list of short links
)

// placeWords are words of class, id and role that say where an element is.
var placeWords = map[string]place{
	"nav": inNav, "navbar": inNav, "navigation": inNav, "menu": inNav, "submenu": inNav, "menubar": inNav,
	"breadcrumb": inNav, "breadcrumbs": inNav, "topnav": inNav, "mainnav": inNav, "subnav": inNav, "sitenav": inNav, "offcanvas": inNav,
	"footer": inFooter, "contentinfo": inFooter, "colophon": inFooter,
	"sponsored": isPaid, "sponsor": isPaid, "advertisement": isPaid, "advert": isPaid,
	"taboola": isPaid, "outbrain": isPaid, "adsense": isPaid, "anzeige": isPaid, "publicidad": isPaid,
}

// findPlaces finds the place of each link of a page, in one walk.
func (g *group) findPlaces(d *dom.Document) {
	at := make([]place, d.Len())
	byClass := make([]place, d.Classes()+1)
	for c := 1; c <= d.Classes(); c++ {
		byClass[c] = placeOfNames(d.ClassAttr(c))
	}
	for n := range dom.Node(d.Len()) {
		if d.IsText(n) {
			continue
		}
		if parent := d.Parent(n); parent != dom.None {
			at[n] = at[parent]
		}
		switch t := d.Tag(n); {
		case t == dom.HTML || t == dom.Body:
			continue
		case t == dom.Nav || t == dom.Menu:
			at[n] |= inNav
		case t == dom.Header && at[n]&inArticle == 0:
			at[n] |= inHeader
		case t == dom.Footer && at[n]&inArticle == 0:
			at[n] |= inFooter
		case t == dom.Article || t == dom.Main:
			at[n] |= inArticle
		case t.IsHeading():
			at[n] |= inHeading
		case (t == dom.Ul || t == dom.Ol) && isShortList(d, n):
			at[n] |= isMenu
		}
		at[n] |= byClass[d.Class(n)]
		at[n] |= placeOfNames(d.Attr(n, "id")) | placeOfNames(d.Attr(n, "role"))
	}
	for i := range g.links {
		l := &g.links[i]
		l.place = at[l.node]
		if hasHeading(d, l.node) {
			l.place |= inHeading
		}
		if strings.Contains(d.Attr(l.node, "rel"), "sponsored") {
			l.place |= isPaid
		}
	}
}

// maxNames is the number of bytes of a class, id or role that are looked at.
const maxNames = 500

// placeOfNames returns the place that a class, id or role names.
func placeOfNames(names string) (p place) {
	names = strings.ToLower(names[:min(len(names), maxNames)])
	for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return strings.ContainsRune(" -_\n\t", r) }) {
		p |= placeWords[name]
	}
	return p
}

// hasHeading reports whether a link contains a heading.
func hasHeading(d *dom.Document, n dom.Node) bool {
	for in := n + 1; in < min(d.End(n), n+100); in++ {
		if d.Tag(in).IsHeading() {
			return true
		}
	}
	return false
}

// isShortList reports whether a list consists of many links of a few words.
func isShortList(d *dom.Document, n dom.Node) bool {
	c := d.Counts(n)
	return c.Links >= 4 && c.LinkWords*10 >= c.Words*8 && float32(c.LinkChars) <= 16*float32(c.Links) && c.Images == 0
}

// placeEffect returns what the place of a link adds to its log-odds. Menus have headlines
// too, and headlines are long.
func (c *candidate) placeEffect() (sum float32) {
	p, words := c.place, measure(c.text).words
	short := float32(1)
	switch {
	case words > 5:
		short = 0.3
	case words > 3:
		short = 0.6
	}
	switch {
	case p&inFooter != 0:
		sum -= 3 * short
	case p&inNav != 0:
		sum -= 2 * short
	case p&isMenu != 0:
		sum -= 1 * short
	}
	if p&isPaid != 0 {
		sum -= 2
	}
	if p&inHeading != 0 && p&(inNav|inFooter) == 0 {
		sum++
	}
	return sum
}

// isEdition reports whether a home page is that of a section with a host of its own, such
// as sport.paper.example.
func (c *candidate) isEdition() bool {
	if c.place&(inNav|inHeader|isMenu) == 0 || c.place&inFooter != 0 || c.same != 0.5 {
		return false
	}
	label, _, _ := strings.Cut(c.host, ".")
	return loadWords().section[label]
}

// isSection reports whether a link probably leads to the front of a section.
func (c *candidate) isSection() bool {
	w := loadWords()
	if c.same < 0.5 || c.date != noDate || len(c.segments) == 0 || len(c.segments) > 4 || c.query != "" || c.place&(isPaid|inFooter) != 0 {
		return false
	}
	if w.countService(c.segments, c.host, c.same) > 0 || w.isTag(c.segments) || w.isPaid(c) || endingOf(c.ext) > 2 {
		return false
	}
	text := measure(c.text)
	if text.words == 0 || text.words > 5 || text.width > 40 || text.digits > 2 || w.countText(c, text.words) > 0 {
		return false
	}
	menu := c.place&(inNav|inHeader|isMenu) != 0
	for i, s := range c.segments {
		switch s.kind {
		case kindWord:
		case kindSlug:
			if !menu && i == 0 || len(s.words) > 5 {
				return false
			}
		default:
			return false
		}
	}
	return menu || len(c.segments) <= 2
}
