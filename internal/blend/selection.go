package blend

import (
	"math"
	"slices"

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

// headline finds the heading of the story: the one before its end that is most
// like the page's <title>, the higher rank first; without a <title> to compare,
// the first <h1>.
func (c *choice) headline() dom.Node {
	d := c.page
	const enough = 0.4
	body := c.begin()
	best, most := dom.None, float32(enough)
	first := dom.None // <h1> with something to say
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if b.First >= d.End(c.home) {
			break
		}
		tag := d.Tag(b.Owner)
		if !tag.IsHeading() {
			continue
		}
		if tag == dom.H1 && first == dom.None && b.Words() > 2 {
			first = b.Owner
		}
		score := c.LikeTitle(i)
		if !c.Titled() {
			score = 0.5 - 0.1*float32(tag-dom.H1)
		} else {
			score -= 0.05 * float32(tag-dom.H1)
			if b.First > body {
				score -= 0.3
			}
		}
		if score > most || score == most && best == dom.None {
			best, most = b.Owner, score
		}
	}
	if best == dom.None {
		return first
	}
	return best
}

// begin is where the story does.
func (c *choice) begin() dom.Node {
	for i, kept := range c.kept {
		if kept {
			return c.Blocks[i].First
		}
	}
	return c.home
}

// holdsPicture reports whether a part of the page has a picture of the story
// in it: one with a caption, and not among links.
func (c *choice) holdsPicture(n dom.Node) bool {
	d := c.page
	if d.IsText(n) || d.LinkDensity(n) > 0.5 || c.Outside(n) {
		return false
	}
	i, _ := slices.BinarySearchFunc(c.Blocks, n, func(b blocks.Block, n dom.Node) int { return int(b.Last - n) })
	const far = 64 // blocks: a box of a picture holds few
	for end := min(len(c.Blocks), i+far); i < end && c.Blocks[i].First < d.End(n); i++ {
		b := &c.Blocks[i]
		if f := d.Closest(b.Owner, dom.Figcaption, dom.Figure); f != dom.None && d.Contains(n, f) || underPicture(d, b) && d.Contains(n, b.Owner) {
			return true
		}
	}
	return false
}

// longCaption is the most words that a box of a picture and its caption holds.
const longCaption = 30

// underPicture reports whether a block is the caption of a picture that the
// page does not call so: picture and words share a small box of their own, the
// picture first.
func underPicture(d *dom.Document, b *blocks.Block) bool {
	for a, up := b.Owner, 0; a != dom.None && up < 3; a, up = d.Parent(a), up+1 {
		switch tag := d.Tag(a); {
		case tag == dom.Body || tag == dom.Article || tag == dom.Main || tag == dom.Section || tag.IsHeading() || tag == dom.Li:
			return false
		case d.Words(a) > longCaption:
			return false
		case tag == dom.P && a == b.Owner:
			continue // a short paragraph may have a picture in it
		}
		if d.Counts(a).Images > 0 {
			return d.Between(a, b.First).Images > 0 && !hasHeading(d, a)
		}
	}
	return false
}

func hasHeading(d *dom.Document, n dom.Node) bool {
	for m := n; m < d.End(n); m++ {
		if d.Tag(m).IsHeading() {
			return true
		}
	}
	return false
}
