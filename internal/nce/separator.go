package nce

import "github.com/lede-news/lede/dom"

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
