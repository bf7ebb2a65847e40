package nce

// wordSet is a set of words by their hashes, with open addressing: there is one
// on every page, and a map would cost as much as the rest of the method.
type wordSet struct {
	slots []uint32 // 0 is free; the length is a power of two
	used  int
}

func newWordSet(n int) *wordSet {
	size := 64
	for size < 2*n {
		size *= 2
	}
	return &wordSet{slots: make([]uint32, size)}
}

func (s *wordSet) slot(hash uint32) *uint32 {
	last := uint32(len(s.slots) - 1)
	i := hash & last
	for s.slots[i] != 0 && s.slots[i] != hash {
		i = (i + 1) & last
	}
	return &s.slots[i]
}

func (s *wordSet) add(hash uint32) {
	slot := s.slot(hash)
	if *slot == hash {
		return
	}
	*slot = hash
	if s.used++; 2*s.used <= len(s.slots) {
		return
	}
	old := s.slots
	s.slots = make([]uint32, 2*len(old))
	for _, h := range old {
		if h != 0 {
			*s.slot(h) = h
		}
	}
}

// share is the share of the words of text that are in the set.
func (s *wordSet) share(text string) float64 {
	all, in := 0, 0
	for w := range words(text) {
		all++
		if *s.slot(w.hash) == w.hash {
			in++
		}
	}
	return float64(in) / float64(max(all, 1))
}
