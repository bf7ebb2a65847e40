package nce

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/internal/words"
)

// separate is Phase 1, Separator Node Search. It sets the forest to the children
// of the separator node, or to the whole tree if there is no separator node.
func (r *run) separate() {
	d, root := r.doc, r.doc.Root()
	if u := r.separator(); u != dom.None {
		r.forest(u)
		if !r.cfg.RefuseLinks || !r.isEmpty(r.end) {
			return
		}
		// All text of u may be in links. Then u separates nothing, as if there
		// were no separator node.
		r.trees, r.sel.Reasons, r.leaf = nil, nil, dom.None
	}
	// "If NCE fails to find the desired leaf L then it returns the entire DOM
	// tree." With RefuseLinks the tree must have few links, or at least a leaf
	// outside links where the search could start.
	if density := d.LinkDensity(root); !r.cfg.RefuseLinks || density <= r.cfg.Beta4 || r.hasPlainLeaf() {
		r.trees = []dom.Node{root}
		r.explain(root, true, density, "the whole page: no part of it stands out as the story")
	}
}

// hasPlainLeaf reports whether a leaf outside links has the size of L.
func (r *run) hasPlainLeaf() bool {
	d := r.doc
	for l := range dom.Node(d.Len()) {
		if d.IsText(l) && !d.InLink(l) && r.size(l) >= max(r.cfg.Alpha3, 1) {
			return true
		}
	}
	return false
}

// separator returns the separator node, or dom.None.
func (r *run) separator() dom.Node {
	d := r.doc
	if r.size(d.Root()) < r.cfg.Alpha1 {
		return dom.None
	}
	// "It visits the leaves of T following a depth first search until it
	// finds a leaf L, with at least α3 chars, for which there is an ancestor u
	// that simultaneously satisfies the following conditions." The root always
	// does.
	for l := range dom.Node(d.Len()) {
		if !d.IsText(l) || r.size(l) < max(r.cfg.Alpha3, 1) {
			continue
		}
		// (iv) "u is the closest ancestor of L that simultaneously satisfies
		// conditions (i)–(iii)".
		for u := range d.Ancestors(l) {
			if r.separates(u) {
				r.leaf = l
				return u
			}
		}
	}
	return dom.None
}

// separates reports whether u satisfies conditions (i) to (iii): it is not a
// paragraph, has enough text, and at most one sibling with "some reasonable
// amount of text".
func (r *run) separates(u dom.Node) bool {
	d := r.doc
	if d.Tag(u) == dom.P || r.size(u) < r.cfg.Alpha1 {
		return false
	}
	parent := d.Parent(u)
	if parent == dom.None {
		return true
	}
	siblings := 0
	for s := range d.Children(parent) {
		if s != u && r.size(s) >= r.cfg.Alpha2 && d.LinkDensity(s) < r.cfg.Beta1 {
			siblings++
		}
	}
	return siblings <= 1
}

// forest sets the forest to F(u, β4): the children of u with a link density of at
// most β4.
func (r *run) forest(u dom.Node) {
	d := r.doc
	if u != d.Root() {
		r.explain(d.Root(), false, 0, "outside the part of the page with the story")
	}
	r.explain(u, true, float64(r.size(u)), "the part of the page with the story")
	r.trees = make([]dom.Node, 0, 64) // most have fewer children
	for c := range d.Children(u) {
		density := d.LinkDensity(c)
		kept := density <= r.cfg.Beta4
		if kept {
			r.trees = append(r.trees, c)
		}
		if d.Chars(c) > 0 && !r.noReasons {
			r.explain(c, kept, density, linkReason(kept, density))
		}
	}
}

// linkReason says that a part of the story has few links, or that it has too many.
func linkReason(kept bool, density float64) string {
	switch {
	case !kept:
		return "too many links for text of the story: " + reasons.Percent(density) + " of it"
	case density == 0:
		return "in the part of the page with the story, without links"
	}
	return "in the part of the page with the story, " + reasons.Percent(density) + " of it links"
}

// size returns |text(T_n)| in characters. With Ideographs a character that is a
// word of its own, as in Chinese, counts as three.
func (r *run) size(n dom.Node) int {
	if !r.cfg.Ideographs {
		return r.doc.Chars(n)
	}
	return max(r.doc.Chars(n), 3*r.doc.Words(n))
}

// marker is a node that may belong to a comment: a date, a permalink, the name
// of a user.
type marker struct {
	node, first dom.Node // itself, and the first marker of its component
	bag         []uint32 // of its words
	paired      bool     // its component has two markers
}

// removeComments is Phase 2, Comments Removal. "It discards all content that
// appear after the first of these blocks because it assumes that such a block
// demarcates the beginning of the region of comments."
//
// By Assumption 2 "comments are located after the body". Blocks without text before them
// therefore demarcate none.
func (r *run) removeComments() {
	if first := r.firstComment(); first != dom.None && !r.isEmpty(first) {
		r.end = first
		r.cut()
	}
}

// maxNear bounds the number of markers that one is compared with, whatever α7 is,
// so that the cost of a page is proportional to its length.
const maxNear = 256

// firstComment returns the first node of the first connected component of three
// markers, or dom.None. "The construction of graph G stops as soon as the first
// connected component with at least 3 nodes is identified", so until then a
// component has one or two markers.
func (r *run) firstComment() dom.Node {
	var (
		graph = make([]marker, 0, 64)
		bags  = make([]uint32, 0, 512) // one after the other
		near  int                      // the first marker that is near enough
	)
	for n := range r.markers() {
		before := len(bags)
		bags = appendBag(bags, r.doc.Text(n))
		m := marker{node: n, first: n, bag: bags[before:]}
		near = max(near, len(graph)-maxNear)
		for near < len(graph) && int(n-graph[near].node) > r.cfg.Alpha7 {
			near++
		}
		size := 1
		for j := near; j < len(graph); j++ {
			o := &graph[j]
			if !similar(o.bag, m.bag, r.cfg.Beta2) {
				continue
			}
			size++
			if o.paired {
				size++ // perhaps counted twice, but three they are
			}
			m.first = min(m.first, o.first)
			o.paired, m.paired = true, true
		}
		if size >= 3 {
			return m.first
		}
		graph = append(graph, m)
	}
	return dom.None
}

// markers iterates over the blocks of the forest with α5 to α6 words, in DFS
// order. Of nested nodes only the outermost counts; otherwise a line and two
// elements around it would make a component of three. Words in the middle of a
// line are no block.
func (r *run) markers() iter.Seq[dom.Node] {
	d := r.doc
	return func(yield func(dom.Node) bool) {
		for _, t := range r.trees {
			for n, end := t, d.End(t); n < end; {
				count := d.Words(n)
				switch {
				case count < max(r.cfg.Alpha5, 1):
					n = d.End(n)
				case count > r.cfg.Alpha6 || !r.hasOwnLines(n):
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

// hasOwnLines reports whether n shares no line with the text before or after it.
func (r *run) hasOwnLines(n dom.Node) bool {
	const space = " \n"
	text := r.doc.AllText()
	from, to := r.doc.Span(n)
	to = from + len(strings.TrimRight(text[from:to], space))
	from = to - len(strings.TrimLeft(text[from:to], space))
	return (from == 0 || text[from-1] == '\n') && (to == len(text) || text[to] == '\n')
}

// cut drops r.end and everything after it.
func (r *run) cut() {
	const begin = "readers' comments begin here: the first of three boxes that look alike"
	const after = "below the first of the readers' comments"
	d := r.doc
	whole, _ := slices.BinarySearch(r.trees, r.end) // trees before this one begin before the comments
	r.explain(r.end, false, 0, begin)
	for _, t := range r.trees[whole:] {
		if t > r.end {
			r.explain(t, false, 0, after)
		}
	}
	r.trees = r.trees[:whole]
	t := r.trees[whole-1]
	if !d.Contains(t, r.end) {
		return
	}
	r.sel.Drop = append(r.sel.Drop, r.end)
	for n := r.end; n != t; n = d.Parent(n) {
		for s := d.Next(n); s != dom.None; s = d.Next(s) {
			r.explain(s, false, 0, after)
			r.sel.Drop = append(r.sel.Drop, s)
		}
	}
}

// findTitle is Phase 3, Title Search. "NCE visits the nodes of T with ids
// smaller than the first node of U'", the remaining forest. It lists <title> and
// the nodes with few words that are mostly in the body; the one "with the largest
// amount of text" is the title.
//
// That is usually <title>, which is not part of the page's text and has the name of
// the site in it, or else the standfirst. With Shown, the title is the node that
// shows <title>, before the forest or at its beginning, or else <title>; the rule of
// the paper is for pages whose <title> is too short for a headline.
func (r *run) findTitle() {
	head, chars := r.headTitle(), 0
	if head != dom.None {
		chars = utf8.RuneCountInString(strings.TrimSpace(r.doc.Raw(head)))
	}
	if r.cfg.Shown && head != dom.None {
		if best := r.mostSimilar(r.titleList(max(r.trees[0], r.leaf)), head); best.node != dom.None {
			r.setTitle(best.node, best.share, "the headline: it shows the title of the page")
			return
		}
	}
	best := entry{node: dom.None}
	for _, e := range r.titleList(r.trees[0]) {
		if n := r.doc.Chars(e.node); n > chars {
			best, chars = e, n
		}
	}
	switch {
	case best.node != dom.None && !(r.cfg.Shown && r.isHeadline(head)):
		r.setTitle(best.node, best.share, "the headline: the longest line above the story that shares its words")
	case head != dom.None:
		r.setTitle(head, 1, "the headline: the title of the page")
	}
}

func (r *run) setTitle(n dom.Node, score float64, why string) {
	n = r.inner(n)
	r.sel.Title = n
	r.explain(n, true, score, why)
}

// inner returns the innermost element around the text of n.
func (r *run) inner(n dom.Node) dom.Node {
	d := r.doc
	for c := range d.Children(n) {
		if !d.IsText(c) && d.Chars(c) == d.Chars(n) {
			return r.inner(c)
		}
	}
	return n
}

// isHeadline reports whether <title> has the words of a headline, and not only the
// name of the site or of a section.
func (r *run) isHeadline(head dom.Node) bool {
	const least = 3
	return head != dom.None && words.Count(r.doc.Raw(head), least) == least
}

// entry is a node on the list of Phase 3.
type entry struct {
	node  dom.Node
	share float64 // of its words that are in the body
}

// titleList returns L' without <title>: the nodes before first with α8 to α9 words
// of which at least a share β3 is in the body.
func (r *run) titleList(first dom.Node) []entry {
	d := r.doc
	var list []entry
	var body wordSet
	for n := dom.Node(1); n < first; {
		count := d.Words(n)
		switch {
		case count < max(r.cfg.Alpha8, 1):
			n = d.End(n)
			continue
		case count > r.cfg.Alpha9 || d.End(n) > first:
			// A node that ends after the first one of the body contains it.
			n++
			continue
		}
		if body == nil {
			body = r.bodyWords()
		}
		if s := body.share(d.Text(n)); s >= r.cfg.Beta3 {
			list = append(list, entry{n, s})
		}
		n++
	}
	return list
}

// headTitle returns <title>, if it has text and is before the forest.
func (r *run) headTitle() dom.Node {
	title := r.doc.First(dom.Title)
	if title != dom.None && (title >= r.trees[0] || strings.TrimSpace(r.doc.Raw(title)) == "") {
		return dom.None
	}
	return title
}

// mostSimilar returns the node on the list that shows <title> best: F1 of their words is the
// highest, and above a half.
func (r *run) mostSimilar(list []entry, title dom.Node) entry {
	want := wordSet{}.add(r.doc.Raw(title))
	best, most := entry{node: dom.None}, 0.5
	for _, e := range list {
		n := float64(r.doc.Words(e.node))
		if f1 := 2 * want.share(r.doc.Text(e.node)) * n / (n + float64(len(want))); f1 > most {
			best, most = e, f1
		}
	}
	return best
}
