package site

import "math/bits"

// key is the hash of a row of text or of a place on the page. Of a site's few
// thousand keys one in a million is taken for another, which costs a row.
type key uint32

// The hash goes by eight bytes at a time. It must be the same on every machine
// and in every version, as it is saved; that is why it is not hash/maphash.
const (
	hashSeed = 0x9E3779B97F4A7C15
	hashMul  = 0xA0761D6478BD642F
)

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^hashMul, b^hashSeed)
	return hi ^ lo
}

func hashText[T string | []byte](seed uint64, s T) uint64 {
	h := seed ^ uint64(len(s))*hashSeed
	for len(s) >= 8 {
		h = mix(h, uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
			uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)
		s = s[8:]
	}
	var rest uint64
	for i := range len(s) {
		rest = rest<<8 | uint64(s[i])
	}
	return mix(h, rest)
}

func fold(h uint64) key { return key(h ^ h>>32) }
