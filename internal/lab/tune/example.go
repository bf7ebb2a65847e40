// Package tune searches for the settings with which a method scores best on
// pages whose article is known.
package tune

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/internal/story/compose"
	"github.com/lede-news/lede/method"
)

// Example is a parsed page with its gold.
type Example struct {
	Corpus int // index into the corpora given to Load
	Gold   *corpus.Gold
	Doc    *dom.Document
	// LinkText is the text of the link to the page, or empty.
	LinkText string

	scores map[string]Score // by the nodes of a selection
}

// Score has the figures of a page: those of its text, and the F1 of its headline.
type Score struct {
	measure.PRF
	Title float64
}

// Load reads and parses the pages of corpora that are articles with a gold text, or the
// first limit ones of each corpus if limit is not 0.
func Load(ctx context.Context, corpora []*corpus.Corpus, limit int, progress func(done, total int)) ([]*Example, error) {
	var all []*Example
	for i, c := range corpora {
		before := len(all)
		for k := range c.Gold {
			if g := &c.Gold[k]; g.Text != "" && g.IsArticle() && (limit == 0 || len(all) < before+limit) {
				all = append(all, &Example{Corpus: i, Gold: g})
			}
		}
		if len(all) == before {
			return nil, fmt.Errorf("corpus %s: none of its %d pages is an article with a gold text", c.Name, len(c.Gold))
		}
	}
	report := func(done int) { progress(done, len(all)) }
	return all, parallel.Do(ctx, len(all), 0, report, func(i int) error {
		x, c := all[i], corpora[all[i].Corpus]
		page, err := c.Page(x.Gold)
		if err != nil {
			return err
		}
		if x.Doc, err = dom.Parse(ctx, page, dom.Options{Charset: "utf-8"}); err != nil {
			return fmt.Errorf("corpus %s, page %s: %w", c.Name, x.Gold.ID, err)
		}
		return nil
	})
}

// Select returns what a method selects, or an empty selection if it finds nothing. What
// is known about the site of the page may be nil.
func (x *Example) Select(m method.Method, site *method.Site) *method.Selection {
	p := &method.Page{Doc: x.Doc, URL: x.Gold.URL, LinkText: x.LinkText, Site: site, NoReasons: true}
	s, err := m.Select(context.Background(), p)
	if err != nil {
		return &method.Selection{Title: dom.None}
	}
	return s
}

// score scores a method by the text of the article. It must not be called concurrently.
func (x *Example) score(m method.Method) Score {
	s := x.Select(m, nil)
	// Most steps of a search change nothing on most pages.
	key := fmt.Sprint(s.Title, s.Keep, s.Drop)
	found, known := x.scores[key]
	if !known {
		title := s.TitleText(x.Doc)
		body := compose.Blocks(x.Doc, s.Mask(x.Doc), compose.Options{URL: x.Gold.URL})
		text := article.Text(compose.DropHeadline(body, title).Article())
		found = Score{measure.Score(x.Gold, title, text), measure.Score(&corpus.Gold{Text: x.Gold.Title}, "", title).F1}
		if x.scores == nil {
			x.scores = map[string]Score{}
		}
		x.scores[key] = found
	}
	return found
}

// ScoreAll scores a method on all examples. The scores are not complete if ctx is done.
func ScoreAll(ctx context.Context, all []*Example, m method.Method) []Score {
	scores := make([]Score, len(all))
	parallel.For(len(all), 0, func(i int) {
		if ctx.Err() == nil {
			scores[i] = all[i].score(m)
		}
	})
	return scores
}
