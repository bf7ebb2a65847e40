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
	body = slices.DeleteFunc(body, func(b Block) bool { return c.isCaption(&b) })
	quotes := make(map[*article.Block]bool)
	seen := make(map[shingle]int) // how often paragraphs have the shingles of quotes
	for i := range body {
		if b := &body[i]; c.isQuote(b) {
			quotes[b.Block] = true
			shingles(text(b), func(x shingle) { seen[x] = 0 })
		}
	}
	for i := 0; i < len(body) && len(quotes) > 0; i++ {
		if b := &body[i]; b.Kind == article.Paragraph {
			shingles(text(b), func(x shingle) {
				if n, ok := seen[x]; ok {
					seen[x] = n + 1
				}
			})
		}
	}
	return slices.DeleteFunc(body, func(b Block) bool {
		if !quotes[b.Block] {
			return false
		}
		own := 0 // how often a pull quote that is a paragraph was counted
		if b.Kind == article.Paragraph {
			own = 1
		}
		n, repeated := 0, 0
		line := slices.MaxFunc(strings.Split(text(&b), "\n"), func(x, y string) int { return len(x) - len(y) })
		shingles(line, func(x shingle) { // the other lines name the speaker
			n++
			if seen[x] > own {
				repeated++
			}
		})
		return n >= minWords && n <= maxWords && float64(repeated) >= minShare*float64(n)
	})
}

// isCaption reports whether a paragraph is the caption of the picture before it once
// more.
func (c *composer) isCaption(b *Block) bool {
	if b.Kind != article.Paragraph || len(b.Nodes) == 0 || c.opts.Captions {
		return false
	}
	i := c.mediumAt(b.Nodes[0]) - 1
	if i < 0 || !c.media[i].own || c.media[i].image == nil || c.textSums[b.Nodes[0]] > c.textSums[c.media[i].node] {
		return false
	}
	caption := c.media[i].image.Caption
	line := fold(b.Spans, len(caption))
	return line != "" && strings.HasPrefix(words.Fold(caption), line)
}

// quoteWords are words in the names of pull quotes.
var quoteWords = words.NewSet("pullquote pull quote quotes blockquote zitat citation cita citat")

// isQuote reports whether a block is a quote by its tag or name.
func (c *composer) isQuote(b *Block) bool {
	const maxLevels = 4
	if b.Kind == article.Quote || len(b.Nodes) == 0 || b.Kind != article.Paragraph && b.Kind != article.Heading {
		return b.Kind == article.Quote
	}
	for p, i := c.doc.Parent(b.Nodes[0]), 0; p != dom.None && i < maxLevels && c.doc.Words(p) <= maxCaption; p, i = c.doc.Parent(p), i+1 {
		if class := c.doc.Class(p); class > 0 && quoteWords.IsInName(c.doc.ClassAttr(class)) {
			return true
		}
	}
	return false
}

func text(b *Block) string { return article.Text([]article.Block{*b.Block}) }

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
