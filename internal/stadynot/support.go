package stadynot

import (
	"math/bits"

	"github.com/lede-news/lede/dom"
)

// Support knows on which neighbour pages a key stands: the paper's global hash
// table (section 3.1). Pages may be added by one goroutine at a time; after
// that any number may ask.
//
// The page that is asked about may be among those added: neither it nor a copy
// of it is a neighbour. A page of another site has hardly a key in common with
// this one, so that Static finds nothing with it and Shared goes by the others.
type Support struct {
	on    map[uint64][]int32 // by key, the pages in order
	pages map[uint64]int32   // by the key of the whole page
}

// NewSupport makes one without pages.
func NewSupport() *Support {
	return &Support{on: map[uint64][]int32{}, pages: map[uint64]int32{}}
}

// Pages is how many different pages were added.
func (s *Support) Pages() int { return len(s.pages) }

// Add takes in a neighbour page. A key counts once for the page; a page that
// reads the same as one before, or shows no text, does not count at all.
func (s *Support) Add(d *dom.Document) {
	keys := Keys(d)
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

// Static tells which nodes of a page stand on all of its neighbours, as the
// paper has it, by themselves or in one that does. It is nil when there is no
// neighbour, or when neighbours and page are the same but for a few words.
func (s *Support) Static(d *dom.Document) []bool {
	return s.marks(d, func(neighbours int) int { return neighbours })
}

// Shared is like Static, but for nodes that stand on so many neighbours, or on
// half of them if that is less.
func (s *Support) Shared(d *dom.Document, pages int) []bool {
	return s.marks(d, func(neighbours int) int { return max(1, min(pages, (neighbours+1)/2)) })
}

func (s *Support) marks(d *dom.Document, need func(neighbours int) int) []bool {
	keys := Keys(d)
	on := make([][]int32, len(keys))
	for n, k := range keys {
		on[n] = s.on[k]
	}
	self, known := s.pages[keys[d.Root()]]
	if !known {
		self = -1
	}
	not, neighbours := copies(d, on, len(s.pages), self)
	if neighbours == 0 {
		return nil
	}
	least := need(neighbours)
	static := make([]bool, len(keys))
	for n := 0; n < len(keys); n++ {
		if count(on[n], not) < least {
			continue
		}
		for end := int(d.End(dom.Node(n))); n < end; n++ {
			static[n] = true
		}
		n--
	}
	if isVoid(d, static) {
		return nil
	}
	return static
}

// count is how many pages there are, some left out.
func count(pages []int32, without []bool) int {
	c := len(pages)
	for _, p := range pages {
		if without[p] {
			c--
		}
	}
	return c
}

// copies tells which pages are no neighbours, for they tell the same story:
// the page itself, and those that share at least half of the text that most
// pages do not have. It counts the rest.
func copies(d *dom.Document, on [][]int32, pages int, self int32) (not []bool, neighbours int) {
	not, neighbours = make([]bool, pages), pages
	if self >= 0 {
		not[self] = true
		neighbours--
	}
	shared := make([]int, pages)
	text := 0
	for n, list := range on {
		id := dom.Node(n)
		if !d.IsText(id) || d.InLink(id) || 2*count(list, not) > neighbours {
			continue
		}
		text += d.Chars(id)
		for _, p := range list {
			shared[p] += d.Chars(id)
		}
	}
	for p, chars := range shared {
		if !not[p] && text > 0 && 2*chars >= text {
			not[p] = true
			neighbours--
		}
	}
	return not, neighbours
}

// isVoid reports whether marks leave next to nothing of a page's text outside
// links: then they come from the page itself or from copies of it.
func isVoid(d *dom.Document, marks []bool) bool {
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

// Keys gives for every node the paper's key "tag : attributes : data" (section
// 3.1) as a number of 64 bits. It is the same on every machine, today and
// tomorrow, so that it can be stored.
//
// The data of a text node is its text, white space folded, and it has the tag
// and the attributes of its parent. The data of an element is that of its
// children in order, so that an element has the key of another only if every
// word in it is the same. The order of attributes does not matter.
//
// What shows no text has the key 0: it has no data that could be static.
func Keys(d *dom.Document) []uint64 {
	keys := make([]uint64, d.Len())
	outer := make([]uint64, d.Len()) // tag and attributes of elements
	text := d.AllText()
	for n := range outer {
		id := dom.Node(n)
		if !d.IsText(id) && d.Chars(id) > 0 {
			outer[n] = outside(d, id)
		}
	}
	// Backwards, so that what is in an element is done before the element.
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

// outside hashes the name and the attributes of an element.
func outside(d *dom.Document, n dom.Node) uint64 {
	h := hash(d.Name(n))
	for key, value := range d.Attrs(n) {
		h += mix(hash(key), hash(value)) // a sum knows no order
	}
	return h
}

// The constants are digits of π in binary, which mean nothing here.
const (
	seed  = 0x243f6a8885a308d3
	prime = 0xa4093822299f31d1
)

// mix makes one number of two, whose order matters. It is never 0.
func mix(a, b uint64) uint64 {
	return max(step(step(seed, a), b), 1)
}

// hash reads a string eight bytes at a time. The standard library's maphash
// is faster still, but differs from one process to the next.
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
