package store

import (
	"container/list"
	"sync"
)

// cache holds what was read last, up to a number of bytes. It is only a hint:
// every user checks an entry against the store before it is believed, so that
// an entry that was pushed out while in use does no harm.
type cache[E any] struct {
	mu    sync.Mutex
	limit int64
	bytes int64
	items map[string]*list.Element
	order list.List // of *cached[E], the last used first
}

type cached[E any] struct {
	name  string
	bytes int64
	value E
}

// entryCost is what an entry takes besides its profile.
const entryCost = 512

func newCache[E any](limit int64) *cache[E] {
	return &cache[E]{limit: limit, items: make(map[string]*list.Element)}
}

// get gives the entry of that name, a new one where there is none.
func (c *cache[E]) get(name string) *E {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.items[name]; el != nil {
		c.order.MoveToFront(el)
		return &el.Value.(*cached[E]).value
	}
	it := &cached[E]{name: name, bytes: entryCost}
	c.items[name] = c.order.PushFront(it)
	c.bytes += it.bytes
	c.trim()
	return &it.value
}

// resize notes how large an entry has become, and lets go of the oldest ones.
func (c *cache[E]) resize(name string, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.items[name]; el != nil {
		it := el.Value.(*cached[E])
		c.bytes += entryCost + bytes - it.bytes
		it.bytes = entryCost + bytes
		c.trim()
	}
}

func (c *cache[E]) trim() {
	for c.bytes > c.limit && c.order.Len() > 1 {
		el := c.order.Back()
		it := c.order.Remove(el).(*cached[E])
		delete(c.items, it.name)
		c.bytes -= it.bytes
	}
}
