package stadynot

import (
	"math/bits"

	"github.com/lede-news/lede/dom"
)

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
