package blend

import (
	"math"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/method"
)

// choice is what is to become of the blocks.
type choice struct {
	*blocks.View
	p    []float32
	kept []bool
	// apart are blocks that are no story whatever the model says of them.
	apart []bool
	page  *dom.Document
	home  dom.Node // the innermost element around all that is kept

	title dom.Node
}

// finish puts right what only the whole choice can tell, and reports whether
// there is a story: links and furniture alone are none.
func (c *choice) finish() bool {
	c.dropLooseHeadings()
	if c.isFurniture() && !c.fallBack() {
		return false
	}
	c.findHome()
	title := c.headline()
	for i := range c.kept {
		if title != dom.None && c.kept[i] && c.page.Contains(title, c.Blocks[i].First) {
			c.kept[i] = false
		}
	}
	if c.title = title; c.isFurniture() { // a page that is its own headline
		return false
	}
	c.findHome()
	return true
}

// fallBack chooses anew among what is neither links nor furniture, on pages that
// have nothing better, and reports whether there is any.
func (c *choice) fallBack() bool {
	out := make([]bool, len(c.p))
	var all float32
	for i := range out {
		b := &c.Blocks[i]
		if out[i] = i == c.Headline || b.Counts.LinkDensity() >= 0.9 || c.IsFurniture(i) || c.HasYear(i) && isDateline(c.Text(i)); !out[i] {
			all += c.p[i] * float32(b.Words())
		}
	}
	least := likeliest(c.View, c.p, out, all)
	found := false
	for i := range out {
		c.kept[i] = !out[i] && c.p[i] >= least
		found = found || c.kept[i]
	}
	return found
}

// isFurniture reports whether all that is kept stands in links or where pages have
// their menus.
func (c *choice) isFurniture() bool {
	for i, kept := range c.kept {
		if kept && c.Blocks[i].Counts.LinkDensity() < 0.9 && !c.IsFurniture(i) {
			return false
		}
	}
	return true
}

// findHome finds the innermost element around all that is kept.
func (c *choice) findHome() {
	c.home = dom.None
	for i, kept := range c.kept {
		switch {
		case !kept:
		case c.home == dom.None:
			c.home = c.Blocks[i].Owner
		default:
			c.home = c.page.CommonAncestor(c.home, c.Blocks[i].Owner)
		}
	}
}

// dropLooseHeadings drops headings that nothing of the story follows: they
// belong to boxes that are gone. A story of headings alone is left as it is.
func (c *choice) dropLooseHeadings() {
	follows, text := false, false
	for i, kept := range c.kept {
		text = text || kept && !c.IsHeading(i)
	}
	for i := len(c.kept) - 1; i >= 0 && text; i-- {
		switch {
		case !c.IsHeading(i):
			follows = follows || c.kept[i]
		case c.kept[i]:
			c.kept[i] = follows
			follows = follows && c.kept[i]
		default:
			follows = false
		}
	}
}

// words is how many are kept.
func (c *choice) words() (n int) {
	for i, kept := range c.kept {
		if kept {
			n += c.Blocks[i].Words()
		}
	}
	return n
}

// expected is the F1 that can be expected of the choice.
func (c *choice) expected() float64 {
	var right, kept, all float64
	for i, p := range c.p {
		if i == c.Headline || c.apart[i] && !c.kept[i] {
			continue
		}
		w := float64(c.Blocks[i].Words())
		all += float64(p) * w
		if c.kept[i] {
			right += float64(p) * w
			kept += w
		}
	}
	if kept+all == 0 {
		return 0
	}
	const digits = 1000 // more would pretend to know
	return math.Round(min(1, 2*right/(kept+all))*digits) / digits
}

// selection says it in nodes.
func (c *choice) selection() *method.Selection {
	s := &method.Selection{Title: c.title, Keep: []dom.Node{c.home}}
	c.drop(s)
	return s
}

// drop lists the subtrees of home that hold nothing of the story.
func (c *choice) drop(s *method.Selection) {
	d := c.page
	kept := make([]int32, d.Len()+1)
	text := make([]int32, d.Len()+1)
	i := 0
	for n := range kept[1:] {
		kept[n+1], text[n+1] = kept[n], text[n]
		for i < len(c.Blocks) && dom.Node(n) > c.Blocks[i].Last {
			i++
		}
		if i < len(c.Blocks) && dom.Node(n) >= c.Blocks[i].First && d.IsText(dom.Node(n)) {
			text[n+1]++
			if c.kept[i] {
				kept[n+1]++
			}
		}
	}
	for n := c.home + 1; n < d.End(c.home); {
		end := d.End(n)
		hasText, hasKept := text[end] > text[n], kept[end] > kept[n]
		switch {
		case hasText && !hasKept && kept[len(kept)-1] > kept[n] && c.holdsPicture(n):
			n++ // the words go, the picture stays
		case hasText && !hasKept, !hasText && !d.IsText(n) && c.Outside(n):
			s.Drop = append(s.Drop, n)
			n = end
		default:
			n++
		}
	}
}
