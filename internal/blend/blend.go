// Package blend is lede's default method. It cuts the page into blocks of text,
// reads the index and the choices of the published methods for each of them,
// and has a model tell how probably the block is part of the story. Then it
// chooses, by all of the blocks together, which are.
//
// What the model knows was learned from pages whose story is known; MODEL.md
// tells from which, and how well it does on sites that it has never seen.
package blend

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/coreex"
	"github.com/lede-news/lede/internal/learn/trees"
	"github.com/lede-news/lede/internal/nce"
	"github.com/lede-news/lede/method"
)

// Config holds the settings of the method. The zero value is the default.
type Config struct {
	// Model is another than the one that lede comes with.
	Model *Model
}

// Blend is the method. It is safe for concurrent use.
type Blend struct {
	own       *Model
	published published
	desks     sync.Pool // of *desk
}

// model is read when it is first needed.
func (b *Blend) model() *Model {
	if b.own != nil {
		return b.own
	}
	return learned()
}

// New makes the method.
func New(c Config) *Blend {
	return &Blend{own: c.Model, published: publish(), desks: sync.Pool{New: func() any { return new(desk) }}}
}

// Name is "blend".
func (*Blend) Name() string { return "blend" }

// Select chooses the story.
func (b *Blend) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	desk := b.desks.Get().(*desk)
	defer b.clear(desk)
	v := &desk.view
	v.Read(p.Doc, b.model().Tables)
	if len(v.Blocks) == 0 {
		return nil, method.ErrNoContent
	}
	desk.rows = v.AppendRows(desk.rows[:0], b.published.ask(ctx, p))
	rows := desk.rows
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	story := judge(b.model().Story, v, rows, &desk.bins)
	c := &choice{View: v, p: story, apart: apart(v, story), page: p.Doc}
	c.kept = choose(v, story, c.apart, p.Favor)
	kind := b.kind(c, p.URL)
	if kind == article.TypeArticle {
		c.dropThreads() // a forum is nothing but those
	}
	if !c.finish() {
		return nil, method.ErrNoContent
	}
	const stub = 20 // words are no article yet
	if kind == article.TypeArticle && c.words() < stub {
		kind = article.TypeOther
	}
	s := c.selection()
	s.Type, s.Confidence = kind, c.expected()
	if !p.NoReasons {
		b.explain(s, c, rows)
	}
	return s, nil
}

// Judge tells how probably each block is story. Blocks that stand alike are
// judged together, in part: a paragraph among paragraphs of a story is more
// probably one of them than its own text tells.
func Judge(m *trees.Model, v *blocks.View, rows []float32) []float32 {
	return judge(m, v, rows, new([]uint8))
}

func judge(m *trees.Model, v *blocks.View, rows []float32, room *[]uint8) []float32 {
	n := len(v.Blocks)
	width, features := m.Width(), len(blocks.Features)
	*room = slices.Grow((*room)[:0], n*width)[:n*width]
	bins := *room
	for i := range n {
		m.Bin(rows[i*features:(i+1)*features], bins[i*width:(i+1)*width])
	}
	out := make([]float32, n)
	m.Scores(bins, n, out)
	const together = 0.4
	v.Together(out, together)
	for i, x := range out {
		out[i] = float32(1 / (1 + math.Exp(-float64(x))))
	}
	return out
}

// kind says what kind of page it is, by the page and what is chosen of it.
func (b *Blend) kind(c *choice, url string) article.PageType {
	m := b.model().Kind
	row := c.PageRow(url, b.model().Tables, c.p, c.kept)
	bins := make([]uint8, m.Width())
	m.Bin(row, bins)
	scores := make([]float32, m.Outputs())
	m.Scores(bins, 1, scores)
	trees.Chances(scores)
	return Kinds[likeliestKind(scores)]
}

// likeliestKind is article when that is rather more probable than not, or else
// the likelier of the others. Most training pages are articles, so that an even
// chance is no good sign.
func likeliestKind(chances []float32) int {
	const rather = 0.55
	best := 0
	for k := range chances {
		if k > 0 && chances[0] <= rather && (best == 0 || chances[k] > chances[best]) {
			best = k
		}
	}
	return best
}

// Kinds are the kinds of pages by the class that the model has for them.
var Kinds = [...]article.PageType{article.TypeArticle, article.TypeIndex, article.TypeOther}

// published are the published methods that are asked. TWCEM is not: what it says is
// in the likeness to the title, and it would cost as much as all the trees (see
// MODEL.md).
type published struct {
	nce    *nce.NCE
	coreex *coreex.CoreEx
}

func publish() published {
	return published{nce.New(nce.Default()), coreex.New(coreex.Default())}
}

// Ask has the published methods choose. One that finds nothing gives no signal.
func Ask(ctx context.Context, p *method.Page) blocks.Signals { return publish().ask(ctx, p) }

func (a published) ask(ctx context.Context, p *method.Page) blocks.Signals {
	brief := *p
	brief.NoReasons, brief.TextOnly = true, true
	mask := func(m method.Method) []bool {
		s, err := m.Select(ctx, &brief)
		if err != nil || s == nil {
			return nil
		}
		return s.Mask(p.Doc)
	}
	return blocks.Signals{NCE: mask(a.nce), CoreEx: mask(a.coreex)}
}

// desk is the memory that the work on a page takes. It is much, and needed for a
// moment only, so that the next page is laid on the same desk.
type desk struct {
	view blocks.View
	rows []float32
	bins []uint8
}

// clear makes a desk ready for the next page. One that a huge page has made too
// large goes.
func (b *Blend) clear(d *desk) {
	const most = 1 << 20 // a usual page needs a twentieth
	if d.view.Forget() && cap(d.rows) <= most {
		b.desks.Put(d)
	}
}
