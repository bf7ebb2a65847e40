// Package fetch gets pages over HTTP within limits.
//
// A [Client] is made for addresses that come from somewhere else: a feed, a
// form, a list of a million links. The zero [Options] therefore bound the time,
// the redirects and the size of a page, and refuse every address that is not on
// the public internet.
//
// # The address guard
//
// The guard looks at the address that is about to be connected to, not at the
// URL: the client resolves a name itself, drops the addresses that are refused
// and connects to one of those that are left. No second lookup happens in
// between, so a name cannot change its answer after the check, and a redirect is
// held to the same rule as the first URL. Set AllowPrivate to turn the guard off.
//
// # Proxies
//
// A proxy connects on the client's behalf and so would get around the guard.
// The proxy variables of the environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY) are
// ignored unless AllowPrivate is set.
//
// # What is sent
//
// GET requests only, without cookies, credentials or Referer. Pages that
// redirect from within (meta refresh, scripts) are returned, not followed.
package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/lede-news/lede/internal/limits"
)

// Client gets pages. It keeps connections open between calls and is safe for
// concurrent use.
type Client struct {
	opts      Options
	dialer    *dialer
	transport *http.Transport
}

// New returns a Client with the given limits.
func New(opts Options) *Client {
	opts = opts.withDefaults()
	d := newDialer(opts)
	t := &http.Transport{
		DialContext:            d.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true, // a DialContext of one's own turns it off otherwise
		DisableCompression:     true, // the body is decoded here, under a limit
		MaxResponseHeaderBytes: 1 << 20,
		MaxIdleConns:           100,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        90 * time.Second,
		// The transport lets a handshake outlive the request that began it.
		TLSHandshakeTimeout: opts.Timeout,
	}
	if opts.AllowPrivate {
		t.Proxy = http.ProxyFromEnvironment
	}
	return &Client{opts: opts, dialer: d, transport: t}
}

// Get fetches a page and follows its redirects.
//
// The error is an [*Error] or a [*StatusError]. A body that breaks off is not an
// error: what came is in the response, which says that it is truncated.
func (c *Client) Get(ctx context.Context, rawURL string) (*Response, error) {
	u, err := parseURL(rawURL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.opts.Timeout, ErrTimeout)
	defer cancel()

	resp, last, err := c.follow(ctx, u)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	page, err := c.receive(ctx, last, resp)
	return page, redirectedFrom(u, last, err)
}

// CloseIdleConnections closes the connections that wait for another Get.
func (c *Client) CloseIdleConnections() {
	c.transport.CloseIdleConnections()
}

// send makes one request, without redirects. It goes to the transport directly,
// since http.Client would add a Referer and could carry credentials along.
func (c *Client) send(ctx context.Context, u *url.URL) (*http.Response, error) {
	req := (&http.Request{
		Method: http.MethodGet,
		URL:    u,
		Host:   u.Host,
		Header: http.Header{
			"User-Agent":      {c.opts.UserAgent},
			"Accept":          {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
			"Accept-Encoding": {"gzip, deflate, br, zstd"},
		},
	}).WithContext(ctx)
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return nil, c.explain(ctx, u, err)
	}
	return resp, nil
}

// The limits that the zero Options stand for.
const (
	DefaultTimeout      = 30 * time.Second
	DefaultMaxBytes     = limits.PageBytes
	DefaultMaxRedirects = 10
)

// Options sets the limits of a Client. The zero value is safe to use on
// addresses that nobody has looked at.
type Options struct {
	// Timeout bounds a whole Get: lookup, redirects and body.
	// Zero or less means DefaultTimeout.
	Timeout time.Duration

	// MaxBytes bounds the body, both as sent and as decoded, so that a small
	// compressed body cannot grow without end. Zero or less means DefaultMaxBytes.
	MaxBytes int64

	// MaxRedirects is how many redirects are followed.
	// Zero means DefaultMaxRedirects, less than zero means none.
	MaxRedirects int

	// AllowPrivate turns the address guard off and the proxy variables of the
	// environment on.
	AllowPrivate bool

	// AnyType takes whatever there is at an address, such as a picture. Without
	// it, what is no page is ErrNotHTML.
	AnyType bool

	// UserAgent names the client to servers. Empty means lede's own name,
	// its version and where to read about it.
	UserAgent string

	// Logger hears of redirects and of bodies that broke off. Nil discards.
	Logger *slog.Logger

	// Resolver looks names up. Nil means the system's resolver.
	Resolver Resolver
}

// Resolver looks up the addresses of a name; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	switch {
	case o.MaxRedirects == 0:
		o.MaxRedirects = DefaultMaxRedirects
	case o.MaxRedirects < 0:
		o.MaxRedirects = 0
	}
	if o.UserAgent == "" {
		o.UserAgent = "lede/" + version() + " (+https://" + module + ")"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	return o
}

const module = "github.com/lede-news/lede"

// version asks the binary, so that no constant has to be kept in step with tags.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return "devel"
}

// follow sends the request and the redirects after it, and returns the last
// response with the URL that gave it.
func (c *Client) follow(ctx context.Context, first *url.URL) (*http.Response, *url.URL, error) {
	u := first
	for hops := 0; ; hops++ {
		resp, err := c.send(ctx, u)
		if err != nil {
			return nil, nil, redirectedFrom(first, u, err)
		}
		if !isRedirect(resp.StatusCode) || resp.Header.Get("Location") == "" {
			return resp, u, nil
		}
		discard(resp)
		if hops == c.opts.MaxRedirects {
			return nil, nil, &Error{
				URL: show(first), Kind: ErrTooManyRedirects,
				Reason: fmt.Sprintf("stopped after %s, at %s; open it in a browser to see where it leads",
					count(hops, "redirect"), show(u)),
			}
		}
		next, err := c.target(u, resp.Header.Get("Location"))
		if err != nil {
			return nil, nil, redirectedFrom(first, nil, err)
		}
		c.opts.Logger.DebugContext(ctx, "redirect",
			"status", resp.StatusCode, "from", show(u), "to", show(next),
			"downgrade", u.Scheme == "https" && next.Scheme == "http")
		u = next
	}
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// target is where a Location leads. Credentials in it are dropped rather than
// refused: the page asked for does not depend on them, and they are not sent.
func (c *Client) target(from *url.URL, location string) (*url.URL, error) {
	ref, err := parse(location)
	if err != nil {
		return nil, err
	}
	next := from.ResolveReference(ref)
	next.User = nil
	if next.Fragment == "" {
		next.Fragment = from.Fragment // RFC 9110, section 10.2.2
	}
	if err := check(next); err != nil {
		return nil, err
	}
	return next, nil
}

// redirectedFrom notes the URL that was asked for when another one failed.
func redirectedFrom(first, failed *url.URL, err error) error {
	if e := (*Error)(nil); failed != first && errors.As(err, &e) {
		e.From = show(first)
	}
	return err
}

// discard empties a short body, so that its connection can serve the next hop.
func discard(resp *http.Response) {
	const short = 4 << 10
	if 0 < resp.ContentLength && resp.ContentLength <= short {
		// An error only costs the connection.
		_, _ = io.CopyN(io.Discard, resp.Body, short)
	}
	resp.Body.Close()
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
