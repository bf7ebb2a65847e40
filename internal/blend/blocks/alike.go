package blocks

import "github.com/lede-news/lede/dom"

// countAlike tells every element around a block how many of its siblings look
// like it. All children of an element are counted when one is asked for: those
// that are not asked for have their number below zero, and none in the end.
func (v *View) countAlike() {
	d := v.Doc
	for i := range v.Blocks {
		for n := v.Blocks[i].Owner; n > 0 && v.ground[n].alike <= 0; n = d.Parent(n) {
			g := &v.ground[n]
			if g.alike == 0 {
				v.countChildren(d.Parent(n))
			}
			g.alike = -g.alike
		}
	}
	for k := range v.ground {
		g := &v.ground[k]
		g.alike = max(g.alike, 0)
	}
}

// brood is how many children of an element have a key.
type brood struct {
	key   uint32
	count int32 // 0 in a place that is free
}

// countChildren counts the children of an element by their keys, in a table
// with open addressing: a page may give each of a hundred thousand its own.
func (v *View) countChildren(parent dom.Node) {
	d := v.Doc
	n, size := 0, 16
	for range d.Children(parent) {
		n++
	}
	for size < 2*n {
		size *= 2
	}
	v.broods = room(v.broods, size)
	for c := range d.Children(parent) {
		if d.Tag(c) != dom.Text {
			b := v.brood(v.ground[c].key)
			b.key = v.ground[c].key
			b.count++
		}
	}
	for c := range d.Children(parent) {
		if d.Tag(c) != dom.Text {
			v.ground[c].alike = -v.brood(v.ground[c].key).count
		}
	}
}

// brood is the place of a key, or the free one for it.
func (v *View) brood(key uint32) *brood {
	last := uint32(len(v.broods) - 1)
	i := (key ^ key>>15) & last
	for v.broods[i].count > 0 && v.broods[i].key != key {
		i = (i + 1) & last
	}
	return &v.broods[i]
}
