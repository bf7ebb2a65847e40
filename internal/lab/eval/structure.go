package eval

import (
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// newStructure returns the structure of an article.
func newStructure(a *article.Article) *measure.Structure {
	s := &measure.Structure{Blocks: flatten(nil, a.Body, false), Standfirst: a.Standfirst}
	if a.Lead != nil {
		s.Lead = a.Lead.URL
	}
	return s
}

// flatten appends blocks without their nesting: those of quotes one by one, lists
// and tables with the texts of their items and cells, and after them their pictures.
func flatten(list []measure.Block, blocks []article.Block, quoted bool) []measure.Block {
	for i := range blocks {
		b := &blocks[i]
		out := measure.Block{Kind: b.Kind.String()}
		switch b.Kind {
		case article.Paragraph:
			if quoted {
				out.Kind = article.Quote.String()
			}
			out.Text = article.SpanText(b.Spans)
		case article.Heading:
			out.Text = article.SpanText(b.Spans)
		case article.Code:
			out.Text = b.Code
		case article.Quote:
			list = flatten(list, b.Blocks, true)
			continue
		case article.List:
			for _, item := range b.Items {
				out.Items = append(out.Items, texts(item)...)
			}
		case article.Table:
			for _, row := range b.Rows {
				for j := range row {
					out.Items = append(out.Items, texts(row[j].Blocks)...)
				}
			}
		case article.Picture:
			if b.Image != nil {
				out.URL = b.Image.URL
			}
		}
		list = append(list, out)
		if b.Kind == article.List || b.Kind == article.Table {
			for inner := range (&article.Article{Body: blocks[i : i+1]}).Blocks() {
				if inner.Kind == article.Picture && inner.Image != nil {
					list = append(list, measure.Block{Kind: inner.Kind.String(), URL: inner.Image.URL})
				}
			}
		}
	}
	return list
}

// texts returns the texts of blocks.
func texts(blocks []article.Block) []string {
	var all []string
	for _, b := range flatten(nil, blocks, false) {
		if all = append(all, b.Items...); b.Text != "" {
			all = append(all, b.Text)
		}
	}
	return all
}
