// Package coreex is CoreEx:
//
//	Jyotika Prasad and Andreas Paepcke (Stanford University),
//	"CoreEx: Content Extraction from Online News Articles".
//
// CoreEx counts the words and the links below every node of the DOM tree, a
// link as one word, and takes the node with the highest score: most of its words
// are outside links and, with a small weight, it contains much of the text of the
// page. Of that node it keeps the children with hardly any links. It is
// independent of languages and sites.
//
// [Row] returns the settings of the rows of the paper's Table 1, and [Paper] those of R5, its
// best. docs/papers.md says how they read the paper where it leaves a choice, what [Default]
// does otherwise and why, and has the figures. Article and index pages are distinguished by
// the scored tree, as section 8 proposes, with all settings.
package coreex

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// CoreEx is the method. It is safe for concurrent use.
type CoreEx struct{ cfg Config }

// New returns the method.
func New(c Config) *CoreEx { return &CoreEx{c} }

// Name returns "coreex", or for example "coreex:r3" for a row of Table 1.
func (c *CoreEx) Name() string { return "coreex" + c.cfg.variant }

// Select selects the article.
func (c *CoreEx) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	t := newTree(p.Doc, &c.cfg)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	main := t.best()
	if main == dom.None || c.cfg.Steps >= subsetSelection && t.setText[main] <= t.setLink[main] {
		return nil, method.ErrNoContent
	}
	s := &method.Selection{Title: dom.None}
	x := selector{tree: t, main: main, sel: s, noReasons: p.NoReasons}
	x.choose()
	x.dropInside()
	if !p.NoReasons {
		x.explain()
	}
	if !p.TextOnly {
		s.Title = t.title(main, s.Keep)
	}
	s.Type, s.Confidence = t.pageType(main)
	return s, nil
}

// Config holds the settings. Start from Default, Paper or Row.
type Config struct {
	WeightText   float64 `param:"weight-text" about:"weight of the share of the page's text (2.2.1); 0: basic scoring" range:"0 0.2 0.002"`
	Steps        int     `param:"steps" about:"row of Table 1: 3 selects a subset (2.2.2), 4 also ignores forms, 5 removes scripts (3.2)"`
	Threshold    float64 `param:"threshold" about:"text-to-link ratio that a child must exceed to be kept" range:"0.3 1 0.01"`
	MinFormShare float64 `param:"min-form-share" about:"minimum share of words outside forms; with less, forms are read too" range:"0 1 0.05"`

	// own turns on what is not in the paper: pictures between chosen children are kept, the share
	// of the text has half the weight on Chinese and Japanese pages, where a character counts
	// as a word and a link therefore costs half as much, and the headline is searched on
	// the whole page.
	own     bool
	variant string // ":r3", for example, or empty
}

// The rows of Table 1, as values of Config.Steps.
const (
	subsetSelection = 3
	ignoreForms     = 4
	removeScripts   = 5
)

// Default returns the settings of the paper with our own readings. The share of the page's
// text has more weight, since articles have more links today than in 2007, and pages in a
// form, a failure in section 6.1, are read.
func Default() Config {
	return Config{WeightText: 0.04, Steps: removeScripts, Threshold: 0.9, MinFormShare: 0.25, own: true}
}

// Paper returns the settings of R5, the best row of Table 1.
func Paper() Config {
	c := Row(5)
	c.variant = ":paper"
	return c
}

// Row returns the settings of a row of Table 1, from 1 to 6. The weight and the threshold are
// those of sections 2.2.1 and 2.2.2. R6 converts the page to XHTML, which changes nothing here:
// the tree that HTML5 prescribes is well-formed, however the page is written.
func Row(n int) Config {
	c := Config{WeightText: 0.01, Steps: n, Threshold: 0.9, variant: fmt.Sprintf(":r%d", n)}
	if n == 1 {
		c.WeightText = 0 // basic scoring
	}
	return c
}
