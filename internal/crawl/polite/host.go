package polite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/page/lines"
)

// Memory keeps what is known about hosts, under a kind and a name: "host" and a name in
// lower case without a port, or "robots" and an origin, a scheme and a host with a port other
// than the default, such as https://paper.example. It must be safe for concurrent use.
type Memory interface {
	Load(kind, name string) []byte // nil if nothing is known
	Save(kind, name string, data []byte)
}

func (f *Fetcher) load(kind, name string, to any) (ok bool) {
	if f.opts.Memory == nil {
		return false
	}
	data := f.opts.Memory.Load(kind, name)
	return data != nil && json.Unmarshal(data, to) == nil
}

func (f *Fetcher) save(kind, name string, value any) {
	if f.opts.Memory == nil {
		return
	}
	if data, err := json.Marshal(value); err == nil {
		f.opts.Memory.Save(kind, name, data)
	}
}

// Host is what is known about a host.
type Host struct {
	Last     time.Time // the end of the last request
	Day      string    // of Requests, such as 2026-11-16 (UTC)
	Requests int       // on that day
	Failures int       // errors that may pass, since the last success
	Until    time.Time // no request is sent before
	Reason   string    // of Until
}

const (
	firstWait = 5         // delays before another request after an error
	maxWait   = time.Hour // after errors
	day       = 24 * time.Hour
)

// host is a host that pages are fetched from.
type host struct {
	Host
	crawlDelay time.Duration // of the origin that was last fetched from
	loaded     bool
}

// hostOf returns the name of the host of an address.
func hostOf(u *url.URL) string { return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") }

// enter waits for the turn of the host of an address.
func (f *Fetcher) enter(ctx context.Context, u *url.URL) (*turn[host], error) {
	h, err := f.hosts.enter(ctx, hostOf(u))
	if err != nil || h.value.loaded {
		return h, err
	}
	f.load("host", h.key, &h.value.Host)
	h.value.loaded = true
	return h, nil
}

// sent counts a request that is over.
func (h *host) sent(now time.Time) {
	if today := dayOf(now); h.Day != today {
		h.Day, h.Requests = today, 0
	}
	h.Last = now
	h.Requests++
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// try sends a request to a host whose turn it is, and once more if it failed in a way
// that may pass.
func (f *Fetcher) try(ctx context.Context, h *turn[host], retry func() bool, send func(context.Context) (*fetch.Response, error)) (*fetch.Response, error) {
	if err := f.wait(ctx, h, f.opts.Delay); err != nil {
		return nil, err
	}
	resp, err := f.send(ctx, h, send)
	delay := f.opts.Delay
	switch {
	case ctx.Err() != nil, !retry():
		return resp, err
	case err == nil && resp.TruncatedReason != "" && resp.Status != http.StatusPartialContent:
		delay *= firstWait
	case !mayPass(err), errors.Is(err, fetch.ErrTLS), errors.Is(err, fetch.ErrProtocol), isNotFound(err):
		return resp, err
	}
	switch waited := f.wait(ctx, h, delay); {
	case errors.As(waited, new(*WaitError)):
		return resp, err
	case waited != nil:
		return nil, waited
	}
	return f.send(ctx, h, send)
}

func isNotFound(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound
}

// wait waits until a request may be sent to the host.
func (f *Fetcher) wait(ctx context.Context, h *turn[host], delay time.Duration) error {
	now := time.Now()
	until, reason := h.value.Until, h.value.Reason
	if !h.value.Last.IsZero() {
		if at := h.value.Last.Add(h.value.crawlDelay); at.After(until) {
			until, reason = at, fmt.Sprintf("its robots.txt asks for %s between two requests", h.value.crawlDelay)
		}
	}
	if sent := latest(until, now); f.opts.Budget > 0 && h.value.Requests >= f.opts.Budget && h.value.Day == dayOf(sent) {
		until, reason = sent.UTC().Truncate(day).Add(day), fmt.Sprintf("the budget of %d requests a day is used up", f.opts.Budget)
	}
	if until.Sub(now) > f.opts.Patience {
		return &WaitError{h.key, until, reason}
	}
	if !h.value.Last.IsZero() {
		until = latest(until, h.value.Last.Add(delay))
	}
	return sleep(ctx, until.Sub(now))
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// send sends a request when one of the connections is free, and notes how it went.
func (f *Fetcher) send(ctx context.Context, h *turn[host], send func(context.Context) (*fetch.Response, error)) (*fetch.Response, error) {
	select {
	case f.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	resp, err := send(ctx)
	<-f.slots
	now := time.Now()
	h.value.sent(now)
	switch {
	case mayPass(err) && ctx.Err() == nil:
		h.value.Failures++
		wait, reason := f.backOff(h.value.Failures), "after errors: "+shorten(err)
		if status := (*fetch.StatusError)(nil); errors.As(err, &status) && status.RetryAfter >= wait {
			wait, reason = status.RetryAfter, fmt.Sprintf("it answered %d and asked to wait", status.Code)
		}
		h.value.Until, h.value.Reason = now.Add(wait), reason
	case answered(resp, err):
		h.value.Failures, h.value.Until, h.value.Reason = 0, time.Time{}, ""
	}
	f.save("host", h.key, h.value.Host)
	return resp, err
}

// backOff returns how long a host is left alone after a number of failures.
func (f *Fetcher) backOff(failures int) time.Duration {
	wait := min(firstWait*f.opts.Delay, f.opts.Patience)
	for ; failures > 1 && wait < maxWait; failures-- {
		wait *= 2
	}
	return min(wait, maxWait)
}

// mayPass reports whether an error of a host may pass: its server is down or asks for
// patience.
func mayPass(err error) bool {
	var status *fetch.StatusError
	if errors.As(err, &status) {
		return status.Code == http.StatusTooManyRequests || status.Code >= http.StatusInternalServerError && status.Code != http.StatusNotImplemented
	}
	for _, kind := range []error{fetch.ErrConnect, fetch.ErrTimeout, fetch.ErrDNS, fetch.ErrTLS, fetch.ErrProtocol} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// answered reports whether the server of a host works.
func answered(resp *fetch.Response, err error) bool {
	return resp != nil || errors.As(err, new(*fetch.StatusError)) || errors.Is(err, fetch.ErrNotHTML) ||
		errors.Is(err, fetch.ErrTooLarge) || errors.Is(err, fetch.ErrEncoding) || errors.Is(err, fetch.ErrTooManyRedirects)
}

// shorten shortens an error to what a table has room for.
func shorten(err error) string { return lines.Shorten(err.Error(), 200) }
