// Package blend is lede's default method. It cuts a page into blocks of text
// and describes each by some 200 features, among them the choices of NCE and
// CoreEx. A model estimates the probability that a block belongs to the
// article, and rules that look at all blocks together decide which are kept.
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
	"github.com/lede-news/lede/internal/methods/coreex"
	"github.com/lede-news/lede/internal/methods/nce"
	"github.com/lede-news/lede/internal/methods/trees"
	"github.com/lede-news/lede/method"
)

// Config holds the settings of the method. The zero value is the default.
type Config struct {
	// Model replaces the embedded model if it is not nil.
	Model *Model
}

// Blend is the method. It is safe for concurrent use.
type Blend struct {
	model   func() *Model
	scratch sync.Pool // of *scratch
}

// New returns the method. It does not load the embedded model; the first call
// of Select does.
func New(c Config) *Blend {
	b := &Blend{model: embeddedModel, scratch: sync.Pool{New: func() any { return new(scratch) }}}
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
	return b.decide(newChoice(&mem.view, prob, p), p, mem)
}

// judge returns the probabilities of the blocks.
func (b *Blend) judge(ctx context.Context, p *method.Page, mem *scratch) ([]float32, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	v := &mem.view
	v.Read(p.Doc, b.model().Tables)
	if len(v.Blocks) == 0 {
		return nil, method.ErrNoContent
	}
	mem.signals, mem.rows = Signals(ctx, p), mem.rows[:0]
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return mem.probabilities(b.model().Story), nil
}

// decide selects the article by the choice of blocks.
func (b *Blend) decide(c choice, p *method.Page, mem *scratch) (*method.Selection, error) {
	m, v := b.model().Story, &mem.view
	kind, chance := PageType(b.model().Kind, v.PageRow(p.URL, b.model().Tables, c.prob, c.kept))
	if kind == article.TypeArticle {
		kind, chance = c.checkType(chance)
	}
	if kind == article.TypeArticle {
		c.dropComments() // a forum consists of nothing else
		c.keepEntryHeadings()
		c.keepListLabels()
	} else if t := b.model().Other; t != nil {
		other := newOtherChoice(v, mem.probabilities(t), p)
		if other.replaces(&c, kind, chance) {
			c, m = other, t
		}
	}
	if !c.finish() {
		return nil, method.ErrNoContent
	}
	const minWords = 20 // of an article
	if kind == article.TypeArticle && c.words() < minWords {
		kind = article.TypeOther
	}
	s := c.selection()
	s.Type, s.Confidence = kind, c.expectedF1()
	if !p.NoReasons {
		s.Reasons = c.reasons(m, v.Rows(mem.signals))
	}
	return s, nil
}

// probabilities is Probabilities of the blocks of the page.
func (s *scratch) probabilities(m *trees.Model) []float32 {
	v := &s.view
	out := make([]float32, len(v.Blocks))
	rows := v.Describe(s.signals)
	for first := 0; first < len(out); first += maxRows {
		n := min(maxRows, len(out)-first)
		if n < len(out) || len(s.rows) == 0 { // few blocks were described for another model, too
			s.rows = rows.Append(s.rows[:0], n)
		}
		m.Scores(s.rows, n, out[first:])
	}
	return smooth(v, out)
}

// Probabilities returns the probability that each block belongs to the article,
// by the features of all blocks.
func Probabilities(m *trees.Model, v *blocks.View, rows []float32) []float32 {
	out := make([]float32, len(v.Blocks))
	m.Scores(rows, len(v.Blocks), out)
	return smooth(v, out)
}

// smooth turns scores into probabilities. Blocks in similar places are judged
// together to some degree: a paragraph among paragraphs of an article is more likely
// one of them than its own text suggests.
func smooth(v *blocks.View, out []float32) []float32 {
	const groupWeight = 0.4
	v.SmoothGroups(out, groupWeight)
	for i, x := range out {
		out[i] = float32(1 / (1 + math.Exp(-float64(x))))
	}
	return out
}

// PageTypes holds the page types in the order of the model's classes.
var PageTypes = [...]article.PageType{article.TypeArticle, article.TypeIndex, article.TypeOther}

// PageType classifies a page by its features. It also returns the probability that
// the page is an article.
func PageType(m *trees.Model, row []float32) (kind article.PageType, chance float32) {
	scores := make([]float32, m.Outputs())
	m.Scores(row, 1, scores)
	trees.Probabilities(scores)
	return PageTypes[likeliestType(scores)], scores[0]
}

// likeliestType returns 0, an article, if that is clearly more probable than
// not, and otherwise the most probable of the other classes. Most training
// pages are articles, so an even chance is a bad sign.
func likeliestType(chances []float32) int {
	const clear = 0.55
	best := 0
	for k := range chances {
		if k > 0 && chances[0] <= clear && (best == 0 || chances[k] > chances[best]) {
			best = k
		}
	}
	return best
}

// The published methods whose choices are features. TWCEM is not among them: it
// adds nothing to the similarity with the title, and costs as much as all trees
// (see MODEL.md).
var (
	newsExtractor = nce.New(trainedNCE())
	coreExtractor = coreex.New(coreSettings())
)

// coreSettings returns the settings of CoreEx that the model was trained with: the
// paper's weights.
func coreSettings() coreex.Config {
	c := coreex.Default()
	c.WeightRatio, c.WeightText, c.Ideographs = 0.99, 0.01, 1
	return c
}

// trainedNCE returns the settings of NCE with which the model was trained.
func trainedNCE() nce.Config {
	c := nce.Default()
	c.Alpha5, c.Alpha6, c.Alpha7, c.Beta2 = 3, 25, 15, 0.8
	return c
}

// Signals returns what the published methods select. A method that finds no
// article gives no signal.
func Signals(ctx context.Context, p *method.Page) blocks.Signals {
	textOnly := *p
	textOnly.NoReasons, textOnly.TextOnly = true, true
	mask := func(m method.Method) []bool {
		s, err := m.Select(ctx, &textOnly)
		if err != nil {
			return nil
		}
		return s.Mask(p.Doc)
	}
	return blocks.Signals{NCE: mask(newsExtractor), CoreEx: mask(coreExtractor)}
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
