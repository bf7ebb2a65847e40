package compose

import (
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

func isList(t dom.Tag) bool {
	return t == dom.Ul || t == dom.Ol || t == dom.Menu || t == dom.Dir || t == dom.Dl
}

// listing is a list while it is set.
type listing struct {
	items [][]article.Block
	// loose holds what stands in the list outside its items and becomes an
	// item of its own: nothing is lost for bad markup.
	loose *galley
}

func (l *listing) add(blocks []article.Block) {
	if len(blocks) > 0 {
		l.items = append(l.items, blocks)
	}
}

// join adds to the item set last.
func (l *listing) join(blocks []article.Block) {
	if len(l.items) == 0 {
		l.add(blocks)
		return
	}
	last := &l.items[len(l.items)-1]
	*last = append(*last, blocks...)
}

func (l *listing) endLoose(s *stock) {
	if l.loose != nil {
		l.add(s.empty(l.loose))
		l.loose = nil
	}
}

// list sets ul, ol and their kin.
func (c *compositor) list(n dom.Node, depth int) {
	d := c.doc
	b := article.Block{Kind: article.List, Ordered: d.Tag(n) == dom.Ol}
	if s := number(d.AttrOr(n, "start")); b.Ordered && s > 1 {
		b.Start = s
	}
	var l listing
	c.items(n, depth, &l)
	l.endLoose(&c.stock)
	b.Items = l.items
	c.add(b)
}

func (c *compositor) items(n dom.Node, depth int, l *listing) {
	d := c.doc
	for k := range d.Children(n) {
		switch tag := d.Tag(k); {
		case tag == dom.Li:
			l.endLoose(&c.stock)
			l.add(c.item(k, depth))
		case tag == dom.Dt:
			l.endLoose(&c.stock)
			mark := c.mark
			c.mark |= article.Strong
			l.add(c.item(k, depth))
			c.mark = mark
		case tag == dom.Dd: // a term and what it means are one item
			l.endLoose(&c.stock)
			l.join(c.item(k, depth))
		case tag == dom.Div && d.Tag(n) == dom.Dl && !d.Hidden(k): // a group of terms
			l.endLoose(&c.stock)
			c.items(k, depth, l)
		case isList(tag) && l.loose == nil: // old pages nest lists without an item around
			l.join(c.alone(k, depth))
		default:
			if l.loose == nil {
				l.loose = c.stock.galley()
			}
			outer := c.galley
			c.galley = l.loose
			c.set(k, depth+1)
			c.galley = outer
		}
	}
}

// item sets the content of a list item, if it is seen at all.
func (c *compositor) item(n dom.Node, depth int) []article.Block {
	if c.doc.Hidden(n) || !c.touched(n) {
		return nil
	}
	return c.inside(n, depth)
}

// alone sets n on a galley of its own.
func (c *compositor) alone(n dom.Node, depth int) []article.Block {
	outer := c.galley
	c.galley = c.stock.galley()
	c.set(n, depth+1)
	blocks := c.stock.empty(c.galley)
	c.galley = outer
	return blocks
}
