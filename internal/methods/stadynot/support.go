package stadynot

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/lede-news/lede/dom"
)

// Support records which neighbour pages have a key: the paper's global hash table
// (section 3.1). It is safe for concurrent use once all pages are added.
//
// A page may be among its own neighbours, and does not count as one. Of many neighbours
// those count that are most alike. A page of another site shares hardly any keys, so that with it
// nothing is on all pages; a number of pages goes by the others.
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

// maxPages is the number of neighbours that count for a page: nine others of its
// category, as in section 4.
const maxPages = 9

// static returns, by node, whether this many neighbours have the node or one around
// it, or half of them if that is less. 0 stands for all, as in the paper. It returns
// nil if there is no neighbour.
func (s *Support) static(d *dom.Document, pages int) []bool {
	keys := nodeKeys(d)
	counts, least := s.nearest(keys)
	if least == 0 {
		return nil
	}
	if pages > 0 {
		least = min(pages, (least+1)/2)
	}
	static := make([]bool, len(keys))
	for n := 0; n < len(keys); n++ {
		count := 0
		for _, page := range s.on[keys[n]] {
			if counts[page] {
				count++
			}
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

// nearest returns, by page, whether it counts for the page with these keys, and how many do:
// those with which it shares the most keys, which stand for its category.
func (s *Support) nearest(keys []uint64) (counts []bool, n int) {
	shared := make([]int, len(s.pages))
	for _, k := range keys {
		for _, page := range s.on[k] {
			shared[page]++
		}
	}
	var others []int32
	for key, page := range s.pages {
		if key != keys[0] {
			others = append(others, page)
		}
	}
	slices.SortFunc(others, func(a, b int32) int { return cmp.Or(shared[b]-shared[a], int(a-b)) })
	counts = make([]bool, len(s.pages))
	others = others[:min(maxPages, len(others))]
	for _, page := range others {
		counts[page] = true
	}
	return counts, len(others)
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
// node as a hash.
//
// The data of a text node is its text with white space folded, and it has the tag
// and the attributes of its parent. The data of an element is that of its
// children in order, so that two elements have the same key only if every word in
// them is the same. The order of attributes does not matter.
//
// Nodes without visible text have the key 0: they have no data that could be
// static.
func nodeKeys(d *dom.Document) []uint64 {
	keys := make([]uint64, d.Len()) // at first, the data of elements
	for n := dom.Node(d.Len() - 1); n >= 0; n-- {
		data, tagged, parent := keys[n], n, d.Parent(n)
		if d.IsText(n) && d.Chars(n) > 0 {
			from, to := d.Span(n)
			data, tagged = hash(d.AllText()[from:to]), parent
		}
		if data == 0 {
			continue
		}
		keys[n] = mix(tagHash(d, tagged), data)
		if parent != dom.None {
			keys[parent] = mix(keys[parent], data)
		}
	}
	return keys
}

// tagHash hashes the name and the attributes of an element.
func tagHash(d *dom.Document, n dom.Node) uint64 {
	h := hash(d.Name(n))
	for key, value := range d.Attrs(n) {
		h += mix(hash(key), hash(value)) // independent of the order
	}
	return h
}

var seed = maphash.MakeSeed()

func hash(s string) uint64 { return maphash.String(seed, s) }

// mix combines two hashes in order. It never returns 0.
func mix(a, b uint64) uint64 { return max(maphash.Comparable(seed, [2]uint64{a, b}), 1) }
