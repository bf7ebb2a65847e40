package comments

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// kind is elements of one place that are called alike: the same tag, with the
// same class, or with the same id but for its number.
type kind struct {
	nodes   []dom.Node // none inside another
	inner   []dom.Node // answers, inside the nodes
	last    dom.Node
	words   int
	comment bool // the page says that they are comments
}

// items are the comments of a place, in order, and whether the page says so of
// each. Where nothing is repeated and nothing is called a comment there are none.
func (f *finder) items(place dom.Node) (items []item, named bool) {
	kinds, order := f.kinds(place)
	most := 0
	for _, k := range kinds {
		if k.isMany() {
			most = max(most, k.words)
		}
	}
	var best *kind
	for _, name := range order {
		k := kinds[name]
		if !k.isMany() || k.words < most*2/3 {
			continue
		}
		if best == nil || k.better(best) {
			best = k
		}
	}
	if best == nil {
		return nil, false
	}
	return f.withGaps(place, append(best.nodes, best.inner...)), best.comment
}

func (k *kind) isMany() bool { return len(k.nodes)+len(k.inner) > 1 || k.comment }

// better prefers what is called a comment, then the many, then the outermost,
// which was met first.
func (k *kind) better(than *kind) bool {
	if k.comment != than.comment {
		return k.comment
	}
	return len(k.nodes)+len(k.inner) > len(than.nodes)+len(than.inner)
}

// kinds gathers the boxes of a place by what they are called.
func (f *finder) kinds(place dom.Node) (map[string]*kind, []string) {
	d := f.doc
	kinds := map[string]*kind{}
	var order []string
	for n := place; n < d.End(place); {
		if !d.IsText(n) && (d.Hidden(n) || isToolBox(d, n) && n != place) {
			n = d.End(n)
			continue
		}
		if isBox(d.Tag(n)) && d.Words(n) > 0 {
			for _, name := range names(d, n) {
				if n == place && !name.comment { // it holds them all
					continue
				}
				k := kinds[name.text]
				if k == nil {
					k = &kind{}
					kinds[name.text] = k
					order = append(order, name.text)
				}
				k.add(d, n, name.comment)
			}
		}
		n++
	}
	return kinds, order
}

func (k *kind) add(d *dom.Document, n dom.Node, says bool) {
	k.comment = k.comment || says
	if k.last == n { // it has several names that differ by their numbers
		return
	}
	k.last = n
	if len(k.nodes) > 0 && d.Contains(k.nodes[len(k.nodes)-1], n) {
		k.inner = append(k.inner, n)
		return
	}
	k.nodes = append(k.nodes, n)
	k.words += d.Words(n)
}

// isBox tells elements that may hold a whole comment.
func isBox(t dom.Tag) bool {
	switch t {
	case dom.Div, dom.Li, dom.Article, dom.Section, dom.Tr, dom.Td, dom.Table, dom.Dl, dom.Dd, dom.Blockquote, dom.Unknown:
		return true
	}
	return false
}

// name is what an element is called, and whether that says that it is one
// comment.
type name struct {
	text    string
	comment bool
}

// names are what n may be called. In the place of comments, what has a number
// is a record.
func names(d *dom.Document, n dom.Node) []name {
	tag := d.Name(n)
	var out []name
	for class := range strings.FieldsSeq(d.AttrOr(n, "class")) {
		out = append(out, name{tag + "." + withoutNumber(class), isSingle(class)})
	}
	if id := d.AttrOr(n, "id"); id != "" {
		base := withoutNumber(id)
		out = append(out, name{tag + "#" + base, len(id)-len(base) > 2 && rolesOf(base)&(beside|tool) == 0})
	}
	if saysComment(d, n) {
		out = append(out, name{tag + " microdata", true})
	}
	if len(out) == 0 {
		out = append(out, name{tag, false})
	}
	return out
}

// isSingle reports whether a class is the name of one comment.
func isSingle(class string) bool { return exact[strings.ToLower(class)]&single != 0 }

func saysComment(d *dom.Document, n dom.Node) bool {
	kind := d.AttrOr(n, "itemtype")
	return strings.HasSuffix(kind, "/Comment") || strings.HasSuffix(kind, "/UserComments")
}

// withoutNumber cuts the number off "comment-1234" and "c1234-wrap".
func withoutNumber(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

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

// IsThread reports whether of the place of comments n there are at least two in
// it, or beside it where each has a place of its own. A story in a box that is
// called "comment", as columns are, is no thread.
func IsThread(d *dom.Document, n dom.Node) bool {
	f := finder{doc: d} // nothing of the story is asked for
	items, _ := f.items(n)
	return len(items) > 1 || hasTwin(d, n)
}

// hasTwin reports whether n has a sibling that is called a comment too.
func hasTwin(d *dom.Document, n dom.Node) bool {
	const far = 8 // siblings: between two comments stand names and rules
	back, ahead := n, n
	for range far {
		if back != dom.None {
			back = d.Prev(back)
		}
		if ahead != dom.None {
			ahead = d.Next(ahead)
		}
		for _, m := range [...]dom.Node{back, ahead} {
			if m != dom.None && d.Tag(m) == d.Tag(n) && d.Words(m) > 0 && IsNamed(d, m) {
				return true
			}
		}
	}
	return false
}
