package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

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
