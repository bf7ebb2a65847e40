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
	gap := 0 // start of the run without keys
	for i := 0; i <= len(hashes); i++ {
		if i < len(hashes) && hashes[i] > limit {
			continue
		}
		keys = winnow(keys, hashes[gap:i])
		if i < len(hashes) {
			keys = append(keys, hashes[i])
		}
		gap = i + 1
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if len(keys) < minKeys {
		all := slices.Clone(hashes)
		slices.Sort(all)
		all = slices.Compact(all)
		keys = append(keys, all[:min(len(all), minKeys)]...)
		slices.Sort(keys)
		keys = slices.Compact(keys)
	}
	return slices.Clip(keys[:min(len(keys), maxKeys)])
}

// winnow appends the lowest hash of each window.
func winnow(keys, hashes []uint64) []uint64 {
	low := -1
	for end := keyWindow; end <= len(hashes); end++ {
		start := end - keyWindow
		switch {
		case low < start:
			low = start
			for i := start; i < end; i++ {
				if hashes[i] <= hashes[low] {
					low = i
				}
			}
		case hashes[end-1] <= hashes[low]:
			low = end - 1
		default:
			continue
		}
		keys = append(keys, hashes[low])
	}
	return keys
}

// signatureBins is the number of values of a Signature.
const signatureBins = 128

// A Signature estimates the likeness of two texts without the texts: MinHash
// with one permutation (Li, Owen, Zhang: One permutation hashing, 2012), where
// empty bins borrow from others (Shrivastava: Optimal densification, 2017). The
// zero Signature is that of an empty text. Signatures are the same on all
// machines, so that they can be stored and exchanged.
type Signature [signatureBins]uint32

// Signature returns the signature of the shingles.
func (s *Shingles) Signature() Signature {
	var sig Signature
	if len(s.hashes) == 0 {
		return sig
	}
	var filled [signatureBins]bool
	for _, h := range s.hashes {
		bin, v := h>>57, max(uint32(h), 1)
		if !filled[bin] || v < sig[bin] {
			filled[bin], sig[bin] = true, v
		}
	}
	for bin := range sig {
		if filled[bin] {
			continue
		}
		// The sequence of bins to try depends on the empty bin alone, so
		// that two texts borrow from the same bin where they can.
		for try := uint64(1); ; try++ {
			from := mix(uint64(bin)<<32|try) % signatureBins
			if filled[from] {
				sig[bin] = sig[from]
				break
			}
		}
	}
	return sig
}

// Likeness estimates the Likeness of the texts (see [Overlap]), with a standard
// error of about .04. It is 0 if either text is empty.
func (s Signature) Likeness(t Signature) float64 {
	n := 0
	for i, v := range s {
		if v == t[i] && v != 0 {
			n++
		}
	}
	return float64(n) / signatureBins
}

// Overlap says how much text two articles share.
type Overlap struct {
	// Likeness is the part of the shingles of both that is shared (Jaccard).
	Likeness float64
	// InA is the part of a that is in b, InB the part of b that is in a.
	InA, InB float64
	// Shared is the number of shingles that are shared.
	Shared int
}

// Compare returns the overlap of two texts.
func Compare(a, b *Shingles) Overlap {
	x, y := a.hashes, b.hashes
	if len(x) == 0 || len(y) == 0 {
		return Overlap{}
	}
	shared := 0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			shared++
			i++
			j++
		}
	}
	n := float64(shared)
	return Overlap{
		Likeness: n / float64(len(x)+len(y)-shared),
		InA:      n / float64(len(x)),
		InB:      n / float64(len(y)),
		Shared:   shared,
	}
}

const (
	// copyPart is the part of the shorter text that copies share at least.
	copyPart = .5
	// copyExcess is how many shingles more than that they share.
	copyExcess = 10
)

// IsCopy reports whether one text is a copy of the other, an excerpt, a longer
// version or an update of it. More than half of the shorter text has to be in
// the other; the less text, the greater the part, since a few sentences may be
// boilerplate. Texts of fewer than 24 words are never copies, not even if they
// are equal: they are notices ("for subscribers only") more often than stories.
func (o Overlap) IsCopy() bool {
	return (max(o.InA, o.InB)-copyPart)*float64(o.Shared) >= copyExcess
}

// Score returns how much text is shared, from 0 to 1: 1 for the same text, at
// least .5 for copies and less for others, 0 for texts that share nothing.
func (o Overlap) Score() float64 {
	if o.Shared == 0 || o.Likeness == 1 {
		return o.Likeness
	}
	part := max(o.InA, o.InB)
	need := copyPart + copyExcess/float64(o.Shared)
	if !o.IsCopy() {
		return min(.5*part/need, .49)
	}
	// An excerpt is as good as a copy but not the same text.
	extra := 1.0
	if need < 1 {
		extra = (part - need) / (1 - need)
	}
	return .5 + .5*max(extra, 0)*(.8+.2*o.Likeness)
}
