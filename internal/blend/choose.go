package blend

import (
	"slices"

	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/method"
)

// How probably a block must be story to be kept. Where hardly anything is, the
// page is short or unusual, and what promises the most is kept.
const (
	enough    = 0.53
	precision = 0.75
	recall    = 0.3
	little    = 0.35 // of all story that there seems to be
)

// Choose decides which blocks are kept.
func Choose(v *blocks.View, p []float32, favor method.Favor) []bool {
	return choose(v, p, apart(v, p), favor)
}

// choose leaves out what stands apart.
func choose(v *blocks.View, p []float32, apart []bool, favor method.Favor) []bool {
	least := float32(enough)
	switch favor {
	case method.FavorPrecision:
		least = precision
	case method.FavorRecall:
		least = recall
	}
	kept := make([]bool, len(p))
	var got, all float32
	for i := range p {
		if apart[i] {
			continue
		}
		mass := p[i] * float32(v.Blocks[i].Words())
		all += mass
		if kept[i] = p[i] >= least; kept[i] {
			got += mass
		}
	}
	if got >= little*all {
		return kept
	}
	least = min(least, likeliest(v, p, apart, all))
	for i := range p {
		kept[i] = !apart[i] && p[i] >= least
	}
	return kept
}

// apart marks the blocks that are none of the story's text, whatever the model
// says of them: the headline, a line with the author and the date, and what
// stands where captions, comments, advertisements and links do, or in a place with a
// bad name. Where most of the story seems to
// be of one of those kinds, it is: a gallery tells its story in captions.
func apart(v *blocks.View, p []float32) []bool {
	const convincing = 0.9
	kinds := [...]func(int) bool{
		v.IsCaption, v.IsForeign,
		func(i int) bool { return isLinkLine(v, i) },
		func(i int) bool { return p[i] < convincing && v.IsNamedOut(i) },
	}
	var mass [len(kinds)]float32
	var all float32
	out := make([]bool, len(p))
	for i := range p {
		if out[i] = i == v.Headline || v.HasYear(i) && isDateline(v.Text(i)); out[i] {
			continue
		}
		m := p[i] * float32(v.Blocks[i].Words())
		all += m
		for k, is := range kinds {
			if is(i) {
				mass[k] += m
			}
		}
	}
	for i := range p {
		for k, is := range kinds {
			out[i] = out[i] || mass[k] < all/2 && is(i)
		}
	}
	return out
}

// isLinkLine reports whether a block is a short line of nothing but links, such
// as "Read also: …". A list of links may be part of a story, and a heading too.
func isLinkLine(v *blocks.View, i int) bool {
	const short = 12 // words
	b := &v.Blocks[i]
	return b.Words() <= short && b.Counts.LinkDensity() >= 0.95 && !v.IsHeading(i) && !v.IsListed(i)
}

// likeliest is how probable a block must be for the highest F1 that can be
// expected. To keep what is at least half as probable as that F1 is best; see
// Z. Lipton, C. Elkan, B. Naryanaswamy: Optimal thresholding of classifiers to
// maximize F1 measure. ECML PKDD 2014.
func likeliest(v *blocks.View, p []float32, apart []bool, all float32) float32 {
	order := make([]int, 0, len(p))
	for i := range p {
		if !apart[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return 0
	})
	var right, words, best float32
	least := float32(2) // none
	for _, i := range order {
		w := float32(v.Blocks[i].Words())
		right += p[i] * w
		words += w
		if f := 2 * right / max(words+all, 1); f > best {
			best, least = f, p[i]
		}
	}
	return least
}
