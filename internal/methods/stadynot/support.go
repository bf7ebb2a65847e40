package stadynot

import (
	"math/bits"
	"slices"

	"github.com/lede-news/lede/dom"
)

// Support records which neighbour pages have a key: the paper's global hash table
// (section 3.1). It is safe for concurrent use once all pages are added.
//
// A page may be among its own neighbours, and does not count as one. A page of another
// site shares hardly any keys, so that with it nothing is on all pages; a number of
// pages goes by the others.
type Support struct {
	on    map[uint64][]int32 // by key: the numbers of the pages, ascending
	pages map[uint64]int32   // by key of the whole page: its number
}

// NewSupport returns a Support without pages.
func NewSupport() *Support {
	return &Support{on: map[uint64][]int32{}, pages: map[uint64]int32{}}
}

// Pages returns the number of different pages.
func (s *Support) Pages() int { return len(s.pages) }

// Add adds a neighbour page, unless it has no text or the same text as one before.
func (s *Support) Add(d *dom.Document) {
	keys := nodeKeys(d)
	page := keys[d.Root()]
	if _, known := s.pages[page]; known || page == 0 {
		return
	}
	id := int32(len(s.pages))
	s.pages[page] = id
	for _, k := range keys {
		if k == 0 {
			continue
		}
		if on := s.on[k]; len(on) == 0 || on[len(on)-1] != id {
			s.on[k] = append(on, id)
		}
	}
}

// static returns, by node, whether this many neighbours have the node or one around
// it, or half of them if that is less. 0 stands for all, as in the paper. It returns
// nil if there is no neighbour.
func (s *Support) static(d *dom.Document, pages int) []bool {
	keys := nodeKeys(d)
	self, known := s.pages[keys[d.Root()]]
	neighbours := len(s.pages)
	if known {
		neighbours--
	}
	if neighbours == 0 {
		return nil
	}
	least := neighbours
	if pages > 0 {
		least = min(pages, (neighbours+1)/2)
	}
	static := make([]bool, len(keys))
	for n := 0; n < len(keys); n++ {
		on := s.on[keys[n]]
		count := len(on)
		if known && slices.Contains(on, self) {
			count--
		}
		if count < least {
			continue
		}
		for end := int(d.End(dom.Node(n))); n < end; n++ {
			static[n] = true
		}
		n--
	}
	return static
}

// marksAll reports whether marks leave next to nothing of a page's text outside
// links. Then they come from the page itself or from copies of it.
func marksAll(d *dom.Document, marks []bool) bool {
	const share = 0.03
	all, left := 0, 0
	for n, marked := range marks {
		id := dom.Node(n)
		if d.IsText(id) && !d.InLink(id) {
			chars := d.Chars(id)
			all += chars
			if !marked {
				left += chars
			}
		}
	}
	return float64(left) < share*float64(all)
}

// nodeKeys returns the paper's key "tag : attributes : data" (section 3.1) of every
// node as a hash. The hashes do not depend on the process, so they can be stored.
//
// The data of a text node is its text with white space folded, and it has the tag
// and the attributes of its parent. The data of an element is that of its
// children in order, so that two elements have the same key only if every word in
// them is the same. The order of attributes does not matter.
//
// Nodes without visible text have the key 0: they have no data that could be
// static.
func nodeKeys(d *dom.Document) []uint64 {
	keys := make([]uint64, d.Len())
	outer := make([]uint64, d.Len()) // tag and attributes of elements
	text := d.AllText()
	for n := range outer {
		id := dom.Node(n)
		if !d.IsText(id) && d.Chars(id) > 0 {
			outer[n] = hashTag(d, id)
		}
	}
	// Backwards, so that children come before their parents.
	for n := len(keys) - 1; n > 0; n-- {
		id := dom.Node(n)
		p := d.Parent(id)
		if d.IsText(id) {
			from, to := d.Span(id)
			if from == to {
				continue
			}
			data := hash(text[from:to])
			keys[n] = mix(outer[p], data)
			keys[p] = mix(keys[p], data)
			continue
		}
		if data := keys[n]; data != 0 {
			keys[n] = mix(outer[n], data)
			keys[p] = mix(keys[p], data)
		}
	}
	if data := keys[0]; data != 0 {
		keys[0] = mix(outer[0], data)
	}
	return keys
}

// hashTag hashes the name and the attributes of an element.
func hashTag(d *dom.Document, n dom.Node) uint64 {
	h := hash(d.Name(n))
	for key, value := range d.Attrs(n) {
		h += mix(hash(key), hash(value)) // independent of the order
	}
	return h
}

// The constants are binary digits of π.
const (
	seed  = 0x243f6a8885a308d3
	prime = 0xa4093822299f31d1
)

// mix combines two hashes in order. It never returns 0.
func mix(a, b uint64) uint64 {
	return max(step(step(seed, a), b), 1)
}

// hash hashes a string eight bytes at a time.
func hash(s string) uint64 {
	h := uint64(len(s)) + seed
	for ; len(s) >= 8; s = s[8:] {
		h = step(h, uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
			uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)
	}
	var tail uint64
	for i := range len(s) {
		tail |= uint64(s[i]) << (8 * i)
	}
	return step(h, tail)
}

func step(h, block uint64) uint64 {
	hi, lo := bits.Mul64(h^block, prime)
	return hi ^ lo
}
