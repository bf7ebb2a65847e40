package site

import (
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Extraction is what was found on a page that is to be learned from.
type Extraction struct {
	URL       string
	Selection *method.Selection
	Article   *article.Article
}

// Confident is how sure an extraction must be of itself before the habits of
// a site are learned from it. Half is what the default method gives to a page
// that is plainly a story.
const Confident = 0.5

func (x *Extraction) confident() bool {
	return x != nil && x.Selection != nil && len(x.Selection.Keep) > 0 && x.Article != nil &&
		x.Article.Type == article.TypeArticle && x.Article.Confidence >= Confident
}

// Observation is what one page adds to the profile of its site. It is a few
// kilobytes: hashes and short names, no text of the story.
type Observation struct {
	address key      // of the page; 0 when nobody knows
	story   []key    // some rows of prose, by which the same story is known again
	shape   shape    // what the page is made of
	rows    []key    // all rows, sorted
	samples []sample // of some rows, for people

	habits   habits   // empty unless the extraction was confident
	kept     []key    // places with text of the story, sorted
	left     []key    // places without, sorted
	suffixes []string // what may be the site's name after the headline in <title>
}

// sample is the beginning of a row that people may read.
type sample struct {
	key  key
	text string
}

// The most that an observation holds; a page with more is not learned in full.
const (
	maxRows     = 3000
	maxPlaces   = 500
	maxStory    = 12
	maxSamples  = 40
	maxSample   = 60 // bytes
	sampleWords = 40
	maxName     = 200
	maxSuffixes = 3
)

// Observe works out what a page adds to the profile of its site. Without an
// extraction, or with one that is not confident, that is its text and make.
func Observe(d *dom.Document, x *Extraction) *Observation { return NewPage(d).Observe(x) }

// Observe works out what the page adds to the profile of its site.
func (p *Page) Observe(x *Extraction) *Observation {
	o := &Observation{shape: p.shape, rows: p.keys, samples: p.samples()}
	if x != nil && x.URL != "" {
		o.address = fold(hashText(0, x.URL))
	}
	var mask []bool
	if x.confident() {
		mask = x.Selection.Mask(p.doc)
		p.observeHabits(o, x, mask)
	}
	o.story = p.story(mask)
	return o
}

// storyWords is how many words of prose a row has at least that tells one
// story from another.
const storyWords = 12

// story is by what the page is known again under another address: some rows
// of the story, or where nobody knows what that is, of all prose under the same
// title. Rows are long on every page of some sites, such as rules for comments.
func (p *Page) story(mask []bool) []key {
	var keys []key
	var title uint64
	if mask == nil {
		title = hashText(0, p.title())
	}
	for i := range p.rows {
		if r := &p.rows[i]; r.prose() >= storyWords && (mask == nil || mask[r.first]) {
			keys = append(keys, r.key^key(title))
		}
	}
	if len(keys) == 0 { // no prose: the page as a whole
		h := title
		for _, k := range p.keys {
			h = mix(h, uint64(k))
		}
		keys = append(keys, fold(h))
	}
	return distinct(keys, maxStory)
}

// samples are the rows with the smallest keys: what is the same on all pages
// is then among the samples of all pages, or of none.
func (p *Page) samples() []sample {
	if len(p.keys) == 0 {
		return nil
	}
	// As many again, since not every row is one that people would read.
	largest := p.keys[min(len(p.keys)-1, 2*maxSamples)]
	var picked []int
	for i := range p.rows {
		if r := &p.rows[i]; r.key <= largest && r.words >= 2 && r.words <= sampleWords {
			picked = append(picked, i)
		}
	}
	slices.SortFunc(picked, func(a, b int) int { return compare(p.rows[a].key, p.rows[b].key) })
	picked = slices.CompactFunc(picked, func(a, b int) bool { return p.rows[a].key == p.rows[b].key })
	picked = picked[:min(len(picked), maxSamples)]
	out := make([]sample, len(picked))
	for i, k := range picked {
		out[i] = sample{p.rows[k].key, clip(p.text(&p.rows[k]), maxSample)}
	}
	return out
}
