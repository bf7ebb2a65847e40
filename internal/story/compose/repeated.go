package compose

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// dropRepeated removes what the body has twice: pull quotes, most words of which are
// those of a paragraph, and captions that stand beside their picture once more.
func (c *composer) dropRepeated(body Body) Body {
	const minWords, maxWords = 6, 60
	const minShare = 0.6 // "He saw it," she said, "and left."
	quotes, repeated := make(map[*article.Block]bool), make(map[*article.Block]bool)
	seen := make(map[shingle]int) // how often paragraphs have the shingles of quotes
	from := 0
	for i, to := range body.ends {
		b, first := &body.blocks[i], dom.None
		if from < to {
			first = body.nodes[from]
		}
		switch from = to; {
		case c.isCaption(b, first):
			repeated[b] = true
		case c.isQuote(b, first):
			quotes[b] = true
			shingles(text(b), func(x shingle) { seen[x] = 0 })
		}
	}
	for i := 0; i < len(body.blocks) && len(quotes) > 0; i++ {
		if b := &body.blocks[i]; b.Kind == article.Paragraph && !repeated[b] {
			shingles(text(b), func(x shingle) {
				if n, ok := seen[x]; ok {
					seen[x] = n + 1
				}
			})
		}
	}
	for b := range quotes {
		own := 0 // how often a pull quote that is a paragraph was counted
		if b.Kind == article.Paragraph {
			own = 1
		}
		n, again := 0, 0
		line := slices.MaxFunc(strings.Split(text(b), "\n"), func(x, y string) int { return len(x) - len(y) })
		shingles(line, func(x shingle) { // the other lines name the speaker
			n++
			if seen[x] > own {
				again++
			}
		})
		repeated[b] = n >= minWords && n <= maxWords && float64(again) >= minShare*float64(n)
	}
	return body.without(func(b *article.Block) bool { return repeated[b] })
}

// isCaption reports whether a paragraph is the caption of the picture before it once
// more. It begins with the node first.
func (c *composer) isCaption(b *article.Block, first dom.Node) bool {
	if b.Kind != article.Paragraph || first == dom.None || c.opts.Captions {
		return false
	}
	i := c.mediumAt(first) - 1
	if i < 0 || c.media[i].image == nil || c.textSums[first] > c.textSums[c.media[i].node] {
		return false
	}
	caption := c.media[i].image.Caption
	line := fold(b.Spans, len(caption))
	return line != "" && strings.HasPrefix(words.Fold(caption), line)
}

// quoteWords are words in the names of pull quotes.
var quoteWords = words.NewSet("pullquote pull quote quotes blockquote zitat citation cita citat")

// isQuote reports whether a block, which begins with the node first, is a quote by its tag or
// name.
func (c *composer) isQuote(b *article.Block, first dom.Node) bool {
	const maxLevels = 4
	if b.Kind == article.Quote || first == dom.None || b.Kind != article.Paragraph && b.Kind != article.Heading {
		return b.Kind == article.Quote
	}
	for p, i := c.doc.Parent(first), 0; p != dom.None && i < maxLevels && c.doc.Words(p) <= maxCaption; p, i = c.doc.Parent(p), i+1 {
		if class := c.doc.Class(p); class > 0 && quoteWords.IsInName(c.doc.ClassAttr(class)) {
			return true
		}
	}
	return false
}

func text(b *article.Block) string { return article.Text([]article.Block{*b}) }

// shingle is three words in a row, by their hashes.
type shingle [3]uint32

// shingles calls yield for the shingles of a text.
func shingles(s string, yield func(shingle)) {
	r := words.Reader{Text: s}
	var last shingle
	for n := 1; ; n++ {
		w, ok := r.Next()
		if !ok {
			return
		}
		if last = (shingle{last[1], last[2], w.Hash}); n >= len(last) {
			yield(last)
		}
	}
}
