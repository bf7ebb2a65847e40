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
)

var errOverLimit = errors.New("over the limit")

// meter fails once more than left bytes have come through; io.LimitReader would
// end there, and half a page would pass for a whole one. One stands before and
// one behind each decoder, and the first error is kept in fault, since decoders
// may wrap it or hide it.
type meter struct {
	r     io.Reader
	left  int64
	fault *error
}

func (m *meter) Read(p []byte) (int, error) {
	// One byte past the limit tells a body that ends there from one that goes on.
	if int64(len(p))-1 > m.left {
		p = p[:m.left+1]
	}
	n, err := m.r.Read(p)
	if m.left -= int64(n); m.left < 0 {
		n, m.left, err = n-1, 0, errOverLimit
	}
	if err != nil && err != io.EOF && *m.fault == nil {
		*m.fault = err
	}
	return n, err
}

// decode undoes the encodings of a payload and reads the block to its end, so
// that faults of the record show. With an error comes what could be read.
func decode(p *Page, block io.Reader, sum *payloadSum, limit int64) ([]byte, error) {
	var fault error
	behind := func(r io.Reader) io.Reader { return &meter{r, limit, &fault} }
	raw := sum.tee(block)
	r, chunked := dechunk(behind(raw), p.Header)
	if chunked {
		r = behind(sum.teeDechunked(cutOff{r, &fault}))
	}
	r, free, err := undoEncodings(r, p.Header, behind)
	defer free()
	var body []byte
	if err == nil {
		body, err = readAll(r)
	}
	if fault != nil {
		err = fault
	}
	if errors.Is(err, errOverLimit) {
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

// readAll reads within the limit that the meters set.
func readAll(r io.Reader) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(64 << 10)
	_, err := buf.ReadFrom(r)
	return buf.Bytes(), err
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
	fault *error
}

func (c cutOff) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF && *c.fault == nil {
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
