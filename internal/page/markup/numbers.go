package markup

import (
	"hash/maphash"
	"slices"
)

// Numbers numbers different strings from 1.
type Numbers struct {
	List  []string // that of number n is List[n-1]
	slots []uint32 // open addressing; 0 is empty
}

var numbersSeed = maphash.MakeSeed() // read only

// Find returns the number of s, or 0 if it has none.
func (t *Numbers) Find(s string) uint32 {
	if len(t.slots) == 0 {
		return 0
	}
	return *t.slot(s)
}

// Number finds or adds s. isNew reports that it was added.
func (t *Numbers) Number(s string) (n uint32, isNew bool) {
	const fewest = 128
	if 2*len(t.List) >= len(t.slots) {
		t.slots = make([]uint32, max(fewest, 4*len(t.slots)))
		t.List = slices.Grow(t.List, len(t.slots)/4)
		for i, s := range t.List {
			*t.slot(s) = uint32(i + 1)
		}
	}
	slot := t.slot(s)
	if isNew = *slot == 0; isNew {
		t.List = append(t.List, s)
		*slot = uint32(len(t.List))
	}
	return *slot, isNew
}

// slot returns the slot of s, or the empty one for it.
func (t *Numbers) slot(s string) *uint32 {
	mask := uint64(len(t.slots) - 1)
	for i := maphash.String(numbersSeed, s) & mask; ; i = (i + 1) & mask {
		if n := t.slots[i]; n == 0 || t.List[n-1] == s {
			return &t.slots[i]
		}
	}
}
