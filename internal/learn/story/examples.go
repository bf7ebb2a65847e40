package story

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/method"
)

// Example is a page whose story is known.
type Example struct {
	Corpus  string
	Gold    *corpus.Gold
	Site    string
	Fold    int
	Kind    article.PageType // empty when unknown
	Doc     *dom.Document
	Signals blocks.Signals
	// Story tells by block what share of its words is in the gold.
	Story []float32
	// Title marks the blocks that hold the headline, which is neither story
	// nor furniture.
	Title []bool

	part bool // of a page
	// lost says that next to nothing of the gold is on the page: it was kept in
	// another encoding, or taken from another page.
	lost bool
}

// Folds is how many parts the sites are split into.
const Folds = 10

// Load reads a page of a corpus.
func Load(ctx context.Context, c *corpus.Corpus, g *corpus.Gold) (*Example, error) {
	page, err := c.Page(g)
	if err != nil {
		return nil, err
	}
	x, err := NewExample(ctx, g, page)
	if err != nil {
		return nil, fmt.Errorf("corpus %s, page %s: %w", c.Name, g.ID, err)
	}
	x.Corpus = c.Name
	return x, nil
}

// NewExample aligns the gold of a page with it.
func NewExample(ctx context.Context, g *corpus.Gold, page []byte) (*Example, error) {
	x := &Example{Gold: g}
	var err error
	if x.Doc, err = dom.Parse(ctx, page, dom.Options{Charset: "utf-8"}); err != nil {
		return nil, err
	}
	x.Site = siteOf(x.Doc, g)
	x.Fold = corpus.Fold(x.Site, Folds)
	x.Kind = kindOf(g.Type)
	x.Signals = blend.Ask(ctx, &method.Page{Doc: x.Doc, URL: g.URL})
	x.label()
	return x, nil
}

// siteOf is the site of a page: what its gold says, or where the page itself
// says that it lives.
func siteOf(d *dom.Document, g *corpus.Gold) string {
	if g.Site != "" {
		return g.Site
	}
	for n := range d.All(0, dom.Link) {
		if d.AttrOr(n, "rel") == "canonical" {
			if u, err := url.Parse(d.AttrOr(n, "href")); err == nil && u.Host != "" {
				return strings.TrimPrefix(u.Hostname(), "www.")
			}
		}
	}
	return g.ID
}

// kindOf sorts the types of the corpora: what leads to other pages is an index.
func kindOf(name string) article.PageType {
	switch name {
	case "":
		return ""
	case "article":
		return article.TypeArticle
	case "collection", "listing", "index":
		return article.TypeIndex
	}
	return article.TypeOther
}

func (x *Example) label() {
	v := blocks.Read(x.Doc, new(blocks.Tables))
	x.Story = make([]float32, len(v.Blocks))
	x.Title = make([]bool, len(v.Blocks))
	marks := measure.Align(x.Doc, x.Gold.Text)
	headline := letters(x.Gold.Title)
	found := 0
	for i := range v.Blocks {
		b := &v.Blocks[i]
		in := 0
		for n := b.First; n <= b.Last; n++ {
			if marks[n] {
				in += x.Doc.Words(n)
			}
		}
		found += in
		x.Story[i] = float32(in) / float32(max(b.Words(), 1))
		x.Title[i] = i == v.Headline || headline != "" && b.Words() < 60 && letters(v.Text(i)) == headline
	}
	x.lost = 10*found < len(measure.Words(x.Gold.Text))
}

// letters keeps what does not change when a headline is set in another type.
func letters(s string) string { return strings.Join(measure.Words(s), "") }

// fragment makes another example of a page: the part of it around its story and
// nothing else. Small pages, and parts of pages that users cut out themselves,
// lack the menus and sidebars by which the rest of the training pages tell what
// is no story. It is nil where there is no such part.
func (x *Example) fragment(ctx context.Context) *Example {
	d := x.Doc
	v := blocks.Read(d, new(blocks.Tables))
	home := dom.None
	for i := range v.Blocks {
		switch {
		case x.Story[i] < 0.5:
		case home == dom.None:
			home = v.Blocks[i].Owner
		default:
			home = d.CommonAncestor(home, v.Blocks[i].Owner)
		}
	}
	if home == dom.None {
		return nil
	}
	// One page in four is cut at the story itself, the others further out.
	for range corpus.Fold(x.Gold.ID, 4) {
		if p := d.Parent(home); p != dom.None {
			home = p
		}
	}
	if tag := d.Tag(home); tag == dom.Root || tag == dom.HTML || tag == dom.Body {
		return nil
	}
	part, err := dom.FromNode(d.HTML(home), dom.Limits{})
	if err != nil {
		return nil
	}
	y := &Example{Gold: x.Gold, Site: x.Site, Fold: x.Fold, Doc: part, part: true}
	y.Signals = blend.Ask(ctx, &method.Page{Doc: part, URL: x.Gold.URL})
	y.label()
	return y
}

// LoadAll loads the pages of a corpus that have a gold text, on all cores, and
// beside each the part of it around its story.
func LoadAll(ctx context.Context, c *corpus.Corpus, progress func(what string, done, total int)) ([]*Example, error) {
	var gold []*corpus.Gold
	for i := range c.Gold {
		if strings.TrimSpace(c.Gold[i].Text) != "" {
			gold = append(gold, &c.Gold[i])
		}
	}
	out, parts := make([]*Example, len(gold)), make([]*Example, len(gold))
	errs := make([]error, len(gold))
	var wg sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(gold) || ctx.Err() != nil {
					return
				}
				if out[i], errs[i] = Load(ctx, c, gold[i]); errs[i] == nil {
					parts[i] = out[i].fragment(ctx)
				}
				mu.Lock()
				done++
				progress("pages of "+c.Name, done, len(gold))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	out = append(out, slices.DeleteFunc(parts, func(x *Example) bool { return x == nil })...)
	return out, errors.Join(errs...)
}

// CheckFeatures tells of names that no feature has.
func CheckFeatures(names []string) error {
	for _, name := range names {
		if !slices.Contains(blocks.Features, name) {
			return fmt.Errorf("no feature is called %q; there is %s", name, strings.Join(blocks.Features, ", "))
		}
	}
	return nil
}
