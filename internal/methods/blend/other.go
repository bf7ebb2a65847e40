package blend

import (
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/method"
)

// IsSurelyOther reports whether the blocks of a page that is an article with the
// given probability are judged as those of other pages. In doubt they are judged as
// those of articles, which lose more, unless the page looks like a listing.
func IsSurelyOther(chance float32) bool { return chance < 0.3 }

// replaces reports whether c, which was made by newOtherChoice, is a better choice
// than that for an article, on a page of the given type that is an article with the
// given probability. A page that is taken for a listing may be an article if much
// speaks for its blocks, or a short post if it has only a line or two.
func (c *choice) replaces(story *choice, kind article.PageType, chance float32) bool {
	const clear, minListing = 0.8, 50 // expected F1 of a story, words
	return IsSurelyOther(chance) || kind == article.TypeIndex && c.words() >= minListing && story.expectedF1() < clear
}

// newOtherChoice decides on the blocks of a page that is no article. The rules for
// articles do not apply: lines of links, captions, dates and comments may be what
// the page is about. It keeps what has the highest expected F1.
func newOtherChoice(v *blocks.View, prob []float32, p *method.Page) choice {
	c := choice{View: v, page: p.Doc, prob: prob, excluded: make([]rule, len(prob)), kept: make([]bool, len(prob)), isOther: true}
	if v.Headline >= 0 {
		c.excluded[v.Headline] = headlineRule
	}
	var expected, highest float32 // words and probability
	for i := range prob {
		if c.excluded[i] == noRule {
			expected += prob[i] * float32(v.Blocks[i].Words())
			highest = max(highest, prob[i])
		}
	}
	c.threshold = bestThreshold(v, prob, c.excluded, expected)
	switch p.Favor {
	case method.FavorPrecision:
		c.threshold = max(c.threshold, min(c.threshold*precisionThreshold/balancedThreshold, highest))
	case method.FavorRecall:
		c.threshold *= recallThreshold / balancedThreshold
	}
	for i := range prob {
		c.kept[i] = c.excluded[i] == noRule && prob[i] >= c.threshold
	}
	if !p.NoReasons {
		c.rules = slices.Clone(c.excluded)
	}
	return c
}
