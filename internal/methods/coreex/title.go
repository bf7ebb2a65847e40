package coreex

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// title finds the headline. Without PageTitle it is that of section 6.1: the first
// heading among the previous siblings of the parent of S, or else the first in S.
// With it, it is the node with the text of <title>, which is the section's other
// proposal, or else the most likely heading before the end of S.
func (t *tree) title(main id, keep []dom.Node) dom.Node {
	if !t.cfg.PageTitle {
		return first(t.headingBeside(main), headingIn(t.doc, keep))
	}
	end := t.doc.End(keep[len(keep)-1])
	return first(titleMatch(t.doc, end), t.lastH1(end), headingAtStart(t.doc, keep), t.headingBefore(keep[0]))
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
func (t *tree) headingBeside(main id) dom.Node {
	parent, _ := t.span(main)
	if t.isTerminal(main) {
		parent = t.doc.Parent(parent)
	}
	for n := t.doc.Prev(parent); n != dom.None; n = t.doc.Prev(n) {
		if isHeading(t.doc, n) {
			return n
		}
	}
	return dom.None
}

// headingIn returns the first heading in the kept nodes.
func headingIn(d *dom.Document, keep []dom.Node) dom.Node {
	for _, k := range keep {
		for n := k; n < d.End(k); n++ {
			if isHeading(d, n) {
				return n
			}
		}
	}
	return dom.None
}

// headingAtStart returns the heading that the kept nodes begin with.
func headingAtStart(d *dom.Document, keep []dom.Node) dom.Node {
	for _, k := range keep {
		for n := k; n < d.End(k); n++ {
			switch {
			case isHeading(d, n):
				return n
			case d.IsText(n) && d.Words(n) > 0:
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
	for n := dom.Node(t.top); n < end; n++ {
		if t.doc.Tag(n) == dom.H1 && t.doc.Words(n) > 0 && t.doc.Counts(n).LinkWords == 0 {
			last = n
		}
	}
	return last
}

// headingBefore returns the nearest heading before n.
func (t *tree) headingBefore(n dom.Node) dom.Node {
	for n--; n > dom.Node(t.top); n-- {
		if isHeading(t.doc, n) {
			return n
		}
	}
	return dom.None
}

func isHeading(d *dom.Document, n dom.Node) bool {
	return d.Tag(n).IsHeading() && d.Words(n) > 0
}

// titleMatch finds the node before end with the same text as <title>, or as
// <title> without the name of the site: a heading if there is one, otherwise the
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
		if best != dom.None && !heading || !matches(d, n, candidates) {
			continue
		}
		if heading {
			return n
		}
		best = n
	}
	return best
}

// matches reports whether the text of n is one of the candidates, apart from case
// and punctuation.
func matches(d *dom.Document, n dom.Node, candidates []string) bool {
	from, to := d.Span(n)
	for _, c := range candidates {
		// Punctuation does not change the length by half.
		if size := to - from; size >= len(c)/2 && size <= 2*len(c)+2 && sameLetters(d.AllText()[from:to], c) {
			return true
		}
	}
	return false
}

// titleCandidates returns the page's title, and the title without parts at either
// end. The longest part, which is the headline, always stays.
func titleCandidates(title string) []string {
	title = strings.Join(strings.Fields(title), " ")
	parts := splitTitle(title)
	if len(parts) == 0 {
		return nil
	}
	longest := 0
	for i, p := range parts {
		if utf8.RuneCountInString(title[p.from:p.to]) > utf8.RuneCountInString(title[parts[longest].from:parts[longest].to]) {
			longest = i
		}
	}
	var out []string
	for i := 0; i <= longest; i++ {
		for j := len(parts) - 1; j >= longest; j-- {
			out = append(out, title[parts[i].from:parts[j].to])
		}
	}
	return out
}

type part struct{ from, to int }

// splitTitle splits a page's title where sites add their name: at a bar, at a dash
// or the like between spaces, and at a colon before a space.
func splitTitle(title string) []part {
	const maxParts = 8
	var parts []part
	start, before := 0, ' '
	cut := func(end, next int) {
		if strings.TrimSpace(title[start:end]) != "" {
			parts = append(parts, part{start, end})
		}
		start = next
	}
	for i, r := range title {
		if len(parts) < maxParts-1 {
			size := utf8.RuneLen(r)
			after, _ := utf8.DecodeRuneInString(title[min(i+size, len(title)):])
			if isSeparator(before, r, after) {
				cut(i, i+size)
			}
		}
		before = r
	}
	cut(len(title), len(title))
	return parts
}

func isSeparator(before, r, after rune) bool {
	switch r {
	case '|', '｜', '_', '：':
		return true
	case ':':
		return after == ' '
	case '-', '–', '—', '―', '·', '•', '/', '>', '<', '«', '»', '~':
		return before == ' ' && after == ' '
	}
	return false
}

// sameLetters reports whether two texts have the same letters and digits, apart
// from case, and at least one.
func sameLetters(a, b string) bool {
	found := false
	for {
		var x, y rune
		x, a = nextLetter(a)
		y, b = nextLetter(b)
		if x != y {
			return false
		}
		if x == 0 {
			return found
		}
		found = true
	}
}

// nextLetter returns the next letter or digit in lower case, or 0, and the text
// after it.
func nextLetter(s string) (rune, string) {
	for i, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r), s[i+utf8.RuneLen(r):]
		}
	}
	return 0, ""
}
