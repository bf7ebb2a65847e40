package comments

import (
	"slices"

	"github.com/lede-news/lede/dom"
)

// item is one comment: the nodes from one up to, and without, another. They are
// a node or several that follow each other.
type item struct{ from, to dom.Node }

// withGaps makes comments of the boxes that repeat. What stands between them is
// part of them too: the line with the name before each, or behind it. Nothing
// outside the place is.
func (f *finder) withGaps(place dom.Node, boxes []dom.Node) []item {
	d := f.doc
	slices.Sort(boxes)
	isOne := map[dom.Node]bool{}
	for _, n := range boxes {
		isOne[n] = true
	}
	items := make([]item, len(boxes))
	for i, n := range boxes {
		items[i] = item{n, d.End(n)}
	}
	if boxes[0] == place {
		return items
	}
	var before, behind int
	for _, n := range boxes {
		if p := d.Prev(n); p != dom.None && f.isGap(p, isOne) {
			before++
		}
		if p := d.Next(n); p != dom.None && f.isGap(p, isOne) {
			behind++
		}
	}
	for i, n := range boxes {
		switch {
		case d.Tag(n) == dom.Dd: // the name is the term, and all up to the next is its definition
			for p := d.Prev(n); p != dom.None && f.isGap(p, isOne) && d.Tag(items[i].from) != dom.Dt; p = d.Prev(p) {
				items[i].from = p
			}
			for p := d.Next(n); p != dom.None && f.isGap(p, isOne) && d.Tag(p) != dom.Dt; p = d.Next(p) {
				items[i].to = d.End(p)
			}
		case before > behind:
			for p := d.Prev(n); p != dom.None && f.isGap(p, isOne); p = d.Prev(p) {
				items[i].from = p
			}
		case behind > before:
			for p := d.Next(n); p != dom.None && f.isGap(p, isOne); p = d.Next(p) {
				items[i].to = d.End(p)
			}
		}
	}
	return items
}

// isGap reports whether n stands between comments and says something.
func (f *finder) isGap(n dom.Node, isOne map[dom.Node]bool) bool {
	d := f.doc
	const long = 60 // words: the line with the name has fewer
	switch {
	case isOne[n] || d.Words(n) > long || d.Tag(n).IsHeading():
		return false
	case d.Words(n) == 0:
		return d.Tag(n) == dom.Br || d.Tag(n) == dom.A
	}
	for m := n; m < d.End(n); m++ { // answers stand beside the comment that they answer
		if isOne[m] {
			return false
		}
	}
	return d.IsText(n) || !isToolBox(d, n)
}
