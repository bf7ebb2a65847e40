package measure

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// bag is the measure of NCE and StaDyNoT: the bags of words of output and gold are
// compared for each page, and the figures are means over pages. "≥.9" is the share
// of pages with F1 ≥ 0.9.
func bag() Measure {
	return Measure{
		Name: "bag", About: "words as a bag, mean over pages (NCE, StaDyNoT)",
		Figures: []string{"P", "R", "F1", "≥.9"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Text == "" {
				return nil
			}
			m := c.bagOfWords()
			return []float64{m.P, m.R, m.F1, indicator(m.F1 >= correctF1), 1}
		},
		Total: means,
	}
}

// correctF1 is the lowest F1 of a body that counts as correct.
const correctF1 = 0.9

// bagOfWords compares the bags of words of output and gold.
func (c *Case) bagOfWords() PRF {
	if c.bag != nil {
		return *c.bag
	}
	gold, found := c.goldWords(), c.words()
	right := 0
	left := slices.Clone(gold.counts)
	for _, w := range found {
		if int(w) < len(left) && left[w] > 0 {
			left[w]--
			right++
		}
	}
	m := prf(right, len(found)-right, len(gold.words)-right)
	c.bag = &m
	return m
}

// set is the measure of TWCEM (section IV-A-2), after CETR: |Se∩Sl| / |Se| and
// |Se∩Sl| / |Sl|, where Se is the set of what was extracted and Sl that of what
// was labelled by hand; mean over pages.
//
// The paper does not define the elements of the sets. Here they are distinct
// words. The other reading, in which every occurrence of a word is an element, is
// covered by bag and nodetext.
func set() Measure {
	return Measure{
		Name: "set", About: "words as a set, mean over pages (TWCEM)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Text == "" {
				return nil
			}
			m := c.setOfWords()
			return []float64{m.P, m.R, m.F1, 1}
		},
		Total: means,
	}
}

func (c *Case) setOfWords() PRF {
	gold := c.goldWords()
	found := c.words()
	seen := make([]bool, len(gold.counts)+len(found))
	right, wrong := 0, 0
	for _, w := range found {
		switch {
		case seen[w]:
		case int(w) < len(gold.counts):
			right++
		default:
			wrong++
		}
		seen[w] = true
	}
	return prf(right, wrong, len(gold.counts)-right)
}

// shingleWords is the number of words of a shingle.
const shingleWords = 4

// shingle is the measure of the article-extraction-benchmark: the bags of all
// runs of four words are compared, case-sensitively. Precision is the mean over
// the pages with an output, recall the mean over all pages, and F1 is computed
// from these two. Exact is the share of pages with the same words in the same
// order as the gold.
func shingle() Measure {
	return Measure{
		Name: "shingle", About: "runs of four words, case kept (article-extraction-benchmark)",
		Figures: []string{"P", "R", "F1", "exact"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Text == "" {
				return nil
			}
			gold := c.goldTokens()
			found := gold.numbers(tokens(c.text()))
			right := c.sameShingles(found)
			f, g := float64(countShingles(len(found))), float64(countShingles(len(gold.words)))
			return []float64{
				ratio(right, f), indicator(f > 0),
				ratio(right, g), indicator(g > 0),
				indicator(slices.Equal(found, gold.words)), 1,
			}
		},
		Total: func(s []float64) []float64 {
			p, r := ratio(s[0], s[1]), ratio(s[2], s[3])
			return []float64{p, r, harmonic(p, r), ratio(s[4], s[5])}
		},
	}
}

// countShingles returns the number of shingles of a text. A text of fewer words
// is a single shingle.
func countShingles(words int) int {
	if words == 0 {
		return 0
	}
	return max(1, words-shingleWords+1)
}

// shingleAt returns the shingle that begins at word i.
func shingleAt(words []int32, i int) [shingleWords]int32 {
	s := [shingleWords]int32{absent, absent, absent, absent}
	copy(s[:], words[i:min(i+shingleWords, len(words))])
	return s
}

// sameShingles returns the number of shingles that are also in the gold.
func (c *Case) sameShingles(words []int32) float64 {
	if c.shingles == nil {
		gold := c.goldTokens().words
		c.shingles = make(map[[shingleWords]int32]int32, len(gold))
		for i := range countShingles(len(gold)) {
			c.shingles[shingleAt(gold, i)]++
		}
	}
	used := make(map[[shingleWords]int32]int32, len(c.shingles))
	right, run := 0, 0 // run is the number of consecutive words that the gold has
	size := min(len(words), shingleWords)
	for i, w := range words {
		if run++; w < 0 {
			run = 0
		}
		if run < size {
			continue
		}
		s := shingleAt(words, i+1-size)
		if used[s] < c.shingles[s] {
			used[s]++
			right++
		}
	}
	return float64(right)
}

// snippet is the measure of trafilatura's evaluation. Each page has a few snippets
// that must be in the text and a few that must not. The first are true positives
// or false negatives, the second may be false positives; the figures are computed
// from the sums over all pages. Case and white space are ignored.
func snippet() Measure {
	return Measure{
		Name: "snippet", About: "snippets that must and must not be in the text, over all snippets (trafilatura)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page: func(c *Case) []float64 {
			if len(c.Gold.With)+len(c.Gold.Without) == 0 {
				return nil
			}
			with, without := c.snippets()
			text := normalize(c.Out.Text)
			right, wrong := contained(with, text), contained(without, text)
			return []float64{right, right + wrong, float64(len(with))}
		},
		Total: microPRF,
	}
}

func contained(snippets []string, text string) (n float64) {
	for _, s := range snippets {
		n += indicator(strings.Contains(text, s))
	}
	return n
}

// snippets returns the normalized snippets of the gold.
func (p *Page) snippets() (with, without []string) {
	if p.with == nil && p.without == nil {
		for _, s := range p.Gold.With {
			p.with = append(p.with, normalize(s))
		}
		for _, s := range p.Gold.Without {
			p.without = append(p.without, normalize(s))
		}
	}
	return p.with, p.without
}

// normalize folds case and white space.
func normalize(s string) string {
	return lower(strings.Join(strings.FieldsFunc(norm.NFKC.String(s), isSpace), " "))
}

// isSpace reports whether Python regards r as white space, which includes the
// separators of files, groups, records and units.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }

// node and nodeText are the measures of CoreEx (section 3.3): precision and
// recall over the text nodes of a page that were extracted and that should have
// been; nodeText weights each node by its words.
//
// The formulas are sums over sets of nodes, and the paper has one set for the
// whole experiment: the nodes "marked as the correct answer in the gold set".
// So the sums run over the nodes of all pages, long pages have more weight than
// short ones, and F1 is computed from the two sums, as in the paper's table 1.
//
// Align finds the nodes of the output's text and of the gold's. Pages that do not
// contain the gold's text, or that cannot be parsed, do not count.
func node() Measure {
	return Measure{
		Name: "node", About: "text nodes, over the nodes of all pages (CoreEx)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page:  func(c *Case) []float64 { return c.nodeSums(func(int32) float64 { return 1 }) },
		Total: microPRF,
	}
}

// nodeText weights nodes by their words; see node.
func nodeText() Measure {
	return Measure{
		Name: "nodetext", About: "text nodes weighted by their words, over the nodes of all pages (CoreEx)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page:  func(c *Case) []float64 { return c.nodeSums(func(words int32) float64 { return float64(words) }) },
		Total: microPRF,
	}
}

// nodeSums returns the total weights of the correctly extracted nodes, of all
// extracted nodes and of the gold's nodes.
func (c *Case) nodeSums(weight func(words int32) float64) []float64 {
	if c.Gold.Text == "" || c.Doc == nil {
		return nil
	}
	gold, out, at := c.goldNodes(), c.outNodes(), c.pageWords().at
	sums := make([]float64, 3)
	for n := range gold {
		if !gold[n] && !out[n] {
			continue
		}
		w := weight(at[n+1] - at[n])
		if gold[n] {
			sums[2] += w
		}
		if out[n] {
			sums[1] += w
		}
		if gold[n] && out[n] {
			sums[0] += w
		}
	}
	if sums[2] == 0 {
		return nil
	}
	return sums
}
