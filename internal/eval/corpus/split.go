package corpus

import (
	"hash/fnv"
	"strings"
)

// Fold says which of k parts a site belongs to, so that no site is on both
// sides of a split. It depends on the name alone: more pages, another order or
// another corpus change nothing for the sites there are.
func Fold(site string, k int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.TrimPrefix(strings.ToLower(site), "www.")))
	return int(h.Sum32() % uint32(k))
}

// HeldOut tells of the fifth of all sites that development does not look at,
// so that there are pages left to see whether what was learned is true of others.
// The rest is for development.
func HeldOut(site string) bool { return Fold(site, 5) == 0 }
