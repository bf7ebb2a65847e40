package nce

import (
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

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
