package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/lede-news/lede/internal/coding"
)

// Response is a page as fetched.
type Response struct {
	URL         string      // after redirects
	Status      int         // 200 to 399
	Header      http.Header // as sent; Content-Encoding and Content-Length tell of the body before decoding
	ContentType string      // media type in lower case, without parameters; "" if none was sent
	Charset     string      // of the Content-Type, in lower case; "" if none was sent
	Body        []byte      // decoded
	Truncated   bool        // the connection or the compressed data broke off; Body is what came
}

// receive reads the page out of the last response.
func (c *Client) receive(ctx context.Context, u *url.URL, resp *http.Response) (*Response, error) {
	if resp.StatusCode < 200 || resp.StatusCode >= 400 || isRedirect(resp.StatusCode) {
		discard(resp)
		return nil, newStatusError(show(u), resp.StatusCode)
	}
	media, charset := contentType(resp.Header.Get("Content-Type"))
	if !c.opts.AnyType && !isPage(media) {
		return nil, notPage(u, media)
	}
	body, truncated, err := c.body(ctx, u, resp)
	if err != nil {
		return nil, err
	}
	if !c.opts.AnyType && isUnstated(media) {
		if sniffed, _ := contentType(http.DetectContentType(body)); !isPage(sniffed) {
			return nil, notPage(u, sniffed)
		}
	}
	return &Response{
		URL:         u.String(),
		Status:      resp.StatusCode,
		Header:      resp.Header,
		ContentType: media,
		Charset:     charset,
		Body:        body,
		Truncated:   truncated,
	}, nil
}

func notPage(u *url.URL, media string) error {
	return &Error{URL: show(u), Kind: ErrNotHTML,
		Reason: fmt.Sprintf("this is %s, not a page; give the address of an article", media)}
}

// contentType splits the header. It is laxer than mime.ParseMediaType, which
// gives up on a parameter that is said twice.
func contentType(header string) (media, charset string) {
	// Several headers folded into one: the first counts.
	header, _, _ = strings.Cut(header, ",")
	media, params, _ := strings.Cut(header, ";")
	for param := range strings.SplitSeq(params, ";") {
		key, value, _ := strings.Cut(param, "=")
		if charset == "" && strings.EqualFold(strings.TrimSpace(key), "charset") {
			charset = strings.ToLower(strings.Trim(value, " \t\"'"))
		}
	}
	return strings.ToLower(strings.TrimSpace(media)), charset
}

// isUnstated holds for the types of servers that do not know what they send.
func isUnstated(media string) bool {
	return media == "" || media == "application/octet-stream"
}

// isPage holds unless the type clearly is something else. Servers mislabel
// pages, so an unknown type passes and a wrong guess costs one extraction.
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
		return isUnstated(media) || minor == "xml" || strings.HasSuffix(minor, "+xml") ||
			strings.HasPrefix(minor, "x-httpd-php")
	}
	return true
}

// body reads and decodes a response within the limits.
func (c *Client) body(ctx context.Context, u *url.URL, resp *http.Response) (body []byte, truncated bool, err error) {
	most := c.opts.MaxBytes
	if resp.ContentLength > most {
		return nil, false, tooLarge(u, most)
	}
	limit, from := coding.NewLimit(most), &wire{r: resp.Body}
	body, err = coding.Read(limit.On(from), resp.Header, resp.ContentLength, limit)
	if err == nil {
		return body, false, nil
	}
	switch e := c.interrupted(ctx, u); {
	case errors.Is(err, coding.ErrTooLarge):
		return nil, false, tooLarge(u, most)
	case from.broke && e != nil:
		return nil, false, e
	case from.broke, errors.Is(err, io.ErrUnexpectedEOF):
		c.opts.Logger.WarnContext(ctx, "body broke off",
			"url", show(u), "bytes", len(body), "cause", err)
		return body, true, nil
	default:
		return nil, false, badEncoding(u, err)
	}
}

// wire knows whether it was the connection that failed, and not a decoder.
type wire struct {
	r     io.Reader
	broke bool
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.broke = w.broke || err != nil && err != io.EOF
	return n, err
}

func tooLarge(u *url.URL, limit int64) error {
	return &Error{URL: show(u), Kind: ErrTooLarge,
		Reason: fmt.Sprintf("larger than %d bytes; allow more if the page is worth it", limit)}
}

func badEncoding(u *url.URL, err error) error {
	return &Error{URL: show(u), Kind: ErrEncoding, Err: err,
		Reason: "the body cannot be decoded (" + err.Error() + "); try again or open it in a browser"}
}
