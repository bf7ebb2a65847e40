package lede

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// Limits bound what one page may cost. A page past a limit gives an error or,
// where it has too many nodes, a part with Article.Partial set. The zero value
// of a field means its default.
type Limits struct {
	Bytes int           // default 20 MiB; more is ErrTooLarge
	Nodes int           // default 500,000; what comes after is cut off
	Time  time.Duration // default 10 s; more is ErrTimeout
}

// DefaultTime is how long one page may take unless Limits says otherwise.
const DefaultTime = 10 * time.Second

// Option changes how pages are extracted.
type Option func(*settings)

type settings struct {
	ctx           context.Context
	log           *slog.Logger
	url           string
	linkText      string
	charset       string
	headerCharset string
	limits        Limits
	method        method.Method
	favor         method.Favor
	pictures      bool
	captions      bool
	tables        bool
	comments      bool
	onlyArticles  bool
	unasked       bool // nobody will want the reasons
	site          Site
	layout        Layouter
	err           error
}

func defaults() settings {
	s := settings{
		ctx:      context.Background(),
		log:      slog.New(slog.DiscardHandler),
		pictures: true,
		limits:   Limits{Bytes: dom.DefaultBytes, Nodes: dom.DefaultNodes, Time: DefaultTime},
	}
	s.method, s.err = NewMethod(DefaultMethod)
	return s
}

func (s settings) with(opts []Option) settings {
	for _, o := range opts {
		o(&s)
	}
	return s
}

// WithContext ends the extraction when ctx does, with its error.
func WithContext(ctx context.Context) Option { return func(s *settings) { s.ctx = ctx } }

// WithLogger sends debug lines and the errors that are lede's own fault to l.
// Without it nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return func(s *settings) {
		if s.log = l; l == nil {
			s.log = slog.New(slog.DiscardHandler)
		}
	}
}

// WithURL tells where the page was found. Links and pictures become absolute
// with it, and dates may be read from it. Nothing is fetched.
func WithURL(u string) Option { return func(s *settings) { s.url = u } }

// WithLinkText gives the text of the link that led to the page, which some
// methods compare the headline with.
func WithLinkText(t string) Option { return func(s *settings) { s.linkText = t } }

// WithCharset insists on an encoding, whatever the page says of itself.
func WithCharset(name string) Option { return func(s *settings) { s.charset = name } }

// WithHeaderCharset passes on the charset of the HTTP Content-Type header. It
// counts for more than the page's own <meta>.
func WithHeaderCharset(name string) Option { return func(s *settings) { s.headerCharset = name } }

// WithLimits sets what one page may cost.
func WithLimits(l Limits) Option {
	return func(s *settings) {
		if l.Bytes > 0 {
			s.limits.Bytes = l.Bytes
		}
		if l.Nodes > 0 {
			s.limits.Nodes = l.Nodes
		}
		if l.Time > 0 {
			s.limits.Time = l.Time
		}
	}
}

// WithMethod chooses the method by name, with settings such as
// "threshold=0.8" changed from their defaults; see Methods.
func WithMethod(name string, set ...string) Option {
	return func(s *settings) {
		m, err := NewMethod(name, set...)
		if err != nil {
			s.err = err
			return
		}
		s.method, s.err = m, nil
	}
}

// WithCustomMethod extracts with a method of your own.
func WithCustomMethod(m method.Method) Option {
	return func(s *settings) {
		if s.method, s.err = m, nil; m == nil {
			s.err = fmt.Errorf("%w: no method was given", ErrUnknownMethod)
		}
	}
}

// WithPictures keeps pictures and videos, as by default, or leaves them out.
// Either way the text is the same.
func WithPictures(keep bool) Option { return func(s *settings) { s.pictures = keep } }

// WithFavor leans towards leaving out what may not be of the story
// (method.FavorPrecision), or towards keeping what may be (method.FavorRecall).
// The default method heeds it; those of papers decide as their papers say.
func WithFavor(f method.Favor) Option { return func(s *settings) { s.favor = f } }

// WithTables keeps the tables of figures that stand inside the story, even
// where the method took them for furniture. Without it they are kept where the
// method keeps their text.
func WithTables(keep bool) Option { return func(s *settings) { s.tables = keep } }

// WithComments looks for what readers wrote under the story and gives it as
// Article.Comments.
func WithComments(keep bool) Option { return func(s *settings) { s.comments = keep } }

// WithCaptions sets captions as paragraphs of the story as well.
func WithCaptions(keep bool) Option { return func(s *settings) { s.captions = keep } }

// WithReasons says whether Explain gives the reasons of the method, as by
// default. They may cost more than the choice itself, so that who wants only what
// was kept, or Observe, should leave them out.
func WithReasons(give bool) Option { return func(s *settings) { s.unasked = !give } }

// Site knows the site that a page comes from: a *site.Profile does, or
// something that looks one up for the page.
type Site interface {
	// ReadPage finds on the page what is known of its site; nil when that is
	// nothing.
	ReadPage(*site.Page) *method.Site
}

// WithSite extracts with what is known of the page's site. What is the same on
// all of its pages is then no part of a story.
func WithSite(known Site) Option { return func(s *settings) { s.site = known } }

// Layouter finds out where the nodes of a page stand. A browser does, see
// package browser.
type Layouter func(ctx context.Context, d *dom.Document, url string) (*method.Layout, error)

// WithLayout has every page laid out for methods that look at it as a reader
// does. Without it they estimate. A page that cannot be laid out fails.
func WithLayout(lay Layouter) Option { return func(s *settings) { s.layout = lay } }

// OnlyArticles gives ErrNotArticle for pages that are no article.
func OnlyArticles() Option { return func(s *settings) { s.onlyArticles = true } }
