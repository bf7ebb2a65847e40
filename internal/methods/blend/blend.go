// Package blend is lede's default method. It cuts a page into blocks of text
// and describes each by its features, among them the choice of NCE and what the page
// seems to be. A model estimates the probability that a block belongs to the article,
// and rules that look at all blocks together settle what is in doubt.
//
// MODEL.md describes what the model was trained on, and how well it does on
// sites that it has never seen.
package blend

import (
	"context"
	"math"
	"sync"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/methods/nce"
	"github.com/lede-news/lede/internal/methods/trees"
	"github.com/lede-news/lede/method"
)

// Config holds the settings of the method. The zero value is the default.
type Config struct {
	// Model replaces the embedded model if it is not nil.
	Model *Model
	// Without is one of Rules that is not applied, to measure what it gains.
	Without string
}

// Rules are the rules that decide beside the model.
var Rules = [...]string{
	smoothRule, itemsRule, datelineRule, boilerplateRule, linkLineRule, commentsRule, commentNameRule, secondStoryRule, bestRule, subheadingRule, repeatRule,
}

// Rules, by what is said about the blocks that they weaken or drop.
const (
	noRule          = ""
	headlineRule    = "the headline"
	datelineRule    = "a line with the date of publication"
	linkLineRule    = "a line of links"
	commentsRule    = "readers' comments"
	commentNameRule = "in a box named for readers' comments"
	secondStoryRule = "below the headline of another story"
	repeatRule      = "a copy of an earlier paragraph"
	linksRule       = "nothing but links"
	boilerplateRule = "in a menu, in a footer or part of a button"

	// These decide about several blocks together, for and against.
	smoothRule     = "smoothing of blocks in similar places"
	itemsRule      = "items of lists and cells of tables together"
	bestRule       = "the best threshold of the page"
	subheadingRule = "sub-headings between paragraphs"
)

// Blend is the method. It is safe for concurrent use.
type Blend struct {
	model   func() *Model
	without string
	scratch sync.Pool // of *scratch
}

// New returns the method. It does not load the embedded model; the first call
// of Select does.
func New(c Config) *Blend {
	b := &Blend{model: embeddedModel, without: c.Without, scratch: sync.Pool{New: func() any { return new(scratch) }}}
	if c.Model != nil {
		b.model = func() *Model { return c.Model }
	}
	return b
}

// Name returns "blend".
func (*Blend) Name() string { return "blend" }

// Select selects the article. It does not read p.Site; see SelectWithSite.
func (b *Blend) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	mem := b.scratch.Get().(*scratch)
	defer b.release(mem)
	prob, err := b.judge(ctx, p, mem)
	if err != nil {
		return nil, err
	}
	return b.decide(newChoice(&mem.view, prob, p, b.without), p, mem)
}

// judge returns the probabilities of the blocks.
func (b *Blend) judge(ctx context.Context, p *method.Page, mem *scratch) ([]float32, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	m, v := b.model(), &mem.view
	v.Read(p.Doc, m.Tables)
	if len(v.Blocks) == 0 {
		return nil, method.ErrNoContent
	}
	mem.signals = Signals(ctx, p)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	m.SeePage(v)
	out := make([]float32, len(v.Blocks))
	rows := v.Describe(mem.signals)
	for first := 0; first < len(out); first += maxRows {
		n := min(maxRows, len(out)-first)
		mem.rows = rows.Append(mem.rows[:0], n)
		m.Story.Scores(mem.rows, n, out[first:])
	}
	return smooth(v, out, b.without), nil
}

// decide selects the article by the choice of blocks.
func (b *Blend) decide(c choice, p *method.Page, mem *scratch) (*method.Selection, error) {
	m, v := b.model(), &mem.view
	if !c.finish() {
		return nil, method.ErrNoContent
	}
	s := c.selection()
	row := v.ChoiceRow(c.model, c.kept)
	const digits = 1000 // more would pretend to know
	s.Confidence = math.Round(c.expectedF1()*trust(chances(m.Trust, row))*digits) / digits
	s.Type = c.pageType(chances(m.Kind, v.KindRow(row, p.URL)), s.Confidence)
	if !p.NoReasons {
		s.Reasons = c.reasons(m.Story, v.Rows(mem.signals))
	}
	return s, nil
}

// TrustClasses are the bounds of the F1 of a choice that its confidence distinguishes, and what
// each class counts: a choice that is mostly wrong counts nothing.
var TrustClasses = [...]struct{ Below, Credit float64 }{{0.75, 0}, {0.9, 0.75}, {0.97, 0.95}, {math.Inf(1), 1}}

// trust returns how far a choice can be trusted, by the signs that it is wrong.
func trust(chances []float32) (sum float64) {
	for k, p := range chances {
		sum += float64(p) * TrustClasses[k].Credit
	}
	return sum
}

// SeePage judges what a page is, by what does not depend on its URL, for the features of
// its blocks.
func (m *Model) SeePage(v *blocks.View) {
	c := chances(m.Page, v.PageRow())
	v.Article, v.Index = c[0], c[1]
}

// Probabilities returns the probability that each block belongs to the article,
// by the features of all blocks.
func Probabilities(m *trees.Model, v *blocks.View, rows []float32) []float32 {
	out := make([]float32, len(v.Blocks))
	m.Scores(rows, len(v.Blocks), out)
	return smooth(v, out, "")
}

// smooth turns scores into probabilities. Blocks in similar places are judged
// together to some degree: a paragraph among paragraphs of an article is more likely
// one of them than its own text suggests.
func smooth(v *blocks.View, out []float32, without string) []float32 {
	const groupWeight = 0.4
	if without != smoothRule {
		v.SmoothGroups(out, groupWeight)
	}
	for i, x := range out {
		out[i] = probability(x)
	}
	return out
}

// PageTypes holds the page types in the order of the model's classes.
var PageTypes = [...]article.PageType{article.TypeArticle, article.TypeIndex, article.TypeOther}

// chances returns the probability of each type of page.
func chances(m *trees.Model, row []float32) []float32 {
	scores := make([]float32, m.Outputs())
	m.Scores(row, 1, scores)
	trees.Probabilities(scores)
	return scores
}

// pageType returns an article if that is clearly more probable than not, and otherwise
// the most probable of the other types. Most training pages are articles, so an even
// chance is a bad sign, and so is a choice that cannot be trusted or has only a few words.
func (c *choice) pageType(chances []float32, confidence float64) article.PageType {
	const clear, trusted, minWords = 0.55, 0.25, 20
	if float64(chances[0])*min(1, confidence/trusted) > clear && c.words() >= minWords {
		return article.TypeArticle
	}
	if chances[2] > chances[1] {
		return article.TypeOther
	}
	return article.TypeIndex
}

// newsExtractor selects the text whose choice is a feature. CoreEx and TWCEM add nothing
// to it (see MODEL.md).
var newsExtractor = nce.New(trainedNCE())

// trainedNCE returns the settings of NCE with which the model was trained.
func trainedNCE() nce.Config {
	c := nce.Default()
	c.Alpha5, c.Alpha6, c.Alpha7, c.Beta2 = 3, 25, 15, 0.8
	return c
}

// Signals returns what NCE selects. If it finds no article, it gives no signal.
func Signals(ctx context.Context, p *method.Page) blocks.Signals {
	textOnly := *p
	textOnly.NoReasons, textOnly.TextOnly = true, true
	s, err := newsExtractor.Select(ctx, &textOnly)
	if err != nil {
		return blocks.Signals{}
	}
	return blocks.Signals{NCE: s.Mask(p.Doc)}
}

// maxRows is how many blocks are described at a time. Most pages have fewer.
const maxRows = 256

// scratch is the memory for the work on one page. It is pooled.
type scratch struct {
	view    blocks.View
	signals blocks.Signals
	rows    []float32 // of up to maxRows blocks
}

// release returns memory to the pool, unless a huge page has made it too large.
func (b *Blend) release(s *scratch) {
	if s.signals = (blocks.Signals{}); s.view.Release() {
		b.scratch.Put(s)
	}
}
