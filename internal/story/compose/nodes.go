package compose

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// Nodes returns the nodes that the body of an article is made of, in page order:
// texts, rules, pictures and players, and the elements and texts of captions.
// body is what Blocks returns for the same arguments, without the blocks that
// were dropped afterwards, such as the headline.
func Nodes(d *dom.Document, mask []bool, opts Options, body func([]article.Block) []article.Block) []dom.Node {
	used := make([]bool, d.Len())
	all := blocks(d, mask, opts, used)
	kept := make(map[*article.Span]bool)
	for _, b := range body(all) {
		if len(b.Spans) > 0 {
			kept[&b.Spans[0]] = true
		}
	}
	var nodes []dom.Node
	for n, ok := range used {
		if ok {
			nodes = append(nodes, dom.Node(n))
		}
	}
	for i := range all {
		if spans := all[i].Spans; len(spans) > 0 && !kept[&spans[0]] {
			nodes = dropText(d, nodes, article.SpanText(spans))
		}
	}
	return nodes
}

// dropText removes the first texts in a row that together are s, apart from white
// space. Pictures among them stay.
func dropText(d *dom.Document, nodes []dom.Node, s string) []dom.Node {
	const maxNodes = 500 // headlines and bylines are at the top
	want := withoutSpace(s)
	for i := range nodes[:min(len(nodes), maxNodes)] {
		rest := want
		for j := i; j < len(nodes); j++ {
			if !d.IsText(nodes[j]) {
				continue
			}
			var ok bool
			if rest, ok = strings.CutPrefix(rest, withoutSpace(d.Text(nodes[j]))); !ok {
				break
			}
			if rest == "" {
				others := slices.DeleteFunc(slices.Clone(nodes[i:j+1]), d.IsText)
				return slices.Concat(nodes[:i], others, nodes[j+1:])
			}
		}
	}
	return nodes
}

func withoutSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// use records that the article has a node.
func (c *composer) use(n dom.Node) {
	if c.used != nil {
		c.used[n] = true
	}
}

// useMedia records a picture or a player.
func (c *composer) useMedia(n dom.Node) {
	if c.opts.Pictures {
		c.use(n)
	}
}

// replaceMedia records a picture in place of another.
func (c *composer) replaceMedia(old, n dom.Node) {
	if c.used != nil && c.used[old] {
		c.used[old], c.used[n] = false, true
	}
}

// useCaption records a caption.
func (c *composer) useCaption(n dom.Node) {
	if c.used == nil {
		return
	}
	c.use(n)
	for m := n; m < c.doc.End(n); m++ {
		if c.doc.IsText(m) && !c.doc.Hidden(m) {
			c.use(m)
		}
	}
}

// useSelected records the selected texts of n.
func (c *composer) useSelected(n dom.Node) {
	for m := n; c.used != nil && m < c.doc.End(n); m++ {
		switch d := c.doc; {
		case isControl(d.Tag(m)):
			m = d.End(m) - 1
		case d.IsText(m) && c.mask[m] && !d.Hidden(m):
			c.use(m)
		}
	}
}

// forget removes what was recorded of n.
func (c *composer) forget(n dom.Node) {
	if c.used != nil {
		clear(c.used[n:c.doc.End(n)])
	}
}
