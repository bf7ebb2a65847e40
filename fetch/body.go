package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/lede-news/lede/internal/coding"
)

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
