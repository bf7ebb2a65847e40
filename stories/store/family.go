package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lede-news/lede/stories"
)

// Copies form trees. Each node knows its parent, and the family that it belongs to; the
// family knows the root. A node that arrives late may become the parent of others, so
// that families merge or split; only what changes is written, and of two families that
// merge, the smaller one.

// near is a node with shared text.
type near struct {
	*node
	overlap stories.Overlap // of the other node (a) with this one (b)
}

// flip returns an overlap as seen from the other side.
func flip(o stories.Overlap) stories.Overlap {
	o.InA, o.InB = o.InB, o.InA
	return o
}

const (
	// maxParents is how many texts that precede a text are compared with it: those that
	// share most keys. maxChildren is how many that follow.
	maxParents, maxChildren = 8, 16
	// maxCompared bounds the shingles of these.
	maxCompared = 4 << 20
	// keyWeight is added to the count of shared keys the more often the shorter the list of
	// a key is: keys of boilerplate have long lists, and say little.
	keyWeight = 1 << 20
)

// copiesOf returns the copies of a text. They are found by keys, and compared. A text
// that is new is entered under its keys.
func (s *Store) copiesOf(n *node, p *Prepared, versions []int64) (list []near, err error) {
	shared := s.shared
	clear(shared)
	full := map[int]bool{}
	if len(p.keys) > 1 {
		err = s.buckets.lookup(s.db, p.keys[1:], func(i int, nodes []uint32) {
			one := 1 + keyWeight*(maxBucket/max(1, len(nodes)))
			if len(nodes) >= maxBucket {
				full[i+1], one = true, 1
			}
			for _, id := range nodes {
				shared[id] += one
			}
		})
	}
	if err != nil {
		return nil, err
	}
	if n.id == s.counters.node && n.articles == 1 {
		for i, key := range p.keys {
			if !full[i] {
				s.flush.add(s.buckets, inBuckets, entry{key, listed(n)})
			}
		}
	}
	if len(p.keys) == 1 {
		return nil, nil
	}
	type candidate struct {
		*node
		keys, weight int
	}
	var candidates []candidate
	for id, keys := range shared {
		keys, weight := keys%keyWeight, keys/keyWeight
		class, id := int(id>>listBits), int64(id&maxNodes)
		if id == n.id || slices.Contains(versions, id) || class < maxClass && keys < minShared(n.shingles, class*classSize) {
			continue
		}
		other, err := s.node(id)
		if err != nil {
			return nil, err
		}
		if keys >= minShared(n.shingles, other.shingles) {
			candidates = append(candidates, candidate{other, keys, weight})
		}
	}
	for _, id := range versions {
		other, err := s.node(id)
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, candidate{other, len(p.keys), 1 << 30}) // before all others
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.keys, a.keys), compare(a.node, b.node))
	})
	compared, parents, children, all := 0, 0, 0, len(full) == 0
	enough := 0 // keys that a parent shares, after one was found that shares many
	for _, c := range candidates {
		if c.precedes(n) {
			parents++
			if c.keys < enough {
				continue
			}
		} else {
			children++
		}
		if c.precedes(n) && parents > maxParents || n.precedes(c.node) && children > maxChildren {
			all = false
			continue
		}
		sh, err := s.shinglesOf(c.id)
		if err != nil {
			return nil, err
		}
		if compared += sh.Len() + p.shingles.Len(); compared > maxCompared && len(list) > 0 {
			all = false
			break
		}
		if o := stories.Compare(p.shingles, sh); o.IsCopy() && (slices.Contains(versions, c.id) || shareKeys(p.shingles, sh)) {
			list = append(list, near{c.node, o})
			if c.precedes(n) && c.keys < len(p.keys) { // not of a version
				enough = max(enough, c.keys*3/4-2)
			}
		}
	}
	if all {
		return list, nil
	}
	return s.withRoots(p, list)
}

// shareKeys reports whether two texts share enough keys. What the lists say of it depends on
// which of them are full, and so on the order.
func shareKeys(a, b *stories.Shingles) bool {
	x, y := a.Keys(), b.Keys()
	slices.Sort(x)
	n := 0
	for _, key := range y {
		if _, ok := slices.BinarySearch(x, key); ok {
			n++
		}
	}
	return n >= minShared(a.Len(), b.Len())
}

// withRoots adds the originals of copies, if they are copies as well. Of very many copies only some
// are compared: with the originals among them, each has the same original whatever the
// order in which they came.
func (s *Store) withRoots(p *Prepared, list []near) ([]near, error) {
	known, families := map[int64]bool{}, map[int64]bool{}
	for _, c := range list {
		known[c.id] = true
	}
	for _, c := range slices.Clone(list) {
		if c.parent == 0 || families[c.family] {
			continue
		}
		families[c.family] = true
		root, err := s.rootOf(c.node)
		if err != nil {
			return nil, err
		}
		if known[root.id] {
			continue
		}
		known[root.id] = true
		sh, err := s.shinglesOf(root.id)
		if err != nil {
			return nil, err
		}
		if o := stories.Compare(p.shingles, sh); o.IsCopy() && shareKeys(p.shingles, sh) {
			list = append(list, near{root, o})
		}
	}
	return list, nil
}

// minShared returns how many keys texts with so many shingles share at least if they are copies. One in
// sixteen shingles is a key, or fewer of a long text, and copies share at least half of
// the shorter one: this is half of what is expected then.
func minShared(a, b int) int {
	n := min(a, b)
	if long := max(a, b); long > 2048 {
		n = n * 2048 / long
	}
	return n / classSize
}

// Lists have the length of a text beside its node, so that texts that share too few
// keys need not be looked at.
const (
	listBits  = 28 // of a node
	maxNodes  = 1<<listBits - 1
	classSize = 64
	maxClass  = 15
)

func sizeClass(n *node) int { return min(n.shingles/classSize, maxClass) }

// listed returns a node as it is in lists.
func listed(n *node) uint32 { return uint32(sizeClass(n))<<listBits | uint32(n.id) }

// better reports whether a node with one overlap is rather the parent than another: the one
// that has most of the text. It is not the one with the highest score, which for a round-up
// may be a short excerpt of a story that it hardly mentions.
func better(a *node, oa stories.Overlap, b *node, ob stories.Overlap) bool {
	if c := cmp.Or(cmp.Compare(oa.Shared, ob.Shared), cmp.Compare(oa.Likeness, ob.Likeness)); c != 0 {
		return c > 0
	}
	return a.precedes(b)
}

// bestParent returns the parent of a node, or a zero one.
func bestParent(n *node, list []near) (best near) {
	for _, c := range list {
		if c.precedes(n) && (best.node == nil || better(c.node, c.overlap, best.node, best.overlap)) {
			best = c
		}
	}
	return best
}

// place finds the place of a new node among its copies, or else its story, and writes
// it.
func (s *Store) place(n *node, p *Prepared, list []near) error {
	parent := bestParent(n, list)
	var heir near // whose place as the original the new node takes
	for _, c := range list {
		if c.parent == 0 && n.precedes(c.node) && (heir.node == nil || c.precedes(heir.node)) {
			heir = c
		}
	}
	var err error
	switch {
	case parent.node != nil:
		n.parent, n.overlap, n.story = parent.id, parent.overlap, parent.story
		n.family, err = s.familyOf(parent.node)
		if err == nil {
			err = s.growFamily(n.family, 1)
		}
	case heir.node != nil:
		n.story, n.score, n.reason = heir.story, 1, "original of "+heir.firstID
		n.family, err = s.familyOf(heir.node)
		if err == nil {
			err = s.growFamily(n.family, 1)
		}
		if err == nil {
			err = s.setRoot(n.family, n.id)
		}
	default:
		return s.placeAlone(n, p, list)
	}
	if err == nil {
		err = s.growStory(n.story, 1, n.time)
	}
	if err == nil {
		err = s.insertNode(n)
	}
	if err == nil && parent.node == nil {
		err = s.setParent(heir.node, n, flip(heir.overlap)) // before trees are moved
	}
	if err != nil {
		return err
	}
	return s.offer(n, list)
}

// placeAlone places a node that has no parent and is the root of no other node.
func (s *Store) placeAlone(n *node, p *Prepared, list []near) error {
	if err := s.cluster(n, p); err != nil {
		return err
	}
	if err := s.insertNode(n); err != nil {
		return err
	}
	return s.offer(n, list)
}

// offer makes a node the parent of those copies that it precedes and is nearest to.
func (s *Store) offer(n *node, list []near) error {
	for _, c := range list {
		if !n.precedes(c.node) || c.parent == n.id {
			continue
		}
		o := flip(c.overlap)
		if c.parent != 0 {
			parent, err := s.node(c.parent)
			if err != nil {
				return err
			}
			if !better(n, o, parent, c.node.overlap) {
				continue
			}
		}
		if err := s.setParent(c.node, n, o); err != nil {
			return err
		}
	}
	return nil
}

// reorder finds the place of a node whose first article is another one now.
func (s *Store) reorder(n *node, list []near) error {
	best := bestParent(n, list)
	switch {
	case best.node == nil && n.parent != 0:
		if err := s.detach(n); err != nil {
			return err
		}
	case best.node != nil && best.id != n.parent:
		if err := s.setParent(n, best.node, best.overlap); err != nil {
			return err
		}
	}
	return s.offer(n, list)
}

// setParent makes x the parent of y.
func (s *Store) setParent(y, x *node, o stories.Overlap) error {
	wasRoot := y.parent == 0
	family, err := s.familyOf(x)
	switch {
	case err != nil:
	case y.family == family:
	case wasRoot:
		err = s.unite(y, x)
	default:
		err = s.moveTree(y, family, x.story)
	}
	if err != nil {
		return err
	}
	y.parent, y.overlap, y.score, y.reason = x.id, o, 0, ""
	return s.updateNode(y)
}

// unite unites the family of y, which is its root, with that of x.
func (s *Store) unite(y, x *node) error {
	if y.family == 0 {
		if err := s.growFamily(x.family, 1); err != nil {
			return err
		}
		return s.move(y, x.family, x.story)
	}
	rootX, nodesX, err := s.family(x.family)
	if err != nil {
		return err
	}
	_, nodesY, err := s.family(y.family)
	if err != nil {
		return err
	}
	from, to, story := y.id, x.family, x.story
	left := y.family
	if nodesY > nodesX {
		from, to, story, left = rootX, y.family, y.story, x.family
		if err := s.setRoot(to, rootX); err != nil {
			return err
		}
	}
	root, err := s.node(from)
	if err != nil {
		return err
	}
	if err := s.moveTree(root, to, story); err != nil {
		return err
	}
	return s.db.Exec("DELETE FROM families WHERE id = ?", left)
}

// detach makes a node the root of a family of its own.
func (s *Store) detach(n *node) error {
	s.counters.family++
	family := s.counters.family
	if err := s.db.Exec("INSERT INTO families (id, root, nodes) VALUES (?, ?, 0)", family, n.id); err != nil {
		return err
	}
	if err := s.moveTree(n, family, n.story); err != nil {
		return err
	}
	n.parent, n.overlap, n.score, n.reason = 0, stories.Overlap{}, 1, "original of other articles"
	return s.updateNode(n)
}

// moveTree moves a node and what is below it to another family and story.
func (s *Store) moveTree(top *node, family, story int64) error {
	list := []*node{top}
	for i := 0; i < len(list); i++ {
		children, err := s.db.numbers("SELECT id FROM nodes WHERE parent = ? AND parent > 0", list[i].id)
		if err != nil {
			return err
		}
		for _, id := range children {
			n, err := s.node(id)
			if err != nil {
				return err
			}
			if list = append(list, n); int64(len(list)) > s.counters.node {
				return fmt.Errorf("%w: copies go round in circles", ErrDamaged)
			}
		}
	}
	if err := s.growFamily(top.family, -len(list)); err != nil {
		return err
	}
	if err := s.growFamily(family, len(list)); err != nil {
		return err
	}
	for _, n := range list {
		if err := s.move(n, family, story); err != nil {
			return err
		}
	}
	return nil
}

// move moves one node.
func (s *Store) move(n *node, family, story int64) error {
	n.family = family
	if n.story != story {
		if err := s.shrinkStory(n.story, n.articles); err != nil {
			return err
		}
		if err := s.growStory(story, n.articles, n.time); err != nil {
			return err
		}
		n.story = story
	}
	return s.updateNode(n)
}

// familyOf returns the family of a node, which is new if it has none.
func (s *Store) familyOf(n *node) (int64, error) {
	if n.family != 0 {
		return n.family, nil
	}
	s.counters.family++
	n.family = s.counters.family
	if err := s.db.Exec("INSERT INTO families (id, root, nodes) VALUES (?, ?, 1)", n.family, n.id); err != nil {
		return 0, err
	}
	return n.family, s.updateNode(n)
}

func (s *Store) family(id int64) (root, nodes int64, err error) {
	ok, err := s.db.Get("SELECT root, nodes FROM families WHERE id = ?", []any{id}, &root, &nodes)
	if err == nil && !ok {
		err = fmt.Errorf("%w: family %d is missing", ErrDamaged, id)
	}
	return root, nodes, err
}

func (s *Store) growFamily(id int64, by int) error {
	return s.db.Exec("UPDATE families SET nodes = nodes + ? WHERE id = ?", by, id)
}

func (s *Store) setRoot(family, root int64) error {
	return s.db.Exec("UPDATE families SET root = ? WHERE id = ?", root, family)
}

// rootOf returns the original of the copies that a node belongs to.
func (s *Store) rootOf(n *node) (*node, error) {
	if n.family == 0 {
		return n, nil
	}
	root, _, err := s.family(n.family)
	if err != nil {
		return nil, err
	}
	return s.node(root)
}
