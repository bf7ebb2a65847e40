// Package wrapper is the template-independent wrapper:
//
//	Junfeng Wang, Jiajun Bu, Chun Chen, Ziyu Guan, Can Wang, Jian Pei and Wei
//	Vivian Zhang, "Can We Learn a Template-Independent Wrapper for News Article
//	Extraction from a Single Training Site?", KDD 2009.
//
// A reader recognizes the article on a page of any site by its look. So does the
// wrapper: it describes the subtrees that may be the body by their place, their
// size and their paragraphs, and a support vector machine estimates the
// probability that each is one; the most probable wins. The title is found in the
// same way by a second machine, which also knows where the body is. If no browser
// has measured the layout, it is estimated; features and models are the same.
//
// [Paper] returns the settings of the paper; docs/papers.md says how lede reads it, what
// the default does otherwise and why, and has the figures. The model of the paper was learned
// from 40 pages of the site whose pages taught best (section 5.2), that of the default from
// pages of many sites.
package wrapper

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/method"
)

// Wrapper is the method. It is safe for concurrent use.
type Wrapper struct {
	cfg         Config
	classifiers func() (classifiers, error)
}

// New returns the method. It does not load the embedded model; the first call of
// Select does. If c.Model cannot be used, Select returns ErrModel; Model.Check
// tells in advance.
func New(c Config) *Wrapper {
	w := &Wrapper{cfg: c, classifiers: embeddedClassifiers}
	switch {
	case c.Model != nil:
		w.classifiers = sync.OnceValues(c.Model.classifiers)
	case c.paper:
		w.classifiers = paperClassifiers
	}
	return w
}

// Name returns "wrapper", or "wrapper:paper" for the settings of the paper.
func (w *Wrapper) Name() string {
	if w.cfg.paper {
		return "wrapper:paper"
	}
	return "wrapper"
}

// Select selects the article.
func (w *Wrapper) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	models, err := w.classifiers()
	if err != nil {
		return nil, err
	}
	d := p.Doc
	scene := NewScene(d, p.URL, p.Layout, w.cfg)
	body, bodies := w.chooseBody(ctx, scene, models.body)
	if body.node == dom.None && ctx.Err() == nil {
		return nil, method.ErrNoContent
	}
	title, titles := w.chooseTitle(ctx, scene, models.title, body.node)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s := &method.Selection{Title: title.node, Keep: []dom.Node{body.node}, Confidence: body.posterior}
	w.finish(s, d, models, body, bodies, title, titles)
	s.Type = article.TypeArticle
	if !w.cfg.paper {
		s.Type = pageType(d, body.posterior)
	}
	return s, nil
}

// pageType returns the type of the page. If nothing is probably a body, the number
// of links decides. The paper "assumes the given Web page to extract is indeed a
// news page" (section 7).
func pageType(d *dom.Document, posterior float64) article.PageType {
	const minLinks = 20 // on an index page
	switch {
	case posterior >= likely:
		return article.TypeArticle
	case d.Counts(d.Root()).Links >= minLinks:
		return article.TypeIndex
	}
	return article.TypeOther
}

// Config holds the settings. Start from Default or Paper. The screen and the minimum area of a
// body are constants, since no figure depends on them.
type Config struct {
	// Model replaces the embedded model if it is not nil.
	Model *Model

	Scroll bool `param:"scroll" about:"look below the first screen if nothing in it looks like a body"`
	Clean  bool `param:"clean" about:"drop links, advertisements and other boilerplate inside the body, which the paper keeps"`

	paper bool // selects the name of the method, the embedded model and the reading of the paper
}

// ScreenWidth and ScreenHeight are the size of the screen for which layouts are
// estimated, in pixels.
const (
	ScreenWidth  = 1280
	ScreenHeight = 1024
)

// Default returns the best settings.
func Default() Config { return Config{Scroll: true, Clean: true} }

// Paper returns the settings of the paper: the unchanged subtree of the body, found in the
// first screen by the features of the paper alone.
func Paper() Config { return Config{paper: true} }

// isScreen reports whether a screen has a plausible size.
func isScreen(s method.Screen) bool {
	const low, high = 100, 1 << 16
	return s.Width >= low && s.Width <= high && s.Height >= low && s.Height <= high
}

// choice is a candidate with its posterior probability.
type choice struct {
	node      dom.Node
	posterior float64
	x         []float64 // all features
}

// likely is the posterior at which a subtree is more probably a body or title than
// not.
const likely = 0.5

// chooseBody is BodySubtreeExtraction (Figure 11): it returns the candidate with
// the highest posterior, and all candidates. Observation 1 does not hold on pages
// that start with a screen or more of menus, as all do without their style sheets:
// if nothing in the first screen is likely the body, the reader scrolls down a
// screen at a time until something is.
func (w *Wrapper) chooseBody(ctx context.Context, s *Scene, model *classifier) (best choice, all []choice) {
	best.node = dom.None
	for _, candidates := range s.Bodies() {
		all = model.rate(ctx, all, &best, candidates, s.Body)
		if best.posterior >= likely || !w.cfg.Scroll {
			break
		}
	}
	return best, all
}

// chooseTitle is TitleSubtreeExtraction (Figure 12).
func (w *Wrapper) chooseTitle(ctx context.Context, s *Scene, model *classifier, body dom.Node) (best choice, all []choice) {
	best.node = dom.None
	for _, far := range []bool{false, true} {
		all = model.rate(ctx, all[:0], &best, s.Titles(body, far), func(n dom.Node) []float64 { return s.Title(n, body) })
		if best.posterior >= likely || !w.cfg.Scroll {
			break
		}
	}
	return best, all
}

// rate appends the candidates with their posteriors to all, and updates the best.
func (c *classifier) rate(
	ctx context.Context, all []choice, best *choice, candidates []dom.Node, features func(dom.Node) []float64,
) []choice {
	for _, n := range candidates {
		if ctx.Err() != nil {
			break
		}
		x := choice{node: n, x: features(n)}
		x.posterior = c.posterior(x.x)
		if x.posterior > best.posterior {
			*best = x
		}
		all = append(all, x)
	}
	return all
}

// finish adds the reasons for the body, the title and the closest other candidates, and
// drops boilerplate inside the body. The first reason for a node counts.
func (w *Wrapper) finish(
	s *method.Selection, d *dom.Document, m classifiers, body choice, bodies []choice, title choice, titles []choice,
) {
	s.Reasons = append(s.Reasons, method.Reason{
		Node: body.node, Kept: true, Score: body.posterior,
		Why: reasons.Percent(body.posterior) + ", the body of the story: " + m.body.strongest(body, bodies, bodyWords),
	})
	if title.node != dom.None {
		if d.Contains(body.node, title.node) && title.node != body.node {
			s.Drop = append(s.Drop, title.node)
		}
		s.Reasons = append(s.Reasons, method.Reason{
			Node: title.node, Kept: title.node == body.node, Score: title.posterior,
			Why: reasons.Percent(title.posterior) + ", the headline: " + m.title.strongest(title, titles, titleWords),
		})
	}
	for _, c := range closest(d, bodies, body.node) {
		s.Reasons = append(s.Reasons, method.Reason{
			Node: c.node, Score: c.posterior,
			Why: reasons.Percent(c.posterior) + ": another part of the page is more like the body of a story",
		})
	}
	if w.cfg.Clean {
		clean(d, body.node, title.node, s)
	}
	slices.Sort(s.Drop)
	slices.SortStableFunc(s.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
	s.Reasons = slices.CompactFunc(s.Reasons, func(a, b method.Reason) bool { return a.Node == b.Node })
}

// closest returns the best candidates outside the body.
func closest(d *dom.Document, all []choice, body dom.Node) []choice {
	const count = 3
	var out []choice
	for _, c := range all {
		if !d.Contains(body, c.node) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b choice) int { return cmp.Compare(b.posterior, a.posterior) })
	return out[:min(count, len(out))]
}

// strongest describes the features that count most for a candidate: those that
// would cost it most if they had the mean value of all candidates. words describes
// a feature by its name and its value.
func (c *classifier) strongest(best choice, all []choice, words func(name string, value float64) string) string {
	const count = 3
	x := c.pick(best.x)
	score := c.svm.Decision(x)
	type part struct {
		loss float64
		text string
	}
	var parts []part
	for i, k := range c.columns {
		mean := 0.0
		for _, o := range all {
			mean += o.x[k] / float64(len(all))
		}
		own := x[i]
		x[i] = mean
		parts = append(parts, part{score - c.svm.Decision(x), words(c.names[i], own)})
		x[i] = own
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.loss, a.loss) })
	var texts []string
	for _, p := range parts[:min(count, len(parts))] {
		if p.loss > 0 {
			texts = append(texts, p.text)
		}
	}
	if len(texts) == 0 {
		return "no other part of the page is more like it"
	}
	return strings.Join(texts, ", ")
}
