package store

// cache keeps what was used last, within a size. It has two generations: when the young
// one is half the size, it becomes the old one, and what was in that and was not used
// since is dropped.
type cache[K comparable, V any] struct {
	young, old map[K]V
	size, max  int // of the young generation, in bytes
}

func newCache[K comparable, V any](max int) *cache[K, V] {
	return &cache[K, V]{young: map[K]V{}, max: max / 2}
}

// get returns a value. weigh is its size in bytes, if it has to be kept longer.
func (c *cache[K, V]) get(key K, weigh func(V) int) (V, bool) {
	v, ok := c.young[key]
	if !ok {
		if v, ok = c.old[key]; ok {
			c.put(key, v, weigh(v))
		}
	}
	return v, ok
}

func (c *cache[K, V]) put(key K, v V, bytes int) {
	c.young[key] = v
	c.size += bytes
}

// trim drops what was not used for long. It is not called while values are being
// changed, so that there is never more than one of each.
func (c *cache[K, V]) trim() {
	if c.size > c.max {
		c.old, c.young, c.size = c.young, make(map[K]V, len(c.young)), 0
	}
}
