package story

import (
	"context"
	"fmt"
	"net/url"
	"strings"

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
