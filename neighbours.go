package lede

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/stadynot"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// WithNeighbours uses other pages of the site of the page: text that they have as
// well is not part of the article. The method stadynot is made for it; for all
// others the pages are learned from as by a *site.Profile. Ten articles are
// enough; of more, stadynot takes those that are most alike, as articles of the
// same category, such as sport, are. The page itself may be among them and does not
// count. Neighbours are used instead of WithSite.
func WithNeighbours(pages ...*dom.Document) Option {
	known := &neighbours{pages: slices.Clone(pages)}
	return func(s *settings) error {
		if slices.Contains(pages, nil) {
			return fmt.Errorf("%w: a neighbour is nil", ErrOption)
		}
		if s.neighbours = known; len(pages) == 0 {
			s.neighbours = nil
		}
		return nil
	}
}

// neighbours are other pages of a site. What they show is computed once, by the
// first page that needs it.
type neighbours struct {
	pages []*dom.Document

	mu       sync.Mutex
	support  *stadynot.Support
	observed []*site.Observation // by page; nil if it has no article
}

// supportReader is implemented by StaDyNoT, which learns from neighbours in its
// own way.
type supportReader interface {
	Site(*stadynot.Support, *dom.Document) *method.Site
}

// learn reads the neighbours as the method needs it.
func (n *neighbours) learn(ctx context.Context, m method.Method) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, counts := m.(supportReader)
	switch {
	case counts && n.support == nil:
		n.support = stadynot.NewSupport()
		for _, p := range n.pages {
			n.support.Add(p)
		}
	case !counts && n.observed == nil:
		observed := make([]*site.Observation, len(n.pages))
		for i, p := range n.pages {
			if x, err := std.ExplainDocument(ctx, p, WithReasons(false)); err == nil {
				observed[i] = x.Observe()
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		n.observed = observed
	}
	return nil
}

// site returns what the neighbours show about the site of a page, after learn.
func (n *neighbours) site(m method.Method, f *site.Fingerprint, d *dom.Document) *method.Site {
	if m, ok := m.(supportReader); ok {
		return m.Site(n.support, d)
	}
	profile := site.New("")
	for i, o := range n.observed {
		if o != nil && n.pages[i].AllText() != d.AllText() {
			profile.Add(o)
		}
	}
	return profile.Match(f)
}
