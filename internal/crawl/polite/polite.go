// Package polite fetches pages as sites ask programs to do: what robots.txt allows, one
// request at a time from each host with a pause after it, and within a budget. A server
// that asks to wait or fails is left alone for a while.
//
// A request waits for the turn of its host. It needs the robots.txt of its origin,
// which is fetched before anything else, kept for a day and then requested again,
// conditionally. Redirects are followed here, each as a request of its own: it waits
// for the turn of its host and needs that robots.txt. No request holds the turns of two
// hosts, so that hosts that redirect to each other do not block each other.
//
// A wait is slept if it is at most Options.Patience long. A longer one is an error, a
// [*WaitError], for every request to the host until it is over:
//
//   - Retry-After of an answer 429 or 5xx, up to a day.
//   - Back-off after errors that may pass (429, 5xx, no connection, no answer in time):
//     five times the delay after the first, but at most Patience, and twice as long
//     after each further one, up to an hour. Any other answer ends it.
//   - A budget that is used up: until midnight UTC.
//   - A Crawl-delay that is longer than Patience.
//
// A request that failed in a way that may pass is tried once more, if the wait is not
// too long.
package polite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/crawl/robots"
)

// Errors of pages that are not fetched. A host whose robots.txt cannot be fetched, as
// opposed to one that has none, allows nothing (RFC 9309, section 2.3.1).
var (
	ErrRobots   = errors.New("not allowed by robots.txt")
	ErrNoRobots = errors.New("robots.txt cannot be fetched")
)

// WaitError is the error of a request that would have to wait longer than
// Options.Patience. Nothing was sent.
type WaitError struct {
	Host   string
	Until  time.Time // no request is sent before
	Reason string
}

// Error returns the host, the time and the reason in one line.
func (e *WaitError) Error() string {
	return fmt.Sprintf("no request to %s before %s: %s", e.Host, e.Until.UTC().Format(time.RFC3339), e.Reason)
}

// GetFunc fetches a page. Client.Get of package fetch is one.
type GetFunc func(ctx context.Context, url string) (*fetch.Response, error)

// Options are the settings of a Fetcher. Do is required.
type Options struct {
	// Do sends a request. Client.Do of package fetch is one.
	Do func(context.Context, fetch.Request) (*fetch.Response, error)
	// UserAgent is what Do sends; empty means that of package fetch.
	UserAgent string
	// Delay is the pause between two requests to a host (default: 1 s). A longer one
	// in robots.txt counts.
	Delay time.Duration
	// Connections is the number of concurrent requests to all hosts (default: 16).
	Connections int
	// Budget is the number of requests to a host on a day (UTC), with those for
	// robots.txt. Zero means no limit.
	Budget int
	// Patience is the longest wait that is slept, besides Delay (default: 1 minute).
	Patience time.Duration
	// Memory keeps what is known about hosts between runs. It may be nil.
	Memory Memory
}

// The defaults of Options.
const (
	DefaultDelay       = time.Second
	DefaultConnections = 16
	DefaultPatience    = time.Minute
)

const (
	maxHosts = 10_000 // that are remembered
	maxRules = 500    // robots.txt files that are kept in memory, of up to 512 KiB
)

// Fetcher fetches pages politely. It is safe for concurrent use.
type Fetcher struct {
	opts  Options
	slots chan struct{}
	hosts turns[host]
	sites turns[site]
}

// New returns a Fetcher.
func New(opts Options) *Fetcher {
	opts.Delay = cmp.Or(opts.Delay, DefaultDelay)
	opts.Connections = cmp.Or(opts.Connections, DefaultConnections)
	opts.Patience = cmp.Or(opts.Patience, DefaultPatience)
	opts.UserAgent = cmp.Or(opts.UserAgent, "lede")
	return &Fetcher{
		opts: opts, slots: make(chan struct{}, opts.Connections),
		hosts: turns[host]{most: maxHosts}, sites: turns[site]{most: maxRules},
	}
}

// Do sends a request when it is the turn of its host, and follows redirects unless
// req.NoRedirect is set. The error may be ErrRobots, ErrNoRobots, a *WaitError or one
// of Options.Do; that of a redirect names its target. req.Read is called at most once.
func (f *Fetcher) Do(ctx context.Context, req fetch.Request) (*fetch.Response, error) {
	first, err := fetch.ParseURL(req.URL)
	if err != nil {
		return nil, err
	}
	once, read := req.NoRedirect, false
	req.NoRedirect = true
	if inner := req.Read; inner != nil {
		req.Read = func(resp *fetch.Response, body io.Reader) error {
			read = true
			return inner(resp, body)
		}
	}
	send := func(ctx context.Context, address string) (*fetch.Response, error) {
		req.URL = address
		return f.opts.Do(ctx, req)
	}
	visit := func(u *url.URL) (*fetch.Response, error) {
		return f.visit(ctx, u, send, func() bool { return !read })
	}
	if once {
		return visit(first)
	}
	return fetch.Follow(first, visit)
}

// Get fetches a page when it is the turn of its host. It is Do without any settings.
func (f *Fetcher) Get(ctx context.Context, address string) (*fetch.Response, error) {
	return f.Do(ctx, fetch.Request{URL: address})
}

// GetWith is Get with another way to fetch the page, such as a browser, which follows
// redirects itself.
func (f *Fetcher) GetWith(ctx context.Context, address string, get GetFunc) (*fetch.Response, error) {
	u, err := fetch.ParseURL(address)
	if err != nil {
		return nil, err
	}
	return f.visit(ctx, u, get, always)
}

// Robots returns the rules of the robots.txt for an address. It is fetched if need be,
// and a missing one allows everything.
func (f *Fetcher) Robots(ctx context.Context, address string) (*robots.Rules, error) {
	u, err := fetch.ParseURL(address)
	if err != nil {
		return nil, err
	}
	return f.rules(ctx, u)
}

// Fetched tells the Fetcher about a request that was made without it, so that the
// next one waits.
func (f *Fetcher) Fetched(ctx context.Context, address string) {
	u, err := fetch.ParseURL(address)
	if err != nil {
		return
	}
	if h, err := f.enter(ctx, u); err == nil {
		h.value.sent(time.Now())
		f.save("host", h.key, h.value.Host)
		f.hosts.leave(h)
	}
}

func always() bool { return true }

// visit sends a request, if robots.txt allows it. After an error that may pass, retry
// says whether it may be sent again.
func (f *Fetcher) visit(ctx context.Context, u *url.URL, send GetFunc, retry func() bool) (*fetch.Response, error) {
	rules, err := f.rules(ctx, u)
	if err != nil {
		return nil, err
	}
	address := u.String()
	if !rules.Allowed(address) {
		return nil, ErrRobots
	}
	h, err := f.enter(ctx, u)
	if err != nil {
		return nil, err
	}
	defer f.hosts.leave(h)
	h.value.crawlDelay = rules.CrawlDelay()
	return f.try(ctx, h, retry, func(ctx context.Context) (*fetch.Response, error) { return send(ctx, address) })
}
