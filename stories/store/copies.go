package store

import (
	"cmp"
	"slices"

	"github.com/lede-news/lede/stories"
)

// Copies form trees. The parent of a text is, among the copies that precede it, the one that
// shares most. The root is the original.

const (
	// maxBucket is how many texts are kept of those that share a key: the first ones.
	maxBucket = 32
	// maxCandidates is how many texts that share keys with a text are looked at.
	maxCandidates = 48
	// maxParents is how many texts that precede a text are compared with it: those that
	// share most keys. maxChildren is how many that follow.
	maxParents, maxChildren = 8, 16
	// maxCompared bounds the shingles of these.
	maxCompared = 4 << 20
	// maxVersions is how many texts of articles with the same id are compared with a text:
	// the first ones.
	maxVersions = 8
)

// candidate is a text that may be a copy of another one.
type candidate struct {
	*node
	keys    int // that they share
	later   bool
	overlap stories.Overlap // of the other text, which is a, with this one
}

// copiesOf returns the copies of a new text. They are found by keys, and compared. The text
// is entered under its keys.
func (s *Store) copiesOf(n *node, p *Prepared, idKey int64) ([]candidate, error) {
	if len(p.keys) == 0 {
		return nil, nil
	}
	// Texts of articles with the same id are found by a key of their own.
	keys := append(slices.Clip(p.keys), uint64(idKey))
	full := make([]bool, len(keys))
	// The number of shared keys is in the lowest bits, their weight above.
	const weightBits = 16
	shared := map[uint32]uint64{}
	var versions []uint32
	err := s.buckets.lookup(s.db, keys, func(i int, nodes []uint32) {
		full[i] = len(nodes) >= maxBucket
		if i == len(p.keys) {
			versions = slices.Clone(nodes[max(0, len(nodes)-maxVersions):])
			return
		}
		one := uint64(1)
		if !full[i] { // keys of boilerplate have long lists
			one += uint64(maxBucket/len(nodes)) << weightBits
		}
		for _, id := range nodes {
			shared[id] += one
		}
	})
	if err != nil {
		return nil, err
	}
	for i, key := range keys {
		if !full[i] {
			s.buckets.add(key, uint32(n.id))
		}
	}
	for _, id := range versions { // are compared first, whatever they share
		shared[id] = 1<<30 | uint64(len(p.keys)+1)
	}
	var list []candidate
	for _, id := range heaviest(shared, maxCandidates) {
		size, err := s.sizeOf(int64(id))
		if err != nil {
			return nil, err
		}
		keys := int(shared[id] & (1<<weightBits - 1))
		if keys < minShared(n.shingles, size) {
			continue
		}
		other, err := s.node(int64(id))
		if err != nil {
			return nil, err
		}
		list = append(list, candidate{node: other, keys: keys, later: n.precedes(other)})
	}
	return s.compare(p.shingles, len(p.keys), list)
}

// heaviest returns the n nodes with the most weight, of those with the same weight the latest
// first.
func heaviest(weights map[uint32]uint64, n int) []uint32 {
	order := make([]uint64, 0, len(weights))
	for id, w := range weights {
		order = append(order, w<<32|uint64(id))
	}
	slices.Sort(order)
	list := make([]uint32, min(n, len(order)))
	for i := range list {
		list[i] = uint32(order[len(order)-1-i])
	}
	return list
}

// minShared returns how many keys texts with so many shingles share at least if they are
// copies. One in sixteen shingles is a key, or fewer of a long text, and copies share at
// least half of the shorter one: this is half of what is expected then.
func minShared(a, b int) int {
	n := min(a, b)
	if long := max(a, b); long > 2048 {
		n = n * 2048 / long
	}
	return n / 64
}

// compare compares a text that has a number of keys with candidates in their order, and
// returns those that are copies.
func (s *Store) compare(sh *stories.Shingles, keys int, list []candidate) (copies []candidate, err error) {
	compared, parents, children := 0, 0, 0
	enough := 0 // keys that a parent shares, after one was found that shares many
	for _, c := range list {
		if c.later {
			children++
		} else {
			parents++
		}
		if c.later && children > maxChildren || !c.later && (parents > maxParents || c.keys < enough) {
			continue
		}
		other, err := s.shinglesOf(c.id)
		if err != nil {
			return nil, err
		}
		if compared += other.Len() + sh.Len(); compared > maxCompared && len(copies) > 0 {
			break
		}
		if c.overlap = stories.Compare(sh, other); c.overlap.IsCopy() {
			copies = append(copies, c)
			if !c.later && c.keys <= keys { // not a version
				enough = max(enough, c.keys*3/4-2)
			}
		}
	}
	if len(copies) == 0 || slices.ContainsFunc(copies, func(c candidate) bool { return c.parent == 0 }) {
		return copies, nil
	}
	// Of very many copies only some are found, and the original may not be among them.
	root, err := s.rootOf(copies[0].node)
	if err != nil {
		return nil, err
	}
	other, err := s.shinglesOf(root.id)
	if err != nil {
		return nil, err
	}
	if o := stories.Compare(sh, other); o.IsCopy() {
		copies = append(copies, candidate{node: root, overlap: o})
	}
	return copies, nil
}

// place finds the place of a new text among its copies, or else its story, and writes it.
func (s *Store) place(n *node, p *Prepared, copies []candidate) error {
	var parent, root candidate
	for _, c := range copies {
		switch {
		case c.precedes(n):
			// The parent has most of the text. It is not the one with the highest score, which for a
			// round-up may be a short excerpt of a story that it hardly mentions.
			if parent.node == nil || cmp.Or(cmp.Compare(c.overlap.Shared, parent.overlap.Shared),
				cmp.Compare(c.overlap.Likeness, parent.overlap.Likeness), parent.compare(c.node)) > 0 {
				parent = c
			}
		case c.parent == 0 && (root.node == nil || c.precedes(root.node)):
			root = c
		}
	}
	switch {
	case parent.node != nil:
		n.parent, n.root, n.overlap, n.story = parent.id, cmp.Or(parent.root, parent.id), parent.overlap, parent.story
		return s.writeNode(n)
	case root.node != nil: // which came earlier but is later
		n.story = root.story
		o := root.overlap
		o.InA, o.InB = o.InB, o.InA
		return s.replaceRoot(n, root.node, o)
	}
	return s.cluster(n, p)
}

// replaceRoot makes a node the original of what another one was the original of.
func (s *Store) replaceRoot(n, old *node, o stories.Overlap) error {
	n.score, n.reason = 1, "original of "+old.firstID
	if err := s.writeNode(n); err != nil {
		return err
	}
	old.parent, old.root, old.overlap, old.score, old.reason = n.id, n.id, o, 0, ""
	return s.writeNode(old)
}
