package blocks

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

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
	up, down := float32(-1), float32(-1)
	if k := v.firstProse; k >= 0 {
		common := d.Depth(d.CommonAncestor(b.Owner, v.Blocks[k].Owner))
		up, down = float32(d.Depth(b.Owner)-common), float32(d.Depth(v.Blocks[k].Owner)-common)
	}
	out = append(out, float32(e.story), float32(s.headlines), float32(s.topRanks), float32(s.dates),
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
	if v.isLikeHeadline(i) {
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

// isLikeHeadline reports whether block i is a heading of the same element as the headline,
// and has its class or one of its names.
func (v *View) isLikeHeadline(i int) bool {
	h, n := v.Blocks[v.Headline].Owner, v.Blocks[i].Owner
	return v.Doc.Tag(h).IsHeading() && v.Doc.Tag(n) == v.Doc.Tag(h) && (v.elements[n].key == v.elements[h].key || v.shareName(h, n))
}

// shareName reports whether the classes of two elements have a name in common.
func (v *View) shareName(a, b dom.Node) bool {
	const usual = 200 // bytes, so that long classes take no time
	names, others := v.Doc.Attr(a, "class"), v.Doc.Attr(b, "class")
	if len(names) > usual || len(others) > usual {
		return false
	}
	list := strings.Fields(others)
	return slices.ContainsFunc(strings.Fields(names), func(name string) bool { return slices.Contains(list, name) })
}

// IsHeadline reports whether block i is the headline of another story: a heading like the
// headline in another element that is marked as a story, or an <h1> with one of its names that
// is no sub-heading.
func (v *View) IsHeadline(i int) bool {
	if !v.isLikeHeadline(i) {
		return false
	}
	h, n := v.Blocks[v.Headline].Owner, v.Blocks[i].Owner
	first, other := v.elements[h].story, v.elements[n].story
	return first > 0 && other > 0 && first != other || v.Doc.Tag(n) == dom.H1 && v.shareName(h, n) && !v.isSubheading(i)
}

// isSubheading reports whether a heading is in the same box as the paragraph before or after it.
func (v *View) isSubheading(i int) bool {
	for _, k := range [...]int{i - 1, i + 1} {
		if k >= 0 && k < len(v.Blocks) && v.Blocks[k].IsProse() && v.Doc.Parent(v.Blocks[k].Owner) == v.Doc.Parent(v.Blocks[i].Owner) {
			return true
		}
	}
	return false
}
