// Package fetch downloads pages over HTTP within limits.
//
//	client := fetch.New(fetch.Options{})
//	resp, err := client.Get(ctx, "https://paper.example/story")
//
// [Article] also extracts the article.
//
// A [Client] is safe to use with addresses from untrusted sources, such as feeds,
// forms and lists of links. The zero [Options] limit the time, the redirects and
// the size of a page, and refuse every address that is not on the public internet.
//
// # The address guard
//
// The guard checks the IP address of each connection just before it is made, not the
// URL, so a name cannot point elsewhere after the check, and redirects are checked in
// the same way. If a name has several addresses, those that are refused are skipped.
// Options.AllowPrivate turns the guard off.
//
// # Proxies
//
// The variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment choose a
// proxy (http, https or socks5), as in net/http. The address of the proxy itself is
// the user's choice and is not checked. What it is asked to fetch is checked before,
// also after a redirect: an address that the guard refuses, a name that has such an
// address here, and a name that only private networks have (localhost, one without a
// dot, .local, .internal and the like) are refused. So is a name that cannot be resolved
// here, since it cannot be checked: in a network where only the proxy resolves names,
// set AllowPrivate and leave the guard to the rules of the proxy. Hosts in NO_PROXY are
// connected to directly, and guarded as without a proxy.
//
// # Requests
//
// The client sends GET requests only, without cookies, credentials or Referer.
// Redirects within a page (meta refresh, scripts) are not followed. [Client.Do] makes
// conditional requests, returns redirects instead of following them, and reads a body
// as a stream.
package fetch

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/lede-news/lede/internal/page/limits"
	"github.com/lede-news/lede/internal/version"
)

// Options are the settings of a Client. The zero value is safe to use with
// untrusted addresses.
type Options struct {
	// Timeout limits a whole Get or Do: lookup, redirects and body.
	// Zero or less means DefaultTimeout.
	Timeout time.Duration

	// MaxBytes limits the body, both as sent and as decoded, so that a small
	// compressed body cannot expand without bound. Zero or less means 20 MiB,
	// the size of the largest page that is extracted by default.
	MaxBytes int64

	// AllowPrivate turns the address guard off.
	AllowPrivate bool

	// UserAgent is sent to servers. Empty means the name, version and home page
	// of lede.
	UserAgent string

	// Logger logs redirects and truncated bodies. Nil discards.
	Logger *slog.Logger

	// Dial connects to a host, or to a proxy. Nil means a net.Dialer, with Control
	// as the guard unless AllowPrivate is set. A Dial guards its connections itself.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// DefaultTimeout is the default of Options.Timeout.
const DefaultTimeout = 30 * time.Second

// maxRedirects is how many redirects are followed.
const maxRedirects = 10

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = limits.PageBytes
	}
	if o.UserAgent == "" {
		o.UserAgent = "lede/" + version.Get() + " (+https://" + version.Module + ")"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Client downloads pages. It keeps connections open between calls and is safe
// for concurrent use.
type Client struct {
	opts      Options
	transport *http.Transport
	proxied   *http.Transport                  // for requests by a proxy
	proxy     func(*url.URL) (*url.URL, error) // chooses a proxy, or nil
	lookup    lookupFunc                       // for the targets of a proxy
}

// New returns a Client.
func New(opts Options) *Client {
	opts = opts.withDefaults()
	// A dial may outlive the request that started it.
	direct, toProxy := net.Dialer{Timeout: opts.Timeout}, net.Dialer{Timeout: opts.Timeout}
	if !opts.AllowPrivate {
		direct.Control = Control
	}
	dial, dialProxy := direct.DialContext, toProxy.DialContext
	if opts.Dial != nil {
		dial, dialProxy = opts.Dial, opts.Dial
	}
	t := &http.Transport{
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true, // a custom DialContext turns it off otherwise
		DisableCompression:     true, // the body is decoded within MaxBytes
		MaxResponseHeaderBytes: 1 << 20,
		MaxIdleConns:           100,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        90 * time.Second,
		// A handshake may outlive the request that started it.
		TLSHandshakeTimeout: opts.Timeout,
	}
	c := &Client{opts: opts, transport: t, proxy: httpproxy.FromEnvironment().ProxyFunc(), lookup: net.DefaultResolver.LookupNetIP}
	c.proxied = c.byProxy(t, dialProxy)
	return c
}

// Get downloads a page and follows redirects. It is Do without any settings.
//
// The error is an [*Error] or a [*StatusError]. A truncated body is not an error:
// the response has what was received, Truncated is set, and TruncatedReason says why.
func (c *Client) Get(ctx context.Context, rawURL string) (*Response, error) {
	return c.Do(ctx, Request{URL: rawURL})
}

// CloseIdleConnections closes the connections that are kept for another request.
func (c *Client) CloseIdleConnections() {
	c.transport.CloseIdleConnections()
	c.proxied.CloseIdleConnections()
}

// send makes one request, without redirects. It uses the transport directly,
// because http.Client would add a Referer and could forward credentials.
func (c *Client) send(ctx context.Context, u *url.URL, header http.Header) (*http.Response, error) {
	proxy, err := c.chooseProxy(ctx, u)
	if err != nil {
		return nil, err
	}
	req := (&http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: header}).WithContext(ctx)
	if proxy == nil {
		resp, err := c.transport.RoundTrip(req)
		if err != nil {
			return nil, c.networkError(ctx, u, err)
		}
		return resp, nil
	}
	resp, err := c.proxied.RoundTrip(req)
	if err == nil && resp.StatusCode == http.StatusProxyAuthRequired {
		resp.Body.Close()
		err = &connectError{resp.StatusCode}
	}
	if err != nil {
		return nil, c.proxyError(ctx, u, proxy, err)
	}
	return resp, nil
}

// Follow calls visit for a URL and then for those that it is redirected to, which is what
// visit returns as Response.Location. It is for programs that decide about each of them; Do
// follows redirects by itself. The error of a target says where the redirects began.
func Follow(first *url.URL, visit func(*url.URL) (*Response, error)) (*Response, error) {
	var seen []string // without fragments
	for u := first; ; {
		resp, err := visit(u)
		if err != nil || resp.Location == "" {
			return resp, redirectedFrom(first, u, resp, err)
		}
		from, _, _ := strings.Cut(u.String(), "#")
		seen = append(seen, from)
		if u, err = ParseURL(resp.Location); err != nil {
			return nil, redirectedFrom(first, nil, nil, err)
		}
		switch to, _, _ := strings.Cut(u.String(), "#"); {
		case slices.Contains(seen, to):
			err = newError(u, ErrTooManyRedirects, nil, "redirect loop: %s leads back to it", from)
		case len(seen) > maxRedirects:
			err = newError(u, ErrTooManyRedirects, nil,
				"too many redirects: stopped after %d; open it in a browser to see where it leads", maxRedirects)
		}
		if err != nil {
			return nil, redirectedFrom(first, nil, nil, err)
		}
	}
}

// redirectedFrom adds the requested URL to the error of another one, unless the error is
// that of Request.Read, which has a response.
func redirectedFrom(first, failed *url.URL, resp *Response, err error) error {
	if failed == first || resp != nil {
		return err
	}
	switch e := err.(type) {
	case *StatusError:
	case *Error:
		if e.From == "" {
			e.From = first.String()
		}
	default:
		return fmt.Errorf("redirected to %s: %w", failed, err)
	}
	return err
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirectTarget resolves a Location. Credentials in it are dropped, not refused:
// they are not sent, and the requested page does not depend on them.
func redirectTarget(from *url.URL, location string) (*url.URL, error) {
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
