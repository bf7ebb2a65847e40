package placing

import "slices"

// Chains maps keys to lists of numbers in memory: a hash table of keys with open
// addressing, and the numbers of each key as a chain, the last one first.
type Chains struct {
	keys    []uint64 // key + 1; 0 is free
	heads   []uint32 // index in entries + 1
	used    int
	entries []chained
}

type chained struct{ number, next uint32 }

const minSlots = 1 << 10

// NewChains returns empty chains.
func NewChains() *Chains {
	return &Chains{keys: make([]uint64, minSlots), heads: make([]uint32, minSlots)}
}

func (m *Chains) slot(key uint64) int {
	mask := uint64(len(m.keys) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> 16; ; i++ {
		if k := m.keys[i&mask]; k == 0 || k == key+1 {
			return int(i & mask)
		}
	}
}

// Add adds a number to the list of a key.
func (m *Chains) Add(key uint64, number uint32) {
	i := m.slot(key)
	if m.keys[i] == 0 {
		if m.used++; m.used*4 > len(m.keys)*3 {
			m.grow()
			i = m.slot(key)
		}
		m.keys[i] = key + 1
	}
	m.entries = append(m.entries, chained{number, m.heads[i]})
	m.heads[i] = uint32(len(m.entries))
}

func (m *Chains) grow() {
	keys, heads := m.keys, m.heads
	m.keys, m.heads = make([]uint64, 2*len(keys)), make([]uint32, 2*len(keys))
	for i, k := range keys {
		if k != 0 {
			j := m.slot(k - 1)
			m.keys[j], m.heads[j] = k, heads[i]
		}
	}
}

// Append appends the last numbers of a list, the last one first, until there are max.
func (m *Chains) Append(numbers []uint32, key uint64, max int) []uint32 {
	for at := m.heads[m.slot(key)]; at != 0 && len(numbers) < max; {
		c := m.entries[at-1]
		numbers, at = append(numbers, c.number), c.next
	}
	return numbers
}

// Sorted returns the keys in order.
func (m *Chains) Sorted() []uint64 {
	keys := make([]uint64, 0, m.used)
	for _, k := range m.keys {
		if k != 0 {
			keys = append(keys, k-1)
		}
	}
	slices.Sort(keys)
	return keys
}

// Len returns how many numbers there are in all lists.
func (m *Chains) Len() int { return len(m.entries) }

// Keys returns how many keys there are.
func (m *Chains) Keys() int { return m.used }
