package measure

// The chains of an alignment. Whole texts are aligned by four words, and what is
// left between the runs of that by two. What is left in the end has no
// neighbours to vouch for it, so that only long runs of it count.
var (
	whole = chain{k: 4, open: 2, step: 1. / 100, far: 6, many: 36}
	gaps  = chain{k: 2, open: 1, step: 1. / 40, far: 3, many: 36}
	alone = chain{k: 1, open: 0, step: 1. / 40, far: 3, many: 36}
	rest  = chain{k: 8, open: 4, step: 1. / 100, far: 6, many: 36}
)

// maxRounds bounds how often what is left of a text is aligned by itself.
const maxRounds = 4

// aligner finds out which words of a page and of a text belong together.
type aligner struct {
	page, text []int32
	at         []int32 // by word of the page: its place on the whole page
	of         []int32 // by word of the page: its word of the text plus one, or 0
	used       []bool  // by word of the text
	round      int
}

func newAligner(page, text []int32) *aligner {
	a := &aligner{page: page, text: text, at: make([]int32, len(page))}
	for i := range a.at {
		a.at[i] = int32(i)
	}
	a.of = make([]int32, len(page))
	a.used = make([]bool, len(text))
	return a
}

// align reports whether anything was found.
func (a *aligner) align() bool {
	c := whole
	switch {
	case a.round >= maxRounds:
		return false
	case a.round > 0:
		c = rest
	case len(a.text) < gaps.k:
		c = alone
	case len(a.text) < whole.k:
		c = gaps
	}
	found := false
	c.run(a.page, a.text, func(page, text int) {
		found = true
		a.match(page, text)
	})
	if found {
		a.fill()
	}
	return found
}

func (a *aligner) match(page, text int) {
	if a.of[page] == 0 && !a.used[text] {
		a.of[page] = int32(text) + 1
		a.used[text] = true
	}
}

// fill aligns what lies between the runs that were found.
func (a *aligner) fill() {
	page, text := -1, -1 // the last pair
	for i := 0; i < len(a.of); i++ {
		if a.of[i] == 0 {
			continue
		}
		t := int(a.of[i]) - 1
		a.gap(page, i, text, t)
		page, text = i, t
	}
	a.gap(page, len(a.page), text, len(a.text))
}

// gap aligns the words between two pairs. Where one of the two is the end of
// the page, only what is near the other counts.
func (a *aligner) gap(page, nextPage, text, nextText int) {
	first, last := page < 0, nextPage == len(a.page)
	for !first && page+1 < nextPage && text+1 < nextText && a.same(page+1, text+1) {
		page, text = page+1, text+1
		a.match(page, text)
	}
	for !last && page+1 < nextPage && text+1 < nextText && a.same(nextPage-1, nextText-1) {
		nextPage, nextText = nextPage-1, nextText-1
		a.match(nextPage, nextText)
	}
	page, text = page+1, text+1
	reach := 2*(nextText-text) + 32
	if first {
		page = max(page, nextPage-reach)
	}
	if last {
		nextPage = min(nextPage, page+reach)
	}
	if page >= nextPage || text >= nextText {
		return
	}
	gaps.run(a.page[page:nextPage], a.text[text:nextText], func(p, t int) { a.match(page+p, text+t) })
}

func (a *aligner) same(page, text int) bool {
	return a.page[page] == a.text[text]
}

// rest is what is not aligned yet. Where something was taken out an absent word
// stands, so that nothing runs across.
func (a *aligner) rest() *aligner {
	b := &aligner{round: a.round + 1}
	for i, w := range a.page {
		switch {
		case a.of[i] == 0:
			b.page, b.at = append(b.page, w), append(b.at, a.at[i])
		case i > 0 && a.of[i-1] == 0:
			b.page, b.at = append(b.page, absent), append(b.at, a.at[i])
		}
	}
	for i, w := range a.text {
		switch {
		case !a.used[i]:
			b.text = append(b.text, w)
		case i > 0 && !a.used[i-1]:
			b.text = append(b.text, absent)
		}
	}
	b.of = make([]int32, len(b.page))
	b.used = make([]bool, len(b.text))
	return b
}
