package site

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// role is a part of a story that has its place on the pages of a site.
type role uint8

const (
	headline role = iota
	body
	byline
	date
	picture
	roles
)

var roleNames = [roles]string{"headline", "body", "byline", "date", "picture"}

// habits are the names of the places where a page has its parts.
type habits [roles]string

// observeHabits notes where the parts of the story stand.
func (p *Page) observeHabits(o *Observation, x *Extraction, mask []bool) {
	d, sel, a := p.doc, x.Selection, x.Article
	home := p.home(keptWords(d, mask))
	if home == dom.None {
		return
	}
	set := func(r role, n dom.Node) {
		if n != dom.None {
			o.habits[r] = clip(p.placeName(n), maxName)
		}
	}
	set(body, home)
	set(headline, sel.Title)
	set(byline, p.findByline(a))
	set(date, p.findDate(a))
	set(picture, p.findPicture(a))
	p.observePlaces(o, mask, sel.Title)
	o.suffixes = p.suffixes(a.Title)
}

// keptWords counts the words of a mask before each node.
func keptWords(d *dom.Document, mask []bool) []int32 {
	kept := make([]int32, d.Len()+1)
	for n := range dom.Node(d.Len()) {
		kept[n+1] = kept[n]
		if mask[n] && d.IsText(n) {
			kept[n+1] += int32(d.Words(n))
		}
	}
	return kept
}

// home is the deepest element that has nearly all of the story.
func (p *Page) home(kept []int32) dom.Node {
	d := p.doc
	words := func(n dom.Node) int32 { return kept[d.End(n)] - kept[n] }
	all := words(d.Root())
	if all == 0 {
		return dom.None
	}
	home := d.Root()
next:
	for c := range d.Children(home) {
		if !d.IsText(c) && words(c) >= all-all/10 {
			home = c
			goto next
		}
	}
	return home
}

// observePlaces notes which places have text of the story, or its headline,
// and which have not.
func (p *Page) observePlaces(o *Observation, mask []bool, title dom.Node) {
	if title != dom.None {
		mask = slices.Clone(mask)
		for n := title; n < p.doc.End(title); n++ {
			mask[n] = true
		}
	}
	kept := keptWords(p.doc, mask)
	var last [2]key // of a list, all items are in one place
	for n, k := range p.places {
		if k&named == 0 {
			continue
		}
		list, i := &o.left, 0
		if kept[p.doc.End(dom.Node(n))] > kept[n] {
			list, i = &o.kept, 1
		}
		if last[i] != k {
			*list = append(*list, k)
			last[i] = k
		}
	}
	o.kept = distinct(o.kept, maxPlaces)
	o.left = distinct(o.left, maxPlaces)
	// A place that has text of the story once on the page is one of the story.
	i := 0
	o.left = slices.DeleteFunc(o.left, func(k key) bool {
		for i < len(o.kept) && o.kept[i] < k {
			i++
		}
		return i < len(o.kept) && o.kept[i] == k
	})
}

const maxLine = 15 // words of a row that may be a byline or a dateline

// findByline is the element of the first short row that names an author.
func (p *Page) findByline(a *article.Article) dom.Node {
	if len(a.Authors) == 0 || a.Authors[0].Name == "" {
		return dom.None
	}
	name := strings.ToLower(a.Authors[0].Name)
	return p.findRow(func(text string) bool { return strings.Contains(strings.ToLower(text), name) })
}

// findDate is the element of the first short row, or <time>, that has the
// day and the year of publication in digits.
func (p *Page) findDate(a *article.Article) dom.Node {
	if a.Published.IsZero() {
		return dom.None
	}
	d := p.doc
	when := a.Published.String()
	if len(when) >= len("2006-01-02") {
		for n := range d.All(d.Root(), dom.Time) {
			if strings.HasPrefix(d.AttrOr(n, "datetime"), when[:len("2006-01-02")]) && d.Words(n) > 0 {
				return n
			}
		}
	}
	day, year := a.Published.Time.Day(), a.Published.Time.Year()
	return p.findRow(func(text string) bool { return hasNumber(text, day) && hasNumber(text, year) })
}

func (p *Page) findRow(is func(string) bool) dom.Node {
	for i := range p.rows {
		r := &p.rows[i]
		if r.words > maxLine || r.words == 0 {
			continue
		}
		if is(p.text(r)) {
			return p.doc.CommonAncestor(p.doc.Parent(r.first), p.doc.Parent(r.last))
		}
	}
	return dom.None
}

// hasNumber looks for a number that stands by itself, with or without a zero
// before it.
func hasNumber(text string, number int) bool {
	digits := func(c rune) bool { return c < '0' || c > '9' }
	for f := range strings.FieldsFuncSeq(text, digits) {
		if n, err := strconv.Atoi(f); err == nil && n == number {
			return true
		}
	}
	return false
}

// findPicture is the lead picture, by its file name: pages offer it in many sizes.
func (p *Page) findPicture(a *article.Article) dom.Node {
	if a.Lead == nil {
		return dom.None
	}
	file, _, _ := strings.Cut(path.Base(a.Lead.URL), "?")
	if len(file) < 3 {
		return dom.None
	}
	for n := range p.doc.All(p.doc.Root(), dom.Img) {
		if p.places[n] != 0 && strings.Contains(p.doc.Source(n), file) {
			return n
		}
	}
	return dom.None
}

// suffixes are the ends of the page's <title> that may be the site's: what
// follows the headline, or else what follows any of the signs that part the
// two, the longest first.
func (p *Page) suffixes(title string) []string {
	full := p.title()
	if rest, ok := strings.CutPrefix(full, title); ok && title != "" && rest != "" {
		return one(rest)
	}
	var out []string
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
		if title == "" || !strings.Contains(rest, title) {
			out = append(out, one(rest)...)
		}
	}
	return out[max(0, len(out)-maxSuffixes):]
}

func one(s string) []string {
	if len(s) > maxName || utf8.RuneCountInString(s) < 3 {
		return nil
	}
	return []string{strings.Clone(s)}
}

// title is the page's <title>, white space folded.
func (p *Page) title() string {
	n := p.doc.First(dom.Title)
	if n == dom.None {
		return ""
	}
	return strings.Join(strings.Fields(p.doc.Raw(n)), " ")
}
