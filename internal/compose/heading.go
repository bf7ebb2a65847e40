package compose

import (
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

func (c *compositor) heading(n dom.Node, depth int) {
	const long = 100 // words: somebody forgot to close it
	if c.doc.Words(n) > long {
		c.plain(n, depth)
		return
	}
	level := int(c.doc.Tag(n)-dom.H1) + 1
	spans, pictures := oneLine(c.inside(n, depth))
	c.flush()
	if len(spans) > 0 {
		c.add(article.Block{Kind: article.Heading, Level: level, Spans: spans})
	}
	c.blocks = append(c.blocks, pictures...)
}

// oneLine joins the text of blocks, for a heading or a caption that the page
// has laid out in several, and gives back the pictures.
func oneLine(blocks []article.Block) (spans []article.Span, pictures []article.Block) {
	for i := range blocks {
		b := &blocks[i]
		if isShown(b) {
			pictures = append(pictures, *b)
			continue
		}
		part := b.Spans
		if b.Kind != article.Paragraph && b.Kind != article.Heading {
			part = []article.Span{{Text: strings.Join(strings.Fields(b.Text()), " ")}}
		}
		if part = trim(part); len(part) == 0 {
			continue
		}
		if len(spans) == 0 {
			spans = part // most have one block and no need of a copy
			continue
		}
		spans = append(spans, article.Span{Text: " "})
		spans = append(spans, part...)
	}
	return spans, pictures
}
