package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/crawl/coding"
)

// Response is a downloaded page.
type Response struct {
	URL         string      // after redirects
	Status      int         // 200 to 399
	Header      http.Header // as sent; Content-Encoding and Content-Length describe the body before decoding
	Request     http.Header // of the request as sent, but for Host and what proxies get
	Location    string      // where a redirect leads, absolute; only with Request.NoRedirect
	ContentType string      // media type in lower case, without parameters; "" if none was sent
	Charset     string      // of the Content-Type, in lower case; "" if none was sent
	Body        []byte      // decoded

	// TruncatedReason is why Body is incomplete: PartialClosed, PartialCompressed
	// or PartialStatus of package article; "" if it is complete.
	TruncatedReason article.PartialReason
}

// receive reads and checks the last response, and completes the page.
func (c *Client) receive(ctx context.Context, u *url.URL, resp *http.Response, req *Request, page *Response) error {
	if resp.StatusCode < 200 || resp.StatusCode >= 400 || isRedirect(resp.StatusCode) || resp.StatusCode == http.StatusNotModified {
		return &StatusError{URL: u.String(), Code: resp.StatusCode, RetryAfter: retryAfter(resp.Header.Get("Retry-After"), time.Now())}
	}
	page.ContentType, page.Charset = coding.ContentType(resp.Header.Get("Content-Type"))
	if !req.AnyType && !isPage(page.ContentType) {
		return notPage(u, page.ContentType)
	}
	if coding.IsPart(resp.StatusCode, resp.Header) {
		page.TruncatedReason = article.PartialStatus
	}
	b := c.newBody(ctx, u, resp, req, page)
	if !req.AnyType && coding.IsUnspecified(page.ContentType) {
		if sniffed, _ := coding.ContentType(http.DetectContentType(b.peek())); !isPage(sniffed) && b.err == nil {
			return notPage(u, sniffed)
		}
	}
	if req.Read == nil {
		var err error
		page.Body, err = b.readAll(resp.ContentLength)
		return err
	}
	err := req.Read(page, b)
	if err == nil && b.err != nil && b.err != io.EOF && page.TruncatedReason == "" {
		return b.err
	}
	if err != nil {
		return readError{err}
	}
	return nil
}

func notPage(u *url.URL, media string) error {
	return newError(u, ErrNotHTML, nil, "this is %s, not a page; give the address of an article", media)
}

// isPage reports whether the type may be that of a page. Servers mislabel pages,
// so an unknown type is accepted; a wrong guess costs one extraction.
func isPage(media string) bool {
	major, minor, _ := strings.Cut(media, "/")
	switch major {
	case "image", "audio", "video", "font", "model", "multipart":
		return false
	case "text":
		switch minor {
		case "css", "javascript", "csv", "calendar", "vcard", "event-stream":
			return false
		}
	case "application":
		return coding.IsUnspecified(media) || minor == "xml" || strings.HasSuffix(minor, "+xml") ||
			strings.HasPrefix(minor, "x-httpd-php")
	}
	return true
}

// body is the decoded body of a response, within the limits. Its errors are those of
// this package, but for io.EOF and, at the end of a truncated body,
// io.ErrUnexpectedEOF.
type body struct {
	in        *bufio.Reader
	translate func(error) error
	err       error // the first
}

// newBody returns the body of a response. It marks the page as truncated when the body
// ends early.
func (c *Client) newBody(ctx context.Context, u *url.URL, resp *http.Response, req *Request, page *Response) *body {
	most := c.opts.MaxBytes
	if req.MaxBytes > 0 {
		most = req.MaxBytes
	}
	limit, from := coding.NewLimit(most), &connReader{r: resp.Body}
	b := &body{translate: func(err error) error {
		if first := limit.Err(); first != nil {
			err = first // decoders may hide it
		}
		switch e := c.interrupted(ctx, u); {
		case err == io.EOF:
			return err
		case errors.Is(err, coding.ErrTooLarge):
			return tooLarge(u, most)
		case from.failed && e != nil:
			return e
		case from.failed, errors.Is(err, io.ErrUnexpectedEOF):
			c.opts.Logger.WarnContext(ctx, "truncated body", "url", u.String(), "cause", err)
			page.TruncatedReason = article.PartialCompressed
			if from.failed {
				page.TruncatedReason = article.PartialClosed
			}
			return io.ErrUnexpectedEOF
		default:
			return newError(u, ErrEncoding, err, "the body cannot be decoded (%v); try again or open it in a browser", err)
		}
	}}
	if req.Read == nil && resp.ContentLength > most {
		b.err = tooLarge(u, most) // a stream is read as far as it goes
		return b
	}
	in, err := coding.Decode(limit.Reader(from), resp.Header, limit)
	if err != nil {
		b.err = b.translate(err)
		return b
	}
	b.in = bufio.NewReader(in)
	return b
}

// Read returns the next bytes of the body.
func (b *body) Read(p []byte) (n int, err error) {
	if b.err != nil {
		return 0, b.err
	}
	if n, err = b.in.Read(p); err != nil {
		b.err = b.translate(err)
		err = b.err
	}
	return n, err
}

// peek returns the beginning of the body without reading it.
func (b *body) peek() []byte {
	if b.in == nil {
		return nil
	}
	head, _ := b.in.Peek(512)
	return head
}

// readAll reads the body to its end. A truncated one is not an error.
func (b *body) readAll(declared int64) ([]byte, error) {
	var all bytes.Buffer
	all.Grow(int(min(max(declared, 0), 1<<20)) + bytes.MinRead) // what is declared may be wrong
	if _, err := all.ReadFrom(b); err != nil && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return all.Bytes(), nil
}

// connReader records whether the connection failed, as opposed to a decoder.
type connReader struct {
	r      io.Reader
	failed bool
}

func (c *connReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.failed = c.failed || err != nil && err != io.EOF
	return n, err
}

func tooLarge(u *url.URL, limit int64) error {
	return newError(u, ErrTooLarge, nil, "larger than %d bytes; raise the limit to read it", limit)
}
