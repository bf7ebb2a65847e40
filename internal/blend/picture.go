package blend

import (
	"slices"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend/blocks"
)

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
