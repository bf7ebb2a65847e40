package story

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// Example is a page whose article is known.
type Example struct {
	Corpus  string
	Gold    *corpus.Gold
	Site    string
	Fold    int
	Kind    article.PageType // empty when unknown
	Doc     *dom.Document
	Signals blocks.Signals
	// Story is the share of each block's words that is in the gold.
	Story []float32
	// Title marks the blocks of the headline, which are neither article text
	// nor boilerplate.
	Title []bool

	isFragment bool // cut from a page
	isMadeUp   bool // of the newsroom
	// mismatched means that hardly any of the gold is on the page: it was saved
	// in another encoding, or the gold is that of another page.
	mismatched bool
}

// Folds is the number of parts that the sites are split into.
const Folds = 10

// isOther reports whether the page is known to be no article.
func (x *Example) isOther() bool { return x.Kind != "" && x.Kind != article.TypeArticle }

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
	x.Signals = blend.Signals(ctx, &method.Page{Doc: x.Doc, URL: g.URL})
	x.label()
	return x, nil
}

// FoldOf returns the fold of a page.
func FoldOf(ctx context.Context, g *corpus.Gold, page []byte) (int, error) {
	d, err := dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
	if err != nil {
		return 0, err
	}
	return corpus.Fold(siteOf(d, g), Folds), nil
}

// siteOf returns the site of a page by its gold or else by its canonical link.
func siteOf(d *dom.Document, g *corpus.Gold) string {
	if g.Site != "" {
		return g.Site
	}
	for n := range d.All(0, dom.Link) {
		if d.Attr(n, "rel") == "canonical" {
			if u, err := url.Parse(d.Attr(n, "href")); err == nil && u.Host != "" {
				return strings.TrimPrefix(u.Hostname(), "www.")
			}
		}
	}
	return g.ID
}

// kindOf maps the page types of the corpora to those of lede.
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
	headline := measure.Letters(x.Gold.Title)
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
		x.Title[i] = i == v.Headline || headline != "" && b.Words() < 60 && measure.Letters(v.Text(i)) == headline
	}
	x.mismatched = 10*found < len(measure.Words(x.Gold.Text))
}

// fragment makes another example from the part of a page around its article, or
// returns nil if that is the whole page. Small pages, and fragments that callers
// cut out themselves, lack the menus and sidebars that other training pages
// have.
func (x *Example) fragment(ctx context.Context) *Example {
	d := x.Doc
	v := blocks.Read(d, new(blocks.Tables))
	around := dom.None
	for i := range v.Blocks {
		if x.Story[i] >= 0.5 {
			around = x.join(around, v.Blocks[i].Owner)
		}
	}
	if around == dom.None {
		return nil
	}
	// One page in four is cut at the article itself, the others further out.
	for range corpus.Fold(x.Gold.ID, 4) {
		if p := d.Parent(around); p != dom.None {
			around = p
		}
	}
	if tag := d.Tag(around); tag == dom.Root || tag == dom.HTML || tag == dom.Body {
		return nil
	}
	doc, err := dom.FromNode(d.HTML(around), dom.Limits{})
	if err != nil {
		return nil
	}
	y := &Example{Gold: x.Gold, Site: x.Site, Fold: x.Fold, Kind: x.Kind, Doc: doc, isFragment: true}
	y.Signals = blend.Signals(ctx, &method.Page{Doc: doc, URL: x.Gold.URL})
	y.label()
	return y
}

// join returns the innermost element around two nodes, of which the first may be dom.None.
func (x *Example) join(a, b dom.Node) dom.Node {
	if a == dom.None {
		return b
	}
	return x.Doc.CommonAncestor(a, b)
}

// FromNewsroom returns stories of made-up sites that are full of boxes which do not
// belong to the story, and their front pages, from n designs of each site. A site is the
// same site in all its designs.
func FromNewsroom(ctx context.Context, n int, progress func(what string, done, total int)) ([]*Example, error) {
	var sites []*newsroom.Site
	for seed := range n {
		sites = append(sites, newsroom.Cluttered(uint64(seed)+1).Sites()...)
	}
	report := func(done int) { progress("made-up pages", done, len(sites)) }
	const frontEvery = 3 // stories
	fronts := make([][]*Example, len(sites))
	stories, err := parallel.Map(ctx, len(sites), 0, report, func(i int) (x *Example, err error) {
		if i%frontEvery == 0 {
			if fronts[i], err = madeUpFronts(ctx, sites[i].Index(""), i); err != nil {
				return nil, err
			}
		}
		return madeUp(ctx, sites[i].Page(i*n/len(sites)), i)
	})
	return append(stories, slices.Concat(fronts...)...), err
}

var paragraph = regexp.MustCompile(`(?s)<p\b.*?</p>`)

// madeUpFronts returns the front page of made-up site i, and a fragment of it. The text around
// its headlines is its gold, as in corpora with lists. Half of them have headlines alone.
func madeUpFronts(ctx context.Context, p newsroom.Page, i int) ([]*Example, error) {
	if i%2 == 0 {
		p.HTML = paragraph.ReplaceAll(p.HTML, nil)
	}
	x, err := madeUp(ctx, p, i)
	if err != nil {
		return nil, err
	}
	around := dom.None
	for n := range x.Doc.All(0, dom.H2) {
		around = x.join(around, n)
	}
	x.Kind, x.Gold.Text = article.TypeIndex, x.Doc.Text(around)
	x.label()
	fronts := []*Example{x}
	if y := x.fragment(ctx); y != nil {
		y.isMadeUp = true
		fronts = append(fronts, y)
	}
	return fronts, nil
}

// madeUp returns a page of made-up site i.
func madeUp(ctx context.Context, p newsroom.Page, i int) (*Example, error) {
	g := &corpus.Gold{ID: fmt.Sprintf("%s-%d", p.Gold.ID, i), URL: p.Gold.URL, Site: p.Gold.Site, Title: p.Gold.Title, Text: p.Gold.Text}
	x, err := NewExample(ctx, g, p.HTML)
	if err != nil {
		return nil, fmt.Errorf("newsroom, page %s: %w", p.Gold.ID, err)
	}
	x.Corpus, x.isMadeUp = "newsroom", true
	return x, nil
}

// Load reads the pages of a corpus that have a gold text. For each page it also
// returns the fragment around its article.
func Load(ctx context.Context, c *corpus.Corpus, progress func(what string, done, total int)) ([]*Example, error) {
	var gold []*corpus.Gold
	for i := range c.Gold {
		if strings.TrimSpace(c.Gold[i].Text) != "" {
			gold = append(gold, &c.Gold[i])
		}
	}
	fragments := make([]*Example, len(gold))
	report := func(done int) { progress("pages of "+c.Name, done, len(gold)) }
	pages, err := parallel.Map(ctx, len(gold), 0, report, func(i int) (*Example, error) {
		page, err := c.Page(gold[i])
		if err != nil {
			return nil, err
		}
		x, err := NewExample(ctx, gold[i], page)
		if err != nil {
			return nil, fmt.Errorf("corpus %s, page %s: %w", c.Name, gold[i].ID, err)
		}
		x.Corpus, fragments[i] = c.Name, x.fragment(ctx)
		return x, nil
	})
	if err != nil {
		return nil, err
	}
	return append(pages, slices.DeleteFunc(fragments, func(x *Example) bool { return x == nil })...), nil
}
