package blend

import (
	"slices"

	"github.com/lede-news/lede/dom"
)

// isAround reports whether a block stands in the story but is none of its text:
// a caption or a line with the date.
func (v *view) isAround(b *block) bool {
	if b.around {
		return true
	}
	switch {
	case v.underPicture(b):
		b.around, b.why = true, "words under a picture"
	case isDateline(v.text(b)):
		b.around, b.why = true, "byline or dateline"
	}
	return b.around
}

func (v *view) text(b *block) string {
	from, _ := v.doc.Span(b.first)
	_, to := v.doc.Span(b.last)
	return v.doc.AllText()[from:to]
}

// longCaption is the most words that a box of a picture and its caption holds.
const longCaption = 30

// underPicture reports whether a block is the caption of a picture that the
// page does not call so: picture and words share a small box of their own, the
// picture first.
func (v *view) underPicture(b *block) bool {
	d := v.doc
	for a, up := b.owner, 0; a != dom.None && up < 3; a, up = d.Parent(a), up+1 {
		switch tag := d.Tag(a); {
		case tag == dom.Body || tag == dom.Article || tag == dom.Main || tag == dom.Section || tag.IsHeading() || tag == dom.Li:
			return false
		case d.Words(a) > longCaption:
			return false
		case tag == dom.P && a == b.owner:
			continue // a short paragraph may have a picture in it
		}
		if d.Counts(a).Images > 0 {
			return d.Between(a, b.first).Images > 0 && !v.hasHeading(a)
		}
	}
	return false
}

func (v *view) hasHeading(n dom.Node) bool {
	for m := n; m < v.doc.End(n); m++ {
		if v.doc.Tag(m).IsHeading() {
			return true
		}
	}
	return false
}

// dropBehindLinks ends the story where a wall of links stands and little prose
// comes after it: that is what readers write, and what the page says of itself.
func (v *view) dropBehindLinks(home dom.Node) {
	const wall = 3      // blocks of links in a row
	const little = 0.15 // of the prose before
	total := 0
	for i := range v.blocks {
		if v.blocks[i].kept {
			total += v.blocks[i].words()
		}
	}
	before, run := 0, 0
	for i := range v.blocks {
		b := &v.blocks[i]
		if !v.doc.Contains(home, b.first) {
			continue
		}
		switch {
		case b.kept && run >= wall && float64(total-before) < little*float64(before):
			v.cutFrom(i)
			return
		case b.kept:
			before += b.words()
			run = 0
		case b.counts.LinkDensity() > 0.6:
			run++
		}
	}
}

func (v *view) cutFrom(i int) {
	for ; i < len(v.blocks); i++ {
		if b := &v.blocks[i]; b.kept {
			b.kept, b.why = false, "comes after a wall of links"
		}
	}
}

// holdsPicture reports whether a part of the page has a picture of the story
// in it: one with a caption, and not among links.
func (v *view) holdsPicture(n dom.Node) bool {
	d := v.doc
	if d.IsText(n) || d.LinkDensity(n) > 0.5 || v.isOutside(n) {
		return false
	}
	i, _ := slices.BinarySearchFunc(v.blocks, n, func(b block, n dom.Node) int { return int(b.last - n) })
	const far = 64 // blocks: a box of a picture holds few
	for end := min(len(v.blocks), i+far); i < end && v.blocks[i].first < d.End(n); i++ {
		b := &v.blocks[i]
		if b.region != dom.None && d.Tag(b.region) == dom.Figcaption && d.Contains(n, b.region) || b.region == dom.None && v.underPicture(b) && d.Contains(n, b.owner) {
			return true
		}
	}
	return false
}
