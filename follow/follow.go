// Package follow finds the stories of news sites and returns each once, when it is
// new.
//
//	f, err := follow.New(follow.Options{
//		Sites: []string{"https://paper.example/", "https://other.example/feed.xml"},
//		State: "follow.db",
//	}, follow.HandlerFunc(func(ctx context.Context, s *follow.Story) error {
//		fmt.Println(s.URL, s.Article.Title)
//		return nil
//	}))
//	if err != nil {
//		return err
//	}
//	defer f.Close()
//	err = f.Run(ctx)
//
// A [Follower] reads the feeds, sitemaps, home page and sections of a site, tells
// links to stories from others, fetches what is new, and extracts it. It asks for
// what robots.txt allows, one page at a time from each host, and only again for what
// may have changed. The state file says what was seen, so that the next run returns
// only new and changed stories.
//
// # What is fetched
//
// GET requests only: robots.txt before anything else; feeds, sitemaps, the home page
// and up to 30 sections; a few known addresses of feeds and sitemaps if the site names
// none; and pages of the site that look like stories. If one does not have the headline
// that its link has, an address that does not exist is fetched, to know what the site
// answers then. Nothing that a page embeds is fetched, no forms are sent, no cookies
// kept, and links to other sites are not followed. The address guard of package fetch
// holds for all requests and redirects.
package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/crawl/polite"
)

// Options are the settings of a Follower.
type Options struct {
	// Sites are the addresses of home pages, feeds and sitemaps.
	Sites []string
	// State is the SQLite file with what was seen. It is created if need be. Empty
	// means that the state is kept in memory, so that the next program knows nothing.
	State string
	// Every is the time between two visits to a site. A source that changes rarely is
	// visited less often, at least once a day. Zero means that Run visits each site
	// once and returns.
	Every time.Duration
	// Since is the age of the oldest stories that are fetched, if a source says how
	// old they are (default: 7 days).
	Since time.Duration
	// Ways are the ways to find stories: "feed", "sitemap" and "home", which includes
	// sections (default: all).
	Ways []string

	// Client fetches (default: that of the zero fetch.Options).
	Client *fetch.Client
	// UserAgent is the User-Agent of the Client, whose first word robots.txt may name.
	// Empty means that of package fetch.
	UserAgent string
	// Delay is the time between two requests to a host (default: 1 s). Robots.txt may
	// ask for more.
	Delay time.Duration
	// Connections is the number of concurrent requests to all hosts (default: 16).
	Connections int
	// Budget is the number of requests to a host in a day (default: 2000, less than
	// zero: no limit).
	Budget int

	// Extract extracts the article of a page. Nil means the default method.
	Extract func(ctx context.Context, p *Page) (*article.Article, error)
	// Render, if not nil, fetches a page with a browser. It is used for pages that are
	// empty without scripts.
	Render func(ctx context.Context, address string) (*fetch.Response, error)

	// Report, if not nil, is called with what a person should know about a site, such
	// as that robots.txt allows nothing. It is called by one goroutine at a time.
	Report func(site string, err error)
	// Logger logs every request and decision. Nil discards.
	Logger *slog.Logger
}

// The defaults of Options.
const (
	DefaultSince  = 7 * 24 * time.Hour
	DefaultBudget = 2000
)

// Page is a page to extract.
type Page struct {
	*fetch.Response
	LinkText string // what the link to it says, or ""
}

// Story is a new or changed story.
type Story struct {
	// URL is the address of the story: the canonical one that the page declares, if it
	// can be believed, or else the one that it was fetched from.
	URL       string
	Article   *article.Article
	FoundBy   []string        // feed, sitemap, home, section
	LinkText  string          // what the link to it says, or ""
	FirstSeen time.Time       // when its address was first found
	Changed   bool            // it was returned before, and has changed since
	Fetched   time.Time       // when this version was fetched
	Response  *fetch.Response // the page
}

// Handler receives stories. Its methods are called by one goroutine at a time.
type Handler interface {
	// Story receives a story. An error ends Run, and the story is returned again by
	// the next one.
	Story(ctx context.Context, s *Story) error
	// Commit makes the stories so far durable. The mark is kept in the state file, in
	// the same transaction as the fact that these stories were returned: what was
	// received after the mark that [Follower.Mark] returns will be received again.
	Commit() (mark []byte, err error)
}

// HandlerFunc is a Handler without marks. After a crash the stories of the last
// second may be received again.
type HandlerFunc func(ctx context.Context, s *Story) error

// Story calls the function.
func (h HandlerFunc) Story(ctx context.Context, s *Story) error { return h(ctx, s) }

// Commit does nothing.
func (h HandlerFunc) Commit() ([]byte, error) { return nil, nil }

// ErrNoSites means that Options.Sites is empty.
var ErrNoSites = errors.New("no sites to follow")

// Follower follows sites. It is safe for concurrent use, except for Close.
type Follower struct {
	opts   Options
	handle Handler
	state  *state
	polite *polite.Fetcher
	send   func(context.Context, fetch.Request) (*fetch.Response, error) // Client.Do
	log    *slog.Logger
	ways   ways
	sites  []*siteRecord
	work   chan struct{} // a token for each page that is being parsed or extracted

	counting sync.Mutex
	stats    Stats

	reporting sync.Mutex
}

// New returns a Follower.
func New(opts Options, handle Handler) (*Follower, error) {
	opts.Since = cmp.Or(opts.Since, DefaultSince)
	opts.Budget = cmp.Or(opts.Budget, DefaultBudget)
	opts.Connections = cmp.Or(opts.Connections, polite.DefaultConnections)
	if opts.Extract == nil {
		opts.Extract = extract
	}
	if opts.Client == nil {
		opts.Client = fetch.New(fetch.Options{UserAgent: opts.UserAgent, Logger: opts.Logger})
	}
	f := &Follower{opts: opts, handle: handle, log: opts.Logger, send: opts.Client.Do, work: make(chan struct{}, runtime.GOMAXPROCS(0))}
	if f.log == nil {
		f.log = slog.New(slog.DiscardHandler)
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	var aside string
	var err error
	if f.state, aside, err = openState(opts.State, func() ([]byte, error) { return f.handle.Commit() }); err != nil {
		return nil, err
	}
	if aside != "" {
		f.report("", fmt.Errorf("%s: %w; it is kept as %s, and stories may be returned again", opts.State, ErrDamaged, aside))
	}
	f.polite = polite.New(polite.Options{
		Do: f.do, UserAgent: opts.UserAgent, Delay: opts.Delay, Connections: opts.Connections,
		Budget: max(opts.Budget, 0), Patience: patience, Memory: hosts{f.state},
	})
	if err := f.addSites(); err != nil {
		return nil, errors.Join(err, f.state.close())
	}
	f.stats.Total = len(f.sites)
	return f, nil
}

// patience is how long a visit waits for a host. A longer wait ends the visit.
const patience = 5 * time.Minute

// check checks the options.
func (f *Follower) check() error {
	o := &f.opts
	switch {
	case len(o.Sites) == 0:
		return ErrNoSites
	case o.Every < 0 || o.Since < 0 || o.Delay < 0 || o.Connections < 0:
		return errors.New("the options Every, Since, Delay and Connections must not be negative")
	}
	all := []string{"feed", "sitemap", "home"}
	for _, name := range o.Ways {
		i := slices.Index(all, name)
		if i < 0 {
			return fmt.Errorf("no way to find stories is called %q: use one or more of %s", name, strings.Join(all, ", "))
		}
		f.ways |= 1 << i
	}
	if len(o.Ways) == 0 {
		f.ways = byFeed | bySitemap | byHome
	}
	if f.ways&byHome != 0 {
		f.ways |= bySection
	}
	return nil
}

// addSites adds the sites to the state, each once.
func (f *Follower) addSites() error {
	seen := map[string]bool{}
	for _, address := range f.opts.Sites {
		u, err := fetch.ParseURL(address)
		if err != nil {
			return err
		}
		u.Path, u.Fragment = cmp.Or(u.Path, "/"), ""
		if seen[u.String()] {
			continue
		}
		seen[u.String()] = true
		r, err := f.state.addSite(u.String())
		if err != nil {
			return err
		}
		f.sites = append(f.sites, r)
	}
	return nil
}

// Mark returns the mark of the last Commit that is in the state file, or nil.
func (f *Follower) Mark() ([]byte, error) { return f.state.mark() }

// Save calls Commit and saves the mark now.
func (f *Follower) Save() error {
	if err := f.state.write(func(*state) {}); err != nil {
		return err
	}
	return f.state.flush()
}

// Close writes the state and closes it.
func (f *Follower) Close() error { return f.state.close() }

// do makes a request and counts it.
func (f *Follower) do(ctx context.Context, r fetch.Request) (*fetch.Response, error) {
	f.count(func(c *Stats) { c.Requests++ })
	began := time.Now()
	resp, err := f.send(ctx, r)
	args := []any{"url", r.URL, "conditional", r.ETag != "" || r.LastModified != "", "took", time.Since(began)}
	if err != nil {
		f.log.DebugContext(ctx, "request failed", append(args, "error", err)...)
	} else {
		f.log.DebugContext(ctx, "request", append(args, "status", resp.Status, "bytes", len(resp.Body))...)
	}
	return resp, err
}

func (f *Follower) report(site string, err error) {
	f.log.Warn("problem", "site", site, "error", err)
	if f.opts.Report != nil {
		f.reporting.Lock()
		defer f.reporting.Unlock()
		f.opts.Report(site, err)
	}
}

// Stats are the counts of a Run.
type Stats struct {
	Sites    int // visits to sites
	Problems int // visits that found nothing or were cut short
	Total    int // sites that are followed
	New      int // stories
	Changed  int // stories
	Copies   int // pages of stories that have another address
	Others   int // pages that are not stories
	Failed   int // pages that could not be fetched or extracted
	Requests int
}

func (f *Follower) count(add func(*Stats)) {
	f.counting.Lock()
	defer f.counting.Unlock()
	add(&f.stats)
}

// Stats returns the counts so far.
func (f *Follower) Stats() Stats {
	f.counting.Lock()
	defer f.counting.Unlock()
	return f.stats
}

// Run visits the sites. With Options.Every it does so until ctx is cancelled.
func (f *Follower) Run(ctx context.Context) error {
	stopped := ctx // by the caller
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	visits := make(chan struct{}, f.opts.Connections*visitsPerConnection)
	var all sync.WaitGroup
	for _, r := range f.sites {
		all.Go(func() {
			if err := f.follow(ctx, r, visits); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	err := f.state.flush()
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return err
	case stopped.Err() == nil: // err follows from it
		return cause
	default:
		return errors.Join(cause, err)
	}
}

// follow visits a site when it is due, once or again and again. Visits have a token of
// the channel.
func (f *Follower) follow(ctx context.Context, r *siteRecord, visits chan struct{}) error {
	for {
		if f.opts.Every > 0 {
			select {
			case <-time.After(time.Until(r.Next)):
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		select {
		case visits <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		v := &visit{f: f, site: r}
		err := v.run(ctx)
		<-visits
		if err != nil || f.opts.Every == 0 {
			return err
		}
	}
}

// visitsPerConnection is the number of sites that are visited concurrently for each
// connection. Most of the time a visit waits for the next turn of its host.
const visitsPerConnection = 4

// home returns the address of the home page of a site.
func home(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host + "/"
}
