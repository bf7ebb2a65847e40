package metadata

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// visibleByline reads the byline that readers see: near the headline where
// the markup or a word such as "by" says so. Where another source names
// somebody, if only by a login, it must be sure. Where no source names anybody
// the whole page is searched, and believed if it has one author.
func (p *page) visibleByline(spare byline) byline {
	before, after := p.around()
	nobody := len(spare.people)+len(spare.houses) == 0
	worst := uint8(worstHint)
	if len(spare.people) > 0 {
		worst = sureHint
	}
	for _, in := range [...]stretch{after, before} {
		if list := p.hintedByline(p.bylineHints(in), worst); list.persons > 0 && (worst > sureHint || list.persons == 1) || nobody && len(list.people) > 0 {
			return list
		}
	}
	for _, in := range [...]stretch{after, before} {
		if list := p.spokenByline(in); list.persons > 0 || nobody && len(list.people) > 0 {
			return list
		}
	}
	if !nobody {
		return byline{}
	}
	if list := p.titledByline(after); len(list.people) > 0 {
		return list
	}
	whole := stretch{0, len(p.d.AllText())}
	hints := p.bylineHints(whole)
	for _, worst := range [...]uint8{sureHint, worstHint} {
		if list := p.hintedByline(hints, worst); len(list.people) == 1 {
			return list
		}
	}
	if list := p.spokenByline(stretch{after.to, whole.to}); list.persons == 1 {
		return list
	}
	return byline{}
}

// The rank of hints that mean a name and nothing else, and of the last.
const sureHint, worstHint = 2, 4

// hintedByline reads the elements that the page calls a byline; of these the
// most specific that name somebody.
func (p *page) hintedByline(hints []hint, worst uint8) byline {
	var list byline
	rank := uint8(0)
	for _, h := range hints {
		if h.rank > worst {
			break
		}
		if p.d.Chars(h.node) == 0 || p.d.Chars(h.node) > 200 {
			continue
		}
		if len(list.people) > 0 && h.rank != rank {
			break
		}
		rank = h.rank
		var more byline
		p.addRows(&more, h.node)
		if rank > sureHint && more.persons == 0 {
			continue // a single word may be anything
		}
		list.merge(more)
	}
	return list
}

// addRows adds the first row of an element that names somebody.
func (p *page) addRows(list *byline, n dom.Node) {
	c := candidate{}
	if p.d.Tag(n) == dom.A {
		c.url = p.d.AttrOr(n, "href")
	}
	for c.text = range strings.SplitSeq(p.d.Text(n), "\n") {
		before := len(list.people) + len(list.houses)
		if list.add(p, &c, true); len(list.people)+len(list.houses) > before {
			return
		}
	}
}

// spokenByline is "By Ann Lee" in a row of its own, after a date, or with the
// name in the next element.
func (p *page) spokenByline(in stretch) byline {
	for at, row := range in.rows(p.d) {
		const longRow = 120
		if len(row) > longRow {
			continue
		}
		name, ok := afterBy(row)
		if !ok {
			continue
		}
		n := p.nodeAt(at)
		if p.d.InLink(n) || p.d.Closest(n, dom.Nav, dom.Footer, dom.Figure) != dom.None {
			continue // "By product", "By topic" are links of a menu
		}
		var list byline
		if name != "" {
			list.add(p, &candidate{text: cutRest(name)}, true)
		}
		if list.persons == 0 {
			list = p.nextName(n)
		}
		if list.persons > 0 || len(list.people) > 0 && name == "" {
			return list
		}
	}
	return byline{}
}

// nextName reads the names in the texts after one that ends in "by": links,
// with commas or "and" between them.
func (p *page) nextName(n dom.Node) byline {
	const reach = 12
	var list byline
	spoken := false
	for end := min(p.d.Len(), int(n)+4*reach); int(n) < end && len(list.people) < reach; n++ {
		if !p.d.IsText(n) || p.d.Chars(n) == 0 {
			continue
		}
		text := strings.TrimSpace(p.d.Text(n))
		switch {
		case !spoken:
			if spoken = saysBy(text); !spoken {
				return list
			}
		case joins(text):
		default:
			before := len(list.people)
			c := candidate{text: text}
			if link := p.d.Closest(n, dom.A); link != dom.None {
				c.url = p.d.AttrOr(link, "href")
			}
			if list.add(p, &c, true); len(list.people) == before {
				return list
			}
			if c.url == "" {
				return list // plain words name all at once
			}
		}
	}
	return list
}

// joins reports whether a text does nothing but stand between two names.
func joins(s string) bool {
	s = strings.Trim(s, " ,;&/|")
	return s == "" || bylineWords().and[strings.ToLower(s)]
}

// titledByline is a name with what its bearer does: "Ann Lee | Senior writer",
// or the same in two rows.
func (p *page) titledByline(in stretch) byline {
	const few = 8
	last, seen := "", 0
	for _, row := range in.rows(p.d) {
		if seen++; seen > few {
			break
		}
		name, role, split := strings.Cut(row, "|")
		if !split {
			name, role = last, row
		}
		last = row
		name, role = strings.TrimSpace(name), strings.TrimSpace(role)
		if role, _, _ = strings.Cut(role, "|"); len(name) > 40 || len(role) > 40 || !onlyRole(role) || !looksLikeName(name) || isRole(name) {
			continue
		}
		var list byline
		if list.add(p, &candidate{text: name}, true); list.persons > 0 {
			return list
		}
	}
	return byline{}
}
