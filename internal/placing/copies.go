package placing

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lede-news/lede/stories"
)

const (
	// MaxParents is how many texts that precede a text are compared with it: those that
	// share most keys. maxChildren is how many that follow.
	MaxParents, maxChildren = 8, 16
	// maxCompared bounds the shingles of these.
	maxCompared = 4 << 20
	// MaxVersions is how many texts of articles with the same id are compared with a text.
	MaxVersions = 8
	// versionWeight is that of versions: they come before all other candidates.
	versionWeight = 1 << 30
	classSize     = 64
)

// KeyWeight returns what a key that a text shares with others says: the more, the shorter
// the list of these is. Keys of boilerplate have long lists.
func KeyWeight(listed int) int {
	if listed >= MaxBucket {
		return 0
	}
	return MaxBucket / max(1, listed)
}

// Candidate is a text that may be a copy of a text. N is how it is known.
type Candidate[N any] struct {
	Node    N
	Keys    int  // that they share
	Weight  int  // of these
	Version bool // it is of an article with the same id
	Later   bool // it does not precede the text
}

// Version returns the candidate for an earlier version of an article, whose text has a
// number of keys.
func Version[N any](node N, keys int) Candidate[N] {
	return Candidate[N]{Node: node, Keys: keys, Weight: versionWeight, Version: true}
}

// SortCandidates brings candidates into the order in which they are compared.
func SortCandidates[N any](list []Candidate[N], compare func(a, b N) int) {
	slices.SortFunc(list, func(a, b Candidate[N]) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(b.Keys, a.Keys), compare(a.Node, b.Node))
	})
}

// Near is a text with shared text.
type Near[N any] struct {
	Node    N
	Overlap stories.Overlap // of the other text (a) with this one (b)
}

// Copies compares a text that has a number of keys with candidates in their order, and
// returns those that are copies. all is false if others may be.
func Copies[N any](sh *stories.Shingles, keys int, list []Candidate[N], shinglesOf func(N) (*stories.Shingles, error)) (near []Near[N], all bool, err error) {
	compared, parents, children := 0, 0, 0
	enough := 0 // keys that a parent shares, after one was found that shares many
	all = true
	for _, c := range list {
		if c.Later {
			children++
		} else {
			parents++
			if c.Keys < enough {
				continue
			}
		}
		if parents > MaxParents && !c.Later || children > maxChildren && c.Later {
			all = false
			continue
		}
		other, err := shinglesOf(c.Node)
		if err != nil {
			return nil, false, err
		}
		if compared += other.Len() + sh.Len(); compared > maxCompared && len(near) > 0 {
			return near, false, nil
		}
		if o, ok := Compare(sh, other, c.Version); ok {
			near = append(near, Near[N]{c.Node, o})
			if !c.Later && c.Keys < keys { // not of a version
				enough = max(enough, c.Keys*3/4-2)
			}
		}
	}
	return near, all, nil
}

// Compare compares two texts, and reports whether one is a copy of the other.
func Compare(a, b *stories.Shingles, version bool) (o stories.Overlap, ok bool) {
	o = stories.Compare(a, b)
	return o, o.IsCopy() && (version || shareKeys(a, b))
}

// shareKeys reports whether two texts share enough keys. What lists say of it depends on
// which of them are full, and so on the order.
func shareKeys(a, b *stories.Shingles) bool {
	x, y := a.Keys(), b.Keys()
	slices.Sort(x)
	n := 0
	for _, key := range y {
		if _, ok := slices.BinarySearch(x, key); ok {
			n++
		}
	}
	return n >= MinShared(a.Len(), b.Len())
}

// MinShared returns how many keys texts with so many shingles share at least if they are copies. One in
// sixteen shingles is a key, or fewer of a long text, and copies share at least half of
// the shorter one: this is half of what is expected then.
func MinShared(a, b int) int {
	n := min(a, b)
	if long := max(a, b); long > 2048 {
		n = n * 2048 / long
	}
	return n / classSize
}

// Better returns a positive number if a text with one overlap is rather the parent than
// another, a negative one if it is the reverse, and 0 if what precedes decides. The parent has
// most of the text. It is not the one with the highest score, which for a round-up may be
// a short excerpt of a story that it hardly mentions.
func Better(a, b stories.Overlap) int {
	return cmp.Or(cmp.Compare(a.Shared, b.Shared), cmp.Compare(a.Likeness, b.Likeness))
}

// Same is the overlap of articles that have the same text.
func Same(shingles int) stories.Overlap {
	return stories.Overlap{Likeness: 1, InA: 1, InB: 1, Shared: shingles}
}

// CopyReason says of which article another one is a copy, by their ids. The copy is a.
func CopyReason(id, of string, o stories.Overlap) string {
	kind := "copy"
	if of == id {
		kind = "version"
	}
	return fmt.Sprintf("%s of %s: %d %% shared", kind, of, int(100*o.InA))
}
