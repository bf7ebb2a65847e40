// Package tune searches for the settings with which a method scores best on
// pages whose article is known.
package tune

import (
	"context"
	"fmt"
	"sync"

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

	scorer *measure.Scorer
	mu     sync.Mutex
	scores map[string]nodeScores // by the nodes of a selection
}

// nodeScores is the F1 of the text and that of the headline, if the gold has one.
type nodeScores struct {
	text, title float64
	titled      bool
}

// NewExample returns an example for a parsed page.
func NewExample(d *dom.Document, g *corpus.Gold) *Example {
	return &Example{Gold: g, Doc: d, scorer: measure.NewScorer(d, g)}
}

// Load reads and parses the pages of corpora that have a gold text and for which
// keep returns true.
func Load(ctx context.Context, corpora []*corpus.Corpus, keep func(*corpus.Gold) bool, opts dom.Options, progress func(done, total int)) ([]*Example, error) {
	var all []*Example
	for i, c := range corpora {
		before := len(all)
		for k := range c.Gold {
			if g := &c.Gold[k]; g.Text != "" && keep(g) {
				all = append(all, &Example{Corpus: i, Gold: g})
			}
		}
		if len(all) == before {
			return nil, fmt.Errorf("corpus %s: none of its %d pages has a gold text and was selected", c.Name, len(c.Gold))
		}
	}
	report := func(done int) { progress(done, len(all)) }
	return all, parallel.Do(ctx, len(all), 0, report, func(i int) error {
		x, c := all[i], corpora[all[i].Corpus]
		page, err := c.Page(x.Gold)
		if err != nil {
			return err
		}
		if x.Doc, err = dom.Parse(ctx, page, opts); err != nil {
			return fmt.Errorf("corpus %s, page %s: %w", c.Name, x.Gold.ID, err)
		}
		x.scorer = measure.NewScorer(x.Doc, x.Gold)
		return nil
	})
}

// scoreNodes scores a method by the nodes that it keeps. It is much faster than scoreText.
func (x *Example) scoreNodes(m method.Method) nodeScores {
	s := x.choose(m)
	// Most steps of a search change nothing on most pages.
	key := fmt.Sprint(s.Title, s.Keep, s.Drop)
	x.mu.Lock()
	found, ok := x.scores[key]
	x.mu.Unlock()
	if !ok {
		headline := s.TitleText(x.Doc)
		t, titled := x.scorer.Title(headline)
		found = nodeScores{x.scorer.Score(s.Mask(x.Doc), headline).F1, t.F1, titled}
		x.mu.Lock()
		if x.scores == nil {
			x.scores = map[string]nodeScores{}
		}
		x.scores[key] = found
		x.mu.Unlock()
	}
	return found
}

// scoreText scores a method by the text of the article.
func (x *Example) scoreText(m method.Method) measure.PRF {
	s := x.choose(m)
	title := s.TitleText(x.Doc)
	body := compose.Blocks(x.Doc, s.Mask(x.Doc), compose.Options{URL: x.Gold.URL})
	return measure.Score(x.Gold, title, article.Text(compose.DropHeadline(body, title)))
}

// choose returns an empty selection if the method finds nothing.
func (x *Example) choose(m method.Method) *method.Selection {
	s, err := m.Select(context.Background(), &method.Page{Doc: x.Doc, URL: x.Gold.URL, LinkText: x.LinkText, NoReasons: true})
	if err != nil {
		return &method.Selection{Title: dom.None}
	}
	return s
}
