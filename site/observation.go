package site

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Observation is what one page adds to the profile of its site. It is a few
// kilobytes: hashes and short names, no text of the story.
type Observation struct {
	address key            // of the page; 0 if unknown
	story   []key          // some rows of prose, to recognize the same story
	shape   shape          // the tag paths
	rows    []key          // all rows, sorted
	samples map[key]string // the beginnings of some rows, for people to read

	// Where the story is; empty unless the extraction was confident.
	headline string   // place
	body     string   // likewise
	kept     []key    // places with text of the story, sorted
	dropped  []key    // places without, sorted
	clues    []key    // what rows have in common with those of other pages, sorted
	shares   []uint8  // by clue: how much of the rows is text of the story, in 255ths
	suffixes []string // what may be the name of the site after the headline in <title>
}

// The limits of an observation; a page with more is not learned in full.
const (
	maxRows     = 3000
	maxPlaces   = 500
	maxStory    = 12
	maxSamples  = 80
	maxSample   = 60 // bytes
	sampleWords = 40
	maxName     = 200
	maxSuffixes = 3
)

// Observe returns what the page adds to the profile of its site. The selection
// and the article are what was extracted from it; without them, or if the
// extraction is not confident, only the text and the tag paths are learned.
// An empty url means that it is unknown.
func (f *Fingerprint) Observe(url string, sel *method.Selection, a *article.Article) *Observation {
	o := &Observation{shape: f.shape, rows: f.keys, samples: f.samples()}
	if url != "" {
		o.address = fold(hashText(0, url))
	}
	var mask []bool
	if isConfident(sel, a) {
		mask = sel.Mask(f.doc)
		f.observeHabits(o, sel, a, mask)
	}
	o.story = f.story(mask)
	return o
}

// isConfident reports whether the habits of a site may be learned from an
// extraction. The default method gives a confidence of at least a half to a page
// that is plainly a story.
func isConfident(sel *method.Selection, a *article.Article) bool {
	return sel != nil && len(sel.Keep) > 0 && a != nil && a.Type == article.TypeArticle && a.Confidence >= 0.5
}

// storyWords is the least number of words of prose in a row that distinguishes
// one story from another.
const storyWords = 12

// story returns keys that identify the page under another address: some rows of
// the story or, if that is unknown, of all prose together with the title, because
// some sites have long rows on every page, such as rules for comments.
func (f *Fingerprint) story(mask []bool) []key {
	var keys []key
	var title uint64
	if mask == nil {
		title = hashText(0, f.title())
	}
	for i := range f.rows {
		if r := &f.rows[i]; r.prose() >= storyWords && (mask == nil || mask[r.first]) {
			keys = append(keys, r.key^key(title))
		}
	}
	if len(keys) == 0 { // no prose: the page as a whole
		h := title
		for _, k := range f.keys {
			h = mix(h, uint64(k))
		}
		keys = append(keys, fold(h))
	}
	return smallest(keys, maxStory)
}

// samples returns the beginnings of rows with the smallest keys: what is the same on
// all pages is then among the samples of all pages, or of none.
func (f *Fingerprint) samples() map[key]string {
	if len(f.keys) == 0 {
		return nil
	}
	largest := f.keys[min(len(f.keys)-1, maxSamples)]
	out := map[key]string{}
	for i := range f.rows {
		if r := &f.rows[i]; r.key <= largest && r.words >= 2 && r.words <= sampleWords {
			out[r.key] = clip(f.text(r), maxSample)
		}
	}
	return out
}

// observeHabits records where the parts of the story are.
func (f *Fingerprint) observeHabits(o *Observation, sel *method.Selection, a *article.Article, mask []bool) {
	kept := f.keptWords(mask)
	container := f.container(kept)
	if container == dom.None {
		return
	}
	o.body = clip(f.placeName(container), maxName)
	if sel.Title != dom.None {
		o.headline = clip(f.placeName(sel.Title), maxName)
	}
	f.observePlaces(o, mask, sel.Title)
	f.observeClues(o, kept)
	o.suffixes = f.titleSuffixes(a.Title)
}

// keptWords counts the selected words before each node.
func (f *Fingerprint) keptWords(mask []bool) []int32 {
	d := f.doc
	kept := make([]int32, d.Len()+1)
	for n := range dom.Node(d.Len()) {
		kept[n+1] = kept[n]
		if mask[n] && d.IsText(n) {
			kept[n+1] += int32(d.Words(n))
		}
	}
	return kept
}

// container returns the deepest element with nine tenths of the story.
func (f *Fingerprint) container(kept []int32) dom.Node {
	d := f.doc
	words := func(n dom.Node) int32 { return kept[d.End(n)] - kept[n] }
	all := words(d.Root())
	if all == 0 {
		return dom.None
	}
	node := d.Root()
next:
	for c := range d.Children(node) {
		if !d.IsText(c) && words(c) >= all-all/10 {
			node = c
			goto next
		}
	}
	return node
}

// observePlaces records which places have text of the story, or its headline,
// and which have none.
func (f *Fingerprint) observePlaces(o *Observation, mask []bool, title dom.Node) {
	if title != dom.None {
		mask = slices.Clone(mask)
		for n := title; n < f.doc.End(title); n++ {
			mask[n] = true
		}
	}
	kept := f.keptWords(mask)
	var last [2]key // the items of a list have the same place
	for n, k := range f.places {
		if k&named == 0 {
			continue
		}
		list, i := &o.dropped, 0
		if kept[f.doc.End(dom.Node(n))] > kept[n] {
			list, i = &o.kept, 1
		}
		if last[i] != k {
			*list = append(*list, k)
			last[i] = k
		}
	}
	o.kept = smallest(o.kept, maxPlaces)
	o.dropped = smallest(o.dropped, maxPlaces)
	// A place with text of the story anywhere on the page belongs to the story.
	o.dropped = slices.DeleteFunc(o.dropped, func(k key) bool {
		_, found := slices.BinarySearch(o.kept, k)
		return found
	})
}

// titleSuffixes returns the ends of the <title> that may belong to the site:
// what follows the headline, or else what follows any separator, the longest
// first.
func (f *Fingerprint) titleSuffixes(headline string) []string {
	full := f.title()
	var out []string
	add := func(suffix string) {
		if len(suffix) <= maxName && utf8.RuneCountInString(suffix) >= 3 {
			out = append(out, strings.Clone(suffix))
		}
	}
	if rest, ok := strings.CutPrefix(full, headline); ok && headline != "" && rest != "" {
		add(rest)
		return out
	}
	for i, c := range full {
		if !strings.ContainsRune("|-–—:·•»«/", c) || i == 0 {
			continue
		}
		rest := full[i:]
		if full[i-1] == ' ' {
			rest = full[i-1:]
		} else if c == '-' || c == ':' || c == '/' {
			continue // part of a word, a time or a date
		}
		if headline == "" || !strings.Contains(rest, headline) {
			add(rest)
		}
	}
	return out[max(0, len(out)-maxSuffixes):]
}
