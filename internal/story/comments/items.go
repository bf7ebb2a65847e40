package comments

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// item is a comment: the nodes [from, to), which are one node or several
// siblings.
type item struct{ from, to dom.Node }

// group is the elements of a section with the same tag and class, or the same
// tag and id except for numbers.
type group struct {
	nodes   []dom.Node // outermost elements
	inner   []dom.Node // replies inside of nodes
	last    dom.Node
	words   int
	comment bool // the page names them comments
}

// items returns the comments of a section in order, and whether the page names
// each of them a comment. They are the elements of the best group. There are
// none if no group has several elements or the name of a comment.
func (f *finder) items(section dom.Node) (items []item, named bool) {
	groups := f.groups(section)
	maxWords := 0
	for _, g := range groups {
		if g.isCandidate() {
			maxWords = max(maxWords, g.words)
		}
	}
	var best *group
	for _, g := range groups {
		if g.isCandidate() && g.words >= maxWords*2/3 && (best == nil || g.better(best)) {
			best = g
		}
	}
	if best == nil {
		return nil, false
	}
	return f.withGaps(section, append(best.nodes, best.inner...)), best.comment
}

func (g *group) len() int { return len(g.nodes) + len(g.inner) }

func (g *group) isCandidate() bool { return g.len() > 1 || g.comment }

// better prefers groups that are named comments, then larger ones.
func (g *group) better(than *group) bool {
	if g.comment != than.comment {
		return g.comment
	}
	return g.len() > than.len()
}

// groups returns the groups of a section in the order of their first elements.
func (f *finder) groups(section dom.Node) []*group {
	d := f.doc
	byName := map[string]*group{}
	var groups []*group
	for n := section; n < d.End(section) && !f.steps.Done(); {
		if !d.IsText(n) && (d.Hidden(n) || isControl(d, n) && n != section) {
			n = d.End(n)
			continue
		}
		if mayBeComment(d.Tag(n)) && d.Words(n) > 0 {
			for _, name := range names(d, n) {
				if n == section && !name.comment { // it contains all comments
					continue
				}
				g := byName[name.text]
				if g == nil {
					g = &group{}
					byName[name.text] = g
					groups = append(groups, g)
				}
				g.add(d, n, name.comment)
			}
		}
		n++
	}
	return groups
}

func (g *group) add(d *dom.Document, n dom.Node, comment bool) {
	g.comment = g.comment || comment
	if g.last == n { // several of its names differ only by numbers
		return
	}
	g.last = n
	if len(g.nodes) > 0 && d.Contains(g.nodes[len(g.nodes)-1], n) {
		g.inner = append(g.inner, n)
		return
	}
	g.nodes = append(g.nodes, n)
	g.words += d.Words(n)
}

// mayBeComment reports whether an element with this tag may be a whole comment.
func mayBeComment(t dom.Tag) bool {
	switch t {
	case dom.Div, dom.Li, dom.Article, dom.Section, dom.Tr, dom.Td, dom.Table, dom.Dl, dom.Dd, dom.Blockquote, dom.Unknown:
		return true
	}
	return false
}

// name is a name of an element, and whether it means one comment.
type name struct {
	text    string
	comment bool
}

// names returns the names of n: its classes, its id and its microdata, or else
// its tag. An id with a number means a comment.
func names(d *dom.Document, n dom.Node) []name {
	tag := d.Name(n)
	var out []name
	for class := range strings.FieldsSeq(d.Attr(n, "class")) {
		class = strings.ToLower(class)
		out = append(out, name{tag + "." + withoutDigits(class), lists().names[class]&singleRole != 0})
	}
	if id := strings.ToLower(d.Attr(n, "id")); id != "" {
		base := withoutDigits(id)
		out = append(out, name{tag + "#" + base, len(id)-len(base) > 2 && rolesOf(base)&(auxiliaryRole|controlRole) == 0})
	}
	if isCommentItem(d, n) {
		out = append(out, name{tag + " microdata", true})
	}
	if len(out) == 0 {
		out = append(out, name{tag, false})
	}
	return out
}

// withoutDigits returns "comment-" for "comment-1234".
func withoutDigits(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, name)
}

// withGaps turns the elements of a group into comments. What is between them,
// such as a line with the author, belongs to the comment before or after it,
// whichever is more common in the section.
func (f *finder) withGaps(section dom.Node, nodes []dom.Node) []item {
	d := f.doc
	slices.Sort(nodes)
	inGroup := map[dom.Node]bool{}
	items := make([]item, len(nodes))
	for i, n := range nodes {
		inGroup[n] = true
		items[i] = item{n, d.End(n)}
	}
	if nodes[0] == section {
		return items
	}
	isGap := func(n dom.Node) bool { return n != dom.None && f.isGap(n, inGroup) }
	var before, after int
	for _, n := range nodes {
		if isGap(d.Prev(n)) {
			before++
		}
		if isGap(d.Next(n)) {
			after++
		}
	}
	for i, n := range nodes {
		it := &items[i]
		switch {
		case d.Tag(n) == dom.Dd: // from the term with the author to the next term
			for p := d.Prev(n); isGap(p) && d.Tag(it.from) != dom.Dt; p = d.Prev(p) {
				it.from = p
			}
			for p := d.Next(n); isGap(p) && d.Tag(p) != dom.Dt; p = d.Next(p) {
				it.to = d.End(p)
			}
		case before > after:
			for p := d.Prev(n); isGap(p); p = d.Prev(p) {
				it.from = p
			}
		case after > before:
			for p := d.Next(n); isGap(p); p = d.Next(p) {
				it.to = d.End(p)
			}
		}
	}
	return items
}

// isGap reports whether n is between comments and belongs to one of them.
func (f *finder) isGap(n dom.Node, inGroup map[dom.Node]bool) bool {
	d := f.doc
	const maxWords = 60
	switch {
	case inGroup[n] || d.Words(n) > maxWords || d.Tag(n).IsHeading():
		return false
	case d.Words(n) == 0:
		return d.Tag(n) == dom.Br || d.Tag(n) == dom.A
	}
	for m := n; m < d.End(n); m++ { // replies may be next to their comment
		if inGroup[m] {
			return false
		}
	}
	return d.IsText(n) || !isControl(d, n)
}
