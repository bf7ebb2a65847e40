package compose

import (
	"bytes"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// galley holds blocks as they are set. Words gather in a paragraph until
// something ends it.
type galley struct {
	stock  *stock
	blocks []article.Block
	words  []byte          // of the paragraph
	runs   []run           // how they look
	breaks int             // line breaks since the last word
	later  []article.Block // pictures met inside the paragraph: it is not cut for them
}

// run is a stretch of words that look the same, up to end.
type run struct {
	end  int
	mark article.Mark
	href string
}

// text adds words to the paragraph.
func (g *galley) text(s string, spaced bool, mark article.Mark, href string) {
	if g.breaks > 1 {
		g.flush() // two line breaks are how older pages part paragraphs
	}
	if len(g.runs) > 0 {
		switch {
		case g.breaks == 1:
			g.append("\n", 0, "")
		case spaced:
			g.space(mark, href)
		}
	}
	g.breaks = 0
	g.append(s, mark, href)
}

// space goes with the side that is not marked, so that no link or bold run
// begins or ends with a blank.
func (g *galley) space(mark article.Mark, href string) {
	if bytes.HasSuffix(g.words, []byte("\n")) {
		return
	}
	last := &g.runs[len(g.runs)-1]
	if last.mark == mark && last.href == href {
		g.append(" ", mark, href)
		return
	}
	g.append(" ", 0, "")
}

func (g *galley) append(s string, mark article.Mark, href string) {
	g.words = append(g.words, s...)
	if n := len(g.runs) - 1; n >= 0 && g.runs[n].mark == mark && g.runs[n].href == href {
		g.runs[n].end = len(g.words)
		return
	}
	g.runs = append(g.runs, run{len(g.words), mark, href})
}

func (g *galley) breakLine() {
	if len(g.runs) > 0 {
		g.breaks++
	}
}

// flush ends the paragraph.
func (g *galley) flush() {
	if spans := trim(g.spans()); len(spans) > 0 {
		g.blocks = append(g.blocks, article.Block{Kind: article.Paragraph, Spans: spans})
	}
	g.blocks = append(g.blocks, g.later...)
	g.words, g.runs, g.later, g.breaks = g.words[:0], g.runs[:0], g.later[:0], 0
}

// spans cuts the words of the paragraph into its runs.
func (g *galley) spans() []article.Span {
	if len(g.runs) == 0 {
		return nil
	}
	all, from := g.stock.print(g.words), 0
	spans := g.stock.takeSpans(len(g.runs))
	for i, r := range g.runs {
		spans[i] = article.Span{Text: all[from:r.end], Mark: r.mark, Href: r.href}
		from = r.end
	}
	return spans
}

// add sets a block after the paragraph.
func (g *galley) add(b article.Block) {
	g.flush()
	if !isEmpty(&b) {
		g.blocks = append(g.blocks, b)
	}
}

func isEmpty(b *article.Block) bool {
	return b.Kind == article.Quote && len(b.Blocks) == 0 || b.Kind == article.List && len(b.Items) == 0 ||
		b.Kind == article.Table && len(b.Rows) == 0 || b.Kind == article.Code && b.Code == ""
}

// show sets a picture or a clip without ending the paragraph that it is in.
func (g *galley) show(b article.Block) {
	if len(g.runs) == 0 {
		g.blocks = append(g.blocks, b)
		return
	}
	g.later = append(g.later, b)
}

// last is the block set last if nothing was set since, for captions.
func (g *galley) last() *article.Block {
	if n := len(g.later); n > 0 {
		return &g.later[n-1]
	}
	if len(g.runs) > 0 || len(g.blocks) == 0 {
		return nil
	}
	return &g.blocks[len(g.blocks)-1]
}

// done ends the galley.
func (g *galley) done() []article.Block {
	g.flush()
	return dropRules(g.blocks)
}

// dropRules takes out, in place, the rules that part nothing: at the ends, or
// twice.
func dropRules(blocks []article.Block) []article.Block {
	n := 0
	for i := range blocks {
		if blocks[i].Kind == article.Rule && (n == 0 || blocks[n-1].Kind == article.Rule) {
			continue
		}
		if n < i {
			blocks[n] = blocks[i]
		}
		n++
	}
	for n > 0 && blocks[n-1].Kind == article.Rule {
		n--
	}
	return blocks[:n]
}

// trim takes white space off both ends of a paragraph.
func trim(spans []article.Span) []article.Span {
	for len(spans) > 0 {
		if spans[0].Text = strings.TrimLeft(spans[0].Text, " \n"); spans[0].Text != "" {
			break
		}
		spans = spans[1:]
	}
	for len(spans) > 0 {
		last := &spans[len(spans)-1]
		if last.Text = strings.TrimRight(last.Text, " \n"); last.Text != "" {
			break
		}
		spans = spans[:len(spans)-1]
	}
	return spans
}

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

// withoutPictures takes pictures and clips out of blocks, in place, and what
// is empty without them.
func withoutPictures(blocks []article.Block) []article.Block {
	out := blocks[:0]
	for _, b := range blocks {
		switch b.Kind {
		case article.Picture, article.Video:
			continue
		case article.Quote:
			b.Blocks = withoutPictures(b.Blocks)
		case article.List:
			items := b.Items[:0]
			for _, it := range b.Items {
				if it = withoutPictures(it); len(it) > 0 {
					items = append(items, it)
				}
			}
			b.Items = items
		case article.Table:
			rows := b.Rows[:0]
			for _, row := range b.Rows {
				some := false
				for i := range row {
					row[i].Blocks = withoutPictures(row[i].Blocks)
					some = some || len(row[i].Blocks) > 0
				}
				if some {
					rows = append(rows, row)
				}
			}
			b.Rows = rows
		}
		if !isEmpty(&b) {
			out = append(out, b)
		}
	}
	if out = dropRules(out); len(out) == 0 {
		return nil
	}
	return out
}
