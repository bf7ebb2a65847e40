package nce

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// separate is Phase 1, Separator Node Search. It leaves the forest of the
// separator node's children, or the whole tree when no leaf leads to one.
func (r *run) separate() {
	d, root := r.doc, r.doc.Root()
	if u := r.separator(); u != dom.None {
		r.forest(u)
		if r.plainWords(r.end) > 0 {
			return
		}
		// On a page of many links that may be all of them: then u separates
		// nothing, and the page is none that leads to a separator node.
		r.trees, r.sel.Reasons = nil, nil
	}
	// "If NCE fails to find the desired leaf L then it returns the entire DOM
	// tree." A page of links is no story, whole or not: the tree must have few
	// of them, or at least a leaf outside of them to begin at.
	if density := d.LinkDensity(root); density <= r.set.Beta4 || r.hasPlainLeaf() {
		r.trees = []dom.Node{root}
		r.because(root, true, density, "the whole page: no leaf leads to a separator node")
	}
}

// hasPlainLeaf reports whether any leaf outside of links has the size of L.
func (r *run) hasPlainLeaf() bool {
	d := r.doc
	for l := range dom.Node(d.Len()) {
		if d.IsText(l) && !d.InLink(l) && r.size(l) >= max(r.set.Alpha3, 1) {
			return true
		}
	}
	return false
}

// separator finds the separator node, or None.
func (r *run) separator() dom.Node {
	d := r.doc
	if r.size(d.Root()) < r.set.Alpha1 {
		return dom.None // no node has enough text
	}
	// "It visits the leaves of T following a depth first search until it
	// finds a leaf L, with at least α3 chars, for which there is an ancestor u
	// that simultaneously satisfies the following conditions." The root does,
	// so that the first such leaf is the last to be visited.
	for l := range dom.Node(d.Len()) {
		if !d.IsText(l) || r.size(l) < max(r.set.Alpha3, 1) {
			continue
		}
		// (iv) "u is the closest ancestor of L that simultaneously satisfies
		// conditions (i)–(iii)".
		for u := range d.Ancestors(l) {
			if r.separates(u) {
				return u
			}
		}
	}
	return dom.None
}

// separates tests conditions (i) to (iii): u is no paragraph, has enough text,
// and at most one sibling with "some reasonable amount of text".
func (r *run) separates(u dom.Node) bool {
	d := r.doc
	if d.Tag(u) == dom.P || r.size(u) < r.set.Alpha1 {
		return false
	}
	parent := d.Parent(u)
	if parent == dom.None {
		return true
	}
	siblings := 0
	for s := range d.Children(parent) {
		if s != u && r.size(s) >= r.set.Alpha2 && d.LinkDensity(s) < r.set.Beta1 {
			siblings++
		}
	}
	return siblings <= 1
}

// forest is F(u, β4): the children of u with a link density of at most β4.
func (r *run) forest(u dom.Node) {
	d := r.doc
	if u != d.Root() {
		r.because(d.Root(), false, 0, "outside of the separator node")
	}
	r.because(u, true, float64(r.size(u)), "separator node")
	for c := range d.Children(u) {
		density := d.LinkDensity(c)
		kept, why := density <= r.set.Beta4, r.why.few
		if kept {
			r.trees = append(r.trees, c)
		} else {
			why = r.why.many
		}
		if d.Chars(c) > 0 {
			r.because(c, kept, density, why)
		}
	}
}

// size is |text(T_n)| in characters. The paper's are letters, six or so to a
// word; where a character is a word by itself it says as much as three.
func (r *run) size(n dom.Node) int {
	return max(r.doc.Chars(n), 3*r.doc.Words(n))
}

// marker is a node that may stand at a comment: a date, a permalink, the line
// of a user.
type marker struct {
	node     dom.Node
	from, to int32 // its bag, in the arena
	mate     int32 // the one marker that it is joined to, or -1
}

// removeComments is Phase 2, Comments Removal. "It discards all content that
// appear after the first of these blocks because it assumes that such a block
// demarcates the beginning of the region of comments." It gives the end of
// what is left: the first node that is discarded.
//
// By Assumption 2 "comments are located after the body": blocks that nothing
// comes before demarcate none.
func (r *run) removeComments() {
	first := r.firstComment()
	if first == dom.None || r.plainWords(first) == 0 {
		return
	}
	r.end = first
	r.cut()
}

// mostNear bounds how many markers before it one is compared with, whatever α7
// is, so that the cost of a page stays in proportion to its length.
const mostNear = 256

// firstComment is the first node of the first connected component of three
// markers, or None. "The construction of graph G stops as soon as the first
// connected component with at least 3 nodes is identified", so that until then
// a component is a marker or two.
func (r *run) firstComment() dom.Node {
	var (
		graph = make([]marker, 0, 64)
		arena = make([]uint32, 0, 512)
		near  int // the first marker that is not too far away
	)
	for n := range r.markers() {
		m := marker{node: n, from: int32(len(arena)), mate: -1}
		arena = appendBag(arena, r.doc.Text(n))
		m.to = int32(len(arena))
		near = max(near, len(graph)-mostNear)
		for near < len(graph) && int(n-graph[near].node) > r.set.Alpha7 {
			near++
		}
		first, size := n, 1
		for j := near; j < len(graph); j++ {
			o := &graph[j]
			if !alike(arena[o.from:o.to], arena[m.from:m.to], r.set.Beta2) {
				continue
			}
			size++
			m.mate, first = int32(j), min(first, o.node)
			if o.mate >= 0 {
				size++ // if n has an edge to it too, it counts twice, but three they are
				first = min(first, graph[o.mate].node)
			}
		}
		if size >= 3 {
			return first
		}
		if m.mate >= 0 {
			graph[m.mate].mate = int32(len(graph))
		}
		graph = append(graph, m)
	}
	return dom.None
}

// markers goes through the blocks of the forest that have between α5 and α6
// words, in DFS order. Of nodes inside each other the outermost counts, lest a
// line and the elements around it make three that are alike; and words in the
// middle of a row are no block.
func (r *run) markers() iter.Seq[dom.Node] {
	d := r.doc
	return func(yield func(dom.Node) bool) {
		for _, t := range r.trees {
			for n, end := t, d.End(t); n < end; {
				words := d.Words(n)
				switch {
				case words < max(r.set.Alpha5, 1):
					n = d.End(n)
				case words > r.set.Alpha6 || !r.ownRows(n):
					n++
				case !yield(n):
					return
				default:
					n = d.End(n)
				}
			}
		}
	}
}

// ownRows reports whether n shares no row with what stands before or after it.
func (r *run) ownRows(n dom.Node) bool {
	text := r.doc.AllText()
	from, to := r.doc.Span(n)
	for from < to && (text[from] == ' ' || text[from] == '\n') {
		from++
	}
	for from < to && (text[to-1] == ' ' || text[to-1] == '\n') {
		to--
	}
	return (from == 0 || text[from-1] == '\n') && (to == len(text) || text[to] == '\n')
}

// cut drops r.end and all that comes after it.
func (r *run) cut() {
	d, first := r.doc, r.end
	const begin, after = "comments begin here: the first of three blocks that are alike", "after the first comment"
	for i, t := range r.trees {
		if first >= d.End(t) {
			continue
		}
		for _, late := range r.trees[i+1:] {
			r.because(late, false, 0, after)
		}
		r.because(first, false, 0, begin)
		if first == t {
			r.trees = r.trees[:i]
			return
		}
		r.trees = r.trees[:i+1]
		r.sel.Drop = append(r.sel.Drop, first)
		for n := first; n != t; n = d.Parent(n) {
			for s := d.Next(n); s != dom.None; s = d.Next(s) {
				r.because(s, false, 0, after)
				r.sel.Drop = append(r.sel.Drop, s)
			}
		}
		return
	}
}

// findTitle is Phase 3, Title Search. "NCE visits the nodes of T with ids
// smaller than the first node of U'", the forest that is left. On a list go
// <title> and nodes whose words are few and mostly in the body; the one "with
// the largest amount of text" is the title.
//
// Mostly that is <title>, which readers do not see on the page. Then the node
// on the list that shows it stands for it, if there is one.
func (r *run) findTitle() {
	list := r.titleList()
	tab, chars := r.tab()
	best := entry{node: dom.None}
	for _, e := range list {
		if n := r.doc.Chars(e.node); n > chars {
			best, chars = e, n
		}
	}
	if best.node != dom.None {
		r.sel.Title = r.inner(best.node)
		r.because(r.sel.Title, true, best.share, r.why.title)
		return
	}
	if tab == dom.None {
		return
	}
	if best = r.shown(list, tab); best.node == dom.None {
		r.because(tab, true, 0, "title: <title>, which no node before the body shows")
		return
	}
	r.sel.Title = r.inner(best.node)
	r.because(tab, true, 1, "title: <title>")
	r.because(r.sel.Title, true, best.share, "shows <title>")
}

// entry is a node on the list of Phase 3.
type entry struct {
	node  dom.Node
	share float64 // of its words that are in the body
}

// titleList is L' without <title>: the nodes with α8 to α9 words of which at
// least a share β3 is in the body.
func (r *run) titleList() []entry {
	d, first := r.doc, r.trees[0]
	var list []entry
	var body *wordSet
	for n := dom.Node(1); n < first; {
		words := d.Words(n)
		switch {
		case words < max(r.set.Alpha8, 1):
			n = d.End(n)
			continue
		case words > r.set.Alpha9 || d.End(n) > first:
			// What ends behind the first node of the body stands around it,
			// not before it.
			n++
			continue
		}
		if body == nil {
			body = r.bodyWords()
		}
		if s := body.share(d.Text(n)); s >= r.set.Beta3 {
			list = append(list, entry{n, s})
		}
		n++
	}
	return list
}

// tab is the <title> with the most text, and how many characters that is.
func (r *run) tab() (tab dom.Node, chars int) {
	tab = dom.None
	for n := range r.doc.All(r.doc.Root(), dom.Title) {
		if c := utf8.RuneCountInString(strings.TrimSpace(r.doc.Raw(n))); c > chars && n < r.trees[0] {
			tab, chars = n, c
		}
	}
	return tab, chars
}

// shown finds the node on the list that is most like <title>, if it has as
// many words of it as a title has of the body.
func (r *run) shown(list []entry, tab dom.Node) entry {
	want := newWordSet(0)
	for w := range words(r.doc.Raw(tab)) {
		want.add(w.hash)
	}
	best, most := entry{node: dom.None}, 0.0
	for _, e := range list {
		share := want.share(r.doc.Text(e.node))
		if share < r.set.Beta3 {
			continue
		}
		n := float64(r.doc.Words(e.node))
		if like := 2 * share * n / (n + float64(want.used)); like > most {
			best, most = e, like
		}
	}
	return best
}

// inner is the innermost element around the text of n.
func (r *run) inner(n dom.Node) dom.Node {
	d := r.doc
	for c := range d.Children(n) {
		if !d.IsText(c) && d.Chars(c) == d.Chars(n) {
			return r.inner(c)
		}
	}
	return n
}
