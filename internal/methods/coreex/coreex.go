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
// The presets "r1" to "r6" are the rows of the paper's Table 1, and "paper" is R5,
// its best. Where the paper leaves a choice, they read it as follows; docs/papers.md
// has the figures of the alternatives.
//
//   - Only visible text counts; the paper's parser knew no hidden elements. The
//     tree is that below <body>, the top of the paper's figures.
//   - A word is a word of package words, as [dom.Counts] counts them: a Han or Kana
//     character is one. The words of a script, where they count, are separated by white
//     space.
//   - A link is an <a href> with anything in it. Nothing inside it is a node.
//   - A script that is not removed is neither a text node nor a link node. Its words
//     are part of the text of the page, which the share of a node is relative to.
//   - A text node is its own set S, so that it can win against its parent.
//   - A child without words and links has no ratio and is in no set.
//   - Of two equal siblings the first is taken, not one at random.
//   - Conversion to XHTML changes nothing, so R6 is R5: the tree that HTML5
//     prescribes is well-formed, however the page is written.
//   - The headline is the nearest heading among the previous siblings of the parent
//     of S (section 6.1), or else the first heading in S.
//   - A page has no content if the best node has only links.
//
// [Default] is R5 with readings of our own:
//
//   - The share of the page's text has more weight, since articles have more links
//     today than in 2007: with the paper's weights a paragraph with a link often
//     costs most of the article.
//   - On Chinese and Japanese pages, where a character counts as a word, a link
//     costs half as much of the ratio, so that share has half the weight.
//   - Forms are read after all if too few of the page's words outside links are
//     left without them; select, option, input and textarea stay ignored. Section
//     6.1 reports pages in a form as a failure.
//   - Pictures between chosen children are kept with them.
//   - The headline is searched by the page's <title>, which section 6.1 suggests, and
//     among all headings before the end of S.
//
// Article and index pages are distinguished by the scored tree, as section 8
// proposes, with all settings.
package coreex

import (
	"context"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// CoreEx is the method. It is safe for concurrent use.
type CoreEx struct{ cfg Config }

// New returns the method.
func New(c Config) *CoreEx { return &CoreEx{c} }

// Name returns "coreex", or for example "coreex:r3" for a preset.
func (c *CoreEx) Name() string {
	if c.cfg.Preset != "" {
		return "coreex:" + c.cfg.Preset
	}
	return "coreex"
}

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
	if main == dom.None || t.setText[main] <= t.setLink[main] {
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

// Config holds the settings. Start from Default or Preset; the zero value is
// the basic algorithm of section 2.1.
type Config struct {
	// Preset is the name of the preset that the settings come from, or empty. It
	// is only used in the name of the method.
	Preset string

	WeightText float64 `param:"weight-text" about:"weight of the share of the page's text (2.2.1), the rest is the ratio's; 0: basic scoring" range:"0 0.2 0.002"`
	Ideographs float64 `param:"ideographs" about:"factor of weight-text on Chinese and Japanese pages, where a character counts as a word (1 in the paper)"`

	Subset    bool    `param:"subset" about:"subset selection (2.2.2): keep only the children with few links"`
	Threshold float64 `param:"threshold" about:"text-to-link ratio that a child must exceed to be kept" range:"0.3 1 0.01"`

	IgnoreForms   bool    `param:"ignore-forms" about:"ignore form, select, option, input and textarea (3.2)"`
	MinFormShare  float64 `param:"min-form-share" about:"minimum share of words outside forms; with less, forms are read too (0 in the paper)" range:"0 1 0.05"`
	RemoveScripts bool    `param:"remove-scripts" about:"remove scripts (3.2); otherwise their words are part of the page's text"`

	Pictures  bool `param:"pictures" about:"keep pictures between the chosen children (not in the paper)"`
	PageTitle bool `param:"page-title" about:"search the headline by <title> and among all headings up to the end of the text, not only beside it (6.1)"`
}

// Default returns the settings of R5, the best row of Table 1, with our own
// readings.
func Default() Config {
	c, _ := Preset("paper")
	c.Preset = ""
	c.WeightText, c.Ideographs = 0.04, 0.5
	c.MinFormShare = 0.25
	c.Pictures, c.PageTitle = true, true
	return c
}

// Preset returns the settings of a row of Table 1, "r1" to "r6", or of the paper's
// best configuration, "paper".
func Preset(name string) (Config, bool) {
	// The weights and the threshold are those of sections 2.2.1 and 2.2.2.
	c := Config{Preset: name, Threshold: 0.9, Ideographs: 1}
	switch name {
	case "r5", "r6", "paper":
		c.RemoveScripts = true
		fallthrough
	case "r4":
		c.IgnoreForms = true
		fallthrough
	case "r3":
		c.Subset = true
		fallthrough
	case "r2":
		c.WeightText = 0.01
		fallthrough
	case "r1":
		return c, true
	}
	return Config{}, false
}
