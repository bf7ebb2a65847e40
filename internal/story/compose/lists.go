package compose

import (
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

func isList(t dom.Tag) bool {
	return t == dom.Ul || t == dom.Ol || t == dom.Menu || t == dom.Dir || t == dom.Dl
}

func isItem(t dom.Tag) bool { return t == dom.Li || t == dom.Dt || t == dom.Dd }

func (c *composer) list(n dom.Node, depth int) {
	b := article.Block{Kind: article.List, Ordered: c.doc.Tag(n) == dom.Ol}
	if s := number(c.doc.Attr(n, "start")); b.Ordered && s > 1 {
		b.Start = s
	}
	c.listItems(n, depth, &b)
	c.add(b)
}

// isStoryInList reports whether a list has a single item with paragraphs, as some
// pages have around the whole story.
func (c *composer) isStoryInList(n dom.Node) bool {
	const minParas = 3
	items := 0
	for k := range c.doc.Children(n) {
		if c.hasText(k) {
			items++
		}
	}
	return items == 1 && c.doc.Counts(n).Paras >= minParas
}

// listItems adds the items in n to a list. Content outside of items becomes an item
// of its own, so that invalid markup loses no text.
func (c *composer) listItems(n dom.Node, depth int, b *article.Block) {
	d := c.doc
	for k := d.FirstChild(n); k != dom.None && !c.opts.Steps.Done(); k = d.Next(k) {
		tag, item := d.Tag(k), []article.Block(nil)
		switch {
		case tag == dom.Dt:
			mark := c.mark
			c.mark |= article.Strong
			item = c.nested(k, depth)
			c.mark = mark
		case isItem(tag):
			item = c.nested(k, depth)
		case tag == dom.Div && d.Tag(n) == dom.Dl: // a group of terms
			c.listItems(k, depth, b)
		default:
			last := k
			item = c.inside(func() {
				for ; k != dom.None && !isItem(d.Tag(k)) && !(isList(d.Tag(k)) && k > last); k = d.Next(k) {
					c.node(k, depth+1)
					last = k
				}
			})
			k = last
		}
		if len(item) == 0 {
			continue
		}
		// A definition belongs to its term, and in older pages a list to the item before it.
		if at := len(b.Items) - 1; at >= 0 && (tag == dom.Dd || isList(tag)) {
			b.Items[at] = append(b.Items[at], item...)
		} else {
			b.Items = append(b.Items, item)
		}
	}
}
