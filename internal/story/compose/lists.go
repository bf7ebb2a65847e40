package compose

import (
	"slices"
	"strings"

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
	l := listItems{items: make([][]article.Block, 0, c.countChildren(n))}
	c.listItems(n, depth, &l)
	l.endLoose(&c.memory)
	if d.Tag(n) != dom.Dl && areEntries(l.items) {
		c.flush()
		for _, it := range l.items {
			c.blocks = append(c.blocks, it...)
		}
		return
	}
	b.Items = l.items
	c.add(b)
}

// countChildren returns the number of the elements in n.
func (c *composer) countChildren(n dom.Node) (count int) {
	for k := range c.doc.Children(n) {
		if !c.doc.IsText(k) {
			count++
		}
	}
	return count
}

// areEntries reports whether the items of a list are parts of the text with headings
// or times of their own, such as the entries of a live blog. They are shown as
// headings and paragraphs: a list of them is hard to read. Headings that are links
// are those of teasers.
func areEntries(items [][]article.Block) bool {
	const minItems, minLen = 2, 240 // bytes of an item on average; the leads of teasers have fewer
	entries, length := 0, 0
	for _, it := range items {
		texts, opened := 0, false
		for i := range it {
			b := &it[i]
			if isMedia(b) {
				continue
			}
			opened = opened || b.Kind == article.Heading && !isLinked(b.Spans) || texts == 0 && b.Kind == article.Paragraph && isTime(b.Spans)
			texts++
			for _, s := range b.Spans {
				length += len(s.Text)
			}
		}
		if opened && texts > 1 {
			entries++
		}
	}
	return len(items) >= minItems && 3*entries >= 2*len(items) && length >= minLen*len(items)
}

// isLinked reports whether all of a line is a link.
func isLinked(spans []article.Span) bool {
	return !slices.ContainsFunc(spans, func(s article.Span) bool { return s.Href == "" && strings.TrimSpace(s.Text) != "" })
}

// isTime reports whether a short line has a time of day: 9:05, 14h30, 9.05pm.
func isTime(spans []article.Span) bool {
	const maxLen = 60
	n := 0
	for _, s := range spans {
		n += len(s.Text)
	}
	if n > maxLen {
		return false
	}
	line := article.SpanText(spans)
	digit := func(i int) bool { return i >= 0 && i < len(line) && line[i] >= '0' && line[i] <= '9' }
	for i := range len(line) {
		if (line[i] == ':' || line[i] == 'h' || line[i] == '.') && digit(i-1) && digit(i+1) && digit(i+2) && !digit(i+3) {
			return true
		}
	}
	return false
}

func (c *composer) listItems(n dom.Node, depth int, l *listItems) {
	d := c.doc
	for k := range d.Children(n) {
		if c.opts.Steps.Done() {
			return
		}
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
