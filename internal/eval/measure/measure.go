// Package measure says how close an extraction comes to the gold of its page,
// by the measures of the papers and of the field.
package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
)

// Output is what an extractor gave for a page; Error is set when it gave nothing.
type Output struct {
	Title   string
	Text    string // the body
	Authors []string
	Date    string // begins with a day such as 2024-05-14
	Type    string // article, index or other
	Error   string
	Parse   time.Duration // of Time, what went into parsing; 0 when that is unknown
	Time    time.Duration // for the whole page; 0 when that is unknown
}

// Measure is one way to say how good outputs are. The figures of any number of
// pages follow from the sums of what each page adds, so that means, groups and
// resampling are the same for all measures.
type Measure struct {
	Name    string
	About   string   // in a sentence, with who uses it
	Figures []string // what Total gives, such as P, R, F1
	Main    int      // the figure that ranks
	Lower   bool     // whether less is better
	// Page is what a page adds; nil when its gold, or for times and kinds of
	// pages the output, does not say what is needed.
	// The length is the same for all pages.
	Page func(*Case) []float64
	// Total makes the figures of the sums over pages.
	Total func(sum []float64) []float64
}

// All lists the measures, the most used first.
func All() []Measure {
	return []Measure{
		bag(), shingle(), rouge(), snippet(), set(), node(), nodeText(), page(),
		title(), author(), date(), pageType(), pageTime(),
	}
}

// Find looks measures up by name.
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
		return nil, fmt.Errorf("no measure %q; there is %s", name, strings.Join(known, ", "))
	}
	return found, nil
}

// Sum adds up what pages add; nil when no page adds anything.
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

// Figures are the figures of a measure over pages, by what each page adds; nil
// when no page adds anything.
func Figures(m Measure, pages [][]float64) []float64 {
	sum := Sum(pages)
	if sum == nil {
		return nil
	}
	return m.Total(sum)
}

// ratio is 0 when there is nothing to divide by.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// harmonic is the harmonic mean of precision and recall.
func harmonic(p, r float64) float64 { return ratio(2*p*r, p+r) }

// one is 1 for true.
func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// totals makes precision, recall and F1 of what was found rightly, of all that
// was found and of all that there is, each summed over pages.
func totals(s []float64) []float64 {
	m := prf(s[0], s[1]-s[0], s[2]-s[0])
	return []float64{m.P, m.R, m.F1}
}

// means makes the mean over pages of precision, recall and F1.
func means(s []float64) []float64 {
	return []float64{ratio(s[0], s[3]), ratio(s[1], s[3]), ratio(s[2], s[3])}
}

// Bootstrap is the standard error of each figure, as the leaderboard of the
// article-extraction-benchmark has it behind ±: the figures are taken again and
// again, each time of as many pages drawn with replacement, and their standard
// deviation over these rounds is the error. The same seed gives the same errors.
// It is nil when no page adds anything.
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
			// The high half of a product spreads 64 random bits over n pages.
			at := int((draw.Uint64()>>32)*uint64(n)>>32) * width
			for i, x := range flat[at : at+width] {
				sum[i] += x
			}
		}
		// Welford's way, which loses no digits.
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

// flatten puts what pages add into one row; those that add nothing are left out.
func flatten(pages [][]float64) (flat []float64, width int) {
	for _, page := range pages {
		flat = append(flat, page...)
		width = max(width, len(page))
	}
	return flat, width
}

// Page is a page with what the measures need of it, worked out once for all
// extractors, when it is first asked for. It is not safe for concurrent use.
type Page struct {
	Gold *corpus.Gold
	Doc  *dom.Document // nil when the page cannot be parsed

	folded   *vocabulary // of the gold's text, case folded
	kept     *vocabulary // of the gold's text, case kept
	shingles map[[shingleWords]int32]int32
	ends     []int // of the lines of folded
	words    *pageWords
	nodes    []bool // of the gold's text
	title    []string
	with     []string
	without  []string
}

// NewPage prepares a page.
func NewPage(g *corpus.Gold, d *dom.Document) *Page { return &Page{Gold: g, Doc: d} }

// Case is an output for a page. Like the page it is not safe for concurrent use.
type Case struct {
	*Page
	Out *Output

	full  *string // the text, with the headline where the gold has it there
	found []int32 // its words by number of the gold's
	stops []int   // of the lines of found
	bag   *PRF
	marks []bool // its nodes
}

// Case puts an output beside the gold. An output with an error is one without
// text, headline and all else, but it took its time.
func (p *Page) Case(out *Output) *Case {
	if out.Error != "" {
		out = &Output{Error: out.Error, Parse: out.Parse, Time: out.Time}
	}
	return &Case{Page: p, Out: out}
}

// vocabulary numbers the words of a text.
type vocabulary struct {
	number map[string]int32
	counts []int32 // by number
	words  []int32
}

func newVocabulary(words []string) *vocabulary {
	v := &vocabulary{number: make(map[string]int32, len(words)), words: make([]int32, len(words))}
	for i, w := range words {
		n, known := v.number[w]
		if !known {
			n = int32(len(v.counts))
			v.number[w] = n
			v.counts = append(v.counts, 0)
		}
		v.counts[n]++
		v.words[i] = n
	}
	return v
}

// numbers are the words of another text; absent for those that v does not have.
func (v *vocabulary) numbers(words []string) []int32 {
	found := make([]int32, len(words))
	for i, w := range words {
		n, known := v.number[w]
		if !known {
			n = absent
		}
		found[i] = n
	}
	return found
}

// goldWords are the words of the gold's text.
func (p *Page) goldWords() *vocabulary {
	if p.folded == nil {
		words, ends := wordsOfLines(p.Gold.Text)
		p.folded, p.ends = newVocabulary(words), ends
	}
	return p.folded
}

// goldTokens are the words of the gold's text as they are written.
func (p *Page) goldTokens() *vocabulary {
	if p.kept == nil {
		p.kept = newVocabulary(tokens(p.Gold.Text))
	}
	return p.kept
}

// pageWords are the words of the page, nil when it cannot be parsed.
func (p *Page) pageWords() *pageWords {
	if p.words == nil && p.Doc != nil {
		p.words = newPageWords(p.Doc)
	}
	return p.words
}

// goldNodes are the nodes that the gold's text is made of.
func (p *Page) goldNodes() []bool {
	if p.nodes == nil && p.Doc != nil {
		p.nodes = p.pageWords().align(p.Gold.Text)
	}
	return p.nodes
}

// goldTitle is the words of the gold's headline.
func (p *Page) goldTitle() []string {
	if p.title == nil {
		p.title = Words(p.Gold.Title)
	}
	return p.title
}

// text is the output's text as it is compared with the gold's.
func (c *Case) text() string {
	if c.full == nil {
		s := withTitle(c.Gold, c.Out.Title, c.Out.Text)
		c.full = &s
	}
	return *c.full
}

// words are the words of the output's text by number of the gold's. Words that
// the gold does not have are numbered after those that it has.
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

// outNodes are the nodes that the output's text is made of.
func (c *Case) outNodes() []bool {
	if c.marks == nil && c.Doc != nil {
		c.marks = c.pageWords().align(c.text())
	}
	return c.marks
}
