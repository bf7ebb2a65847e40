package measure

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// bag is the measure of NCE and StaDyNoT: text as a bag of words, in which every word that is in both output and gold
// counts as often as it is in both. It is worked out page by page, and the mean
// is over pages. The share of pages with F1 ≥ 0.9 says how often a reader
// would be content.
func bag() Measure {
	return Measure{
		Name: "bag", About: "words as a bag, mean over pages (NCE, StaDyNoT)",
		Figures: []string{"P", "R", "F1", "≥.9"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Text == "" {
				return nil
			}
			m := c.bagOfWords()
			return []float64{m.P, m.R, m.F1, one(m.F1 >= content), 1}
		},
		Total: func(s []float64) []float64 {
			return []float64{ratio(s[0], s[4]), ratio(s[1], s[4]), ratio(s[2], s[4]), ratio(s[3], s[4])}
		},
	}
}

// content is the F1 from which on a body counts as right.
const content = 0.9

// bagOfWords compares the output's text with the gold's.
func (c *Case) bagOfWords() PRF {
	if c.bag != nil {
		return *c.bag
	}
	gold, found := c.goldWords(), c.words()
	right := 0
	left := append([]int32(nil), gold.counts...)
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
// The paper does not say what is in the sets. Read here: words, each once, as a
// set has it. So a stray menu costs as much precision as it has words that the
// story lacks, and a story that is lost halfway costs little recall. The other
// reading, that every occurrence of a word is an element of its own, is what
// bag and nodetext measure.
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

// shingleWords is how many words a shingle has.
const shingleWords = 4

// shingle is the measure of the article-extraction-benchmark: what counts is
// every run of four words, as a bag, so that order matters within sentences. Case
// is kept. Precision is the mean over the pages with an output, recall that over
// all pages, F1 that of these two. Exact is the share of pages whose words are
// all and only the gold's, in order.
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
				ratio(right, f), one(f > 0),
				ratio(right, g), one(g > 0),
				one(slices.Equal(found, gold.words)), 1,
			}
		},
		Total: func(s []float64) []float64 {
			p, r := ratio(s[0], s[1]), ratio(s[2], s[3])
			return []float64{p, r, harmonic(p, r), ratio(s[4], s[5])}
		},
	}
}

// countShingles is how many shingles a text has; one of fewer words than a
// shingle is a shingle by itself.
func countShingles(words int) int {
	if words == 0 {
		return 0
	}
	return max(1, words-shingleWords+1)
}

// shingleAt is the shingle that begins at a word.
func shingleAt(words []int32, i int) [shingleWords]int32 {
	s := [shingleWords]int32{absent, absent, absent, absent}
	copy(s[:], words[i:min(i+shingleWords, len(words))])
	return s
}

// sameShingles is how many shingles of words are the gold's.
func (c *Case) sameShingles(words []int32) float64 {
	if c.shingles == nil {
		gold := c.goldTokens().words
		c.shingles = make(map[[shingleWords]int32]int32, len(gold))
		for i := range countShingles(len(gold)) {
			c.shingles[shingleAt(gold, i)]++
		}
	}
	// A word that the gold does not have spoils the shingles around it.
	used := make(map[[shingleWords]int32]int32, len(c.shingles))
	right, clean := 0, 0
	short := min(len(words), shingleWords)
	for i, w := range words {
		if clean++; w < 0 {
			clean = 0
		}
		if clean < short || i+1 < short {
			continue
		}
		s := shingleAt(words, i+1-short)
		if used[s] < c.shingles[s] {
			used[s]++
			right++
		}
	}
	return float64(right)
}

// snippet is the measure of trafilatura's evaluation: for each page a few
// snippets that must be in the text and a few that must not. One that must be
// there and is counts as right, one that must not and is as wrong, one that must
// and is not as missed; the sums are over the snippets of all pages. Case and
// white space do not matter.
func snippet() Measure {
	return Measure{
		Name: "snippet", About: "snippets that must and must not be there, over all of them (trafilatura)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page: func(c *Case) []float64 {
			if len(c.Gold.With)+len(c.Gold.Without) == 0 {
				return nil
			}
			with, without := c.snippets()
			text := squash(c.Out.Text)
			right, wrong := contained(with, text), contained(without, text)
			return []float64{right, right + wrong, float64(len(with))}
		},
		Total: totals,
	}
}

func contained(snippets []string, text string) (n float64) {
	for _, s := range snippets {
		n += one(strings.Contains(text, s))
	}
	return n
}

// snippets are those of the gold, squashed.
func (p *Page) snippets() (with, without []string) {
	if p.with == nil && p.without == nil {
		for _, s := range p.Gold.With {
			p.with = append(p.with, squash(s))
		}
		for _, s := range p.Gold.Without {
			p.without = append(p.without, squash(s))
		}
	}
	return p.with, p.without
}

// squash folds case and white space.
func squash(s string) string {
	s = strings.Join(strings.FieldsFunc(norm.NFKC.String(s), isSpace), " ")
	if ascii(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und).String(s)
}

// isSpace counts the separators of files, groups, records and units as white
// space too, as Python does.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }

// node and nodeText are the measures of CoreEx (section 3.3): precision and
// recall over the text nodes of a page that were extracted and that should have
// been; the second weighs each node by its words, since a node with most of the
// story matters more than two with little text.
//
// The formulas are sums over sets of nodes, and the paper has one set for the
// whole experiment: the nodes "marked as the correct answer in the gold set".
// So the sums run over the nodes of all pages, long pages weigh more than short
// ones, and F1 is that of the two sums, as in the paper's table 1.
//
// Extractors give text, and so does the gold. Which nodes the text is made of is
// found by Align, for all in the same way. Pages that do not show the gold's
// story, and those that cannot be parsed, do not count.
func node() Measure {
	return Measure{
		Name: "node", About: "text nodes, over the nodes of all pages (CoreEx)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page:  func(c *Case) []float64 { return c.nodeSums(func(int32) float64 { return 1 }) },
		Total: totals,
	}
}

// nodeText weighs by words; see node.
func nodeText() Measure {
	return Measure{
		Name: "nodetext", About: "text nodes weighed by their words, over the nodes of all pages (CoreEx)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page:  func(c *Case) []float64 { return c.nodeSums(func(words int32) float64 { return float64(words) }) },
		Total: totals,
	}
}

// nodeSums are the weights of the nodes that were extracted rightly, of all that
// were extracted, and of all that should have been.
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
