package site

import "github.com/lede-news/lede/dom"

// shape is a sketch of the set of tag paths of a page (min-hash with one
// permutation): the share of places in which two shapes agree is about the
// share of tag paths that two pages have in common.
type shape [shapeSize]uint16

const shapeSize = 64

// alike is the share of tag paths that two pages of one template have in
// common at least. Stories of one template can differ a good deal, by tables,
// videos and comments; what they know is the same from 0.3 to 0.6.
const alike = 0.3

func shapeOf(d *dom.Document) (s shape) {
	hashes := make([]uint64, d.Paths())
	for n := range dom.Node(d.Len()) {
		if d.IsText(n) || d.Words(n) == 0 {
			continue
		}
		path := d.Path(n)
		if hashes[path] != 0 {
			continue
		}
		up := uint64(hashSeed)
		if par := d.Parent(n); par != dom.None {
			up = hashes[d.Path(par)]
		}
		h := mix(up, uint64(d.Tag(n))+1) | 1
		hashes[path] = h
		slot := &s[h>>8%shapeSize]
		if v := uint16(h>>48) | 1; *slot == 0 || v < *slot {
			*slot = v
		}
	}
	return s
}

func (s *shape) likeness(t *shape) float64 {
	same, all := 0, 0
	for i := range s {
		if s[i] == 0 && t[i] == 0 {
			continue
		}
		all++
		if s[i] == t[i] {
			same++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(same) / float64(all)
}
