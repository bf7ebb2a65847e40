// Package twcem finds the article by its title: it starts with the first row of
// the page that shares enough words with the title, and ends with the last.
//
// It implements Zhen Tan, Chunhui He, Yang Fang, Bin Ge and Weidong Xiao:
// Title-Based Extraction of News Contents for Text Mining, IEEE Access 6, 2018,
// https://doi.org/10.1109/ACCESS.2018.2877592. Sections, definitions and
// algorithms in the comments are those of that paper.
//
// docs/papers.md says how lede reads it where the paper leaves a choice or its pseudo code
// has an error, and what the settings that go beyond it gain.
package twcem

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/method"
)

// Config holds the settings of the method; see Default, Paper and Microblog. Halves and
// AllMarks are other readings of the paper, and the fields after them go beyond it.
type Config struct {
	D1 int `param:"d1" about:"δ1: minimum characters of a row, without spaces" range:"1 40 1"`
	D2 int `param:"d2" about:"δ2: minimum punctuation marks of a row" range:"0 9 1"`
	D3 int `param:"d3" about:"δ3: minimum words of the title in the first and the last block" range:"0 9 1"`
	K  int `param:"k" about:"K: rows of a block besides its own, up to 16" range:"0 8 1"`

	Halves   bool `param:"halves" about:"the article starts in the first half of the rows and ends in the second"`
	AllMarks bool `param:"all-marks" about:"colons, and marks inside of numbers and names, are punctuation"`

	CheckTitle bool `param:"check-title" about:"a title on the page must share words with the meta title, which is the title if none does, and find a twelfth of the text"`
	SkipTitle  bool `param:"skip-title" about:"the article starts after the row of the title"`
	StopWords  bool `param:"stop-words" about:"words of up to three letters do not count, but for those in capitals"`
	SkipLinks  bool `param:"skip-links" about:"rows that are mostly links are dropped"`
	Extend     bool `param:"extend" about:"rows near those of the article are in it: after the last block that matches, and dropped ones between two"`
	Post       bool `param:"post" about:"the article is the block that shares most words with the title, if the title is not a heading"`

	variant string // ":paper", for example, or empty
}

const paperVariant = ":paper"

// Default returns the δ of the paper with the readings that go beyond it.
func Default() Config {
	return Config{D1: 4, D2: 1, D3: 2, K: 2, CheckTitle: true, SkipTitle: true, StopWords: true, SkipLinks: true, Extend: true}
}

// Microblog returns Default with the paper's δ for short posts (Section IV.A.3).
func Microblog() Config {
	c := Default()
	c.D1, c.D2, c.D3, c.Post, c.variant = 2, 1, 1, true, ":microblog"
	return c
}

// Paper returns the settings of the paper for news. K is 0: the paper gives no K, and its
// Algorithm 3 lists single rows.
func Paper() Config { return Config{D1: 4, D2: 1, D3: 2, variant: paperVariant} }

// TWCEM is the method. It is safe for concurrent use.
type TWCEM struct{ config Config }

// New returns the method.
func New(c Config) *TWCEM {
	const maxContext = 16
	c.K = min(max(c.K, 0), maxContext)
	return &TWCEM{config: c}
}

// Name returns "twcem", "twcem:paper" or "twcem:microblog".
func (m *TWCEM) Name() string { return "twcem" + m.config.variant }

// Select selects the rows from the first to the last that match the title.
func (m *TWCEM) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	v := &view{config: m.config, doc: p.Doc, rows: split(p.Doc, m.config.AllMarks), noReasons: p.NoReasons}
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
	v.title = findTitle(v.doc, link, v.rows, v.config.CheckTitle)
	if v.config.Post && v.findPost() {
		return true
	}
	v.segment(v.config.D2, v.config.StopWords)
	return v.recognise()
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

// keep selects the text nodes of the kept rows and, unlike the paper, the pictures
// between them.
func (v *view) keep(s *method.Selection) {
	d := v.doc
	for i := range v.rows {
		r := &v.rows[i]
		if !r.outcome.kept() {
			continue
		}
		for n := r.first; n <= r.last; n++ {
			if d.IsText(n) && !d.Hidden(n) {
				s.Keep = append(s.Keep, n)
			}
		}
		if i+1 == len(v.rows) || v.config.variant == paperVariant {
			continue
		}
		for n := r.last + 1; n < v.rows[i+1].first; n++ {
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

// explain adds a reason for every row, at its first text node.
func (v *view) explain(s *method.Selection) {
	s.Reasons = make([]method.Reason, 0, len(v.rows))
	for i := range v.rows {
		r := &v.rows[i]
		s.Reasons = append(s.Reasons, method.Reason{Node: r.first, Kept: r.outcome.kept(), Score: float64(r.lcs), Why: v.why(r)})
	}
}

func (v *view) why(r *row) string {
	const blocks = " block with enough words of the headline (it has %d)"
	switch r.outcome {
	case isTitle:
		return "the headline, found by " + v.title.from
	case tooShort:
		return fmt.Sprintf("too short: %s, and %d are needed", reasons.Count(int(r.length), "character"), v.config.D1)
	case tooFewMarks:
		return fmt.Sprintf("not written in sentences: %s, and %d needed", reasons.Count(int(r.marks), "punctuation mark"), v.config.D2)
	case mostlyLinks:
		return "mostly links"
	case before:
		return fmt.Sprintf("above the first"+blocks, r.lcs)
	case inside:
		return fmt.Sprintf("from the first to the last"+blocks, r.lcs)
	case extended:
		return "near rows of the story"
	}
	return fmt.Sprintf("below the last"+blocks, r.lcs)
}
