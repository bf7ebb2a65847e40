package visual

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/label"
)

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
