package measure

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
)

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
