package twcem

import "github.com/lede-news/lede/dom"

// maxPost is the number of characters above which a block is not a post.
const maxPost = 1000

// authorWords is the number of words up to which the meta title may share with a row
// only the name of the author.
const authorWords = 3

// findPost finds a post: the block whose row shares most words with the title, at
// least half of them, with the paragraphs beside it. On a microblog, posts of others
// and replies are around it, and with δ3 = 1 Algorithm 4 finds one of them that has
// a word of the title. It reports whether there is a post; a title that is a heading
// has none.
func (v *view) findPost() bool {
	if v.title.isHeading(v.doc) {
		return false
	}
	v.segment(0, false) // a short post may have no punctuation
	best := -1
	for _, at := range v.list {
		r := &v.rows[at]
		if best < 0 || r.lcs > v.rows[best].lcs || r.lcs == v.rows[best].lcs && v.inLink(&v.rows[best]) && !v.inLink(r) {
			best = int(at)
		}
	}
	least := max(v.config.D3, (v.size+1)/2)
	if v.title.from != byLink {
		least = max(least, authorWords+1)
	}
	if best < 0 || v.size == 0 || int(v.rows[best].lcs) < least {
		return false
	}
	post := v.postAt(best)
	if v.doc.Chars(post) > maxPost {
		return false
	}
	v.opens, v.closes = true, true
	for i := range v.rows {
		r := &v.rows[i]
		switch {
		case v.doc.Contains(post, r.first):
			r.outcome = inside
		case r.outcome != before:
		case r.first > post:
			r.outcome = after
		}
	}
	if v.title.node != dom.None && v.doc.Contains(post, v.title.node) {
		v.title.node = dom.None // the post begins with its title
	}
	return true
}

// inLink reports whether a row is mostly links.
func (v *view) inLink(r *row) bool {
	return v.doc.Between(r.first, r.last+1).LinkDensity() >= 0.5
}

// block returns the block element of a row.
func (v *view) block(at int32) dom.Node {
	d, r := v.doc, &v.rows[at]
	n := d.CommonAncestor(r.first, r.last)
	for d.Parent(n) != dom.None && !d.Tag(n).IsBlock() {
		n = d.Parent(n)
	}
	return n
}

// postAt returns the block of a row or, if that is one of several paragraphs in an element
// that has nothing else, that element.
func (v *view) postAt(at int) dom.Node {
	d, n := v.doc, v.block(int32(at))
	parent := d.Parent(n)
	if parent == dom.None || d.Tag(n) != dom.P || d.Chars(parent) > maxPost {
		return n
	}
	for c := range d.Children(parent) {
		if d.Tag(c) != dom.P && d.Chars(c) > 0 {
			return n
		}
	}
	return parent
}
