package blend

import (
	"slices"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/method"
)

// finish applies the rules that depend on the whole choice, and finds the headline.
// It reports whether there is an article: links and boilerplate alone are none.
func (c *choice) finish() bool {
	if c.without != subheadingRule {
		c.keepSubheadings()
	}
	if c.without != repeatRule {
		c.dropRepeats()
	}
	if c.isBoilerplate() && !c.fallBack() {
		return false
	}
	c.findContainer()
	c.title = c.headline()
	for i := range c.kept {
		if c.title != dom.None && c.kept[i] && c.page.Contains(c.title, c.Blocks[i].First) {
			c.drop(i, headlineRule)
		}
	}
	if c.isBoilerplate() { // nothing but a headline
		return false
	}
	c.findContainer()
	return true
}

// keepSubheadings keeps what stands between two paragraphs that are kept, though it is a
// little less probable than others: headings, and blocks in the same box as both.
func (c *choice) keepSubheadings() {
	const minProb, minBetween = 0.25, 0.35
	for i := 1; i+1 < len(c.kept); i++ {
		if c.kept[i] || c.prob[i] < minProb || i == c.Headline || c.Blocks[i].Counts.LinkDensity() >= 0.5 {
			continue
		}
		before, after := i-1, i+1
		if before > 0 && !c.kept[before] { // a caption, for example
			before--
		}
		if !c.isKeptText(before) || !c.isKeptText(after) {
			continue
		}
		isBetween := c.prob[i] >= minBetween && c.box(i) == c.box(before) && c.box(i) == c.box(after)
		if isBetween || c.IsHeading(i) && c.page.Tag(c.Blocks[before].Owner) == c.page.Tag(c.Blocks[after].Owner) {
			c.kept[i] = true
		}
	}
}

func (c *choice) isKeptText(i int) bool { return c.kept[i] && !c.IsHeading(i) }

// dropRepeats drops the second copy of paragraphs in another element, which pages
// have for another width of the screen, and of the short lines among them.
func (c *choice) dropRepeats() {
	const minWords = 15
	found := false
	for i := range c.kept {
		found = found || c.kept[i] && c.IsRepeated(i) && c.Blocks[i].Words() >= minWords
	}
	if !found {
		return
	}
	var kept []int
	for i := range c.kept {
		if c.kept[i] {
			kept = append(kept, i)
		}
	}
	seen := make(map[string]dom.Node, len(kept)) // the box of the first copy
	const short, long = 1, 2
	copies := make([]int, len(kept)+2) // between two others
	for k, i := range kept {
		box, text := c.box(i), c.Text(i)
		if first, ok := seen[text]; !ok {
			seen[text] = box
		} else if first != box {
			copies[k+1] = short
			if c.Blocks[i].Words() >= minWords {
				copies[k+1] = long
			}
		}
		if copies[k+1] == short {
			copies[k+1] = max(short, copies[k])
		}
	}
	for k := len(kept); k > 0; k-- {
		if copies[k] == short {
			copies[k] = max(short, copies[k+1])
		}
		if copies[k] == long {
			c.drop(kept[k-1], repeatRule)
		}
	}
}

// box returns the element around the element of block i.
func (c *choice) box(i int) dom.Node { return c.page.Parent(c.Blocks[i].Owner) }

// isBoilerplate reports whether everything that is kept is in links, menus or
// footers. Links may be all that a page has that is no article.
func (c *choice) isBoilerplate() bool {
	const entry = 3 // words of a link in a listing; those of menus have fewer
	for i, kept := range c.kept {
		isText := c.Blocks[i].Counts.LinkDensity() < 0.9 || c.Article < 0.5 && c.Blocks[i].Words() >= entry
		if kept && isText && !c.IsBoilerplate(i) {
			return false
		}
	}
	return true
}

// fallBack chooses again among the blocks that are neither links nor
// boilerplate, by the model alone, and reports whether it keeps any.
func (c *choice) fallBack() bool {
	for i := range c.prob {
		b := &c.Blocks[i]
		c.prob[i], c.rules[i] = 0, noRule
		switch {
		case i == c.Headline:
			c.rules[i] = headlineRule
		case b.Counts.LinkDensity() >= 0.9:
			c.rules[i] = linksRule
		case c.IsBoilerplate(i):
			c.rules[i] = boilerplateRule
		case c.isDateline(i):
			c.rules[i] = datelineRule
		default:
			c.prob[i] = c.model[i]
		}
	}
	best, _ := c.bestThreshold()
	c.keep(best)
	return slices.Contains(c.kept, true)
}

// findContainer finds the innermost element around all that is kept.
func (c *choice) findContainer() {
	c.container = dom.None
	for i, kept := range c.kept {
		switch {
		case !kept:
		case c.container == dom.None:
			c.container = c.Blocks[i].Owner
		default:
			c.container = c.page.CommonAncestor(c.container, c.Blocks[i].Owner)
		}
	}
}

// words returns the number of words that are kept.
func (c *choice) words() (n int) {
	for i, kept := range c.kept {
		if kept {
			n += c.Blocks[i].Words()
		}
	}
	return n
}

// expectedF1 returns the expected F1 of the choice, if its probabilities are right.
func (c *choice) expectedF1() float64 {
	var right, kept, all float64 // words
	for i, p := range c.prob {
		if i == c.Headline {
			continue
		}
		w := float64(c.Blocks[i].Words())
		all += float64(p) * w
		if c.kept[i] {
			right += float64(p) * w
			kept += w
		}
	}
	return 2 * right / max(kept+all, 1)
}

// headline finds the heading of the article: the one before its end that is
// most similar to the page's <title>, with a bonus for higher levels; without a
// <title> to compare with, the first <h1>.
func (c *choice) headline() dom.Node {
	d := c.page
	start := c.container // of the text of the article
	if i := slices.Index(c.kept, true); i >= 0 {
		start = c.Blocks[i].First
	}
	best, most, firstH1 := dom.None, float32(0.4), dom.None
	for i := range c.Blocks {
		b := &c.Blocks[i]
		tag := d.Tag(b.Owner)
		if b.First >= d.End(c.container) {
			break
		}
		if !tag.IsHeading() {
			continue
		}
		if tag == dom.H1 && firstH1 == dom.None && b.Words() > 2 {
			firstH1 = b.Owner
		}
		score := c.Similarity[i] - 0.05*float32(tag-dom.H1)
		if !c.HasTitle {
			score = 0.5 - 0.1*float32(tag-dom.H1)
		} else if b.First > start {
			score -= 0.3
		}
		if score > most || score == most && best == dom.None {
			best, most = b.Owner, score
		}
	}
	if best == dom.None {
		return firstH1
	}
	return best
}

// selection returns the choice as nodes: the container without the subtrees
// that hold no text of the article.
func (c *choice) selection() *method.Selection {
	d, first := c.page, c.container
	const usual = 16 // subtrees to drop
	nodes := append(make([]dom.Node, 0, 1+usual), first)
	s := &method.Selection{Title: c.title, Keep: nodes[:1:1], Drop: nodes[1:]}
	// Text nodes of the container before each of its nodes: all of them, and those
	// that are kept.
	type count struct{ text, kept int32 }
	counts := make([]count, d.End(first)-first+1)
	i := 0
	for k, now := range counts[:len(counts)-1] {
		n := first + dom.Node(k)
		for i < len(c.Blocks) && n > c.Blocks[i].Last {
			i++
		}
		if i < len(c.Blocks) && n >= c.Blocks[i].First && d.IsText(n) {
			now.text++
			if c.kept[i] {
				now.kept++
			}
		}
		counts[k+1] = now
	}
	all := counts[len(counts)-1]
	for n := first + 1; n < d.End(first); {
		end := d.End(n)
		before, after := counts[n-first], counts[end-first]
		hasText, hasKept := after.text > before.text, after.kept > before.kept
		switch {
		case hasText && !hasKept && all.kept > before.kept && c.hasPicture(n):
			n++ // drop the words, keep the picture
		case hasText && !hasKept, !hasText && !d.IsText(n) && c.IsOutside(n):
			s.Drop = append(s.Drop, n)
			n = end
		default:
			n++
		}
	}
	return s
}

// hasPicture reports whether an element has a picture of the article in it: one
// with a caption, and not among links.
func (c *choice) hasPicture(n dom.Node) bool {
	d := c.page
	if d.IsText(n) || d.LinkDensity(n) > 0.5 || c.IsOutside(n) {
		return false
	}
	i, _ := slices.BinarySearchFunc(c.Blocks, n, func(b blocks.Block, n dom.Node) int { return int(b.Last - n) })
	const maxBlocks = 64 // a box with a picture has few
	for end := min(len(c.Blocks), i+maxBlocks); i < end && c.Blocks[i].First < d.End(n); i++ {
		b := &c.Blocks[i]
		if f := d.Closest(b.Owner, dom.Figcaption, dom.Figure); f != dom.None && d.Contains(n, f) || isUnmarkedCaption(d, b) && d.Contains(n, b.Owner) {
			return true
		}
	}
	return false
}

// isUnmarkedCaption reports whether a block is the caption of a picture that
// the page does not mark as one: picture and words share a small box of their
// own, the picture first.
func isUnmarkedCaption(d *dom.Document, b *blocks.Block) bool {
	const maxWords = 30 // in the box
	for a, up := b.Owner, 0; a != dom.None && up < 3; a, up = d.Parent(a), up+1 {
		switch tag := d.Tag(a); {
		case tag == dom.Body || tag == dom.Article || tag == dom.Main || tag == dom.Section || tag.IsHeading() || tag == dom.Li:
			return false
		case d.Words(a) > maxWords:
			return false
		case tag == dom.P && a == b.Owner:
			continue // a short paragraph may have a picture in it
		}
		if d.Counts(a).Images > 0 {
			hasHeading := false
			for n := a; n < d.End(a); n++ {
				hasHeading = hasHeading || d.Tag(n).IsHeading()
			}
			return d.Between(a, b.First).Images > 0 && !hasHeading
		}
	}
	return false
}
