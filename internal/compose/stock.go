package compose

import (
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// stock is what the blocks of an article are made of, for all galleys of a
// page: a story has many paragraphs, and memory costs less in large pieces.
type stock struct {
	text   strings.Builder
	spans  []article.Span
	blocks []article.Block
	idle   []*galley // their buffers are used again
}

// print puts words down for good.
func (s *stock) print(words []byte) string {
	from := s.text.Len()
	s.text.Write(words)
	return s.text.String()[from:]
}

// takeSpans gives n spans that nobody else has.
func (s *stock) takeSpans(n int) []article.Span {
	const piece = 32
	if cap(s.spans)-len(s.spans) < n {
		s.spans = make([]article.Span, 0, max(n, piece))
	}
	from := len(s.spans)
	s.spans = s.spans[:from+n]
	return s.spans[from : from+n : from+n]
}

// keep copies blocks from a galley that will be used again.
func (s *stock) keep(blocks []article.Block) []article.Block {
	if len(blocks) == 0 {
		return nil
	}
	const piece = 8
	if cap(s.blocks)-len(s.blocks) < len(blocks) {
		s.blocks = make([]article.Block, 0, max(len(blocks), piece))
	}
	from := len(s.blocks)
	s.blocks = append(s.blocks, blocks...)
	return s.blocks[from:len(s.blocks):len(s.blocks)]
}

// galley gives an empty one.
func (s *stock) galley() *galley {
	if n := len(s.idle); n > 0 {
		g := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return g
	}
	const few = 8 // runs of most paragraphs
	return &galley{stock: s, runs: make([]run, 0, few)}
}

// empty ends a galley and gives its blocks.
func (s *stock) empty(g *galley) []article.Block {
	blocks := s.keep(g.done())
	g.blocks = g.blocks[:0]
	s.idle = append(s.idle, g)
	return blocks
}

// measure takes the paper that the kept text needs.
func (c *compositor) measure() {
	const mostRows = 64 // at first: those of tables and lists do not stand by themselves
	d, all := c.doc, c.doc.AllText()
	text, rows := 0, 0
	for k, kept := range c.mask {
		n := dom.Node(k)
		if !kept || d.Tag(n) != dom.Text {
			continue
		}
		from, to := d.Span(n)
		text += to - from + 1 // and the space before it
		if from == 0 || all[from-1] == '\n' {
			rows++
		}
	}
	c.stock.text.Grow(text)
	c.galley = c.stock.galley()
	if rows > 0 {
		c.galley.blocks = make([]article.Block, 0, min(rows, mostRows))
	}
}
