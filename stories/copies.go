package stories

import "slices"

const (
	// keyRate is the part of all shingles that are keys: one in keyRate.
	keyRate = 16
	// keyWindow is the longest run of shingles without a key.
	keyWindow = 32
	// minKeys and maxKeys bound the number of keys of a text that has as
	// many shingles.
	minKeys, maxKeys = 8, 128
)

// Keys returns numbers by which copies are found: two articles that share one
// may be copies, and copies share one but for rare accidents. The more keys
// two articles share, the more text do they share. The keys are distinct.
//
// Keys are a sample of the shingles. A shingle with a hash below a limit is
// always a key, whatever surrounds it; in a run of shingles without any such,
// the lowest of each window is a key, as in winnowing (Schleimer, Wilkerson,
// Aiken: Winnowing, 2003). Texts that share a run of keyWindow shingles
// therefore share a key. A long text has the lowest maxKeys of them.
func (s *Shingles) Keys() []uint64 { return slices.Clone(s.keys) }

// sampleKeys returns the keys of the shingles of a text, which are given in
// their order.
func sampleKeys(hashes []uint64) []uint64 {
	const limit = ^uint64(0) / keyRate
	var keys []uint64
	gap := 0 // shingles without a key
	for i, h := range hashes {
		gap++
		if h <= limit {
			keys = append(keys, h)
			gap = 0
		} else if gap >= keyWindow {
			keys = append(keys, slices.Min(hashes[i+1-keyWindow:i+1]))
		}
	}
	if len(keys) < minKeys {
		lowest := slices.Compact(slices.Sorted(slices.Values(hashes)))
		keys = append(keys, lowest[:min(len(lowest), minKeys)]...)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return slices.Clone(keys[:min(len(keys), maxKeys)])
}

// Overlap says how much text two articles share.
type Overlap struct {
	// Likeness is the part of the shingles of both that is shared (Jaccard).
	Likeness float64
	// InA is the part of a that is in b, InB the part of b that is in a.
	InA, InB float64
	// Shared is the number of shingles that are shared.
	Shared int
	// Background is set if what is shared is one passage that is not at the
	// beginning of either text, and not most of one: the articles tell other
	// stories and end with the same background or boilerplate.
	Background bool
}

// Compare returns the overlap of two texts.
func Compare(a, b *Shingles) Overlap {
	shared := sharedHashes(a.hashes, b.hashes)
	if shared == 0 {
		return Overlap{}
	}
	n := float64(shared)
	o := Overlap{
		Likeness: n / float64(len(a.hashes)+len(b.hashes)-shared),
		InA:      n / float64(len(a.hashes)),
		InB:      n / float64(len(b.hashes)),
		Shared:   shared,
	}
	most := copyPassage
	if shared < shortPassage {
		most = copyShortPassage
	}
	if part := max(o.InA, o.InB); copyPart <= part && part < most {
		o.Background = a.onePassage(b) && b.onePassage(a)
	}
	return o
}

// onePassage reports whether what is shared with another text is one passage,
// or nearly so, after the first third of the text.
func (s *Shingles) onePassage(other *Shingles) bool {
	head, all, passage, longest := 0, 0, 0, 0
	last := -passageGap
	for i, h := range s.order {
		if _, found := slices.BinarySearch(other.hashes, h); !found {
			continue
		}
		if i-last > passageGap {
			passage = 0
		}
		last = i
		all++
		passage++
		longest = max(longest, passage)
		if i < len(s.order)/3 {
			head++
		}
	}
	return 10*head <= all && 10*longest >= 8*all
}

// sharedHashes returns how many hashes are in both of two sorted lists.
func sharedHashes[T uint32 | uint64](x, y []T) int {
	n := 0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			n++
			i++
			j++
		}
	}
	return n
}

const (
	// copyShared is the number of shingles that copies share at least.
	copyShared = 20
	// copyPart is the part of the shorter text that long copies share at
	// least. It and copyLittle were chosen on synthetic wire copy.
	copyPart = .5
	// copyLittle is how much the part grows for short texts: a few sentences
	// may be boilerplate.
	copyLittle = 7
	// copyPassage is the part of the shorter text from which a passage is
	// more than background, wherever it is.
	copyPassage = .65
	// copyShortPassage is the same for passages of fewer than shortPassage
	// shingles, which are often a paper's notices.
	copyShortPassage = .8
	shortPassage     = 100
	// passageGap is the number of shingles between two that are shared and
	// part of one passage: house style changes a word here and there.
	passageGap = 12
)

// need returns the part of the shorter text that copies have to share.
func (o Overlap) need() float64 {
	little := copyLittle / float64(o.Shared)
	return min(1, copyPart+little*little)
}

// IsCopy reports whether one text is a copy of the other, an excerpt, a longer
// version or an update of it. About half of the shorter text has to be in the
// other, more if it is short, and more if it is one passage in the rest of both.
// Texts of fewer than 23 words are never copies, not even if they are equal:
// they are notices ("for subscribers only") more often than stories.
func (o Overlap) IsCopy() bool {
	return o.Shared >= copyShared && !o.Background && max(o.InA, o.InB) >= o.need()
}

// Score returns how much text is shared, from 0 to 1: 1 for the same text, at
// least .5 for copies, 0 for texts that share nothing. Only short texts that
// are equal have .5 or more and are no copies.
func (o Overlap) Score() float64 {
	if o.Shared == 0 || o.Likeness == 1 {
		return o.Likeness
	}
	part, need := max(o.InA, o.InB), o.need()
	if !o.IsCopy() {
		return min(.5*part/need, .49)
	}
	// An excerpt is as good as a copy but not the same text.
	return .5 + .5*(part-need)/(1-need)*(.8+.2*o.Likeness)
}
