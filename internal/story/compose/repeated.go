package compose

import (
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// dropRepeated removes what the body has twice: pull quotes, most words of which are
// those of a paragraph, and captions that stand beside their picture once more.
func (c *composer) dropRepeated(body Body) Body {
	const minWords, maxWords = 6, 60
	const minQuote, minCaption = 0.6, 0.95 // "He saw it," she said, "and left."
	quotes := make([]bool, len(body))
	inParagraphs, inCaptions := make(map[shingle]int), make(map[shingle]int)
	for i := range body {
		b := &body[i]
		if quotes[i] = c.isQuote(b); b.Kind == article.Paragraph {
			countShingles(inParagraphs, text(b))
		}
	}
	for i := range c.media {
		if m := &c.media[i]; m.own && m.image != nil && !c.opts.Captions {
			countShingles(inCaptions, m.image.Caption)
		}
	}
	out := body[:0]
	for i := range body {
		b := &body[i]
		if quotes[i] || b.Kind == article.Paragraph && len(inCaptions) > 0 {
			s := text(b)
			n := words.Count(s, maxWords+1)
			own := 0 // how often a pull quote that is a paragraph was counted
			if b.Kind == article.Paragraph {
				own = 1
			}
			if n >= minWords && n <= maxWords && (quotes[i] && repeatedShare(inParagraphs, s, own) >= minQuote || repeatedShare(inCaptions, s, 0) >= minCaption) {
				continue
			}
		}
		out = append(out, *b)
	}
	return out
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
		if isNamed(c.doc, p, quoteWords) {
			return true
		}
	}
	return false
}

func text(b *Block) string { return article.Text([]article.Block{b.Block}) }

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

func countShingles(seen map[shingle]int, s string) {
	shingles(s, func(x shingle) { seen[x]++ })
}

// repeatedShare returns the share of the shingles of a text that were seen, besides
// those of the text itself.
func repeatedShare(seen map[shingle]int, s string, own int) float64 {
	repeated, n := 0, 0
	shingles(s, func(x shingle) {
		n++
		if seen[x] > own {
			repeated++
		}
	})
	return float64(repeated) / float64(max(n, 1))
}
