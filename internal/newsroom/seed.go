package newsroom

import "math/rand/v2"

// streams of one page: each part of a page draws from its own, so that the
// headline of a page is known without writing its body.
const (
	streamStory = iota
	streamBody
	streamFurniture
	streamStaff
)

// stream returns the random numbers for one part of page i of a site.
func (s *Site) stream(part, i int) *rand.Rand {
	h := hash(s.Name)
	h = (h ^ uint64(part)) * fnvPrime
	h = (h ^ uint64(i)) * fnvPrime
	return rand.New(rand.NewPCG(s.seed, h))
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// hash is FNV-1a; it is spelled out because it must never change with a library.
func hash(s string) uint64 {
	h := uint64(fnvOffset)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// chance is true once in n times, never for n <= 0.
func chance(r *rand.Rand, n int) bool { return n > 0 && r.IntN(n) == 0 }
