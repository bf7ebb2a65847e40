package follow

import (
	"bytes"
	"context"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site/store"
)

// learner extracts pages by the default method, and learns about their sites as they
// pass.
type learner struct {
	ex    *lede.Extractor
	sites *sites.Sites
}

// newLearner returns a learner that keeps what it learns beside the state file.
func newLearner(state string) (*learner, error) {
	ex, err := lede.New()
	if err != nil {
		return nil, err
	}
	if state != "" {
		state = SiteStore(state)
	}
	known, err := store.Open(state, store.Options{})
	if err != nil {
		return nil, err
	}
	return &learner{ex, &sites.Sites{Store: known}}, nil
}

// SiteStore returns the name of the site store that belongs to a state file.
func SiteStore(state string) string { return state + ".sites" }

func (l *learner) extract(ctx context.Context, p *Page) (*article.Article, error) {
	x, err := l.sites.Extract(ctx, l.ex, bytes.NewReader(p.Body), p.URL, "",
		lede.WithHeaderCharset(p.Charset), lede.WithLinkText(p.LinkText), lede.WithReasons(false))
	if err != nil {
		return nil, err
	}
	x.Article.SetPartial(p.TruncatedReason)
	return x.Article, nil
}

func (l *learner) close() error { return l.sites.Close() }
