// Package measure compares the output of an extractor with the gold standard of
// its page, by the measures of the papers and of common benchmarks.
package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

// Output is the output of an extractor for a page. Error is set if there is none.
type Output struct {
	Title string
	// OwnTitle is the headline that a method found by itself, before metadata.
	// It is nil for extractors that do not tell.
	OwnTitle *string
	Text     string // the body
	Authors  []string
	Date     string // begins with a day such as 2024-05-14
	Type     string // article, index or other
	// Structure is nil for extractors that return only text.
	Structure *Structure
	Error     string
	Parse     time.Duration // part of Time for parsing; 0 if unknown
	Time      time.Duration // for the whole page; 0 if unknown
}

// Measure is a measure of the quality or the speed of outputs. Its figures are
// computed from the sum of one vector per page, so that means, groups and
// resampling work alike for all measures.
type Measure struct {
	Name    string
	About   string   // one sentence, with its source
	Figures []string // names of the results of Total, such as P, R, F1
	Main    int      // index of the figure for ranking
	Lower   bool     // lower is better
	// Page returns the vector of a page, of the same length for all pages. It is
	// nil if the gold, or for time and type the output, lacks what is needed.
	Page func(*Case) []float64
	// Total returns the figures for the sum of the vectors.
	Total func(sum []float64) []float64
}

// All returns all measures, the most common first.
func All() []Measure {
	return []Measure{
		bag(), shingle(), rouge(), snippet(), set(), node(), nodeText(), page(),
		title(), ownTitle(), author(), authors(), date(), pageType(),
		headings(), blocks(), standfirst(), lead(), pictures(), once(), pageTime(),
	}
}

// Find returns the measures with the given names.
func Find(names ...string) ([]Measure, error) {
	var found []Measure
next:
	for _, name := range names {
		var known []string
		for _, m := range All() {
			if m.Name == name {
				found = append(found, m)
				continue next
			}
			known = append(known, m.Name)
		}
		return nil, fmt.Errorf("unknown measure %q; available: %s", name, strings.Join(known, ", "))
	}
	return found, nil
}

// Sum returns the sum of the vectors of pages, or nil if there is none.
func Sum(pages [][]float64) []float64 {
	var sum []float64
	for _, page := range pages {
		if page == nil {
			continue
		}
		if sum == nil {
			sum = make([]float64, len(page))
		}
		for i, x := range page {
			sum[i] += x
		}
	}
	return sum
}

// Figures returns the figures of a measure for the vectors of pages, or nil if
// there is none.
func Figures(m Measure, pages [][]float64) []float64 {
	sum := Sum(pages)
	if sum == nil {
		return nil
	}
	return m.Total(sum)
}

// ratio returns a/b, or 0 if b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func harmonic(p, r float64) float64 { return ratio(2*p*r, p+r) }

// indicator returns 1 for true and 0 for false.
func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// microPRF returns precision, recall and F1 for the sums of true positives, of all
// that was found and of all that there is.
func microPRF(s []float64) []float64 {
	m := prf(s[0], s[1]-s[0], s[2]-s[0])
	return []float64{m.P, m.R, m.F1}
}

// means divides the sums by the last of them, the number of pages.
func means(s []float64) []float64 {
	last := len(s) - 1
	figures := make([]float64, last)
	for i := range figures {
		figures[i] = ratio(s[i], s[last])
	}
	return figures
}

// Bootstrap returns the standard error of each figure, as in the leaderboard of
// the article-extraction-benchmark: the standard deviation of the figures over
// many samples of as many pages, drawn with replacement. The same seed gives the
// same errors. It returns nil if there are no vectors.
func Bootstrap(m Measure, pages [][]float64, rounds int, seed uint64) []float64 {
	flat, width := flatten(pages)
	if width == 0 {
		return nil
	}
	n := len(flat) / width
	draw := rand.NewPCG(seed, seed^0x9E3779B97F4A7C15)
	errs := make([]float64, len(m.Figures))
	mean := make([]float64, len(m.Figures))
	sum := make([]float64, width)
	for round := range rounds {
		clear(sum)
		for range n {
			// The high half of the product is uniform over n pages.
			at := int((draw.Uint64()>>32)*uint64(n)>>32) * width
			for i, x := range flat[at : at+width] {
				sum[i] += x
			}
		}
		// Welford's algorithm, which is numerically stable.
		for i, x := range m.Total(sum) {
			d := x - mean[i]
			mean[i] += d / float64(round+1)
			errs[i] += d * (x - mean[i])
		}
	}
	for i := range errs {
		errs[i] = math.Sqrt(ratio(errs[i], float64(max(rounds-1, 0))))
	}
	return errs
}

// flatten concatenates the vectors of pages, all of the same width.
func flatten(pages [][]float64) (flat []float64, width int) {
	for _, page := range pages {
		flat = append(flat, page...)
		width = max(width, len(page))
	}
	return flat, width
}

// Page is a page with its gold. What the measures need is computed on demand and
// kept for all extractors. A Page is not safe for concurrent use.
type Page struct {
	Gold *corpus.Gold
	Doc  *dom.Document // nil if the page cannot be parsed

	folded   *vocabulary // of the gold's text, in lower case
	cased    *vocabulary // of the gold's text, case kept
	shingles map[[shingleWords]int32]int32
	ends     []int // of the lines of folded
	words    *pageWords
	nodes    []bool // of the gold's text
	title    []string
	with     []string
	without  []string

	structure *structured // of the gold
}

// NewPage returns a Page. The document is nil if the page cannot be parsed.
func NewPage(g *corpus.Gold, d *dom.Document) *Page { return &Page{Gold: g, Doc: d} }

// Case is an output for a page. It is not safe for concurrent use.
type Case struct {
	*Page
	Out *Output

	full  *string // text of the output, with the headline if the gold has it
	found []int32 // words of full by their numbers in the gold
	stops []int   // ends of the lines of found
	bag   *PRF
	nodes []bool // nodes of full
}

// Case returns the Case of an output. An output with an error counts as empty,
// except for its time.
func (p *Page) Case(out *Output) *Case {
	if out.Error != "" {
		empty := &Output{Error: out.Error, Parse: out.Parse, Time: out.Time}
		if out.OwnTitle != nil {
			empty.OwnTitle = new(string)
		}
		if out.Structure != nil {
			empty.Structure = new(Structure)
		}
		out = empty
	}
	return &Case{Page: p, Out: out}
}

// vocabulary numbers the distinct words of a text.
type vocabulary struct {
	number map[string]int32
	counts []int32 // by number
	words  []int32
}

func newVocabulary(words []string) *vocabulary {
	v := &vocabulary{number: make(map[string]int32, len(words)), words: make([]int32, 0, len(words))}
	for _, w := range words {
		v.add(w)
	}
	return v
}

// add appends a word to the text.
func (v *vocabulary) add(word string) {
	n, known := v.number[word]
	if !known {
		n = int32(len(v.counts))
		v.number[word] = n
		v.counts = append(v.counts, 0)
	}
	v.counts[n]++
	v.words = append(v.words, n)
}

// find returns the number of a word, or absent.
func (v *vocabulary) find(word string) int32 {
	if n, known := v.number[word]; known {
		return n
	}
	return absent
}

// numbers returns the numbers of the words of another text.
func (v *vocabulary) numbers(words []string) []int32 {
	found := make([]int32, len(words))
	for i, w := range words {
		found[i] = v.find(w)
	}
	return found
}

// goldWords returns the words of the gold's text in lower case.
func (p *Page) goldWords() *vocabulary {
	if p.folded == nil {
		words, ends := wordsOfLines(p.Gold.Text)
		p.folded, p.ends = newVocabulary(words), ends
	}
	return p.folded
}

// goldTokens returns the words of the gold's text with their case.
func (p *Page) goldTokens() *vocabulary {
	if p.cased == nil {
		p.cased = newVocabulary(tokens(p.Gold.Text))
	}
	return p.cased
}

// pageWords returns the words of the page, or nil if it cannot be parsed.
func (p *Page) pageWords() *pageWords {
	if p.words == nil && p.Doc != nil {
		p.words = newPageWords(p.Doc)
	}
	return p.words
}

// goldNodes returns the nodes of the gold's text.
func (p *Page) goldNodes() []bool {
	if p.nodes == nil && p.Doc != nil {
		p.nodes = p.pageWords().align(p.Gold.Text)
	}
	return p.nodes
}

// goldTitle returns the words of the gold's headline.
func (p *Page) goldTitle() []string {
	if p.title == nil {
		p.title = Words(p.Gold.Title)
	}
	return p.title
}

// text returns the output's text, with the headline if the gold has it.
func (c *Case) text() string {
	if c.full == nil {
		s := withTitle(c.Gold, c.Out.Title, c.Out.Text)
		c.full = &s
	}
	return *c.full
}

// words returns the words of the output's text by their numbers in the gold's.
// Words that are not in the gold have higher numbers.
func (c *Case) words() []int32 {
	if c.found != nil {
		return c.found
	}
	gold := c.goldWords()
	words, ends := wordsOfLines(c.text())
	c.found, c.stops = gold.numbers(words), ends
	others := map[string]int32{}
	for i, w := range words {
		if c.found[i] != absent {
			continue
		}
		n, known := others[w]
		if !known {
			n = int32(len(gold.counts) + len(others))
			others[w] = n
		}
		c.found[i] = n
	}
	return c.found
}

// outNodes returns the nodes of the output's text.
func (c *Case) outNodes() []bool {
	if c.nodes == nil && c.Doc != nil {
		c.nodes = c.pageWords().align(c.text())
	}
	return c.nodes
}
