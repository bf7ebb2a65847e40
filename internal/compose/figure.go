package compose

import (
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// figure sets a <figure>: a picture or a clip with its caption, or whatever
// else the page calls a figure, such as a table or a quote.
func (c *compositor) figure(n dom.Node, depth int) {
	d := c.doc
	c.flush()
	caption := c.figcaption(n)
	from := len(c.blocks)
	for k := range d.Children(n) {
		if k != caption {
			c.set(k, depth+1)
		}
	}
	c.flush()
	blocks := c.blocks[from:]
	shown := firstShown(blocks)
	if shown != nil && c.isOnlyPicture(n) {
		c.blocks = append(c.blocks[:from], c.underPicture(shown, blocks, caption != dom.None)...)
	}
	switch {
	case caption == dom.None:
	case shown != nil: // who keeps the picture keeps its caption
		c.giveCaption(shown, caption)
		c.captionText(caption)
	case !c.touched(caption):
	case len(blocks) > 0: // the caption of a table or a quote is part of the story
		c.plain(caption, depth)
	default:
		c.captionText(caption)
	}
}

// figcaption is the caption of a figure: a child of it, or else the first below.
func (c *compositor) figcaption(n dom.Node) dom.Node {
	d := c.doc
	for k := range d.Children(n) {
		if d.Tag(k) == dom.Figcaption && !d.Hidden(k) {
			return k
		}
	}
	for k := range d.All(n, dom.Figcaption) {
		if !d.Hidden(k) && !c.touched(k) { // else it is set on the way
			return k
		}
	}
	return dom.None
}

// isOnlyPicture reports whether a figure holds nothing but its picture and the
// words under it.
func (c *compositor) isOnlyPicture(n dom.Node) bool {
	d := c.doc
	for m := n + 1; m < d.End(n); m++ {
		if tag := d.Tag(m); tag == dom.Table || tag == dom.Blockquote || tag == dom.Pre || isList(tag) || tag.IsHeading() {
			return false
		}
	}
	return d.Words(n) <= longCaption
}

// underPicture takes the paragraphs out of a figure: credits and captions that
// the page does not call by their name.
func (c *compositor) underPicture(shown *article.Block, blocks []article.Block, captioned bool) []article.Block {
	out := blocks[:0:0]
	for _, b := range blocks {
		if b.Kind != article.Paragraph {
			out = append(out, b)
			continue
		}
		switch text := article.SpanText(b.Spans); {
		case shown.Kind == article.Video:
			shown.Video.Caption = firstOf(shown.Video.Caption, text)
		case !captioned && shown.Image.Caption == "":
			shown.Image.Caption = text
		default:
			shown.Image.Credit = firstOf(shown.Image.Credit, text)
		}
		if c.opts.Captions {
			out = append(out, b)
		}
	}
	return out
}

func isShown(b *article.Block) bool { return b.Kind == article.Picture || b.Kind == article.Video }

func firstShown(blocks []article.Block) *article.Block {
	for i := range blocks {
		if isShown(&blocks[i]) {
			return &blocks[i]
		}
	}
	return nil
}
