package measure

// chain has the parameters for aligning a text with a page. An alignment is a chain
// of runs of words that both have, in the order of both. Its score is the number
// of its words, less a cost for every new run and for the words of the page
// between runs, so that among several places with the same words the one next to
// the rest of the text is chosen.
//
// The algorithm is that of genome aligners: find seeds of k words that are rare
// enough to be distinctive, then the best chain of seeds by dynamic programming,
// in O(n log n).
type chain struct {
	k        int     // number of words of a seed
	open     float64 // cost of a new run
	step     float64 // cost of a word of the page between runs
	maxStep  float64 // highest cost between two runs
	maxPairs int     // a seed with more pairs of places is ignored
}

// seed is k words of the text that are also on the page.
type seed struct {
	page, text int32
	score      float64 // of the best chain that ends here
	prev       int32   // previous seed of that chain, or -1
}

// run finds the best chain for a page and a text, and calls match for every pair
// of words in it.
func (c chain) run(page, text []int32, match func(page, text int)) {
	if len(page) < c.k || len(text) < c.k {
		return
	}
	seeds := c.seeds(page, text)
	for i := c.link(seeds, len(text)); i >= 0; i = seeds[i].prev {
		for k := c.k - 1; k >= 0; k-- {
			match(int(seeds[i].page)+k, int(seeds[i].text)+k)
		}
	}
}

// seeds returns the pairs of places with the same k words, sorted by place on the
// page and then in descending order by place in the text.
func (c chain) seeds(page, text []int32) []seed {
	places := map[uint64][]int32{} // in the text, in descending order
	for i := len(text) - c.k; i >= 0; i-- {
		if h, ok := hashWords(text[i : i+c.k]); ok {
			places[h] = append(places[h], int32(i))
		}
	}
	type hit struct {
		at   int32
		hash uint64
	}
	var hits []hit
	onPage := map[uint64]int{}
	for i := 0; i+c.k <= len(page); i++ {
		if h, ok := hashWords(page[i : i+c.k]); ok && places[h] != nil {
			hits = append(hits, hit{int32(i), h})
			onPage[h]++
		}
	}
	var seeds []seed
	for _, h := range hits {
		if len(places[h.hash])*onPage[h.hash] <= c.maxPairs {
			for _, at := range places[h.hash] {
				seeds = append(seeds, seed{page: h.at, text: at})
			}
		}
	}
	return seeds
}

// hashWords returns false if one of the words is absent.
func hashWords(words []int32) (uint64, bool) {
	h := uint64(len(words))
	for _, w := range words {
		if w < 0 {
			return 0, false
		}
		h = (h ^ uint64(w)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return h, true
}

// link finds the best chain and returns its last seed, or -1.
func (c chain) link(seeds []seed, texts int) int32 {
	best := int32(-1)
	k := int32(c.k)
	last := make([]int32, texts) // by place in the text: its latest seed plus one
	// The best chain that ends at or before a place in the text: with the cost of
	// steps measured from the beginning of the page, and without that cost.
	near := prefixMax{make([]int32, texts+1), func(a, b int32) bool {
		return seeds[a].score+c.step*float64(seeds[a].page) > seeds[b].score+c.step*float64(seeds[b].page)
	}}
	free := prefixMax{make([]int32, texts+1), func(a, b int32) bool { return seeds[a].score > seeds[b].score }}
	done := 0 // earlier seeds do not overlap the current one
	for i := range seeds {
		s := &seeds[i]
		for ; seeds[done].page+k <= s.page; done++ {
			near.put(seeds[done].text, int32(done))
			free.put(seeds[done].text, int32(done))
		}
		s.score, s.prev = float64(c.k), -1
		try := func(j int32, score float64) {
			if j >= 0 && score > s.score {
				s.score, s.prev = score, j
			}
		}
		if end := s.text - k; end >= 0 {
			if j := near.best(end); j >= 0 {
				try(j, seeds[j].score+float64(k)-c.open-c.step*float64(s.page-seeds[j].page-k))
			}
			if j := free.best(end); j >= 0 {
				try(j, seeds[j].score+float64(k)-c.open-c.maxStep)
			}
		}
		if s.text > 0 {
			// The run continues: only its last word is new.
			if j := last[s.text-1] - 1; j >= 0 && seeds[j].page == s.page-1 && seeds[j].score+1 >= s.score {
				s.score, s.prev = seeds[j].score+1, j
			}
		}
		last[s.text] = int32(i) + 1
		if best < 0 || s.score > seeds[best].score {
			best = int32(i)
		}
	}
	return best
}

// prefixMax is a Fenwick tree for the best of all values at or before a place.
type prefixMax struct {
	tree   []int32 // values plus one
	better func(a, b int32) bool
}

func (m *prefixMax) put(at, x int32) {
	for i := int(at) + 1; i < len(m.tree); i += i & -i {
		if m.tree[i] == 0 || m.better(x, m.tree[i]-1) {
			m.tree[i] = x + 1
		}
	}
}

func (m *prefixMax) best(at int32) int32 {
	best := int32(-1)
	for i := int(at) + 1; i > 0; i -= i & -i {
		if x := m.tree[i] - 1; x >= 0 && (best < 0 || m.better(x, best)) {
			best = x
		}
	}
	return best
}
