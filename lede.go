// Package lede takes a news page and returns the article: headline, body with
// its structure, byline, dates, pictures, and nothing else.
//
//	f, err := os.Open("page.html")
//	…
//	a, err := lede.Extract(ctx, f, lede.WithURL("https://paper.example/story"))
//	fmt.Println(a.Title)
//	fmt.Println(a.Text())
//
// [Extract] is enough for a few pages. [New] returns an [Extractor] to be
// reused for many, from any number of goroutines. Both cost the same per page:
// models and tables are loaded once, by the first page that needs them.
//
// # Conventions
//
// A context is the first argument of every function that reads, waits or may
// take long; it is never an option. Options start with With. They are checked
// when they are given: New returns an error for an invalid one, and so does
// Extract. An option that switches something on or off takes a bool. Options
// given to a method of an Extractor apply to that page and override those
// given to New.
//
// Package lede reads no files and uses no network. To fetch a page and
// extract its article in one call, use the function Article of package
// [github.com/lede-news/lede/fetch], which is apart so that programs which
// only extract do not link an HTTP client.
//
// Other packages write an article as text, Markdown, HTML or JSON
// ([github.com/lede-news/lede/format]), read web archives
// ([github.com/lede-news/lede/warc]), work through many pages
// ([github.com/lede-news/lede/batch]) and learn about sites
// ([github.com/lede-news/lede/site]).
//
// # Safety
//
// Pages are untrusted. Nothing in them is executed or fetched, and every page
// is bounded in size, nodes and time; see [Limits].
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
	"github.com/lede-news/lede/internal/methods/correct"
	"github.com/lede-news/lede/internal/page/owned"
	"github.com/lede-news/lede/internal/page/steps"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// Errors to be tested for with errors.Is.
var (
	// ErrEmpty is returned for a page without any content.
	ErrEmpty = dom.ErrEmpty
	// ErrTooLarge is returned for a page with more bytes than Limits.Bytes.
	ErrTooLarge = dom.ErrTooLarge
	// ErrNotHTML is returned for pictures, PDF files and other binary data.
	ErrNotHTML = dom.ErrNotHTML
	// ErrCharset is returned if WithCharset names an unknown charset.
	ErrCharset = dom.ErrCharset
	// ErrMalformed is returned for a page that the parser cannot read.
	ErrMalformed = dom.ErrMalformed
	// ErrNoContent is returned if a page has no article text, only links, a
	// form, or a video or pictures without words; a FactsError has what is known
	// about it. A video with a few words has a Form, and is no article.
	ErrNoContent = method.ErrNoContent
	// ErrNotArticle is returned for other pages than articles if
	// WithArticlesOnly is set.
	ErrNotArticle = errors.New("the page is not an article")
	// ErrUnknownMethod is returned if there is no method of the given name.
	ErrUnknownMethod = errors.New("unknown method")
	// ErrOption is returned for an option, or a setting of a method, with an
	// invalid name or value.
	ErrOption = errors.New("invalid option")
	// ErrTimeout is returned for a page that takes longer than Limits.Time.
	ErrTimeout = errors.New("the page took too long")
	// ErrOutput is returned for a page whose article would be many times larger
	// than the page: more than 1 MiB and 16 bytes of links and indentation for each
	// byte of the page.
	ErrOutput = steps.ErrOutput
	// ErrInternal is returned if lede itself fails. Please report the page.
	ErrInternal = errors.New("lede failed on this page, which is a bug")
)

// Extract reads a page from r and returns its article.
func Extract(ctx context.Context, r io.Reader, opts ...Option) (*Article, error) {
	return std.Extract(ctx, r, opts...)
}

// ExtractNode returns the article of a page that goquery or
// golang.org/x/net/html has parsed. It does not modify the tree.
func ExtractNode(ctx context.Context, n *html.Node, opts ...Option) (*Article, error) {
	return std.ExtractNode(ctx, n, opts...)
}

// std is the Extractor behind Extract and ExtractNode.
var std = &Extractor{set: defaultSettings}

// Extractor extracts articles with the same options again and again. It is
// safe for concurrent use.
type Extractor struct{ set settings }

// New returns an Extractor, or an error if an option is invalid.
func New(opts ...Option) (*Extractor, error) {
	set, err := defaultSettings.with(opts)
	if err != nil {
		return nil, err
	}
	return &Extractor{set: *set}, nil
}

// Extract reads a page from r and returns its article. The options override
// those given to New.
func (e *Extractor) Extract(ctx context.Context, r io.Reader, opts ...Option) (*Article, error) {
	return e.article(ctx, parse(r), opts)
}

// ExtractNode returns the article of a page that goquery or
// golang.org/x/net/html has parsed. The options override those given to New.
func (e *Extractor) ExtractNode(ctx context.Context, n *html.Node, opts ...Option) (*Article, error) {
	return e.article(ctx, func(_ context.Context, s *settings) (*dom.Document, error) {
		return dom.FromNode(n, dom.Limits{Nodes: s.limits.Nodes})
	}, opts)
}

// ExtractDocument returns the article of a page that dom.Parse has read, so
// that several extractors can share one parse. The options override those
// given to New.
func (e *Extractor) ExtractDocument(ctx context.Context, d *dom.Document, opts ...Option) (*Article, error) {
	return e.article(ctx, parsed(d), opts)
}

// Explain reads a page from r and returns its article together with the
// decisions that led to it. The options override those given to New.
func (e *Extractor) Explain(ctx context.Context, r io.Reader, opts ...Option) (*Explanation, error) {
	return e.explanation(ctx, parse(r), opts)
}

// ExplainDocument is like Explain for a page that dom.Parse has read.
func (e *Extractor) ExplainDocument(ctx context.Context, d *dom.Document, opts ...Option) (*Explanation, error) {
	return e.explanation(ctx, parsed(d), opts)
}

func (e *Extractor) explanation(ctx context.Context, open opener, opts []Option) (*Explanation, error) {
	s, err := e.set.with(opts)
	if err != nil {
		return nil, err
	}
	return s.extract(ctx, open)
}

// article extracts without reasons, and copies what would keep the page in
// memory.
func (e *Extractor) article(ctx context.Context, open opener, opts []Option) (*Article, error) {
	s, err := e.set.with(opts)
	if err != nil {
		return nil, err
	}
	s.noReasons = true
	x, err := s.extract(ctx, open)
	if err != nil {
		return nil, err
	}
	detach(x.Article)
	return x.Article, nil
}

// opener returns the document of a page.
type opener func(context.Context, *settings) (*dom.Document, error)

// parse returns an opener that parses what r holds.
func parse(r io.Reader) opener {
	return func(ctx context.Context, s *settings) (*dom.Document, error) {
		page, err := readAll(ctx, r, s.limits.Bytes)
		if err != nil {
			return nil, err
		}
		return dom.Parse(ctx, page, dom.Options{
			Charset: s.charset, HeaderCharset: s.headerCharset, NoCopy: true,
			Limits: dom.Limits{Bytes: s.limits.Bytes, Nodes: s.limits.Nodes},
		})
	}
}

// parsed returns an opener for a document that is already parsed.
func parsed(d *dom.Document) opener {
	return func(context.Context, *settings) (*dom.Document, error) {
		if d == nil {
			return nil, fmt.Errorf("%w: the document is nil", ErrEmpty)
		}
		return d, nil
	}
}

// readAll reads a page up to the limit. An error in the middle of a page is
// returned: half an article must not pass for a whole one.
func readAll(ctx context.Context, r io.Reader, limit int) ([]byte, error) {
	if page, ok := r.(*owned.Reader); ok && page.Len() <= limit && ctx.Err() == nil {
		return page.Rest(), nil
	}
	var b bytes.Buffer
	if known, ok := r.(interface{ Len() int }); ok {
		b.Grow(min(known.Len(), limit) + bytes.MinRead)
	}
	n, err := b.ReadFrom(&contextReader{ctx, io.LimitedReader{R: r, N: max(int64(limit), int64(limit)+1)}})
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

// contextReader checks the context before every read.
type contextReader struct {
	ctx context.Context
	io.LimitedReader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.LimitedReader.Read(p)
}

// extract runs the stages: document, method, selection, article. A panic in
// any of them is lede's fault and fails this page only.
func (s *settings) extract(ctx context.Context, open opener) (x *Explanation, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("lede: extraction failed", slog.String("url", s.url), slog.Any("panic", p))
			x, err = nil, fmt.Errorf("%w: %.200q", ErrInternal, fmt.Sprint(p))
		}
	}()
	m := s.chosenMethod()
	if s.neighbours != nil {
		// Their time does not count for the page.
		if err := s.neighbours.learn(ctx, m); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.limits.Time, fmt.Errorf("%w: not done after %v", ErrTimeout, s.limits.Time))
	defer cancel()
	doc, err := open(ctx, s)
	if err != nil {
		return nil, err
	}
	page := &method.Page{Doc: doc, URL: s.url, LinkText: s.linkText, Favor: s.favor, NoReasons: s.noReasons}
	var fingerprint *site.Fingerprint
	if s.neighbours != nil || s.site != nil {
		fingerprint = site.NewFingerprint(doc)
		if s.neighbours != nil {
			page.Site = s.neighbours.site(m, fingerprint, doc)
		} else {
			page.Site = s.site.Match(fingerprint)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	if s.layout != nil {
		if page.Layout, err = s.layout(ctx, doc, s.url); err != nil {
			return nil, err
		}
	}
	raw, sel, err := selectStory(ctx, m, page)
	if (err == nil || errors.Is(err, ErrNoContent)) && needsScripts(doc, err == nil) {
		err = ErrScripts
	}
	if errors.Is(err, ErrNoContent) {
		return nil, s.addFacts(ctx, page, err)
	}
	if err != nil {
		return nil, err
	}
	if x, err = s.assemble(ctx, page, sel); err != nil {
		return nil, err
	}
	if len(x.Article.Body) == 0 {
		return nil, s.addFacts(ctx, page, ErrNoContent)
	}
	x.Article.Method = m.Name()
	x.raw, x.fingerprint = raw, fingerprint
	if s.articlesOnly && x.Article.Type != article.TypeArticle {
		return nil, fmt.Errorf("%w: its type is %s; leave out WithArticlesOnly to get its text", ErrNotArticle, x.Article.Type)
	}
	if s.log.Enabled(ctx, slog.LevelDebug) {
		s.log.Debug("lede: extracted", slog.String("url", s.url), slog.String("method", m.Name()),
			slog.Int("nodes", doc.Len()), slog.Int("blocks", len(x.Article.Body)), slog.String("charset", doc.Charset()))
	}
	return x, nil
}

// FactsError is the error of a page whose text was not found, but whose facts are known:
// a page with a video has a headline and a date. Err is ErrNoContent or ErrScripts.
type FactsError struct {
	Err   error
	facts *Article
}

// Error returns the text of Err.
func (e *FactsError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *FactsError) Unwrap() error { return e.Err }

// Facts returns the article without a body.
func (e *FactsError) Facts() *Article { return e.facts }

// addFacts adds the facts of a page to the error that its text was not found, if it has a
// headline.
func (s *settings) addFacts(ctx context.Context, page *method.Page, err error) error {
	x, failed := s.assemble(ctx, page, &method.Selection{Title: dom.None, Type: article.TypeOther})
	if failed != nil || x.Article.Title == "" {
		return err
	}
	x.Article.Method = s.chosenMethod().Name()
	detach(x.Article)
	return &FactsError{err, x.Article}
}

// siteJudge is implemented by blend, which judges a page with and without what is
// known about its site. known is nil if that says nothing.
type siteJudge interface {
	SelectWithSite(context.Context, *method.Page) (plain, known *method.Selection, err error)
}

// selectStory runs a method and corrects its selection by what is known about
// the site, unless the method has done so itself. It returns the selection
// before and after the correction.
func selectStory(ctx context.Context, m method.Method, page *method.Page) (raw, sel *method.Selection, err error) {
	known := page.Site
	if j, ok := m.(siteJudge); ok && known != nil {
		if raw, sel, err = j.SelectWithSite(ctx, page); sel != nil {
			return raw, sel, nil
		}
		if err == nil { // no article: it has its text elsewhere than the stories of the site
			known = new(method.Site)
			*known = *page.Site
			known.Body = dom.None
		}
	} else {
		raw, err = m.Select(ctx, page)
	}
	if errors.Is(err, ErrNoContent) && page.Site != nil && page.Site.Body != dom.None {
		// The place where this site puts its stories may still hold one.
		raw, err = &method.Selection{Title: dom.None}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if raw == nil {
		return nil, nil, ErrNoContent
	}
	if m, ok := m.(method.SiteReader); ok && m.ReadsSite() {
		return raw, raw, nil
	}
	return raw, correct.Selection(page.Doc, raw, known), nil
}
