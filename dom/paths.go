package dom

import (
	"slices"
	"strings"
)

// Path is a tag path such as html>body>div>p, as a number. Nodes with the
// same names from the document down to them share one.
type Path int32

// PathCounts is what stands directly in the nodes of one path over the whole
// document: a text node belongs to the path of its parent.
type PathCounts struct {
	Nodes, Texts, Chars, Words int32
}

type pathTable struct {
	list  []pathRecord
	slots []int32 // open addressing; 0 is empty, else index into list plus one
}

type pathRecord struct {
	parent int32
	tag    Tag
	PathCounts
}

// newPathTable makes room for some paths at once.
func newPathTable(n int) pathTable {
	slots := 1024
	for slots < 2*n {
		slots *= 2
	}
	return pathTable{list: make([]pathRecord, 0, slots/2), slots: make([]int32, slots)}
}

// child finds or makes the path that goes one tag further than parent.
func (t *pathTable) child(parent int32, tag Tag) int32 {
	mask := uint32(len(t.slots) - 1)
	for i := pathHash(parent, tag) & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			t.list = append(t.list, pathRecord{parent: parent, tag: tag})
			t.slots[i] = int32(len(t.list))
			if len(t.list)*2 > len(t.slots) {
				t.grow()
			}
			return int32(len(t.list) - 1)
		}
		if r := &t.list[s-1]; r.parent == parent && r.tag == tag {
			return s - 1
		}
	}
}

func pathHash(parent int32, tag Tag) uint32 {
	h := uint32(parent)*0x9E3779B1 ^ uint32(tag)*0x85EBCA6B
	return h ^ h>>15
}

func (t *pathTable) grow() {
	list := t.list
	t.slots = make([]int32, 2*len(t.slots))
	mask := uint32(len(t.slots) - 1)
	for i := range list {
		for j := pathHash(list[i].parent, list[i].tag) & mask; ; j = (j + 1) & mask {
			if t.slots[j] == 0 {
				t.slots[j] = int32(i + 1)
				break
			}
		}
	}
}

// Path is the tag path of n; a text node has that of its parent.
func (d *Document) Path(n Node) Path { return Path(d.nodes[n].path) }

// Paths is the number of different tag paths; they are 0 to Paths()-1.
func (d *Document) Paths() int { return len(d.paths.list) }

// PathCounts tells what the whole document holds under one tag path.
func (d *Document) PathCounts(p Path) PathCounts { return d.paths.list[p].PathCounts }

// PathName spells a tag path, as in "html>body>div>p".
func (d *Document) PathName(p Path) string {
	var names []string
	for i := int32(p); d.paths.list[i].tag != Root; i = d.paths.list[i].parent {
		name := d.paths.list[i].tag.String()
		if name == "" {
			name = "?" // all elements that HTML does not know
		}
		names = append(names, name)
	}
	slices.Reverse(names)
	return strings.Join(names, ">")
}
