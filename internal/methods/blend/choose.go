package blend

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/story/comments"
	"github.com/lede-news/lede/method"
)

// The probabilities from which on a block is kept.
const (
	balancedThreshold  = 0.53
	precisionThreshold = 0.75
	recallThreshold    = 0.3
)

// choice is the decision on all blocks of a page.
type choice struct {
	*blocks.View
	page      *dom.Document
	prob      []float32 // by block: that it belongs to the article
	threshold float32   // the least probability of a block that is kept
	kept      []bool    // by block
	excluded  []rule    // by block: why it is no text of the article whatever its probability
	rules     []rule    // by block: the rule that dropped it; nil if no reasons are needed

	isOther   bool        // the page is no article, and its blocks were judged as such
	site      *siteChoice // what the site changes, or nil
	title     dom.Node
	container dom.Node // the innermost element around all that is kept
}

func newChoice(v *blocks.View, prob []float32, p *method.Page) choice {
	c := choice{View: v, page: p.Doc, prob: prob, excluded: exclude(v, prob)}
	c.kept, c.threshold = choose(v, prob, c.excluded, p.Favor)
	if !p.NoReasons {
		c.rules = slices.Clone(c.excluded)
	}
	return c
}

// drop drops a block by a rule.
func (c *choice) drop(i int, r rule) {
	c.kept[i] = false
	if c.rules != nil {
		c.rules[i] = r
	}
}

// Choose decides by their probabilities which blocks are kept.
func Choose(v *blocks.View, prob []float32, favor method.Favor) []bool {
	kept, _ := choose(v, prob, exclude(v, prob), favor)
	return kept
}

// choose keeps the blocks that are probable enough and not excluded. If that
// is hardly anything of the article that there seems to be, the page is short
// or unusual, and choose lowers the threshold to the best one for this page.
func choose(v *blocks.View, prob []float32, excluded []rule, favor method.Favor) (kept []bool, threshold float32) {
	threshold = balancedThreshold
	switch favor {
	case method.FavorPrecision:
		threshold = precisionThreshold
	case method.FavorRecall:
		threshold = recallThreshold
	}
	kept = make([]bool, len(prob))
	var got, all float32 // expected words of the article
	for i := range prob {
		if excluded[i] != noRule {
			continue
		}
		words := prob[i] * float32(v.Blocks[i].Words())
		all += words
		if kept[i] = prob[i] >= threshold; kept[i] {
			got += words
		}
	}
	const hardlyAnything = 0.35
	if got >= hardlyAnything*all {
		return kept, threshold
	}
	threshold = min(threshold, bestThreshold(v, prob, excluded, all))
	for i := range prob {
		kept[i] = excluded[i] == noRule && prob[i] >= threshold
	}
	return kept, threshold
}

// exclude returns the rules that exclude blocks from the article whatever their
// probability. A kind of block is not excluded if it seems to make up most of the
// article, like the captions of a gallery.
func exclude(v *blocks.View, prob []float32) []rule {
	const convincing = 0.9
	kinds := [...]struct {
		rule
		matches func(int) bool
	}{
		{captionRule, v.IsCaption},
		{thirdPartyRule, v.IsThirdParty},
		{linkLineRule, func(i int) bool { return isLinkLine(v, i) }},
		{badNameRule, func(i int) bool { return prob[i] < convincing && v.HasBadName(i) }},
	}
	var words [len(kinds)]float32 // expected words of the article by kind
	var all float32
	out := make([]rule, len(prob))
	for i := range prob {
		if i == v.Headline {
			out[i] = headlineRule
			continue
		}
		if v.HasYear(i) && isDateline(v.Text(i)) {
			out[i] = datelineRule
			continue
		}
		w := prob[i] * float32(v.Blocks[i].Words())
		all += w
		for k := range kinds {
			if kinds[k].matches(i) {
				words[k] += w
			}
		}
	}
	for i := range prob {
		for k := range kinds {
			if out[i] == noRule && words[k] < all/2 && kinds[k].matches(i) {
				out[i] = kinds[k].rule
			}
		}
	}
	return out
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
	label := 0
	for range strings.FieldsSeq(line[:end]) {
		label++
	}
	return label > 0 && label <= maxLabel && linked >= minTitle && (words-linked <= label && words-linked > 0 || linked == words)
}

// isDateline reports whether a line is that of the author and the date: it
// is short, has a year and a time of day, and does not end like a sentence.
func isDateline(line string) bool {
	const maxBytes = 200
	if len(line) > maxBytes {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(line, unicode.IsSpace))
	if strings.ContainsRune(".!?…。！？؟।\"”»“", last) {
		return false
	}
	year, clock := false, false
	for i := 0; i < len(line); {
		n := leadingDigits(line[i:])
		if n == 0 {
			i++
			continue
		}
		number := line[i : i+n]
		year = year || n == 4 && (number[:2] == "19" || number[:2] == "20")
		i += n
		if n <= 2 && i+2 < len(line) && line[i] == ':' && leadingDigits(line[i+1:]) == 2 {
			clock = true
			i += 3
		}
	}
	return year && clock
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// bestThreshold returns the threshold with the highest expected F1, given the
// expected number of words of the article. It is half of that F1; see Z.
// Lipton, C. Elkan, B. Naryanaswamy: Optimal thresholding of classifiers to
// maximize F1 measure. ECML PKDD 2014.
func bestThreshold(v *blocks.View, prob []float32, excluded []rule, expected float32) float32 {
	order := make([]int, 0, len(prob))
	for i := range prob {
		if excluded[i] == noRule {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(prob[b], prob[a]) })
	var right, words, best float32
	threshold := float32(2) // keeps nothing
	for _, i := range order {
		w := float32(v.Blocks[i].Words())
		right += prob[i] * w
		words += w
		if f1 := 2 * right / max(words+expected, 1); f1 > best {
			best, threshold = f1, prob[i]
		}
	}
	return threshold
}

// dropComments drops readers' comments. Under a short post they are longer
// than the post, and the model, which judges block by block, may take them for
// it. Comments follow what they comment on; if nothing precedes them, they are
// all there is and stay.
func (c *choice) dropComments() {
	const minWords = 8 // of a post
	f := commentFinder{choice: c, threads: make([]threadKind, c.page.Len()), before: dom.None}
	words := 0
	for i := 0; i < len(c.kept); i++ {
		if !c.kept[i] {
			continue
		}
		n := f.threadAround(i)
		if n == dom.None {
			words += c.Blocks[i].Words()
			f.before = c.Blocks[i].First
			continue
		}
		for end := c.page.End(n); i < len(c.kept) && c.Blocks[i].First < end; i++ {
			if words >= minWords {
				c.excluded[i] = commentsRule
				c.drop(i, commentsRule)
			}
		}
		i--
	}
}

// commentFinder finds threads of comments and remembers which elements it has
// checked.
type commentFinder struct {
	*choice
	threads []threadKind // by node
	checks  int
	before  dom.Node // the last kept text that is no comment
}

// threadKind says whether an element is a thread of comments.
type threadKind uint8

const (
	notChecked threadKind = iota
	noThread
	isThread
)

// threadAround returns the outermost thread of comments around block i that
// contains neither the headline nor text of the article before it, or dom.None.
func (f *commentFinder) threadAround(i int) dom.Node {
	d := f.page
	found := dom.None
	for n := f.Blocks[i].Owner; n > 0 && (f.before == dom.None || !d.Contains(n, f.before)); n = d.Parent(n) {
		if f.Headline >= 0 && d.Contains(n, f.Blocks[f.Headline].First) {
			break
		}
		if f.isThread(n) {
			found = n
		}
	}
	return found
}

// isThread checks each element once, and only the first few of a page with the names
// of comments, so that deep nesting cannot make it slow.
func (f *commentFinder) isThread(n dom.Node) bool {
	const maxChecks = 64
	kind := &f.threads[n]
	if *kind == notChecked {
		*kind = noThread
		if f.checks < maxChecks && comments.IsNamed(f.page, n) {
			f.checks++
			if comments.IsThread(f.page, n) {
				*kind = isThread
			}
		}
	}
	return *kind == isThread
}
