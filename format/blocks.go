package format

import (
	"slices"

	"github.com/lede-news/lede/article"
)

const (
	// maxDepth is how deep blocks may lie in one another; no story needs a
	// tenth of it. What lies deeper is lifted to this depth.
	maxDepth = 100
	// The limits that HTML itself puts on a table's cell.
	maxColSpan, maxRowSpan = 1000, 65534
)

func cleanBlocks(in []article.Block, depth int) []article.Block {
	out := make([]article.Block, 0, len(in))
	for i := range in {
		if depth >= maxDepth {
			out = appendLeaves(out, &in[i])
			continue
		}
		out = appendClean(out, &in[i], depth)
	}
	return out
}

// appendClean adds a copy of b that has only what its kind uses. A block of
// an unknown kind is left out: no format could say what it is.
func appendClean(out []article.Block, b *article.Block, depth int) []article.Block {
	c := article.Block{Kind: b.Kind}
	switch b.Kind {
	case article.Paragraph:
		c.Spans = cleanSpans(b.Spans)
	case article.Heading:
		c.Spans, c.Level = cleanSpans(b.Spans), min(max(b.Level, 1), 6)
	case article.List:
		c.Ordered, c.Start = b.Ordered, b.Start
		c.Items = make([][]article.Block, len(b.Items))
		for i, it := range b.Items {
			c.Items[i] = cleanBlocks(it, depth+1)
		}
	case article.Quote:
		c.Blocks = cleanBlocks(b.Blocks, depth+1)
	case article.Table:
		c.Spans = cleanSpans(b.Spans)
		c.Rows = make([][]article.Cell, len(b.Rows))
		for i, row := range b.Rows {
			c.Rows[i] = cleanRow(row, depth)
		}
	case article.Code:
		c.Code, c.Lang = cleanCode(b.Code), oneLine(b.Lang)
	case article.Picture:
		c.Image = cleanImage(b.Image)
	case article.Video:
		c.Video = cleanClip(b.Video)
	case article.Rule:
	default:
		return out
	}
	return append(out, c)
}

func cleanRow(row []article.Cell, depth int) []article.Cell {
	out := make([]article.Cell, len(row))
	for i, c := range row {
		out[i] = article.Cell{
			Header:  c.Header,
			ColSpan: min(max(c.ColSpan, 0), maxColSpan),
			RowSpan: min(max(c.RowSpan, 0), maxRowSpan),
			Blocks:  cleanBlocks(c.Blocks, depth+1),
		}
	}
	return out
}

func cleanSpans(in []article.Span) []article.Span {
	return each(in, func(s article.Span) article.Span {
		return article.Span{Text: cleanText(s.Text), Mark: s.Mark, Href: cleanURL(s.Href)}
	})
}

// appendLeaves adds what lies in b without the lists, quotes and tables
// around it, in reading order. It keeps its own stack, since b may be as deep
// as memory allows.
func appendLeaves(out []article.Block, b *article.Block) []article.Block {
	stack := []*article.Block{b}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		from := len(stack)
		push := func(bs []article.Block) {
			for i := range bs {
				stack = append(stack, &bs[i])
			}
		}
		switch b.Kind {
		case article.List:
			for _, it := range b.Items {
				push(it)
			}
		case article.Quote:
			push(b.Blocks)
		case article.Table:
			if len(b.Spans) > 0 {
				out = append(out, article.Block{Kind: article.Paragraph, Spans: cleanSpans(b.Spans)})
			}
			for _, row := range b.Rows {
				for i := range row {
					push(row[i].Blocks)
				}
			}
		default:
			out = appendClean(out, b, maxDepth)
		}
		slices.Reverse(stack[from:])
	}
	return out
}
