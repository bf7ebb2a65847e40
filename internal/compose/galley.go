package compose

import (
	"bytes"
	"strings"

	"github.com/lede-news/lede/article"
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
