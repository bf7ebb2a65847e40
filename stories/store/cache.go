package store

// cache keeps what was used last, by the number of a node, within a size. It has two
// generations: when the young one is half the size, it becomes the old one, and what was in
// that and was not used since is dropped.
type cache[V any] struct {
	young, old map[int64]V
	size, max  int // of the young generation, in bytes
	weigh      func(V) int
}

// newCache returns a cache of values of which weigh returns the size in bytes.
func newCache[V any](max int, weigh func(V) int) *cache[V] {
	return &cache[V]{young: map[int64]V{}, max: max / 2, weigh: weigh}
}

func (c *cache[V]) get(id int64) (V, bool) {
	v, ok := c.young[id]
	if !ok {
		if v, ok = c.old[id]; ok {
			c.put(id, v)
		}
	}
	return v, ok
}

func (c *cache[V]) put(id int64, v V) {
	c.young[id] = v
	c.size += c.weigh(v)
}

// trim drops what was not used for long.
func (c *cache[V]) trim() {
	if c.size > c.max {
		c.old, c.young, c.size = c.young, make(map[int64]V, len(c.young)), 0
	}
}

// trimCaches is not called while nodes are being changed, so that there is never more than
// one of each.
func (s *Store) trimCaches() {
	s.nodes.trim()
	s.shingles.trim()
	s.vectors.trim()
	s.sizes.trim()
}
