package compose

import (
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

func isList(t dom.Tag) bool {
	return t == dom.Ul || t == dom.Ol || t == dom.Menu || t == dom.Dir || t == dom.Dl
}

// listItems are the items of a list under construction.
type listItems struct {
	items [][]article.Block
	// loose collects content outside of items, which becomes an item of its
	// own so that invalid markup loses no text.
	loose *builder
}

func (l *listItems) add(blocks []article.Block) {
	if len(blocks) > 0 {
		l.items = append(l.items, blocks)
	}
}

// addToLast adds blocks to the last item.
func (l *listItems) addToLast(blocks []article.Block) {
	if len(l.items) == 0 {
		l.add(blocks)
		return
	}
	last := &l.items[len(l.items)-1]
	*last = append(*last, blocks...)
}

func (l *listItems) endLoose(m *memory) {
	if l.loose != nil {
		l.add(m.finish(l.loose))
		l.loose = nil
	}
}

func (c *composer) list(n dom.Node, depth int) {
	d := c.doc
	b := article.Block{Kind: article.List, Ordered: d.Tag(n) == dom.Ol}
	if s := number(d.Attr(n, "start")); b.Ordered && s > 1 {
		b.Start = s
	}
	var l listItems
	c.listItems(n, depth, &l)
	l.endLoose(&c.memory)
	b.Items = l.items
	c.add(b)
}

func (c *composer) listItems(n dom.Node, depth int, l *listItems) {
	d := c.doc
	for k := range d.Children(n) {
		switch tag := d.Tag(k); {
		case tag == dom.Li:
			l.endLoose(&c.memory)
			l.add(c.item(k, depth))
		case tag == dom.Dt:
			l.endLoose(&c.memory)
			mark := c.mark
			c.mark |= article.Strong
			l.add(c.item(k, depth))
			c.mark = mark
		case tag == dom.Dd: // a term and its definition are one item
			l.endLoose(&c.memory)
			l.addToLast(c.item(k, depth))
		case tag == dom.Div && d.Tag(n) == dom.Dl && !d.Hidden(k): // a group of terms
			l.endLoose(&c.memory)
			c.listItems(k, depth, l)
		default:
			sublist := isList(tag) && l.loose == nil // older pages nest lists without an item
			if l.loose == nil {
				l.loose = c.memory.newBuilder()
			}
			outer := c.builder
			c.builder = l.loose
			c.node(k, depth+1)
			c.builder = outer
			if sublist {
				l.addToLast(c.memory.finish(l.loose))
				l.loose = nil
			}
		}
	}
}
