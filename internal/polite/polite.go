// Package polite fetches pages as sites ask programs to do: what robots.txt allows,
// one request at a time from each host, and with a pause between two of them. What
// fails in a way that may pass is tried once more.
package polite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/robots"
)

// Errors of pages that are not fetched. A host whose robots.txt cannot be fetched, as
// opposed to one that has none, allows nothing (RFC 9309, section 2.3.1).
var (
	ErrRobots   = errors.New("not allowed by robots.txt")
	ErrNoRobots = errors.New("robots.txt cannot be fetched")
)

// GetFunc fetches a page. Client.Get of package fetch is one.
type GetFunc func(ctx context.Context, url string) (*fetch.Response, error)

// Options are the settings of a Fetcher.
type Options struct {
	// Get fetches robots.txt, and pages unless GetWith is used.
	Get GetFunc
	// UserAgent is what Get sends; empty means that of package fetch.
	UserAgent string
	// Delay is the pause between two requests to a host (default: 1 s). A longer
	// one in robots.txt counts, up to 30 s.
	Delay time.Duration
	// Connections is the number of concurrent requests to all hosts (default: 16).
	Connections int
}

// The defaults of Options.
const (
	DefaultDelay       = time.Second
	DefaultConnections = 16
)

const (
	maxDelay = 30 * time.Second // that a robots.txt may ask for
	maxRetry = time.Minute      // that a server may ask for before the second attempt
	maxHosts = 10_000           // that are remembered
	retry    = 5                // delays before the second attempt
)

// Fetcher fetches pages politely. It is safe for concurrent use.
type Fetcher struct {
	opts  Options
	slots chan struct{}

	mu    sync.Mutex
	hosts map[string]*host
}

// host is a host that pages were fetched from. The holder of turn has its other
// fields.
type host struct {
	users int // waiting for their turn or having it; guarded by Fetcher.mu
	turn  chan struct{}
	last  time.Time // of the last request; zero if there was none
	sites map[string]*site
}

// site is what the robots.txt of a host says, which may differ by scheme.
type site struct {
	rules *robots.Rules
	err   error // robots.txt cannot be fetched
}

// New returns a Fetcher.
func New(opts Options) *Fetcher {
	opts.Delay = cmp.Or(opts.Delay, DefaultDelay)
	opts.Connections = cmp.Or(opts.Connections, DefaultConnections)
	return &Fetcher{opts: opts, slots: make(chan struct{}, opts.Connections), hosts: map[string]*host{}}
}

// Get fetches a page when it is the turn of its host.
func (f *Fetcher) Get(ctx context.Context, address string) (*fetch.Response, error) {
	return f.GetWith(ctx, address, f.opts.Get)
}

// GetWith is Get with another way to fetch the page, such as a browser.
func (f *Fetcher) GetWith(ctx context.Context, address string, get GetFunc) (*fetch.Response, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return get(ctx, address) // its error says what is wrong; nothing is sent
	}
	h, release, err := f.enter(ctx, u)
	if err != nil {
		return nil, err
	}
	defer release()
	s, err := f.site(ctx, h, u)
	switch {
	case err != nil:
		return nil, err
	case s.err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNoRobots, s.err)
	case !s.rules.Allowed(u):
		return nil, ErrRobots
	}
	return f.try(ctx, h, max(f.opts.Delay, min(s.rules.Delay, maxDelay)), address, get)
}

// Fetched tells the Fetcher about a request that was made without it, so that the
// next one waits.
func (f *Fetcher) Fetched(ctx context.Context, address string) {
	u, err := url.Parse(address)
	if err != nil {
		return
	}
	if h, release, err := f.enter(ctx, u); err == nil {
		h.last = time.Now()
		release()
	}
}

// enter waits for a turn at the host of an address.
func (f *Fetcher) enter(ctx context.Context, u *url.URL) (h *host, release func(), err error) {
	name := strings.ToLower(u.Hostname())
	f.mu.Lock()
	if h = f.hosts[name]; h == nil {
		f.forget()
		h = &host{turn: make(chan struct{}, 1), sites: map[string]*site{}}
		f.hosts[name] = h
	}
	h.users++
	f.mu.Unlock()
	leave := func() {
		f.mu.Lock()
		h.users--
		f.mu.Unlock()
	}
	select {
	case h.turn <- struct{}{}:
		return h, func() { <-h.turn; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, nil, context.Cause(ctx)
	}
}

// forget makes room for another host.
func (f *Fetcher) forget() {
	if len(f.hosts) < maxHosts {
		return
	}
	for name, h := range f.hosts {
		if h.users == 0 {
			delete(f.hosts, name)
		}
	}
}

// site returns what robots.txt says. A missing one allows everything. The error is
// that of the context.
func (f *Fetcher) site(ctx context.Context, h *host, u *url.URL) (*site, error) {
	origin := u.Scheme + "://" + strings.ToLower(u.Host)
	if s := h.sites[origin]; s != nil {
		return s, nil
	}
	agent, _, _ := strings.Cut(cmp.Or(f.opts.UserAgent, "lede"), "/")
	resp, err := f.try(ctx, h, f.opts.Delay, origin+"/robots.txt", f.opts.Get)
	s := &site{rules: &robots.Rules{}}
	var status *fetch.StatusError
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err == nil:
		s.rules = robots.Parse(resp.Body, agent)
	case errors.As(err, &status) && status.Code < http.StatusInternalServerError && status.Code != http.StatusTooManyRequests, errors.Is(err, fetch.ErrNotHTML):
	default:
		s.err = err
	}
	h.sites[origin] = s
	return s, nil
}

// try sends a request, and once more if it failed in a way that may pass.
func (f *Fetcher) try(ctx context.Context, h *host, delay time.Duration, address string, get GetFunc) (*fetch.Response, error) {
	resp, err := f.send(ctx, h, delay, address, get)
	if wait, ok := f.again(ctx, resp, err); ok {
		return f.send(ctx, h, max(delay, wait), address, get)
	}
	return resp, err
}

// send sends a request after a pause.
func (f *Fetcher) send(ctx context.Context, h *host, delay time.Duration, address string, get GetFunc) (*fetch.Response, error) {
	if !h.last.IsZero() {
		timer := time.NewTimer(time.Until(h.last.Add(delay)))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	select {
	case f.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() {
		h.last = time.Now()
		<-f.slots
	}()
	return get(ctx, address)
}

// again reports whether to try again, and after which time.
func (f *Fetcher) again(ctx context.Context, resp *fetch.Response, err error) (time.Duration, bool) {
	wait := retry * f.opts.Delay
	var status *fetch.StatusError
	var dns *net.DNSError
	switch {
	case ctx.Err() != nil:
		return 0, false
	case err == nil:
		return wait, resp.TruncatedReason != "" && resp.Status != http.StatusPartialContent
	case errors.As(err, &status):
		switch status.Code {
		case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return max(wait, min(status.RetryAfter, maxRetry)), true
		}
		return 0, false
	case errors.As(err, &dns) && dns.IsNotFound:
		return 0, false
	}
	return wait, errors.Is(err, fetch.ErrConnect) || errors.Is(err, fetch.ErrTimeout) || errors.Is(err, fetch.ErrDNS)
}
