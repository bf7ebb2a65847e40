package request

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site"
)

// Extractor extracts the pages of requests.
type Extractor struct {
	Lede     *lede.Extractor
	Sites    *sites.Sites // what is known about sites; nil if that is nothing
	MaxBytes int          // of a page
	PageTime time.Duration
}

// Memory returns what is known about sites, or nil if the request does not use it, or
// if the site of its page is unknown.
func (e *Extractor) Memory(q *Page) *sites.Sites {
	known := e.Sites
	switch {
	case known == nil, q.Memory == "off", q.URL == "" && q.Site == "" && known.Name == "":
		return nil
	case q.Site != "":
		return &sites.Sites{Store: known.Store, Name: q.Site}
	}
	return known
}

// Check returns an error for a request that the extractor cannot answer.
func (e *Extractor) Check(q *Page) error {
	switch {
	case len(q.Content) > e.MaxBytes:
		return Errorf("too-large", "the page has more than %d bytes; send less, or raise the limit (--max-bytes)", e.MaxBytes)
	case e.Sites == nil && (q.Memory == "use" || q.Memory == "learn"):
		return Errorf("option", "memory=%s: lede remembers nothing about sites; start it with --site-store, or leave memory out", q.Memory)
	}
	return nil
}

// Explain extracts the page of a request, with what is known about its site.
func (e *Extractor) Explain(ctx context.Context, q *Page) (*lede.Explanation, error) {
	opts := append(q.Options(), lede.WithReasons(q.Explain || q.Format == render.Styled))
	page := bytes.NewReader(q.Content)
	var x *lede.Explanation
	var err error
	if known := e.Memory(q); known != nil && q.Memory == "use" {
		x, err = e.Lede.Explain(ctx, page, append(opts, lede.WithSite(known.Page(ctx, q.URL, "")))...)
	} else {
		x, err = known.Extract(ctx, e.Lede, page, q.URL, "", opts...) // known may be nil
	}
	if err != nil {
		if q.Partial != "" {
			err = fmt.Errorf("%w; %s", err, q.Partial.Describe()) // which may be the cause
		}
		return nil, err
	}
	x.Article.SetPartial(q.Partial)
	return x, nil
}

// Write extracts the page of a request and writes it in the format of the request. indent
// is for JSON.
func (e *Extractor) Write(ctx context.Context, w io.Writer, q *Page, indent bool) error {
	x, err := e.Explain(ctx, q)
	if err != nil {
		return err
	}
	ctx, cancel := e.WithPageTime(ctx) // once more, as for lede extract
	defer cancel()
	return render.Write(ctx, w, x, render.Options{
		Format: q.Format, BodyOnly: q.BodyOnly, Links: slices.Contains(q.With, "links"), Indent: indent,
		Explain: q.Explain, Input: q.Input, LinkText: q.LinkText,
	})
}

// WithPageTime returns a context that ends when the time for a page is over.
func (e *Extractor) WithPageTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, e.PageTime, fmt.Errorf("%w: not done after %v", lede.ErrTimeout, e.PageTime))
}

// Parse parses the page of a request.
func (e *Extractor) Parse(ctx context.Context, q *Page) (*dom.Document, error) {
	return dom.Parse(ctx, q.Content, dom.Options{Charset: q.charset(), HeaderCharset: q.HeaderCharset, Limits: dom.Limits{Bytes: e.MaxBytes}})
}

// Links returns the links of the page of a request, and which of them lead to stories.
func (e *Extractor) Links(ctx context.Context, q *Page) ([]storylinks.Verdict, error) {
	ctx, cancel := e.WithPageTime(ctx)
	defer cancel()
	d, err := e.Parse(ctx, q)
	if err != nil {
		return nil, err
	}
	address := cmp.Or(q.URL, site.NewFingerprint(d).URL())
	if links.Base(d, address) == nil && links.MostlyRelative(d) {
		return nil, Errorf("option", "the links of the page are relative and its address is unknown; name it with url=")
	}
	return storylinks.Elements(d, address), nil
}
