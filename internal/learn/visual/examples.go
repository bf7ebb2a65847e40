package visual

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"sync"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/label"
	"github.com/lede-news/lede/internal/layout"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/internal/wrapper"
	"github.com/lede-news/lede/method"
)

// Example is a page with its layout and the two subtrees that a wrapper is to
// find. A person who labels pages makes the same as [Label] does.
type Example struct {
	Doc    *dom.Document
	Layout *method.Layout // nil where it is estimated
	URL    string
	Site   string // pages of a site are never on both sides of a split
	Source string // the corpus, for the card of a model
	// Title and Body are the labels, dom.None where the page has none that fits.
	Title, Body dom.Node
	// Gold is what the page should give, for measuring; nil when nobody knows.
	Gold *corpus.Gold
}

// Layouter measures or guesses the layout of a page. It may give back another
// document than it got, as a browser does that has run the page's scripts.
type Layouter func(ctx context.Context, page []byte, g *corpus.Gold) (*dom.Document, *method.Layout, error)

// Estimated is the Layouter without a browser.
func Estimated(c wrapper.Config) Layouter {
	screen := method.Screen{Width: float64(c.Width), Height: float64(c.Height)}
	return func(ctx context.Context, page []byte, _ *corpus.Gold) (*dom.Document, *method.Layout, error) {
		d, err := dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
		if err != nil {
			return nil, nil, err
		}
		return d, layout.Estimate(d, screen), nil
	}
}

// NewExample lays a page out and labels it by its gold.
func NewExample(ctx context.Context, lay Layouter, page []byte, g *corpus.Gold, source string) (*Example, error) {
	d, l, err := lay(ctx, page, g)
	if err != nil {
		return nil, fmt.Errorf("%s, page %s: %w", source, g.ID, err)
	}
	x := &Example{Doc: d, Layout: l, URL: g.URL, Site: g.SiteName(), Source: source, Gold: g}
	x.Title, x.Body = Label(d, g)
	return x, nil
}

// Load reads the pages of a corpus that have a gold text and that keep wants,
// on all cores. Progress may be nil.
func Load(ctx context.Context, c *corpus.Corpus, keep func(*corpus.Gold) bool, lay Layouter, progress Progress) ([]*Example, error) {
	var golds []*corpus.Gold
	for i := range c.Gold {
		if g := &c.Gold[i]; g.Text != "" && keep(g) {
			golds = append(golds, g)
		}
	}
	return makeAll(ctx, len(golds), progress, "reading "+c.Name, func(i int) (*Example, error) {
		page, err := c.Page(golds[i])
		if err != nil {
			return nil, err
		}
		return NewExample(ctx, lay, page, golds[i], c.Name)
	})
}

// FromNewsroom takes pages from, from+1 … of a made-up site.
func FromNewsroom(ctx context.Context, s *newsroom.Site, from, pages int, lay Layouter) ([]*Example, error) {
	return makeAll(ctx, pages, nil, "", func(i int) (*Example, error) {
		p := s.Page(from + i)
		g := &corpus.Gold{ID: p.Gold.ID, URL: p.Gold.URL, Site: s.Name, Lang: p.Gold.Lang, Type: p.Gold.Type, Title: p.Gold.Title, Text: p.Gold.Text}
		return NewExample(ctx, lay, p.HTML, g, "newsroom")
	})
}

// Progress is told how far a step of an experiment is.
type Progress func(step string, done, total int)

// makeAll makes n things on all cores, in order.
func makeAll[T any](ctx context.Context, n int, progress Progress, step string, do func(int) (T, error)) ([]T, error) {
	out, errs := make([]T, n), make([]error, n)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			out[i], errs[i] = do(i)
			if progress != nil {
				mu.Lock()
				defer mu.Unlock()
				done++
				progress(step, done, n)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Label finds the title subtree and the body subtree of a page by its gold, as
// section 2 defines them. Either is dom.None where no subtree fits.
func Label(d *dom.Document, g *corpus.Gold) (title, body dom.Node) {
	body = labelBody(d, g.Text)
	return labelTitle(d, g.Title, body), body
}

// labelBody is the smallest subtree that holds nearly all of the gold text: of
// all subtrees the one whose words agree best with those that the text is made
// of. "Nearly" leaves out a standfirst that stands far from the rest, which
// would make the whole page the body.
func labelBody(d *dom.Document, text string) dom.Node {
	const fits = 0.8
	if text == "" {
		return dom.None
	}
	gold := make([]int, d.Len()+1) // words of the text before a node
	for n, is := range measure.Align(d, text) {
		gold[n+1] = gold[n]
		if is {
			gold[n+1] += d.Words(dom.Node(n))
		}
	}
	// What is missing on the page counts too: a teaser is not the body.
	total := max(gold[d.Len()], len(measure.Words(text)))
	best, bestF1 := dom.None, 0.0
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) || d.Words(n) == 0 {
			continue
		}
		both := gold[d.End(n)] - gold[n]
		// A child that is as good is smaller.
		if f1 := 2 * float64(both) / float64(total+d.Words(n)); f1 >= bestF1 && both > 0 {
			best, bestF1 = n, f1
		}
	}
	if bestF1 < fits {
		return dom.None
	}
	return best
}

// labelTitle is the smallest subtree with the words of the headline and no
// others. Where there are several, such as a crumb and a headline, it is a
// heading before others, of headings the highest, and the last before the body.
func labelTitle(d *dom.Document, title string, body dom.Node) dom.Node {
	want := letters(title)
	if want == "" {
		return dom.None
	}
	best, bestRank := dom.None, 0
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) || d.Hidden(n) || d.Words(n) == 0 {
			continue
		}
		if body != dom.None && n >= d.End(body) {
			break
		}
		if len(d.Text(n)) > 4*len(title)+64 || letters(d.Text(n)) != want {
			continue
		}
		rank := 1
		if h := d.Closest(n, dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6); h != dom.None && d.Contains(h, n) && letters(d.Text(h)) == want {
			rank = 2 + int(dom.H6-d.Tag(h))
		}
		if d.LinkChars(n) > 0 {
			rank = 0
		}
		if best == dom.None || rank >= bestRank {
			best, bestRank = n, rank
		}
	}
	return best
}

// letters folds a headline as the measure of titles does: case, space and
// punctuation do not matter.
func letters(text string) string { return strings.Join(measure.Words(text), "") }

// ErrLost means that a label is for another page than the one that is there.
var ErrLost = errors.New("the labelled element is not on the page any more: label the page again")

// FromLabels makes examples of pages that somebody has labelled. Read gives the
// bytes of a page. Pages that are not done, or were skipped, are left out; what
// is wrong with others is told to problem, which may be nil, and they are left
// out too.
func FromLabels(ctx context.Context, labels []label.Label, read func(label.Label) ([]byte, error), lay Layouter, problem func(error)) ([]*Example, error) {
	var out []*Example
	for _, l := range labels {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !l.Done || l.Skipped || l.Body == nil {
			continue
		}
		x, err := fromLabel(ctx, l, read, lay)
		if err != nil {
			if problem != nil {
				problem(fmt.Errorf("page %s: %w", l.Page, err))
			}
			continue
		}
		out = append(out, x)
	}
	return out, nil
}

func fromLabel(ctx context.Context, l label.Label, read func(label.Label) ([]byte, error), lay Layouter) (*Example, error) {
	page, err := read(l)
	if err != nil {
		return nil, err
	}
	d, boxes, err := lay(ctx, page, &corpus.Gold{ID: l.Page, URL: l.URL})
	if err != nil {
		return nil, err
	}
	x := &Example{Doc: d, Layout: boxes, URL: l.URL, Site: siteOf(l), Source: "labels", Title: dom.None}
	var how label.Match
	if x.Body, how = label.Find(d, *l.Body); how == label.Lost {
		return nil, fmt.Errorf("body: %w", ErrLost)
	}
	if l.Title != nil {
		if x.Title, how = label.Find(d, *l.Title); how == label.Lost {
			return nil, fmt.Errorf("title: %w", ErrLost)
		}
	}
	return x, nil
}

// siteOf is the host of a page, or the page by itself.
func siteOf(l label.Label) string {
	if u, err := url.Parse(l.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return l.Page
}
