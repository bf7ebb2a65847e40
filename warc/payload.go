package warc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"

	"github.com/lede-news/lede/internal/coding"
)

// decode undoes the encodings of a payload and reads the block to its end, so
// that faults of the record show. With an error comes what could be read.
func decode(p *Page, block io.Reader, size int64, sum *payloadSum, most int64) ([]byte, error) {
	limit := coding.NewLimit(most)
	raw := sum.tee(block)
	r, chunked := dechunk(limit.On(raw), p.Header)
	if chunked {
		r = limit.On(sum.teeDechunked(cutOff{r, limit}))
	}
	body, err := coding.Read(r, p.Header, size, limit)
	if errors.Is(err, coding.ErrTooLarge) {
		return nil, err
	}
	if short(p.Header, body) {
		p.Truncated = true
	}
	if _, rest := io.Copy(io.Discard, raw); rest != nil {
		err = rest
	}
	return body, err
}

// dechunk undoes Transfer-Encoding: chunked. Many crawlers store the body
// without its chunks and leave the header, so the body must begin like one.
func dechunk(r io.Reader, h http.Header) (io.Reader, bool) {
	if !strings.Contains(strings.ToLower(strings.Join(h.Values("Transfer-Encoding"), ",")), "chunked") {
		return r, false
	}
	in := bufio.NewReader(r)
	head, _ := in.Peek(maxChunkLine)
	if !isChunkLine(head) {
		return in, false
	}
	return httputil.NewChunkedReader(in), true
}

const maxChunkLine = 64

// isChunkLine holds for a hexadecimal number, perhaps an extension, and a newline.
func isChunkLine(b []byte) bool {
	line, _, ended := bytes.Cut(b, []byte("\n"))
	number, _, extended := bytes.Cut(line, []byte(";"))
	if !ended && !extended {
		return false
	}
	_, err := strconv.ParseUint(string(bytes.TrimRight(number, " \t\r")), 16, 63)
	return err == nil
}

// cutOff makes every fault of the chunks an early end: the server broke off, or
// sent nonsense after what came. Faults of the archive beneath stay what they are.
type cutOff struct {
	r     io.Reader
	limit *coding.Limit
}

func (c cutOff) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF && c.limit.Fault() == nil {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// short holds for a plain body of fewer bytes than the server promised.
func short(h http.Header, body []byte) bool {
	if h.Get("Content-Encoding") != "" || h.Get("Transfer-Encoding") != "" {
		return false
	}
	n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	return err == nil && int64(len(body)) < n
}
