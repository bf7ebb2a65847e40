package fetch

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"golang.org/x/net/http/httpguts"
)

// Request is a request for Do. Only URL is required.
type Request struct {
	URL string

	// ETag and LastModified are headers of an earlier response. If either is set,
	// the request is conditional: if the page has not changed since, the response has
	// the status 304 and no body. They are also sent to the targets of redirects,
	// since they are those of the last response. One that is not valid in a header is
	// left out.
	ETag, LastModified string

	// AnyType accepts content of any type, such as pictures. Without it, content
	// that is not a page is an error, ErrNotHTML.
	AnyType bool

	// NoRedirect returns a redirect as a Response with its status and Location, and
	// without a body.
	NoRedirect bool

	// MaxBytes limits the body in place of Options.MaxBytes, if it is positive.
	MaxBytes int64

	// Read, if not nil, reads the decoded body as a stream, and Response.Body stays
	// nil. It is called at most once, for a response with content of an accepted type.
	// Its Response is the one that Do returns. The time that it takes is part of the
	// Timeout. It need not read to the end. Beyond MaxBytes the reader fails with an
	// error that wraps ErrTooLarge, and at the end of a truncated body with
	// io.ErrUnexpectedEOF.
	Read func(resp *Response, body io.Reader) error
}

// Do downloads a page. It follows redirects unless req.NoRedirect is set.
//
// The error is an [*Error], a [*StatusError] or the one that req.Read returned; only
// then is there also a Response. If the body is too large or the time is up while
// req.Read reads it, Do fails even if req.Read does not. A truncated body is not an
// error, as with Get.
func (c *Client) Do(ctx context.Context, req Request) (*Response, error) {
	u, err := ParseURL(req.URL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.opts.Timeout, ErrTimeout)
	defer cancel()
	visit := func(u *url.URL) (*Response, error) { return c.do(ctx, u, &req) }
	if req.NoRedirect {
		return visit(u)
	}
	return Follow(u, visit)
}

// do makes one request. A redirect is a response with a Location.
func (c *Client) do(ctx context.Context, u *url.URL, req *Request) (*Response, error) {
	header := c.header(req)
	resp, err := c.send(ctx, u, header)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	page := &Response{URL: u.String(), Status: resp.StatusCode, Header: resp.Header, Request: header}
	location := resp.Header.Get("Location")
	switch {
	case isRedirect(resp.StatusCode) && location != "":
		next, err := redirectTarget(u, location)
		if err != nil {
			return nil, redirectedFrom(u, nil, nil, err)
		}
		c.opts.Logger.DebugContext(ctx, "redirect", "status", resp.StatusCode, "from", u, "to", next)
		page.Location = next.String()
		return page, nil
	case resp.StatusCode == http.StatusNotModified && req.conditional():
		return page, nil
	}
	err = c.receive(ctx, u, resp, req, page)
	if e, ok := err.(readError); ok {
		return page, e.error
	}
	if err != nil {
		return nil, err
	}
	return page, nil
}

// header returns the header of a request.
func (c *Client) header(req *Request) http.Header {
	h := http.Header{
		"User-Agent":      {c.opts.UserAgent},
		"Accept":          {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
		"Accept-Encoding": {"gzip, deflate, br, zstd"},
	}
	if usable(req.ETag) {
		h.Set("If-None-Match", req.ETag)
	}
	if usable(req.LastModified) {
		h.Set("If-Modified-Since", req.LastModified)
	}
	return h
}

func (r *Request) conditional() bool { return usable(r.ETag) || usable(r.LastModified) }

// usable reports whether a validator can be sent.
func usable(validator string) bool {
	const most = 4 << 10 // servers refuse longer headers
	return validator != "" && len(validator) <= most && httpguts.ValidHeaderFieldValue(validator)
}

// readError is the error of Request.Read.
type readError struct{ error }
