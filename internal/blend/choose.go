package blend

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/comments"
	"github.com/lede-news/lede/method"
)

// How probably a block must be story to be kept. Where hardly anything is, the
// page is short or unusual, and what promises the most is kept.
const (
	enough    = 0.53
	precision = 0.75
	recall    = 0.3
	little    = 0.35 // of all story that there seems to be
)

// Choose decides which blocks are kept.
func Choose(v *blocks.View, p []float32, favor method.Favor) []bool {
	return choose(v, p, apart(v, p), favor)
}

// choose leaves out what stands apart.
func choose(v *blocks.View, p []float32, apart []bool, favor method.Favor) []bool {
	least := float32(enough)
	switch favor {
	case method.FavorPrecision:
		least = precision
	case method.FavorRecall:
		least = recall
	}
	kept := make([]bool, len(p))
	var got, all float32
	for i := range p {
		if apart[i] {
			continue
		}
		mass := p[i] * float32(v.Blocks[i].Words())
		all += mass
		if kept[i] = p[i] >= least; kept[i] {
			got += mass
		}
	}
	if got >= little*all {
		return kept
	}
	least = min(least, likeliest(v, p, apart, all))
	for i := range p {
		kept[i] = !apart[i] && p[i] >= least
	}
	return kept
}

// apart marks the blocks that are none of the story's text, whatever the model
// says of them: the headline, a line with the author and the date, and what
// stands where captions, comments, advertisements and links do, or in a place with a
// bad name. Where most of the story seems to
// be of one of those kinds, it is: a gallery tells its story in captions.
func apart(v *blocks.View, p []float32) []bool {
	const convincing = 0.9
	kinds := [...]func(int) bool{
		v.IsCaption, v.IsForeign,
		func(i int) bool { return isLinkLine(v, i) },
		func(i int) bool { return p[i] < convincing && v.IsNamedOut(i) },
	}
	var mass [len(kinds)]float32
	var all float32
	out := make([]bool, len(p))
	for i := range p {
		if out[i] = i == v.Headline || v.HasYear(i) && isDateline(v.Text(i)); out[i] {
			continue
		}
		m := p[i] * float32(v.Blocks[i].Words())
		all += m
		for k, is := range kinds {
			if is(i) {
				mass[k] += m
			}
		}
	}
	for i := range p {
		for k, is := range kinds {
			out[i] = out[i] || mass[k] < all/2 && is(i)
		}
	}
	return out
}

// isLinkLine reports whether a block is a short line of nothing but links, such
// as "Read also: …". A list of links may be part of a story, and a heading too.
func isLinkLine(v *blocks.View, i int) bool {
	const short = 12 // words
	b := &v.Blocks[i]
	return b.Words() <= short && b.Counts.LinkDensity() >= 0.95 && !v.IsHeading(i) && !v.IsListed(i)
}

// likeliest is how probable a block must be for the highest F1 that can be
// expected. To keep what is at least half as probable as that F1 is best; see
// Z. Lipton, C. Elkan, B. Naryanaswamy: Optimal thresholding of classifiers to
// maximize F1 measure. ECML PKDD 2014.
func likeliest(v *blocks.View, p []float32, apart []bool, all float32) float32 {
	order := make([]int, 0, len(p))
	for i := range p {
		if !apart[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return 0
	})
	var right, words, best float32
	least := float32(2) // none
	for _, i := range order {
		w := float32(v.Blocks[i].Words())
		right += p[i] * w
		words += w
		if f := 2 * right / max(words+all, 1); f > best {
			best, least = f, p[i]
		}
	}
	return least
}

// dropThreads drops what readers said of the story. Under a short post they say
// more than it does, and a model that reads block by block may take them for it.
// What they speak of stands before them; where nothing does, they are all there is.
func (c *choice) dropThreads() {
	const post = 8 // words: as short as one may be
	t := threads{choice: c, known: map[dom.Node]bool{}, before: dom.None}
	words := 0
	for i := 0; i < len(c.kept); i++ {
		if !c.kept[i] {
			continue
		}
		n := t.around(i)
		if n == dom.None {
			words += c.Blocks[i].Words()
			t.before = c.Blocks[i].First
			continue
		}
		for end := c.page.End(n); i < len(c.kept) && c.Blocks[i].First < end; i++ {
			if words >= post {
				c.kept[i], c.apart[i] = false, true
			}
		}
		i--
	}
}

// threads remembers what it was told of the elements of a page.
type threads struct {
	*choice
	known  map[dom.Node]bool
	before dom.Node // the last text that is no comment
}

// around is the outermost place of comments that block i stands in, and neither
// the headline nor what is kept before it.
func (t *threads) around(i int) dom.Node {
	d := t.page
	found := dom.None
	for n := t.Blocks[i].Owner; n > 0 && (t.before == dom.None || !d.Contains(n, t.before)); n = d.Parent(n) {
		if t.Headline >= 0 && d.Contains(n, t.Blocks[t.Headline].First) {
			break
		}
		if t.isThread(n) {
			found = n
		}
	}
	return found
}

// isThread asks once for an element, and no more than a few times for a page:
// one that is nested to waste time has its comments kept.
func (t *threads) isThread(n dom.Node) bool {
	const most = 64
	is, asked := t.known[n]
	if !asked && comments.IsNamed(t.page, n) && len(t.known) < most {
		is = comments.IsThread(t.page, n)
		t.known[n] = is
	}
	return is
}

// isDateline reports whether a line tells who wrote the story, and when: it is
// short, has a year and a time of day, and does not end like a sentence.
func isDateline(line string) bool {
	const longest = 200 // bytes
	if len(line) > longest {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(line, unicode.IsSpace))
	if strings.ContainsRune(".!?…。！？؟।\"”»“", last) {
		return false
	}
	year, clock := false, false
	for i := 0; i < len(line); {
		n := digits(line[i:])
		if n == 0 {
			i++
			continue
		}
		run := line[i : i+n]
		year = year || n == 4 && (run[:2] == "19" || run[:2] == "20")
		i += n
		if n <= 2 && i+2 < len(line) && line[i] == ':' && digits(line[i+1:]) == 2 {
			clock = true
			i += 3
		}
	}
	return year && clock
}

// digits counts those that s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
