package lede

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/page/limits"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// Article is a news article. See package article for its parts.
type Article = article.Article

// Block is one part of an article's body: a paragraph, a heading, a list.
type Block = article.Block

// Kind is the kind of a Block.
type Kind = article.Kind

// The kinds of blocks.
const (
	Paragraph = article.Paragraph
	Heading   = article.Heading
	List      = article.List
	Quote     = article.Quote
	Table     = article.Table
	Code      = article.Code
	Picture   = article.Picture
	Video     = article.Video
	Rule      = article.Rule
	Embed     = article.Embed
)

// Favor is the direction in which a method leans when in doubt.
type Favor = method.Favor

// A doubtful paragraph is judged on its merits, left out, or kept.
const (
	Balanced       = method.Balanced
	FavorPrecision = method.FavorPrecision
	FavorRecall    = method.FavorRecall
)

// Limits bound the cost of one page. A page beyond a limit gives an error or,
// if it has too many nodes, a part of the article with Article.Partial set.
// Zero means the default.
type Limits struct {
	Bytes int           // default 20 MiB; a larger page is ErrTooLarge
	Nodes int           // default 500,000; the rest of the page is cut off
	Time  time.Duration // default 10 s; a slower page is ErrTimeout
}

// DefaultTime is the default of Limits.Time.
const DefaultTime = limits.PageTime

// Option configures an extraction.
type Option func(*settings) error

type settings struct {
	log           *slog.Logger
	url           string
	linkText      string
	charset       string
	headerCharset string
	limits        Limits
	method        method.Method // nil is the default method
	favor         Favor
	pictures      bool
	captions      bool
	tables        bool
	comments      bool
	cleaned       bool
	articlesOnly  bool
	noReasons     bool
	site          Site
	neighbours    *neighbours // used instead of site
	layout        Layouter
}

var defaultSettings = settings{
	log:      slog.New(slog.DiscardHandler),
	pictures: true,
	limits:   Limits{Bytes: dom.DefaultBytes, Nodes: dom.DefaultNodes, Time: DefaultTime},
}

// with returns a copy of the settings with the options applied.
func (s settings) with(opts []Option) (*settings, error) {
	for _, o := range opts {
		if err := o(&s); err != nil {
			return nil, err
		}
	}
	return &s, nil
}

func (s *settings) chosenMethod() method.Method {
	if s.method == nil {
		return defaultMethod()
	}
	return s.method
}

// set returns an option that cannot fail.
func set(f func(*settings)) Option {
	return func(s *settings) error {
		f(s)
		return nil
	}
}

// WithURL sets the address of the page. It makes links and pictures absolute,
// and may hold the date. It is not fetched.
func WithURL(url string) Option { return set(func(s *settings) { s.url = url }) }

// WithLinkText sets the text of the link that led to the page, which some
// methods compare with the headline.
func WithLinkText(text string) Option { return set(func(s *settings) { s.linkText = text }) }

// WithCharset sets the charset of the page, whatever the page declares.
func WithCharset(name string) Option {
	return func(s *settings) error {
		s.charset = name
		return charset.Check(name)
	}
}

// WithHeaderCharset sets the charset of the HTTP Content-Type header, which
// has precedence over the page's <meta>. An unknown charset is ignored.
func WithHeaderCharset(name string) Option {
	return set(func(s *settings) { s.headerCharset = name })
}

// WithLimits bounds the cost of one page.
func WithLimits(l Limits) Option {
	return func(s *settings) error {
		if l.Bytes < 0 || l.Nodes < 0 || l.Time < 0 {
			return fmt.Errorf("%w: a limit is negative; zero means the default", ErrOption)
		}
		if l.Bytes > 0 {
			s.limits.Bytes = l.Bytes
		}
		if l.Nodes > 0 {
			s.limits.Nodes = l.Nodes
		}
		if l.Time > 0 {
			s.limits.Time = l.Time
		}
		return nil
	}
}

// WithMethod selects a method by name and changes its settings, such as
// "threshold=0.8". See Methods for the names.
func WithMethod(name string, set ...string) Option {
	return func(s *settings) error {
		if name == DefaultMethod && len(set) == 0 {
			s.method = nil
			return nil
		}
		m, err := NewMethod(name, set...)
		s.method = m
		return err
	}
}

// WithCustomMethod selects a method of your own.
func WithCustomMethod(m method.Method) Option {
	return func(s *settings) error {
		if m == nil {
			return fmt.Errorf("%w: the custom method is nil", ErrUnknownMethod)
		}
		s.method = m
		return nil
	}
}

// WithFavor makes the default method leave out doubtful text (FavorPrecision)
// or keep it (FavorRecall). The methods of papers ignore it.
func WithFavor(f Favor) Option { return set(func(s *settings) { s.favor = f }) }

// WithPictures keeps pictures and videos. It is on by default. The text of the
// article does not depend on it.
func WithPictures(keep bool) Option { return set(func(s *settings) { s.pictures = keep }) }

// WithCaptions repeats captions as paragraphs of the body.
func WithCaptions(keep bool) Option { return set(func(s *settings) { s.captions = keep }) }

// WithTables keeps every data table inside the article. Without it, a table is
// kept if the method takes its text for part of the article.
func WithTables(keep bool) Option { return set(func(s *settings) { s.tables = keep }) }

// WithComments returns readers' comments in Article.Comments.
func WithComments(keep bool) Option { return set(func(s *settings) { s.comments = keep }) }

// WithCleaned returns the page's own HTML without what the method dropped in
// Article.Cleaned, for programs that mine pages.
func WithCleaned(keep bool) Option { return set(func(s *settings) { s.cleaned = keep }) }

// WithArticlesOnly returns ErrNotArticle for pages that are not articles.
func WithArticlesOnly(only bool) Option { return set(func(s *settings) { s.articlesOnly = only }) }

// WithReasons makes Explain give the reasons of the method, and the sources,
// candidates and places of facts. It is on by default. Reasons may cost more than the
// extraction, so turn them off if only the selection or Observe is needed.
func WithReasons(give bool) Option { return set(func(s *settings) { s.noReasons = !give }) }

// WithLogger sends debug messages, and errors that are lede's own fault, to l.
// Without it, or if l is nil, nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return set(func(s *settings) {
		if s.log = l; l == nil {
			s.log = defaultSettings.log
		}
	})
}

// Site finds what is known about the site of a page. A *site.Profile does.
type Site interface {
	// Match returns what is known about the site, located on this page, or
	// nil if nothing is known.
	Match(*site.Fingerprint) *method.Site
}

// WithSite uses what is known about the site of the page: content that is the
// same on all its pages is not part of an article.
func WithSite(known Site) Option { return set(func(s *settings) { s.site = known }) }

// Layouter measures the layout of a page, for example in a browser.
type Layouter func(ctx context.Context, d *dom.Document, url string) (*method.Layout, error)

// WithLayout measures the layout of every page, for methods that use it.
// Without it they estimate the layout. An error of the Layouter fails the page.
func WithLayout(l Layouter) Option { return set(func(s *settings) { s.layout = l }) }
