package nce

import (
	"iter"

	"github.com/lede-news/lede/dom"
)

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
