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
// Where the paper leaves a choice, this is the reading here:
//
//   - Only visible text counts; the paper's parser knew no hidden elements. The
//     tree is that below <body>, the top of the paper's figures.
//   - A word is a word of [dom.Counts]: a Han or Kana character is one. The words
//     of a script, where they count, are separated by white space.
//   - A link is an <a href> with anything in it. Nothing inside it is a node.
//   - A text node is its own set S, so that it can win against its parent.
//   - A child without words and links has no ratio and is in no set. If it has a
//     picture and is between chosen siblings, it is kept with them.
//   - Forms are read after all if too few of the page's words outside links are
//     left without them; select, option, input and textarea stay ignored.
//   - If scripts count and the best node shows nothing but a script, there is no
//     content.
package coreex

import (
	"context"
	"sync"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// CoreEx is the method. It is safe for concurrent use.
type CoreEx struct {
	cfg   Config
	trees sync.Pool // of *tree, which are large
}

// New returns the method.
func New(c Config) *CoreEx {
	return &CoreEx{cfg: c, trees: sync.Pool{New: func() any { return new(tree) }}}
}

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
	d := p.Doc
	t := c.trees.Get().(*tree)
	defer c.release(t)
	t.build(d, &c.cfg)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	main := t.best()
	if main == noID || t.setText[main] <= t.setLink[main] {
		return nil, method.ErrNoContent
	}
	s := &method.Selection{Title: dom.None}
	x := selector{tree: t, main: main, sel: s, noReasons: p.NoReasons}
	x.choose()
	if x.isEmpty() {
		return nil, method.ErrNoContent
	}
	x.dropInside()
	if !p.NoReasons {
		x.explain()
	}
	if !p.TextOnly {
		s.Title = t.headline(main, s.Keep)
	}
	s.Type, s.Confidence = t.pageType(main)
	return s, nil
}

// release returns a tree to the pool, unless a huge page has made it too large.
func (c *CoreEx) release(t *tree) {
	const maxNodes = 1 << 15
	t.doc = nil
	if cap(t.up) <= maxNodes {
		c.trees.Put(t)
	}
}

// Config holds the settings. Start from Default or Preset; the zero value is
// the basic algorithm of section 2.1.
type Config struct {
	// Preset is the row of the paper's Table 1 that the settings come from, or
	// empty. It is only used in the name of the method.
	Preset string

	Weighted    bool    `param:"weighted" about:"weighted scoring (2.2.1) instead of basic scoring"`
	WeightRatio float64 `param:"weight-ratio" about:"weight of the text-to-link ratio in weighted scoring"`
	WeightText  float64 `param:"weight-text" about:"weight of the share of the page's text in weighted scoring" range:"0 0.2 0.002"`

	Subset    bool    `param:"subset" about:"subset selection (2.2.2): keep only the children with few links"`
	Threshold float64 `param:"threshold" about:"text-to-link ratio that a child must exceed to be kept" range:"0.3 1 0.01"`

	IgnoreForms   bool    `param:"ignore-forms" about:"ignore form, select, option, input and textarea (3.2)"`
	MinFormShare  float64 `param:"min-form-share" about:"minimum share of the words outside links that are outside forms; with less, forms are read after all (6.1)" range:"0 1 0.05"`
	RemoveScripts bool    `param:"remove-scripts" about:"remove scripts (3.2); otherwise their words count as text"`
	Normalise     bool    `param:"normalise" about:"normalise the tree first, in place of the conversion to XHTML (3.2)"`

	DropCaptions bool `param:"drop-captions" about:"drop captions of pictures (6.1)"`
}

// Default returns the settings of R5, the best row of Table 1.
func Default() Config {
	c, _ := Preset("r5")
	c.Preset = ""
	return c
}

// Preset returns the settings of a row of Table 1, "r1" to "r6".
func Preset(name string) (Config, bool) {
	// The weights and the threshold are those of sections 2.2.1 and 2.2.2.
	c := Config{Preset: name, WeightRatio: 0.99, WeightText: 0.01, Threshold: 0.9, MinFormShare: 0.25}
	switch name {
	case "r6":
		c.Normalise = true
		fallthrough
	case "r5":
		c.RemoveScripts = true
		fallthrough
	case "r4":
		c.IgnoreForms = true
		fallthrough
	case "r3":
		c.Subset = true
		fallthrough
	case "r2":
		c.Weighted = true
		fallthrough
	case "r1":
		return c, true
	}
	return Config{}, false
}
