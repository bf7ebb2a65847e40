package fetch

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/url"
	"time"
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
