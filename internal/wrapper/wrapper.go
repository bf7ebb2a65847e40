// Package wrapper is the template-independent wrapper:
//
//	Junfeng Wang, Jiajun Bu, Chun Chen, Ziyu Guan, Can Wang, Jian Pei and Wei
//	Vivian Zhang, "Can We Learn a Template-Independent Wrapper for News Article
//	Extraction from a Single Training Site?", KDD 2009.
//
// A reader finds the story on a page of any site by its look. So does the
// wrapper: it takes the subtrees of the page that may be the body, describes
// each by its place, its size and its paragraphs, and asks a support vector
// machine how likely it is to be one; the likeliest wins. The title is found the
// same way by a machine of its own, which also sees where the body stands. Where
// no browser has measured the layout it is estimated; the features and the models
// are the same.
//
// What the paper leaves open is read like this:
//
//   - The screen is 1280 by 1024 pixels (section 3.1.2: "constants"), or what the
//     layout was made for.
//   - The formatting elements are <p>, <br>, <b>, <strong>, <i>, <em>, <font> and
//     <u> (section 3.1.1 names five). A <br> holds no text and formats the text
//     beside it. Text inside several counts once in the sum of the page.
//   - The rectangle of an element without height, such as a parent of floats, is
//     that around what its children show.
//   - BigEnough asks for 2 % of the area of a screen (section 3.3, Observation 2),
//     about two lines of a column.
//   - The first screen (Observation 1 of sections 3.3 and 4.2) may hold nothing but
//     menus, as on any page that has lost its style sheets. Where nothing in a
//     screen is likelier a body than not, the reader scrolls to the next one, and
//     tops count from there. The title of such a body stands in its screen or the
//     one before; if nothing there is likely a title, anywhere before.
//   - A link to the page itself is no anchor text (section 4.2, Observation 2).
//   - Category names have four words at most: a longer text that is also a link is
//     that of a list of headlines. The last of a row of crumbs is a category name
//     too (Observation 3).
//   - A full stop is that of any script, and closing quotes and brackets may follow.
//     Words of Han and Kana have two characters. WordNum and FontSize end at 1.
//   - Distance is the gap between title and body, 0 where one stands in the other.
//
// Three features are lede's own, since pages have changed since 2009: ProseLen
// and ProseShare for stories that are parted into sections, and PageTitle, the
// likeness of a candidate to the titles in the head of the page. The preset "paper" does without them,
// without scrolling and without the cleaning of the body.
package wrapper

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Wrapper is the method. It is safe for concurrent use.
type Wrapper struct {
	cfg         Config
	body, title *classifier
	err         error
}

// New makes the method. That a model is not one for wrappers is told by Select;
// Model.Check tells it before.
func New(c Config) *Wrapper {
	m := c.Model
	switch {
	case m != nil:
	case c.Preset == paperPreset:
		m = ShippedPaper()
	default:
		m = Shipped()
	}
	w := &Wrapper{cfg: c, err: m.Check()}
	if w.err == nil {
		w.body, _ = newClassifier(m.Body, BodyFeatures())
		w.title, _ = newClassifier(m.Title, TitleFeatures())
	}
	return w
}

// Name is "wrapper", and for the preset "wrapper:paper".
func (w *Wrapper) Name() string {
	if w.cfg.Preset != "" {
		return "wrapper:" + w.cfg.Preset
	}
	return "wrapper"
}

// Select chooses the story.
func (w *Wrapper) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if w.err != nil {
		return nil, w.err
	}
	d := p.Doc
	scene := NewScene(d, p.URL, p.Layout, w.cfg)
	body, bodies := w.chooseBody(ctx, scene)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if body.node == dom.None {
		return nil, method.ErrNoContent
	}
	title, titles := w.chooseTitle(ctx, scene, body.node)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s := &method.Selection{Title: title.node, Keep: []dom.Node{body.node}, Confidence: body.posterior}
	w.explain(s, d, body, bodies, title, titles)
	s.Type = judge(d, body.posterior)
	return s, nil
}

// judge tells what kind of page it is. The paper takes every page for a story;
// where nothing is likely to be a body, the links tell.
func judge(d *dom.Document, posterior float64) article.PageType {
	const few = 20 // links on a page that is no index
	switch {
	case posterior >= likely:
		return article.TypeArticle
	case d.Counts(d.Root()).Links >= few:
		return article.TypeIndex
	}
	return article.TypeOther
}

// Config holds the settings. Start from Default or Preset.
type Config struct {
	// Preset is "paper", or empty. It names the method, and the model where
	// there is no other.
	Preset string
	// Model is what was learned; nil means the one that comes with lede.
	Model *Model

	Width   int     `param:"width" about:"width of the screen in pixels, ScreenWidth, where the layout is estimated"`
	Height  int     `param:"height" about:"height of the screen in pixels, ScreenHeight, where the layout is estimated"`
	MinArea float64 `param:"min-area" about:"least area of a body as a share of the screen's, BigEnough"`
	Scroll  bool    `param:"scroll" about:"look below the first screen where nothing in it looks like a body"`
	Clean   bool    `param:"clean" about:"leave out links, advertisements and other furniture inside the body, which the paper keeps"`
}

// The screen that layouts are estimated for.
const (
	DefaultWidth  = 1280
	DefaultHeight = 1024
)

// Default is the best reading.
func Default() Config {
	return Config{Width: DefaultWidth, Height: DefaultHeight, MinArea: 0.02, Scroll: true, Clean: true}
}

const paperPreset = "paper"

// Preset gives the settings of the paper, "paper": the subtree of the body as
// it is, found in the first screen by the features of the paper alone.
func Preset(name string) (Config, bool) {
	if name != paperPreset {
		return Config{}, false
	}
	c := Default()
	c.Preset, c.Scroll, c.Clean = name, false, false
	return c, true
}

func (c *Config) screen() method.Screen {
	s := method.Screen{Width: float64(c.Width), Height: float64(c.Height)}
	if !isScreen(s) {
		return method.Screen{Width: DefaultWidth, Height: DefaultHeight}
	}
	return s
}

// isScreen tells sizes that somebody may read a page on.
func isScreen(s method.Screen) bool {
	const least, most = 100, 1 << 16
	return s.Width >= least && s.Width <= most && s.Height >= least && s.Height <= most
}

// choice is a candidate with its posterior probability.
type choice struct {
	node      dom.Node
	posterior float64
	x         []float64 // its features, all of them
}

// likely is the posterior from which on a subtree is rather what it is taken
// for than not.
const likely = 0.5

// chooseBody is BodySubtreeExtraction (Figure 11): the candidate with the
// highest posterior. Observation 1 does not hold on pages that open with a
// screen or more of menus, as all do without their style sheets: where nothing
// in the first screen is likely to be the body, the reader scrolls down a
// screen at a time until something is.
func (w *Wrapper) chooseBody(ctx context.Context, s *Scene) (best choice, others []choice) {
	best.node = dom.None
	for _, candidates := range s.Bodies() {
		for _, n := range candidates {
			if ctx.Err() != nil {
				return best, others
			}
			c := choice{node: n, x: s.Body(n)}
			c.posterior = w.body.posterior(c.x)
			if c.posterior > best.posterior {
				best = c
			}
			others = append(others, c)
		}
		if best.posterior >= likely || !w.cfg.Scroll {
			break
		}
	}
	return best, others
}

// chooseTitle is TitleSubtreeExtraction (Figure 12).
func (w *Wrapper) chooseTitle(ctx context.Context, s *Scene, body dom.Node) (best choice, others []choice) {
	best.node = dom.None
	for _, far := range []bool{false, true} {
		others = others[:0]
		for _, n := range s.Titles(body, far) {
			if ctx.Err() != nil {
				return best, others
			}
			c := choice{node: n, x: s.Title(n, body)}
			c.posterior = w.title.posterior(c.x)
			if c.posterior > best.posterior {
				best = c
			}
			others = append(others, c)
		}
		if best.posterior >= likely || !w.cfg.Scroll {
			break
		}
	}
	return best, others
}

// explain says why the body and the title were taken and what came close, and
// drops what is no part of the story inside the body.
func (w *Wrapper) explain(s *method.Selection, d *dom.Document, body choice, bodies []choice, title choice, titles []choice) {
	s.Reasons = append(s.Reasons, method.Reason{
		Node: body.node, Kept: true, Score: body.posterior,
		Why: fmt.Sprintf("body, posterior %.3f: %s", body.posterior, w.body.strongest(body, bodies)),
	})
	for _, c := range closest(d, bodies, body.node) {
		s.Reasons = append(s.Reasons, method.Reason{Node: c.node, Score: c.posterior, Why: fmt.Sprintf("less like a body, posterior %.3f", c.posterior)})
	}
	if w.cfg.Clean {
		clean(d, body.node, title.node, s)
	}
	if title.node != dom.None {
		if d.Contains(body.node, title.node) && title.node != body.node {
			s.Drop = append(s.Drop, title.node)
		}
		s.Reasons = append(s.Reasons, method.Reason{
			Node: title.node, Kept: title.node == body.node, Score: title.posterior,
			Why: fmt.Sprintf("title, posterior %.3f: %s", title.posterior, w.title.strongest(title, titles)),
		})
	}
	slices.Sort(s.Drop)
	slices.SortStableFunc(s.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
	s.Reasons = slices.CompactFunc(s.Reasons, func(a, b method.Reason) bool { return a.Node == b.Node })
}

// closest are the few candidates outside the body that it had to beat.
func closest(d *dom.Document, all []choice, body dom.Node) []choice {
	const few = 3
	var out []choice
	for _, c := range all {
		if !d.Contains(body, c.node) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b choice) int { return cmp.Compare(b.posterior, a.posterior) })
	return out[:min(few, len(out))]
}

// strongest names the features that speak most for a candidate: those without
// which, with the mean of all candidates in their place, it would lose most.
func (c *classifier) strongest(best choice, all []choice) string {
	const few = 3
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
		parts = append(parts, part{score - c.svm.Decision(x), fmt.Sprintf("%s %.2f", c.names[i], own)})
		x[i] = own
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.loss, a.loss) })
	var texts []string
	for _, p := range parts[:min(few, len(parts))] {
		texts = append(texts, p.text)
	}
	return strings.Join(texts, ", ")
}
