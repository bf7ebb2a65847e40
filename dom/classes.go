package dom

import (
	"hash/maphash"
	"slices"
)

// maxClasses bounds the class attributes that are numbered. More different ones are
// made up by a program, and tell nothing.
const maxClasses = 1<<16 - 1

// classTable numbers the class attributes of a page, since many elements have the
// same.
type classTable struct {
	list  []string // from number 1
	slots []uint16 // open addressing; 0 is empty
}

var classSeed = maphash.MakeSeed() // read only

// number finds or adds a class attribute. It returns 0 for one too many.
func (t *classTable) number(class string) uint16 {
	const fewest = 512
	if 2*len(t.list) >= len(t.slots) {
		t.slots = make([]uint16, max(fewest, 2*len(t.slots)))
		t.list = slices.Grow(t.list, len(t.slots)/4)
		for i, c := range t.list {
			t.slots[t.slot(c)] = uint16(i + 1)
		}
	}
	s := &t.slots[t.slot(class)]
	if *s == 0 && len(t.list) < maxClasses {
		t.list = append(t.list, class)
		*s = uint16(len(t.list))
	}
	return *s
}

// slot returns the slot of a class attribute, or the empty one for it.
func (t *classTable) slot(class string) uint64 {
	mask := uint64(len(t.slots) - 1)
	for i := maphash.String(classSeed, class) & mask; ; i = (i + 1) & mask {
		if n := t.slots[i]; n == 0 || t.list[n-1] == class {
			return i
		}
	}
}

// Class returns the number of the class attribute of n, from 1 to [Document.Classes],
// or 0 if it has none. Elements with the same attribute have the same number, so that
// what a class means is found out once for all of them. A page may have 65,535
// different ones; an element with another has 0.
func (d *Document) Class(n Node) int { return int(d.nodes[n].class) }

// Classes returns the number of different class attributes.
func (d *Document) Classes() int { return len(d.classes.list) }

// ClassAttr returns the class attribute with a number from 1 to [Document.Classes].
func (d *Document) ClassAttr(class int) string { return d.classes.list[class-1] }
