package lede

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// Article is one news story taken from a page.
type Article = article.Article

// Extract reads a page and gives back its article.
func Extract(r io.Reader, opts ...Option) (*Article, error) {
	return New(opts...).Extract(r)
}

// ExtractNode takes the article from a tree that is already parsed, by
// goquery or x/net/html. The tree is only read.
func ExtractNode(n *html.Node, opts ...Option) (*Article, error) {
	return New(opts...).ExtractNode(n)
}

// Extractor extracts with the same settings again and again. It is safe for
// concurrent use.
type Extractor struct{ set settings }

// New makes an extractor. Wrong settings are told by the first extraction.
func New(opts ...Option) *Extractor {
	return &Extractor{set: defaults().with(opts)}
}

// Extract reads a page; the options are for this page and go before those of New.
func (e *Extractor) Extract(r io.Reader, opts ...Option) (*Article, error) {
	return e.set.with(opts).brief(reading(r))
}

// ExtractNode takes the article from a parsed tree; the options are for this
// page and go before those of New.
func (e *Extractor) ExtractNode(n *html.Node, opts ...Option) (*Article, error) {
	return e.set.with(opts).brief(func(_ context.Context, s settings) (*dom.Document, error) {
		return dom.FromNode(n, dom.Limits{Nodes: s.limits.Nodes})
	})
}

// ExtractDocument takes the article from a page that dom.Parse has read, so
// that several methods can share one parse; the options are for this page and
// go before those of New.
func (e *Extractor) ExtractDocument(d *dom.Document, opts ...Option) (*Article, error) {
	return e.set.with(opts).brief(given(d))
}

// ExplainDocument is Explain for a page that dom.Parse has read.
func (e *Extractor) ExplainDocument(d *dom.Document, opts ...Option) (*Explanation, error) {
	return e.set.with(opts).extract(given(d))
}

// Explain extracts and keeps what is needed to say why.
func (e *Extractor) Explain(r io.Reader, opts ...Option) (*Explanation, error) {
	return e.set.with(opts).extract(reading(r))
}

// opener gives the document of a page.
type opener func(context.Context, settings) (*dom.Document, error)

// reading parses what a reader gives.
func reading(r io.Reader) opener {
	return func(ctx context.Context, s settings) (*dom.Document, error) {
		page, err := readAll(ctx, r, s.limits.Bytes)
		if err != nil {
			return nil, err
		}
		return dom.Parse(ctx, page, dom.Options{
			Charset: s.charset, HeaderCharset: s.headerCharset, Own: true, // readAll has just made it
			Limits: dom.Limits{Bytes: s.limits.Bytes, Nodes: s.limits.Nodes},
		})
	}
}

// given is a document that is there already.
func given(d *dom.Document) opener {
	return func(context.Context, settings) (*dom.Document, error) {
		if d == nil {
			return nil, errors.New("no document to extract from")
		}
		return d, nil
	}
}

// brief extracts for those who will not ask why.
func (s settings) brief(open opener) (*Article, error) {
	s.unasked = true
	x, err := s.extract(open)
	if err != nil {
		return nil, err
	}
	clipping(x.Article)
	return x.Article, nil
}

// readAll reads a page up to the limit, as long as there is time. A reader that
// breaks off in the middle of a page is an error: half a story must not pass
// for a whole one.
func readAll(ctx context.Context, r io.Reader, limit int) ([]byte, error) {
	var b bytes.Buffer
	if known, ok := r.(interface{ Len() int }); ok {
		b.Grow(min(known.Len(), limit) + bytes.MinRead)
	}
	n, err := b.ReadFrom(timed{ctx, io.LimitReader(r, max(int64(limit), int64(limit)+1))})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("reading the page: %w", err)
	case n > int64(limit):
		return nil, fmt.Errorf("%w: more than %d bytes; raise the limit to read it", ErrTooLarge, limit)
	}
	return b.Bytes(), nil
}

// timed looks at the clock before every read.
type timed struct {
	ctx context.Context
	io.Reader
}

func (t timed) Read(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.Reader.Read(p)
}

// extract runs the stages: document, method, selection, article. A panic in
// any of them is a bug of ours and this page's loss, not the program's.
func (s settings) extract(open opener) (x *Explanation, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("lede: extraction failed", slog.String("url", s.url), slog.Any("panic", p))
			x, err = nil, fmt.Errorf("%w: %.200q", ErrInternal, fmt.Sprint(p))
		}
	}()
	if s.err != nil {
		return nil, s.err
	}
	ctx, cancel := context.WithTimeoutCause(s.ctx, s.limits.Time, fmt.Errorf("%w: not done after %v", ErrTimeout, s.limits.Time))
	defer cancel()
	doc, err := open(ctx, s)
	if err != nil {
		return nil, err
	}
	page := &method.Page{Doc: doc, URL: s.url, LinkText: s.linkText, Favor: s.favor, Brief: s.unasked}
	var keys *site.Page
	if s.site != nil {
		keys = site.NewPage(doc)
		page.Site = s.site.ReadPage(keys)
	}
	if s.layout != nil {
		if page.Layout, err = s.layout(ctx, doc, s.url); err != nil {
			return nil, err
		}
	}
	raw, sel, err := s.choose(ctx, page)
	if err != nil {
		return nil, err
	}
	x = s.assemble(page, sel)
	if len(x.Article.Body) == 0 {
		return nil, ErrNoContent
	}
	x.raw, x.keys = raw, keys
	if s.onlyArticles && x.Article.Type != article.TypeArticle {
		return nil, fmt.Errorf("%w: it looks like %s; leave out OnlyArticles to have its text", ErrNotArticle, pageKind(x.Article.Type))
	}
	s.log.Debug("lede: extracted", slog.String("url", s.url), slog.String("method", s.method.Name()),
		slog.Int("nodes", doc.Len()), slog.Int("blocks", len(x.Article.Body)), slog.String("charset", doc.Charset()))
	return x, nil
}

// choose has the method choose, and then, unless it has done so itself, corrects
// the choice by what is known of the site. It gives the choice before and after.
func (s settings) choose(ctx context.Context, page *method.Page) (raw, sel *method.Selection, err error) {
	raw, err = s.method.Select(ctx, page)
	if errors.Is(err, ErrNoContent) && page.Site != nil && page.Site.Body != dom.None {
		// Where the site has its stories may yet be one.
		raw, err = &method.Selection{Title: dom.None}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if raw == nil {
		return nil, nil, ErrNoContent
	}
	if m, ok := s.method.(method.SiteReader); ok && m.ReadsSite() {
		return raw, raw, nil
	}
	return raw, site.Correct(page.Doc, raw, page.Site), nil
}
