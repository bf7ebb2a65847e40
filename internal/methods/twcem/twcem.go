// Package twcem finds the article by its title: it starts with the first row of
// the page that shares enough words with the title, and ends with the last.
//
// It implements Zhen Tan, Chunhui He, Yang Fang, Bin Ge and Weidong Xiao:
// Title-Based Extraction of News Contents for Text Mining, IEEE Access 6, 2018,
// https://doi.org/10.1109/ACCESS.2018.2877592. Sections, definitions and
// algorithms in the comments are those of that paper.
//
// Where the paper leaves a choice, or its pseudo code has an error, this is the
// reading of all presets:
//
//   - A row (Definition 1) is a row of the rendered text: block elements and
//     <br> break rows. So a page in a single line of HTML has rows too.
//   - The length that δ1 bounds is in characters without spaces, as in
//     Definition 4. δ2 counts what ends a sentence or a part of one, in any script.
//   - A match costs nothing in the edit distance. In formula (1) it costs 1,
//     which is not the Levenshtein distance that the text names.
//   - The meta title is that of <meta name="title">, or of OpenGraph or Twitter, or
//     else <title>.
//   - Words are those of package words, the same in upper and lower case: each Han or
//     Kana character is one. "U.S." is one word, "ferry's" and "crash-lands" are two.
//   - Algorithm 4 counts from 1 and adds the rows before row_end. Here the first
//     row is 0, and the row where the end was found is in the article.
//
// The preset "paper" adds nothing to that. It has K = 0: the paper gives no K, and
// its Algorithm 3 lists single rows. The default differs as follows, each by a
// setting of its own:
//
//   - K is 1, which gains up to a point of F1.
//   - A heading that shares no word with the meta title is not the title: one of
//     the headings is always the nearest, even if it is "Most popular". The meta
//     title itself is the last resort. The text of a link that shares no words with
//     any row, such as "Read more", is not the title (CheckTitle).
//   - The row of the title is not part of the article. But it matches the title,
//     whatever its length and punctuation, so the article starts after it
//     (SkipTitle).
//   - Short words that are in many rows do not count, so that "of the" in a row is
//     no match, but "EU" and "war" are. That needs no lists for languages
//     (StopWords).
//   - The last row that matches the title is often not the last of the article,
//     which continues while rows look like it (Extend).
//   - What is left is refused if it is hardly anything but links (RefuseLinks).
//   - Pictures between the rows are kept (Pictures).
//
// The preset "microblog" is the default with the paper's δ for short posts. There
// the article is a single block, if the title is not a heading (Post).
package twcem

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/method"
)

// Config holds the settings of the method; see Default and Preset. The fields after
// K are readings that go beyond the paper.
type Config struct {
	D1 int `param:"d1" about:"δ1: minimum characters of a row, without spaces" range:"1 40 1"`
	D2 int `param:"d2" about:"δ2: minimum punctuation marks of a row" range:"0 9 1"`
	D3 int `param:"d3" about:"δ3: minimum words of the title in the first and the last block" range:"0 9 1"`
	K  int `param:"k" about:"K: rows of a block besides its own, up to 16" range:"0 8 1"`

	CheckTitle  bool `param:"check-title" about:"a title on the page must share words with the meta title, which is the title if none does"`
	SkipTitle   bool `param:"skip-title" about:"the article starts after the row of the title"`
	StopWords   bool `param:"stop-words" about:"short words that are in many rows do not count"`
	Extend      bool `param:"extend" about:"continue after the last block that matches the title while rows look like the article"`
	RefuseLinks bool `param:"refuse-links" about:"find nothing if hardly anything but links is left"`
	Post        bool `param:"post" about:"the article is the block that shares most words with the title, if the title is not a heading"`
	Pictures    bool `param:"pictures" about:"keep the pictures between the rows of the article, which the paper does not extract"`

	preset string
}

// Default returns the δ of the paper with all readings that go beyond it.
func Default() Config {
	return Config{
		D1: 4, D2: 1, D3: 2, K: 1,
		CheckTitle: true, SkipTitle: true, StopWords: true, Extend: true, RefuseLinks: true, Pictures: true,
	}
}

// Preset returns the settings for "news", the default; "microblog", the default with
// the δ of the paper for short posts (Section IV.A.3); or "paper".
func Preset(name string) (Config, bool) {
	c := Default()
	switch name {
	case "news":
		return c, true
	case "microblog":
		c.D1, c.D2, c.D3, c.Post = 2, 1, 1, true
	case "paper":
		c = Config{D1: 4, D2: 1, D3: 2}
	default:
		return Config{}, false
	}
	c.preset = name
	return c, true
}

// TWCEM is the method. It is safe for concurrent use.
type TWCEM struct{ config Config }

// New returns the method.
func New(c Config) *TWCEM { return &TWCEM{config: c} }

// Name returns "twcem", or "twcem:paper" and the like for presets.
func (m *TWCEM) Name() string {
	if m.config.preset != "" {
		return "twcem:" + m.config.preset
	}
	return "twcem"
}

// Select selects the rows from the first to the last that match the title.
func (m *TWCEM) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	v := &view{config: m.config, doc: p.Doc, rows: split(p.Doc), noReasons: p.NoReasons}
	if p.LinkText != "" && v.extract(p.LinkText) {
		// A link such as "Read more" says nothing about the page.
		if v.opens || v.closes || !v.config.CheckTitle || v.title.from != byLink {
			return v.selection(), nil
		}
	}
	if v.extract("") {
		return v.selection(), nil
	}
	return nil, method.ErrNoContent
}

// view is the state of one call of Select.
type view struct {
	config    Config
	doc       *dom.Document
	rows      []row
	title     title
	whole     bool // the row of the title is part of the article
	noReasons bool

	// list holds the candidates, the CCL of Algorithms 3 and 4.
	list []int32
	// head is the index of the headline in list, or -1: the last row of the element
	// that shows the title, or otherwise the first row that is equal to it.
	head int
	*vocabulary

	start, end int  // indexes in list of the first and last row of the article
	last       int  // end before extend
	opens      bool // start matches the title
	closes     bool // end matches the title
}

// extract finds the title and then the article, and reports whether there is one.
func (v *view) extract(link string) bool {
	v.title, v.whole = findTitle(v.doc, link, v.rows, v.config.CheckTitle), false
	if v.config.Post && v.findPost() || v.find() {
		return true
	}
	if !v.config.SkipTitle || v.title.isHeading(v.doc) {
		return false
	}
	// The title may be the whole post, so that nothing is left without it.
	v.title.node, v.whole = dom.None, true
	return v.find()
}

// selection returns the selection of the kept rows.
func (v *view) selection() *method.Selection {
	s := &method.Selection{Title: v.title.node, Confidence: v.confidence()}
	v.keep(s)
	if !v.noReasons {
		v.explain(s)
	}
	return s
}

// keep selects the text nodes of the kept rows, and the pictures between them.
func (v *view) keep(s *method.Selection) {
	d, next := v.doc, dom.Node(0)
	for i := range v.rows {
		r := &v.rows[i]
		if !r.outcome.kept() {
			continue
		}
		for n := max(r.first, next); n <= r.last; n++ {
			if d.IsText(n) && !d.Hidden(n) {
				s.Keep = append(s.Keep, n)
			}
		}
		next = r.last + 1
		if !v.config.Pictures || i+1 == len(v.rows) {
			continue
		}
		for n := next; n < v.rows[i+1].first; n++ {
			if isPicture(d, n) {
				s.Keep = append(s.Keep, n)
			}
		}
	}
}

func isPicture(d *dom.Document, n dom.Node) bool {
	switch d.Tag(n) {
	case dom.Img, dom.Video, dom.Audio, dom.Iframe, dom.Embed:
		return true
	case dom.Unknown:
		return d.Name(n) == "amp-img"
	}
	return false
}

// confidence returns the share of the title in the most similar row, reduced for
// each end of the article that does not match the title.
func (v *view) confidence() float64 {
	if v.size == 0 {
		return 0
	}
	var most int32
	for i := range v.rows {
		if r := &v.rows[i]; r.outcome.kept() {
			most = max(most, r.lcs)
		}
	}
	c := float64(most) / float64(v.size)
	for _, found := range [...]bool{v.opens, v.closes} {
		if !found {
			c *= 0.7
		}
	}
	return c
}

// explain adds a reason for every row, at its first text node. Rows of the same text
// node share one.
func (v *view) explain(s *method.Selection) {
	s.Reasons = make([]method.Reason, 0, len(v.rows))
	for i := range v.rows {
		r := &v.rows[i]
		if k := len(s.Reasons); k > 0 && s.Reasons[k-1].Node == r.first {
			if s.Reasons[k-1].Kept || !r.outcome.kept() {
				continue
			}
			s.Reasons = s.Reasons[:k-1]
		}
		s.Reasons = append(s.Reasons, method.Reason{Node: r.first, Kept: r.outcome.kept(), Score: float64(r.lcs), Why: v.why(r)})
	}
}

func (v *view) why(r *row) string {
	switch r.outcome {
	case isTitle:
		return "the headline, found by " + v.title.from
	case tooShort:
		return fmt.Sprintf("too short: %s, and %d are needed", reasons.Count(int(r.length), "character"), v.config.D1)
	case tooFewMarks:
		return fmt.Sprintf("not written in sentences: %s, and %d needed", reasons.Count(int(r.marks), "punctuation mark"), v.config.D2)
	}
	return fmt.Sprintf(places[r.outcome], r.lcs)
}

// places describes where rows are that Algorithm 3 lists, and how many words of the
// title they have. Read only.
var places = map[outcome]string{
	before:   "above the first block with enough words of the headline (it has %d)",
	inside:   "from the first to the last block with enough words of the headline (it has %d)",
	extended: "below the last block with enough words of the headline (it has %d), but like the story",
	after:    "below the last block with enough words of the headline (it has %d)",
}
