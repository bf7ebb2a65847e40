package fetch

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/lede-news/lede"
)

// Article fetches a page and returns its article. It uses a Client with the
// zero Options, which refuses addresses that are not on the public internet.
// The options are those of lede.Extract; the address of the page, after
// redirects, and its charset need not be given.
func Article(ctx context.Context, url string, opts ...lede.Option) (*lede.Article, error) {
	return defaultClient().Article(ctx, url, opts...)
}

var defaultClient = sync.OnceValue(func() *Client { return New(Options{}) })

// Article fetches a page and returns its article. The options are those of
// lede.Extract; the address of the page, after redirects, and its charset need
// not be given. If the body is truncated, the article is Partial, with the
// PartialReason.
func (c *Client) Article(ctx context.Context, url string, opts ...lede.Option) (*lede.Article, error) {
	if _, err := lede.New(opts...); err != nil {
		return nil, err // before the page is fetched
	}
	resp, err := c.Get(ctx, url)
	if err != nil {
		return nil, err
	}
	page := []lede.Option{lede.WithURL(resp.URL), lede.WithHeaderCharset(resp.Charset)}
	a, err := lede.Extract(ctx, bytes.NewReader(resp.Body), append(page, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", resp.URL, err)
	}
	a.SetPartial(resp.TruncatedReason)
	return a, nil
}
