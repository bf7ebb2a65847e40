package coreex

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// title finds the headline. In the paper it is that of section 6.1: the first
// heading among the previous siblings of the parent of S, or else the first in S.
// Our own is the node with the text of <title>, which is the section's other
// proposal, or else the most likely heading before the end of S.
func (t *tree) title(main dom.Node, keep []dom.Node) dom.Node {
	if !t.cfg.own {
		return first(t.headingBeside(main), headingIn(t.doc, keep, false))
	}
	end := t.doc.End(keep[len(keep)-1])
	return first(titleMatch(t.doc, end), t.lastH1(end), headingIn(t.doc, keep, true), t.headingBefore(keep[0]))
}

// first returns the first node that is not None.
func first(nodes ...dom.Node) dom.Node {
	for _, n := range nodes {
		if n != dom.None {
			return n
		}
	}
	return dom.None
}

// headingBeside returns the nearest heading among the previous siblings of the
// parent of S, which is the Main Content Node unless that is a terminal node.
func (t *tree) headingBeside(main dom.Node) dom.Node {
	parent := main
	if t.isTerminal(main) {
		parent = t.doc.Parent(main)
	}
	for n := t.doc.Prev(parent); n != dom.None; n = t.doc.Prev(n) {
		if isHeading(t.doc, n) {
			return n
		}
	}
	return dom.None
}

// headingIn returns the first heading in the kept nodes, or only one that they begin with.
func headingIn(d *dom.Document, keep []dom.Node, atStart bool) dom.Node {
	for _, k := range keep {
		for n := k; n < d.End(k); n++ {
			switch {
			case isHeading(d, n):
				return n
			case atStart && d.IsText(n) && d.Words(n) > 0:
				return dom.None
			}
		}
	}
	return dom.None
}

// lastH1 returns the last <h1> before end that is not a link: a linked one is
// usually the name of the site.
func (t *tree) lastH1(end dom.Node) dom.Node {
	last := dom.None
	for n := t.top; n < end; n++ {
		if t.doc.Tag(n) == dom.H1 && t.doc.Words(n) > 0 && t.doc.Counts(n).LinkWords == 0 {
			last = n
		}
	}
	return last
}

// headingBefore returns the nearest heading before n.
func (t *tree) headingBefore(n dom.Node) dom.Node {
	for n--; n > t.top; n-- {
		if isHeading(t.doc, n) {
			return n
		}
	}
	return dom.None
}

func isHeading(d *dom.Document, n dom.Node) bool {
	return d.Tag(n).IsHeading() && d.Words(n) > 0
}

// titleMatch finds the node before end with the same letters and digits as <title>, or
// as <title> without the name of the site: a heading if there is one, otherwise the
// first node.
func titleMatch(d *dom.Document, end dom.Node) dom.Node {
	const maxBytes = 1000 // of a <title> that is closed
	title := d.First(dom.Title)
	if title == dom.None || len(d.Raw(title)) > maxBytes {
		return dom.None
	}
	best := dom.None
	candidates := titleCandidates(d.Raw(title))
	for n := d.First(dom.Body); n != dom.None && n < end; n++ {
		heading := d.Tag(n).IsHeading()
		from, to := d.Span(n)
		if best != dom.None && !heading || to == from || to-from > 2*maxBytes || !candidates[words.Fold(d.AllText()[from:to])] {
			continue
		}
		if heading {
			return n
		}
		best = n
	}
	return best
}

// separator matches where sites add their name to a title: at a bar, at a dash or the
// like between spaces, and at a colon before a space.
var separator = regexp.MustCompile(`[|｜_：]|: | [-–—―·•/<>«»~] `)

// titleCandidates returns the page's title, and the title without parts at either
// end, folded. The longest part, which is the headline, always stays.
func titleCandidates(title string) map[string]bool {
	const maxParts = 8
	title = strings.Join(strings.Fields(title), " ")
	cuts := [][]int{{0, 0}}
	for _, m := range separator.FindAllStringIndex(title, maxParts-1) {
		sign := strings.TrimSpace(title[m[0]:m[1]])
		from := m[0] + strings.Index(title[m[0]:], sign)
		cuts = append(cuts, []int{from, from + len(sign)}) // spaces count, so that of equals the first is the longest
	}
	cuts = append(cuts, []int{len(title), len(title)})
	longest, most := 0, 0
	for i := range len(cuts) - 1 {
		if n := utf8.RuneCountInString(title[cuts[i][1]:cuts[i+1][0]]); n > most {
			longest, most = i, n
		}
	}
	out := map[string]bool{}
	for from := 0; from <= longest; from++ {
		for to := longest + 1; to < len(cuts); to++ {
			out[words.Fold(title[cuts[from][1]:cuts[to][0]])] = true
		}
	}
	delete(out, "")
	return out
}
