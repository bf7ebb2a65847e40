package store

import (
	"fmt"
	"slices"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

// Copies form trees. Each node knows its parent, and the family that it belongs to; the
// family knows the root. A node that arrives late may become the parent of others, so
// that families merge or split; only what changes is written, and of two families that
// merge, the smaller one.

// near is a node with shared text. The other node is a of the overlap.
type near = placing.Near[*node]

// flip returns an overlap as seen from the other side.
func flip(o stories.Overlap) stories.Overlap {
	o.InA, o.InB = o.InB, o.InA
	return o
}

// keyWeight is what the weight of shared keys is multiplied with where it is counted
// together with their number.
const keyWeight = 1 << 20

// copiesOf returns the copies of a text. They are found by keys, and compared. A text
// that is new is entered under its keys.
func (s *Store) copiesOf(n *node, p *Prepared, versions []int64) (list []near, err error) {
	keys := p.text.Keys
	shared := s.shared
	clear(shared)
	full := map[int]bool{}
	if len(keys) > 1 {
		err = s.buckets.lookup(s.db, keys[1:], func(i int, nodes []uint32) {
			if len(nodes) >= placing.MaxBucket {
				full[i+1] = true
			}
			one := 1 + keyWeight*placing.KeyWeight(len(nodes))
			for _, id := range nodes {
				shared[id] += one
			}
		})
	}
	if err != nil {
		return nil, err
	}
	if n.id == s.counters.node && n.articles == 1 {
		for i, key := range keys {
			if !full[i] {
				s.flush.add(s.buckets, inBuckets, entry{key, listed(n)})
			}
		}
	}
	if len(keys) == 1 {
		return nil, nil
	}
	candidates, err := s.candidates(n, len(keys), versions)
	if err != nil {
		return nil, err
	}
	list, all, err := placing.Copies(p.text.Shingles, len(keys), candidates, func(c *node) (*stories.Shingles, error) { return s.shinglesOf(c.id) })
	if err != nil || all && len(full) == 0 {
		return list, err
	}
	return s.withRoots(p, list)
}

// candidates returns the nodes that a node with a number of keys is compared with, in
// order.
func (s *Store) candidates(n *node, keys int, versions []int64) (list []placing.Candidate[*node], err error) {
	for id, counted := range s.shared {
		counted, weight := counted%keyWeight, counted/keyWeight
		class, id := int(id>>listBits), int64(id&maxNodes)
		if id == n.id || slices.Contains(versions, id) || class < maxClass && counted < placing.MinShared(n.shingles, class*classSize) {
			continue
		}
		other, err := s.node(id)
		if err != nil {
			return nil, err
		}
		if counted >= placing.MinShared(n.shingles, other.shingles) {
			list = append(list, placing.Candidate[*node]{Node: other, Keys: counted, Weight: weight, Later: n.precedes(other)})
		}
	}
	for _, id := range versions {
		other, err := s.node(id)
		if err != nil {
			return nil, err
		}
		v := placing.Version(other, keys)
		v.Later = n.precedes(other)
		list = append(list, v)
	}
	placing.SortCandidates(list, compare)
	return list, nil
}

// withRoots adds the originals of copies, if they are copies as well. Of very many copies only some
// are compared: with the originals among them, each has the same original whatever the
// order in which they came.
func (s *Store) withRoots(p *Prepared, list []near) ([]near, error) {
	known, families := map[int64]bool{}, map[int64]bool{}
	for _, c := range list {
		known[c.Node.id] = true
	}
	for _, c := range slices.Clone(list) {
		if c.Node.parent == 0 || families[c.Node.family] {
			continue
		}
		families[c.Node.family] = true
		root, err := s.rootOf(c.Node)
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
		if o, ok := placing.Compare(p.text.Shingles, sh, false); ok {
			list = append(list, near{Node: root, Overlap: o})
		}
	}
	return list, nil
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

// better reports whether a node with one overlap is rather the parent than another.
func better(a *node, oa stories.Overlap, b *node, ob stories.Overlap) bool {
	if c := placing.Better(oa, ob); c != 0 {
		return c > 0
	}
	return a.precedes(b)
}

// bestParent returns the parent of a node, or a zero one.
func bestParent(n *node, list []near) (best near) {
	for _, c := range list {
		if c.Node.precedes(n) && (best.Node == nil || better(c.Node, c.Overlap, best.Node, best.Overlap)) {
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
		if c.Node.parent == 0 && n.precedes(c.Node) && (heir.Node == nil || c.Node.precedes(heir.Node)) {
			heir = c
		}
	}
	var err error
	switch {
	case parent.Node != nil:
		n.parent, n.overlap, n.story = parent.Node.id, parent.Overlap, parent.Node.story
		n.family, err = s.familyOf(parent.Node)
		if err == nil {
			err = s.growFamily(n.family, 1)
		}
	case heir.Node != nil:
		n.story, n.score, n.reason = heir.Node.story, 1, "original of "+heir.Node.rank.ID
		n.family, err = s.familyOf(heir.Node)
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
	if err == nil && parent.Node == nil {
		err = s.setParent(heir.Node, n, flip(heir.Overlap)) // before trees are moved
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
		if !n.precedes(c.Node) || c.Node.parent == n.id {
			continue
		}
		o := flip(c.Overlap)
		if c.Node.parent != 0 {
			parent, err := s.node(c.Node.parent)
			if err != nil {
				return err
			}
			if !better(n, o, parent, c.Node.overlap) {
				continue
			}
		}
		if err := s.setParent(c.Node, n, o); err != nil {
			return err
		}
	}
	return nil
}

// reorder finds the place of a node whose first article is another one now.
func (s *Store) reorder(n *node, list []near) error {
	best := bestParent(n, list)
	switch {
	case best.Node == nil && n.parent != 0:
		if err := s.detach(n); err != nil {
			return err
		}
	case best.Node != nil && best.Node.id != n.parent:
		if err := s.setParent(n, best.Node, best.Overlap); err != nil {
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
