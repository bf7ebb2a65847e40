package polite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/crawl/robots"
)

// Robots is the robots.txt of an origin. If it could not be fetched the last time, Err
// says why, and the other fields are those of an earlier copy, if there is one: it
// remains in force (RFC 9309, section 2.3.1.4).
type Robots struct {
	Body         []byte    // as far as it is read
	Fetched      time.Time // or asked for
	ETag         string
	LastModified string
	Status       int // 200, or that of a missing one, which allows everything; 0 if there is no copy
	Err          string
}

// site is the robots.txt of an origin in memory.
type site struct {
	Robots
	rules    *robots.Rules // nil if nothing is allowed
	err      error         // of Err
	failures int           // since it could be fetched
	loaded   bool
}

// minRetry is how long a robots.txt that could not be fetched is not asked for again.
// The time doubles with each failure.
const minRetry = time.Minute

// originOf returns the scheme and host of an address, without a default port.
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + strings.Replace(host, "%", "%25", 1) // of a zone
}

// rules returns the rules for an address.
func (f *Fetcher) rules(ctx context.Context, u *url.URL) (*robots.Rules, error) {
	s, err := f.sites.enter(ctx, originOf(u))
	if err != nil {
		return nil, err
	}
	defer f.sites.leave(s)
	if !s.value.loaded {
		var r Robots
		if f.load("robots", s.key, &r) {
			f.setRobots(&s.value, r)
		}
		s.value.loaded = true
	}
	if !s.value.isFresh(time.Now()) {
		if err := f.fetchRobots(ctx, s); err != nil {
			return nil, err
		}
	}
	switch {
	case s.value.rules != nil:
		return s.value.rules, nil
	case errors.Is(s.value.err, fetch.ErrPrivateAddress): // waiting does not help
		return nil, fmt.Errorf("%w: %w", ErrNoRobots, s.value.err)
	}
	expires := s.value.Fetched.Add(s.value.lifetime())
	return nil, &noRobotsError{s.value.err, &WaitError{hostOf(u), expires, "its robots.txt cannot be fetched: " + s.value.Err}}
}

// noRobotsError is ErrNoRobots with its cause and the time of the next attempt.
type noRobotsError struct {
	cause error
	wait  *WaitError
}

func (e *noRobotsError) Error() string   { return ErrNoRobots.Error() + ": " + e.cause.Error() }
func (e *noRobotsError) Unwrap() []error { return []error{ErrNoRobots, e.cause, e.wait} }

// setRobots keeps a robots.txt in memory.
func (f *Fetcher) setRobots(s *site, r Robots) {
	s.Robots, s.rules, s.err, s.failures = r, nil, nil, 0
	switch {
	case r.Status == http.StatusOK:
		s.rules = robots.Parse(r.Body, f.opts.UserAgent)
	case r.Status != 0 && r.Err == "":
		s.rules = new(robots.Rules)
	}
	if r.Err != "" {
		s.err, s.failures = errors.New(r.Err), 1
	}
}

// isFresh reports whether a robots.txt need not be fetched now.
func (s *site) isFresh(now time.Time) bool {
	age := now.Sub(s.Fetched)
	return (s.rules != nil || s.err != nil) && 0 <= age && age < s.lifetime()
}

// lifetime returns how long a robots.txt counts: a day, or less if it could not be
// fetched.
func (s *site) lifetime() time.Duration {
	if s.err == nil {
		return day
	}
	return min(minRetry<<min(s.failures-1, 10), maxWait)
}

// fetchRobots fetches a robots.txt. The error is a *WaitError or that of the context;
// others are kept.
func (f *Fetcher) fetchRobots(ctx context.Context, s *turn[site]) error {
	resp, body, err := f.requestRobots(ctx, s)
	now := time.Now()
	var status *fetch.StatusError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, new(*WaitError)):
		return err
	case err == nil && resp.Status == http.StatusNotModified:
		s.value.Fetched, s.value.Err, s.value.err, s.value.failures = now, "", nil, 0
		f.save("robots", s.key, s.value.Robots)
	case err == nil:
		f.saveRobots(s, Robots{
			Body: body, Fetched: now, Status: http.StatusOK,
			ETag: resp.Header.Get("ETag"), LastModified: resp.Header.Get("Last-Modified"),
		})
	case errors.As(err, &status) && status.Code < http.StatusInternalServerError && status.Code != http.StatusTooManyRequests:
		f.saveRobots(s, Robots{Fetched: now, Status: status.Code}) // RFC 9309, section 2.3.1.3
	case errors.Is(err, fetch.ErrTooManyRedirects):
		f.saveRobots(s, Robots{Fetched: now, Status: http.StatusNotFound}) // section 2.3.1.2
	default:
		s.value.Fetched, s.value.Err, s.value.err = now, shorten(err), err
		s.value.failures++
		if s.value.Status != http.StatusOK {
			s.value.rules = nil
		}
		if mayPass(err) {
			f.save("robots", s.key, s.value.Robots) // others are those of this run, such as an address that is not allowed
		}
	}
	return nil
}

// requestRobots requests a robots.txt and follows redirects, to any host, without
// asking that for its robots.txt. The request is conditional if there is a copy.
func (f *Fetcher) requestRobots(ctx context.Context, s *turn[site]) (resp *fetch.Response, body []byte, err error) {
	req := fetch.Request{AnyType: true, NoRedirect: true, MaxBytes: 2 * robots.MaxBytes}
	if s.value.Status == http.StatusOK && s.value.rules != nil {
		req.ETag, req.LastModified = s.value.ETag, s.value.LastModified
	}
	req.Read = func(resp *fetch.Response, r io.Reader) (err error) {
		body, err = io.ReadAll(io.LimitReader(r, robots.MaxBytes+1))
		if resp.TruncatedReason != "" {
			return nil // what came counts, if it is no better at the second attempt
		}
		return err
	}
	first, err := fetch.ParseURL(s.key + "/robots.txt")
	if err != nil {
		return nil, nil, err
	}
	resp, err = fetch.Follow(first, func(u *url.URL) (*fetch.Response, error) {
		h, err := f.enter(ctx, u)
		if err != nil {
			return nil, err
		}
		defer f.hosts.leave(h)
		if u == first && s.value.rules != nil {
			h.value.crawlDelay = s.value.rules.CrawlDelay()
		}
		return f.try(ctx, h, always, func(ctx context.Context) (*fetch.Response, error) {
			req.URL, body = u.String(), nil
			return f.opts.Do(ctx, req)
		})
	})
	return resp, body, err
}

// saveRobots keeps a robots.txt that was fetched.
func (f *Fetcher) saveRobots(s *turn[site], r Robots) {
	f.setRobots(&s.value, r)
	f.save("robots", s.key, r)
}
