package blend

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/story/comments"
	"github.com/lede-news/lede/internal/words"
	"github.com/lede-news/lede/method"
)

// balancedThreshold is the highest probability that a block needs to be kept.
const balancedThreshold = 0.5

// choice is the decision on all blocks of a page.
type choice struct {
	*blocks.View
	page      *dom.Document
	favor     method.Favor
	without   string    // the rule that is not applied, or ""
	model     []float32 // by block: that it belongs to the article, by the model alone
	prob      []float32 // by block: the same by the rules, too
	threshold float32   // the least probability of a block that is kept
	kept      []bool    // by block
	rules     []string  // by block: the rule that speaks against it

	site      *siteChoice // what the site changes, or nil
	title     dom.Node
	container dom.Node // the innermost element around all that is kept
}

func newChoice(v *blocks.View, prob []float32, p *method.Page, without string) choice {
	c := choice{View: v, page: p.Doc, favor: p.Favor, without: without, model: prob, prob: slices.Clone(prob), kept: make([]bool, len(prob)), rules: make([]string, len(prob))}
	if without != itemsRule {
		c.joinItems()
	}
	c.readCopies()
	prose := false
	for i := range c.prob {
		prose = prose || v.Blocks[i].IsProse() && c.prob[i] >= balancedThreshold && !v.HasYear(i)
		switch {
		case i == v.Headline:
			c.rules[i] = headlineRule
		case c.isDateline(i):
			if c.weaken(i, datelineRule); !prose { // above the first paragraph there is no doubt
				c.weaken(i, datelineRule)
			}
		case v.IsBoilerplate(i):
			c.weaken(i, boilerplateRule)
		case isLinkLine(v, i):
			c.weaken(i, linkLineRule)
		}
	}
	c.choose()
	c.weakenComments()
	c.weakenSecondStory()
	return c
}

// readCopies lets text fields speak for the blocks that they repeat: they have a copy of the
// story for others to republish, which the article cannot show. (On fundus-publishers: blocks
// of text F1 .9690 without it, .9718 with it.)
func (c *choice) readCopies() {
	lines := map[string]float32{}
	for i, b := range c.Blocks {
		if c.page.Tag(b.Owner) == dom.Textarea {
			for line := range strings.SplitSeq(c.Text(i), "\n") {
				lines[words.Fold(line)] = c.prob[i]
			}
			c.prob[i] = 0
		}
	}
	for i := 0; i < len(c.prob) && len(lines) > 0; i++ {
		c.prob[i] = max(c.prob[i], lines[words.Fold(c.Text(i))])
	}
}

// drop drops a block by a rule.
func (c *choice) drop(i int, rule string) { c.kept[i], c.rules[i] = false, rule }

// weaken lowers the probability of a block of an article by a rule: a rule settles
// doubt, and does not overrule the model where that is sure.
func (c *choice) weaken(i int, rule string) {
	if rule == c.without {
		return
	}
	c.prob[i] = probability(Logit(c.prob[i]) - ruleOdds[rule]*c.Article)
	c.rules[i] = rule
}

// ruleOdds is by how much rules lower the log-odds of a block. MODEL.md has what they gain.
var ruleOdds = map[string]float32{datelineRule: 3, linkLineRule: 2, commentsRule: 8, commentNameRule: 6, secondStoryRule: 5, boilerplateRule: 3}

// Choose decides by their probabilities which blocks of a page are kept.
func Choose(v *blocks.View, prob []float32) []bool {
	c := newChoice(v, prob, &method.Page{Doc: v.Doc}, "")
	c.finish()
	return c.kept
}

// choose keeps the blocks that are probable enough for the highest expected F1 of the page.
func (c *choice) choose() {
	best, highest := c.bestThreshold()
	threshold := float32(balancedThreshold)
	if c.without != bestRule {
		threshold = min(threshold, best)
	}
	switch c.favor {
	case method.FavorPrecision:
		threshold *= 1.5
	case method.FavorRecall:
		threshold *= 0.6
	}
	c.keep(min(threshold, highest))
}

// keep keeps the blocks that are probable enough.
func (c *choice) keep(threshold float32) {
	c.threshold = threshold
	for i, p := range c.prob {
		c.kept[i] = i != c.Headline && p >= threshold && p > 0
	}
}

// joinItems judges the items of a list, and the cells of a table of data, together: none
// should be missing from their middle.
func (c *choice) joinItems() {
	d := c.page
	others := map[dom.Node]bool{} // lists and tables for other purposes, each looked at once
	for i := 0; i < len(c.prob); i++ {
		if !c.InList(i) && !c.InTable(i) {
			continue
		}
		box := d.Closest(c.Blocks[i].Owner, dom.Ul, dom.Ol, dom.Table)
		if box == dom.None || others[box] {
			continue
		}
		end := i + 1
		for end < len(c.prob) && c.Blocks[end].First < d.End(box) {
			end++
		}
		if !c.hasItems(box, i, end) {
			others[box] = true
			continue
		}
		var sum, weight float32
		for k := i; k < end; k++ {
			w := float32(math.Sqrt(float64(c.Blocks[k].Words() + 1)))
			sum += w * Logit(c.prob[k])
			weight += w
		}
		for k := i; k < end; k++ {
			c.prob[k] = probability(sum / weight)
		}
		i = end - 1
	}
}

// hasItems reports whether an element with some blocks is a list of short items, or a table
// of data: many pages have lists and tables for other purposes.
func (c *choice) hasItems(box dom.Node, from, to int) bool {
	const minItems, maxItem, maxCell = 2, 60, 8 // words
	d := c.page
	items, cells := 0, 0
	for n := box + 1; n < d.End(box); n++ {
		switch d.Tag(n) {
		case dom.Ul, dom.Ol, dom.Table, dom.Form:
			return false
		case dom.Li:
			items++
		case dom.Td, dom.Th:
			cells++
		}
	}
	if d.Tag(box) == dom.Table {
		return cells >= 2*minItems && d.Words(box) <= maxCell*cells && d.LinkDensity(box) < 0.5
	}
	return items >= minItems && to-from <= 2*items && d.Words(box) <= maxItem*items
}

// isLinkLine reports whether a block is a short line of nothing but links, or of a
// label and links, such as "Read also: …". Links in lists and headings may belong
// to the article.
func isLinkLine(v *blocks.View, i int) bool {
	const maxWords, maxLabelled = 12, 30
	b := &v.Blocks[i]
	density := b.Counts.LinkDensity()
	if density < 0.5 || b.Words() > maxLabelled || v.IsHeading(i) || v.InList(i) {
		return false
	}
	return density >= 0.95 && b.Words() <= maxWords || isLabelled(v.Text(i), b.Words(), int(b.Counts.LinkWords))
}

// isLabelled reports whether a line with so many words, some of them in links, is
// a label that ends with a colon or a bar, and links. The label may be in the link.
func isLabelled(line string, words, linked int) bool {
	const maxLen, maxLabel, minTitle = 60, 6, 4 // bytes, words
	end := strings.IndexAny(line[:min(len(line), maxLen)], ":|")
	if end < 0 || end+1 < len(line) && line[end+1] != ' ' {
		return false
	}
	label := len(strings.Fields(line[:end]))
	return label > 0 && label <= maxLabel && linked >= minTitle && (words-linked <= label && words-linked > 0 || linked == words)
}

// isDateline reports whether block i is the line of the author and the date: it is short, has a
// year and a time of day, and does not end like a sentence.
func (c *choice) isDateline(i int) bool {
	const maxBytes = 200
	line := c.Text(i)
	if !c.HasYear(i) || len(line) > maxBytes || !strings.Contains(line, ":") {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(line, unicode.IsSpace))
	return !strings.ContainsRune(".!?…。！？؟।\"”»“", last) && clock.MatchString(line)
}

var clock = regexp.MustCompile(`(^|\D)\d\d?:\d\d(\D|$)`)

// bestThreshold returns the threshold with the highest expected F1, and the highest
// probability of a block. The threshold is half of that F1; see Z. Lipton, C. Elkan,
// B. Naryanaswamy: Optimal thresholding of classifiers to maximize F1 measure. ECML PKDD 2014.
func (c *choice) bestThreshold() (threshold, highest float32) {
	var expected float32 // words of the article
	for i, p := range c.prob {
		if i != c.Headline {
			expected += p * float32(c.Blocks[i].Words())
			highest = max(highest, p)
		}
	}
	const tooLittle = 0.01 // of the highest
	order := make([]int, 0, len(c.prob))
	for i, p := range c.prob {
		if i != c.Headline && p >= tooLittle*highest {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.prob[b], c.prob[a]) })
	var right, words, best float32
	threshold = highest
	for _, i := range order {
		w := float32(c.Blocks[i].Words())
		right += c.prob[i] * w
		words += w
		if f1 := 2 * right / max(words+expected, 1); f1 > best {
			best, threshold = f1, c.prob[i]
		}
	}
	return threshold, highest
}

// weakenComments weakens readers' comments. Under a short post they are longer
// than the post, and the model, which judges block by block, may take them for
// it. Comments follow what they comment on; if nothing precedes them, they are
// all there is. What is only named for comments, and looks like no thread of them, is
// weakened less, and not at all if it is most of the text.
func (c *choice) weakenComments() {
	const minWords = 8 // of a post
	f := commentFinder{choice: c, kinds: make([]commentKind, c.page.Len()), before: dom.None}
	words, found, all := 0, false, c.words()
	for i := 0; i < len(c.kept); i++ {
		if !c.kept[i] {
			continue
		}
		n, rule := f.around(i)
		if n == dom.None {
			words += c.Blocks[i].Words()
			f.before = c.Blocks[i].First
			continue
		}
		if rule == commentNameRule && 2*c.page.Words(n) > all {
			words += c.Blocks[i].Words() // a name says nothing about most of the text
			continue
		}
		for end := c.page.End(n); i < len(c.kept) && c.Blocks[i].First < end; i++ {
			if words >= minWords {
				c.weaken(i, rule)
				found = true
			}
		}
		i--
	}
	if found {
		c.choose()
	}
}

// weakenSecondStory weakens what follows a second headline, as pages have that add further
// stories below the first.
func (c *choice) weakenSecondStory() {
	const minWords = 60 // of the first story
	words := 0
	for i := c.Headline + 1; i < len(c.kept) && c.Headline >= 0; i++ {
		if words >= minWords && c.IsHeadline(i) {
			for ; i < len(c.kept); i++ {
				c.weaken(i, secondStoryRule)
			}
			c.choose()
			return
		}
		if c.kept[i] {
			words += c.Blocks[i].Words()
		}
	}
}

// commentFinder finds comments and remembers which elements it has checked.
type commentFinder struct {
	*choice
	kinds  []commentKind // by node
	checks int
	before dom.Node // the last kept text that is no comment
}

// commentKind says whether an element has comments.
type commentKind uint8

const (
	notChecked commentKind = iota
	noComments
	namedComments
	isThread
)

// around returns the outermost thread of comments around block i, or else the outermost
// element named for them, that contains neither the headline nor text of the article
// before it, and the rule against its text.
func (f *commentFinder) around(i int) (found dom.Node, rule string) {
	const maxChecks = 64 // of elements with the names of comments, so that deep nesting cannot make it slow
	d := f.page
	found = dom.None
	for n := f.Blocks[i].Owner; n > 0 && (f.before == dom.None || !d.Contains(n, f.before)); n = d.Parent(n) {
		if f.Headline >= 0 && d.Contains(n, f.Blocks[f.Headline].First) {
			break
		}
		if f.kinds[n] == notChecked {
			f.kinds[n] = noComments
			if f.checks < maxChecks && comments.IsNamed(d, n) {
				f.checks++
				f.kinds[n] = namedComments
				if comments.IsThread(d, n) {
					f.kinds[n] = isThread
				}
			}
		}
		switch kind := f.kinds[n]; {
		case kind == isThread:
			found, rule = n, commentsRule
		case kind == namedComments && rule != commentsRule:
			found, rule = n, commentNameRule
		}
	}
	return found, rule
}
