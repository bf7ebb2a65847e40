package blend

import (
	"slices"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
)

// series sums up headings in similar places, such as those of a live blog.
type series struct {
	headings int
	entries  int // headings in an element of their own with text that is kept
	words    int // kept words of these elements
	last     int // the last heading that was read
}

// keepEntryHeadings keeps the headings of entries, such as those of a live blog,
// if the entries are the story: most headings of the series have an element of
// their own with text that is kept, and these are most of what is kept. Such
// headings are often links to the entry, and look like those of other stories.
func (c *choice) keepEntryHeadings() {
	const minEntries, minProb = 3, 0.2
	isHeading := func(i int) bool { return c.IsHeading(i) && i != c.Headline }
	doubtful, count := false, 0 // a heading is not kept that may be one of an entry
	for i := range c.kept {
		if isHeading(i) {
			count++
			doubtful = doubtful || c.mayBeKept(i, minProb)
		}
	}
	if !doubtful || count < minEntries {
		return
	}
	headings := make([]int, 0, count)
	for i := range c.kept {
		if isHeading(i) {
			headings = append(headings, i)
		}
	}
	words := c.wordsBefore()
	all, room := map[int]*series{}, make([]series, 0, count)
	next := make([]int, len(headings)) // the next heading of the series, or -1
	for k, i := range slices.Backward(headings) {
		s := all[c.Group(i)]
		if s == nil {
			room = append(room, series{last: -1})
			s = &room[len(room)-1]
			all[c.Group(i)] = s
		}
		next[k], s.last = s.last, i
	}
	for _, s := range all {
		s.last = -1
	}
	isEntry := make([]bool, len(headings))
	for k, i := range headings {
		s := all[c.Group(i)]
		if n := words[c.entryEnd(i, s.last, next[k])] - words[i]; n > 0 {
			isEntry[k] = true
			s.entries++
			s.words += n
		}
		s.headings++
		s.last = i
	}
	for k, i := range headings {
		s := all[c.Group(i)]
		if isEntry[k] && c.mayBeKept(i, minProb) && s.entries >= minEntries && 3*s.entries >= 2*s.headings && 2*s.words >= words[len(c.kept)] {
			c.kept[i] = true
		}
	}
}

// mayBeKept reports whether block i is not kept but has at least the given
// probability, and no rule excludes it.
func (c *choice) mayBeKept(i int, prob float32) bool {
	return !c.kept[i] && c.prob[i] >= prob && c.excluded[i] == noRule
}

// wordsBefore returns the number of kept words before each block, and of all,
// without headings.
func (c *choice) wordsBefore() []int {
	n := make([]int, len(c.kept)+1)
	for i := range c.kept {
		n[i+1] = n[i]
		if c.isKeptText(i) {
			n[i+1] += c.Blocks[i].Words()
		}
	}
	return n
}

// entryEnd returns the index of the first block after the entry of heading i: the
// outermost element around it with neither the headline nor the headings prev and
// next of the same series, each of which may be -1.
func (c *choice) entryEnd(i, prev, next int) int {
	const maxDepth = 10 // of a heading in its entry
	d := c.page
	entry := c.Blocks[i].Owner
	contains := func(n dom.Node, block int) bool { return block >= 0 && d.Contains(n, c.Blocks[block].First) }
	for range maxDepth {
		p := d.Parent(entry)
		if p == dom.None || contains(p, prev) || contains(p, next) || contains(p, c.Headline) {
			break
		}
		entry = p
	}
	end, _ := slices.BinarySearchFunc(c.Blocks, d.End(entry), func(b blocks.Block, n dom.Node) int { return int(b.First - n) })
	return max(end, i)
}

// keepListLabels keeps lines such as "Key points" that open a box whose other
// text is a list that is kept: such a line is the heading of the list.
func (c *choice) keepListLabels() {
	const minProb = 0.1
	for i := range c.kept {
		if c.mayBeKept(i, minProb) && c.isListLabel(i) {
			c.kept[i] = true
		}
	}
}

// isListLabel reports whether block i is a short line, and the blocks of a list
// after it, all of which are kept, are the other text of the element around both.
func (c *choice) isListLabel(i int) bool {
	const maxWords, minItems, maxItems = 8, 2, 32
	b, d := &c.Blocks[i], c.page
	if i+minItems >= len(c.kept) || b.Words() > maxWords || b.Counts.LinkWords > 0 || c.InList(i) || !c.InList(i+1) {
		return false
	}
	box := d.CommonAncestor(b.First, c.Blocks[i+1].First)
	if i > 0 && d.Contains(box, c.Blocks[i-1].First) {
		return false
	}
	end := i + 1
	for ; end < len(c.kept) && d.Contains(box, c.Blocks[end].First); end++ {
		if end-i > maxItems || !c.kept[end] || !c.InList(end) {
			return false
		}
	}
	return end-i > minItems
}
