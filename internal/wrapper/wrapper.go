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
	"context"

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
