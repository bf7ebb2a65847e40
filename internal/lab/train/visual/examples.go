package visual

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/label"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/methods/wrapper"
	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/page/layout"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// Example is a page with its layout and the two subtrees that a wrapper should
// find.
type Example struct {
	Doc    *dom.Document
	Layout *method.Layout // estimated
	URL    string
	Site   string // pages of a site are never on both sides of a split
	Source string // name of the corpus, for the card of a model
	// Title and Body are the labels, dom.None if no subtree of the page fits. Gold
	// that is only nearly on the page has labels too: the best subtrees for it.
	Title, Body dom.Node
	// Subtrees are the labels by the paper's definition.
	Subtrees Subtrees
	// Gold is nil for pages that were labelled by hand.
	Gold *corpus.Gold
}

// Subtrees are T_TITLE and T_BODY as section 2 of the paper defines them: the
// smallest subtrees that contain the whole title and the whole body, whatever else
// is in them. They are dom.None if the page does not have them.
type Subtrees struct{ Title, Body dom.Node }

// Load reads the articles of a corpus that have a gold text.
func Load(ctx context.Context, c *corpus.Corpus, progress func(step string, done, total int)) ([]*Example, error) {
	var golds []*corpus.Gold
	for i := range c.Gold {
		if g := &c.Gold[i]; g.Text != "" && g.IsArticle() {
			golds = append(golds, g)
		}
	}
	report := func(done int) { progress("reading "+c.Name, done, len(golds)) }
	return parallel.Map(ctx, len(golds), 0, report, func(i int) (*Example, error) {
		page, err := c.Page(golds[i])
		if err != nil {
			return nil, err
		}
		return newExample(ctx, page, golds[i], c.Name)
	})
}

// FromNewsroom returns examples of articles from, from+1 and so on of a made-up
// site.
func FromNewsroom(ctx context.Context, s *newsroom.Site, from, pages int) ([]*Example, error) {
	return parallel.Map(ctx, pages, 0, nil, func(i int) (*Example, error) {
		p := s.Page(from + i)
		return newExample(ctx, p.HTML, Gold(s, &p.Gold), "newsroom")
	})
}

// Gold returns the gold of a made-up page in the form of the corpora.
func Gold(s *newsroom.Site, g *newsroom.Gold) *corpus.Gold {
	return &corpus.Gold{
		ID: g.ID, URL: g.URL, Site: s.Name, Lang: g.Lang, Type: g.Type, Title: g.Title, Text: g.Text,
		Authors: g.Authors, Date: g.Date, Extra: g.Extra, Comments: g.Comments,
	}
}

// newExample labels a page by its gold.
func newExample(ctx context.Context, page []byte, g *corpus.Gold, source string) (*Example, error) {
	d, l, err := layOut(ctx, page)
	if err != nil {
		return nil, fmt.Errorf("%s, page %s: %w", source, g.ID, err)
	}
	x := &Example{Doc: d, Layout: l, URL: g.URL, Site: g.SiteName(), Source: source, Gold: g}
	x.Body, x.Subtrees.Body = labelBody(d, g.Text)
	x.Title = labelTitle(d, g.Title, x.Body)
	title, body := splitGold(g)
	if body != g.Text {
		_, x.Subtrees.Body = labelBody(d, body)
	}
	if x.Subtrees.Title = labelTitle(d, title, x.Subtrees.Body); x.Subtrees.Title == dom.None {
		x.Subtrees.Title = titleAround(d, title, x.Subtrees.Body)
	}
	return x, nil
}

// layOut parses a page and estimates its layout.
func layOut(ctx context.Context, page []byte) (*dom.Document, *method.Layout, error) {
	d, err := dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
	if err != nil {
		return nil, nil, err
	}
	return d, layout.Estimate(d, method.Screen{Width: wrapper.ScreenWidth, Height: wrapper.ScreenHeight}), nil
}

// splitGold returns the headline and the text of a gold without the headline, which
// some texts begin with.
func splitGold(g *corpus.Gold) (title, body string) {
	if !g.TitleInText {
		return g.Title, g.Text
	}
	text := strings.TrimSpace(g.Text)
	if g.Title != "" {
		first, rest, _ := strings.Cut(text, "\n")
		if measure.Letters(first) == measure.Letters(g.Title) {
			text = rest
		}
		return g.Title, text
	}
	title, body, _ = strings.Cut(text, "\n")
	for body != "" { // a headline may be broken into lines
		line, rest, _ := strings.Cut(body, "\n")
		if strings.TrimSpace(line) == "" || !strings.Contains(text, "\n\n") {
			break
		}
		title, body = title+" "+line, rest
	}
	return title, body
}

// labelBody returns the subtree whose words have the best F1 with those of the gold
// text, or dom.None if none fits, and the smallest one that contains the whole text.
// "Whole" allows for a standfirst far from the rest, which would make the whole page
// the body.
func labelBody(d *dom.Document, text string) (best, whole dom.Node) {
	const fits, most = 0.8, 0.9
	best, whole = dom.None, dom.None
	if text == "" {
		return best, whole
	}
	gold := make([]int, d.Len()+1) // words of the text before a node
	for n, is := range measure.Align(d, text) {
		gold[n+1] = gold[n]
		if is {
			gold[n+1] += d.Words(dom.Node(n))
		}
	}
	// Words that are missing on the page count too: a teaser is not the body.
	total := max(gold[d.Len()], len(measure.Words(text)))
	bestF1 := 0.0
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) || d.Words(n) == 0 {
			continue
		}
		both := gold[d.End(n)] - gold[n]
		if float64(both) >= most*float64(total) {
			whole = n // inside the one before, since more than half is in both
		}
		// A child that is as good is smaller.
		if f1 := 2 * float64(both) / float64(total+d.Words(n)); f1 >= bestF1 && both > 0 {
			best, bestF1 = n, f1
		}
	}
	if bestF1 < fits {
		best = dom.None
	}
	return best, whole
}

// labelTitle returns the smallest subtree with the words of the headline and no
// others. If there are several, such as a breadcrumb and a headline, headings come
// before other elements, higher headings before lower ones, and the last one
// before the body wins.
func labelTitle(d *dom.Document, title string, body dom.Node) dom.Node {
	want := measure.Letters(title)
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
		if len(d.Text(n)) > 4*len(title)+64 || measure.Letters(d.Text(n)) != want {
			continue
		}
		rank := 1
		if h := d.Closest(n, dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6); h != dom.None && d.Contains(h, n) && measure.Letters(d.Text(h)) == want {
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

// titleAround returns the smallest subtree that contains the headline among other
// words, such as a kicker: the last one before the body, or inside it, that has at
// most as many letters besides.
func titleAround(d *dom.Document, title string, body dom.Node) dom.Node {
	want := measure.Letters(title)
	found := dom.None
	if want == "" || body == dom.None {
		return found
	}
	for n := dom.Node(1); n < d.End(body); n++ {
		if d.IsText(n) || d.Hidden(n) || d.LinkChars(n) > 0 || len(d.Text(n)) > 8*len(title) {
			continue
		}
		if has := measure.Letters(d.Text(n)); len(has) <= 2*len(want) && strings.Contains(has, want) {
			found = n
		}
	}
	return found
}

// ErrLost means that a labelled element is not on the page.
var ErrLost = errors.New("the labelled element is no longer on the page: label the page again")

// FromLabels makes examples of pages that a person has labelled. Pages that are not done
// or were skipped are left out. So are pages with an error, which is passed to problem.
func FromLabels(ctx context.Context, labels []label.Label, read func(page string) ([]byte, error), problem func(error)) ([]*Example, error) {
	var out []*Example
	for _, l := range labels {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !l.Done || l.Skipped || l.Body == nil {
			continue
		}
		x, err := fromLabel(ctx, l, read)
		if err != nil {
			problem(fmt.Errorf("page %s: %w", l.Page, err))
			continue
		}
		out = append(out, x)
	}
	return out, nil
}

func fromLabel(ctx context.Context, l label.Label, read func(page string) ([]byte, error)) (*Example, error) {
	page, err := read(l.Page)
	if err != nil {
		return nil, err
	}
	if page, _, err = charset.Decode(page, charset.Hints{}); err != nil { // layouts are of UTF-8
		return nil, err
	}
	d, boxes, err := layOut(ctx, page)
	if err != nil {
		return nil, err
	}
	x := &Example{Doc: d, Layout: boxes, URL: l.URL, Site: siteOf(l), Source: "labels", Title: dom.None}
	if x.Body = label.Find(d, *l.Body); x.Body == dom.None {
		return nil, fmt.Errorf("body: %w", ErrLost)
	}
	if l.Title != nil {
		if x.Title = label.Find(d, *l.Title); x.Title == dom.None {
			return nil, fmt.Errorf("title: %w", ErrLost)
		}
	}
	x.Subtrees = Subtrees{x.Title, x.Body}
	return x, nil
}

// siteOf returns the host of a page, or else its name.
func siteOf(l label.Label) string {
	if u, err := url.Parse(l.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return l.Page
}
