package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// body reads and decodes a response within the limits.
func (c *Client) body(ctx context.Context, u *url.URL, resp *http.Response) (body []byte, truncated bool, err error) {
	limit := c.opts.MaxBytes
	if resp.ContentLength > limit {
		return nil, false, tooLarge(u, limit)
	}
	encodings, err := contentEncodings(resp.Header)
	if err != nil {
		return nil, false, badEncoding(u, err)
	}

	var f fault
	wire := &meter{r: resp.Body, left: limit, wire: true, fault: &f}
	r, closeDecoders, err := decode(wire, encodings, func(r io.Reader) io.Reader {
		return &meter{r: r, left: limit, fault: &f}
	})
	defer closeDecoders()

	var buf bytes.Buffer
	if err == nil {
		// The length is the server's word: a start, not a promise.
		buf.Grow(int(min(max(resp.ContentLength, 64<<10), 1<<20)) + bytes.MinRead)
		_, err = buf.ReadFrom(r)
	}
	if err == nil {
		return buf.Bytes(), false, nil
	}
	f.note(err, false) // a decoder may fail before a meter is around it

	switch e := c.interrupted(ctx, u); {
	case errors.Is(f.err, errOverLimit):
		return nil, false, tooLarge(u, limit)
	case f.wire && e != nil:
		return nil, false, e
	case f.wire, errors.Is(f.err, io.ErrUnexpectedEOF):
		c.opts.Logger.WarnContext(ctx, "body broke off",
			"url", show(u), "bytes", buf.Len(), "cause", f.err)
		return buf.Bytes(), true, nil
	default:
		return nil, false, badEncoding(u, f.err)
	}
}

func tooLarge(u *url.URL, limit int64) error {
	return &Error{URL: show(u), Kind: ErrTooLarge,
		Reason: fmt.Sprintf("larger than %d bytes; allow more if the page is worth it", limit)}
}

func badEncoding(u *url.URL, err error) error {
	return &Error{URL: show(u), Kind: ErrEncoding, Err: err,
		Reason: "the body cannot be decoded (" + err.Error() + "); try again or open it in a browser"}
}
