package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	decode "github.com/lede-news/lede/internal/charset"
	"github.com/lede-news/lede/internal/coding"
)

// Response is a downloaded page.
type Response struct {
	URL         string      // after redirects
	Status      int         // 200 to 399
	Header      http.Header // as sent; Content-Encoding and Content-Length describe the body before decoding
	ContentType string      // media type in lower case, without parameters; "" if none was sent
	Charset     string      // of the Content-Type, in lower case; "" if none was sent
	Body        []byte      // decoded
	Truncated   bool        // Body is incomplete

	// TruncatedReason is why Body is incomplete: PartialClosed, PartialCompressed
	// or PartialStatus of package article.
	TruncatedReason article.PartialReason
}

// receive reads and checks the last response.
func (c *Client) receive(ctx context.Context, u *url.URL, resp *http.Response) (*Response, error) {
	if resp.StatusCode < 200 || resp.StatusCode >= 400 || isRedirect(resp.StatusCode) {
		discard(resp)
		return nil, &StatusError{
			URL: withoutUser(u), Code: resp.StatusCode,
			Status:     http.StatusText(resp.StatusCode), // the text of the server may contain anything
			RetryAfter: retryAfter(resp.Header.Get("Retry-After"), time.Now()),
		}
	}
	media, charset := coding.ContentType(resp.Header.Get("Content-Type"))
	data := isJSON(media) // a feed, which gets an error of its own
	if !c.opts.AnyType && !isPage(media) && !data {
		return nil, notPage(u, media)
	}
	body, truncated, err := c.body(ctx, u, resp)
	if err != nil {
		return nil, err
	}
	if !c.opts.AnyType && data {
		if list, ok := decode.FindList(body); ok {
			return nil, newError(u, ErrNotHTML, list, "not a page: %v", list)
		}
		return nil, notPage(u, media)
	}
	if !c.opts.AnyType && coding.IsUnspecified(media) {
		if sniffed, _ := coding.ContentType(http.DetectContentType(body)); !isPage(sniffed) {
			return nil, notPage(u, sniffed)
		}
	}
	if truncated == "" && coding.IsPart(resp.StatusCode, resp.Header) {
		truncated = article.PartialStatus
	}
	return &Response{
		URL:             u.String(),
		Status:          resp.StatusCode,
		Header:          resp.Header,
		ContentType:     media,
		Charset:         charset,
		Body:            body,
		Truncated:       truncated != "",
		TruncatedReason: truncated,
	}, nil
}

func notPage(u *url.URL, media string) error {
	return newError(u, ErrNotHTML, nil, "this is %s, not a page; give the address of an article", media)
}

func isJSON(media string) bool {
	return media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")
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

// body reads and decodes the body within the limits. truncated is empty if the body
// is complete.
func (c *Client) body(ctx context.Context, u *url.URL, resp *http.Response) (body []byte, truncated article.PartialReason, err error) {
	most := c.opts.MaxBytes
	if resp.ContentLength > most {
		return nil, "", tooLarge(u, most)
	}
	limit, from := coding.NewLimit(most), &connReader{r: resp.Body}
	body, err = coding.Read(limit.Reader(from), resp.Header, resp.ContentLength, limit)
	if err == nil {
		return body, "", nil
	}
	switch e := c.interrupted(ctx, u); {
	case errors.Is(err, coding.ErrTooLarge):
		return nil, "", tooLarge(u, most)
	case from.failed && e != nil:
		return nil, "", e
	case from.failed, errors.Is(err, io.ErrUnexpectedEOF):
		c.opts.Logger.WarnContext(ctx, "truncated body",
			"url", withoutUser(u), "bytes", len(body), "cause", err)
		if from.failed {
			return body, article.PartialClosed, nil
		}
		return body, article.PartialCompressed, nil
	default:
		return nil, "", newError(u, ErrEncoding, err, "the body cannot be decoded (%v); try again or open it in a browser", err)
	}
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
