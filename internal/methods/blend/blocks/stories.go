package blocks

import "github.com/lede-news/lede/dom"

// soFar counts what begins a story in the blocks from the headline up to the
// current one: a page may have a second story below the first.
type soFar struct {
	headlines  int32 // headings of the same kind as the headline
	topRanks   int32 // <h1> elements
	dates      int32 // short lines with a date or a time
	other      int32 // words since the first prose that are not prose
	gap        int32 // such words since the last prose
	longestGap int32
}

// appendStories describes to which of several stories a block may belong.
func (v *View) appendStories(out []float32, i int, s *soFar) []float32 {
	d, b := v.Doc, &v.Blocks[i]
	e := &v.elements[b.First]
	anchor := max(v.Headline, 0)
	if v.elements[v.Blocks[anchor].First].story == 0 && v.firstProse >= 0 {
		anchor = v.firstProse
	}
	const outside = -9
	from := float32(outside)
	if e.story > 0 {
		from = float32(max(outside+1, min(9, e.story-v.elements[v.Blocks[anchor].First].story)))
	}
	up, down := float32(-1), float32(-1)
	if k := v.firstProse; k >= 0 {
		common := d.Depth(d.CommonAncestor(b.Owner, v.Blocks[k].Owner))
		up, down = float32(d.Depth(b.Owner)-common), float32(d.Depth(v.Blocks[k].Owner)-common)
	}
	out = append(out, float32(e.story), from, float32(e.nested), float32(s.headlines), float32(s.topRanks), float32(s.dates),
		up, down, log(s.other), log(max(s.longestGap, s.gap)))
	v.countStory(i, s)
	return out
}

// countStory adds block i to s.
func (v *View) countStory(i int, s *soFar) {
	b := &v.Blocks[i]
	const maxCount = 20
	if v.Doc.Tag(b.Owner) == dom.H1 {
		s.topRanks = min(s.topRanks+1, maxCount)
	}
	if v.Headline < 0 || i <= v.Headline {
		return
	}
	h := v.Blocks[v.Headline].Owner
	if v.Doc.Tag(h).IsHeading() && v.Doc.Tag(b.Owner) == v.Doc.Tag(h) && v.elements[b.Owner].key == v.elements[h].key {
		s.headlines = min(s.headlines+1, maxCount)
	}
	const shortLine = 20 // words
	if b.Words() <= shortLine && (v.stats[i].year || v.stats[i].clock) {
		s.dates = min(s.dates+1, maxCount)
	}
	switch {
	case b.IsProse():
		s.longestGap, s.gap = max(s.longestGap, s.gap), 0
	case i > v.firstProse && v.firstProse >= 0:
		s.other += b.Counts.Words
		s.gap += b.Counts.Words
	}
}
