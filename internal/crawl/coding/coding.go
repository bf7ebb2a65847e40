// Package coding decodes the content codings of HTTP (RFC 9110, section 8.4):
// gzip, deflate, br and zstd, also several in a chain. A limit applies to the
// input and output of each of them. It also parses the media type of a body.
package coding

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// maxCodings bounds a chain. A page has one coding, a misconfigured cache adds one.
const maxCodings = 4

// Read reads a body to its end and decodes the codings that its header names. A
// body that is not coded, although the header says so, is returned as it is. With
// an error Read returns what could be read: io.ErrUnexpectedEOF means that the body
// is truncated, or damaged after that, ErrTooLarge that it exceeds the limit. Errors of r are returned
// unchanged. size is the declared size of the body, or 0.
func Read(r io.Reader, h http.Header, size int64, limit *Limit) ([]byte, error) {
	r, err := Decode(r, h, limit)
	var body bytes.Buffer
	if err == nil {
		// The declared size may be wrong.
		body.Grow(int(min(max(size, 0), 1<<20)) + bytes.MinRead)
		_, err = body.ReadFrom(r)
	}
	if first := limit.Err(); first != nil {
		err = first
	}
	return body.Bytes(), err
}

// Decode returns a reader that decodes the codings, the last one first, and limits the
// output of each. Its errors are those of Read, but decoders may hide the first one,
// which limit has.
func Decode(r io.Reader, h http.Header, limit *Limit) (io.Reader, error) {
	names := codings(h)
	if len(names) > maxCodings {
		return nil, fmt.Errorf("%d content codings in a chain, want at most %d", len(names), maxCodings)
	}
	for _, name := range slices.Backward(names) {
		sent := &source{r: r}
		in := bufio.NewReader(sent)
		if isPlain(name, in) {
			r = in
			continue
		}
		out, err := open(name, in)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF // truncated inside the header
		}
		if err != nil {
			return nil, err
		}
		r = limit.Reader(&decoder{out, sent, false})
	}
	return r, nil
}

// source remembers the error of what a decoder reads.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.err = err
	return n, err
}

// decoder reports damage, such as a wrong checksum, as the end of the body, if something
// could be decoded before it.
type decoder struct {
	out     io.Reader
	sent    *source
	decoded bool
}

func (d *decoder) Read(p []byte) (int, error) {
	n, err := d.out.Read(p)
	d.decoded = d.decoded || n > 0
	if err != nil && err != io.EOF && d.decoded && (d.sent.err == nil || d.sent.err == io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// IsPart reports whether a response with a status and a header has only a part of
// the body. Some servers answer every request with 206, also if they send all of it.
func IsPart(status int, h http.Header) bool {
	if status != http.StatusPartialContent {
		return false
	}
	unit, of, _ := strings.Cut(strings.TrimSpace(h.Get("Content-Range")), " ")
	span, size, _ := strings.Cut(of, "/")
	first, last, _ := strings.Cut(span, "-")
	n, err := strconv.ParseUint(last, 10, 63)
	return !strings.EqualFold(unit, "bytes") || first != "0" || err != nil || strconv.FormatUint(n+1, 10) != size
}

// codings returns the codings of a body in the order in which they were applied.
func codings(h http.Header) (names []string) {
	for name := range strings.SplitSeq(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
			names = append(names, name)
		}
	}
	return names
}

// open returns a decoder.
func open(name string, in *bufio.Reader) (io.Reader, error) {
	switch name {
	case "gzip", "x-gzip":
		return openGzip(in)
	case "deflate":
		return openDeflate(in)
	case "br":
		return brotli.NewReader(in), nil
	case "zstd":
		// Without concurrency, there are no goroutines to stop with Close. 8 MiB is
		// the largest window that RFC 9659 allows.
		return zstd.NewReader(in, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
	}
	return nil, errors.New("unknown content coding " + name)
}

// openDeflate accepts zlib, which RFC 9110 requires, and raw deflate and gzip, which some
// servers send. A raw stream cannot begin with a zlib header, since that would be a
// stored block with nonzero padding.
func openDeflate(in *bufio.Reader) (io.Reader, error) {
	b, err := in.Peek(2)
	if err != nil {
		return nil, err
	}
	if string(b) == gzipMagic {
		return openGzip(in)
	}
	if b[0]&0x0f == 8 && (uint(b[0])<<8|uint(b[1]))%31 == 0 {
		return zlib.NewReader(in)
	}
	return flate.NewReader(in), nil
}

const gzipMagic = "\x1f\x8b"

// members reads gzip members and ignores what follows them, as browsers do: some
// servers pad a body with zeros or newlines.
type members struct {
	in *bufio.Reader
	gz *gzip.Reader
}

func openGzip(in *bufio.Reader) (io.Reader, error) {
	gz, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	gz.Multistream(false)
	return &members{in, gz}, nil
}

// Read skips empty members, since callers give up on a reader that repeatedly
// returns nothing.
func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.gz.Read(p)
		switch {
		case err == nil || err != io.EOF:
			return n, err
		case n > 0:
			return n, nil
		}
		if magic, _ := m.in.Peek(len(gzipMagic)); string(magic) != gzipMagic {
			return 0, io.EOF
		}
		if err := m.gz.Reset(m.in); err != nil {
			return 0, err
		}
		m.gz.Multistream(false)
	}
}

// magic are the first bytes of codings that have some.
var magic = map[string]string{"gzip": gzipMagic, "x-gzip": gzipMagic, "zstd": "\x28\xb5\x2f\xfd"}

// isPlain reports whether a body is not coded, although its header says so: many
// crawlers store the decoded body with the original header, some servers name a
// coding without applying it, and some responses have no body.
func isPlain(name string, in *bufio.Reader) bool {
	b, _ := in.Peek(64)
	if m := magic[name]; m != "" {
		return len(b) == 0 || !strings.HasPrefix(m, string(b[:min(len(b), len(m))])) && isText(b)
	}
	return len(b) == 0 || isMarkup(b)
}

func isText(b []byte) bool { return strings.HasPrefix(http.DetectContentType(b), "text/") }

// isMarkup reports whether the bytes are markup, which no compressed data begins with.
func isMarkup(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(b) > 16 && b[0] == '<' && isText(b)
}

// ContentType parses a Content-Type header into the media type, in lower case and
// without parameters, and the charset. Unlike mime.ParseMediaType it accepts
// duplicate parameters.
func ContentType(header string) (media, charset string) {
	header, _, _ = strings.Cut(header, ",") // the first of several joined fields
	media, params, _ := strings.Cut(header, ";")
	for param := range strings.SplitSeq(params, ";") {
		key, value, _ := strings.Cut(param, "=")
		if charset == "" && strings.EqualFold(strings.TrimSpace(key), "charset") {
			charset = strings.ToLower(strings.Trim(value, " \t\"'"))
		}
	}
	return strings.ToLower(strings.TrimSpace(media)), charset
}

// IsUnspecified reports whether a media type says nothing about the content.
func IsUnspecified(media string) bool {
	return media == "" || media == "application/octet-stream"
}

// ErrTooLarge means that a body exceeds its limit, as sent or decoded.
var ErrTooLarge = errors.New("over the limit")

// Limit bounds the bytes of a body on each reader that it is applied to. It keeps
// the first error, which decoders may wrap or hide.
type Limit struct {
	bytes int64
	err   error
}

// NewLimit returns a limit on the number of bytes.
func NewLimit(bytes int64) *Limit { return &Limit{bytes: bytes} }

// Err returns the first error of any of the readers, other than io.EOF.
func (l *Limit) Err() error { return l.err }

// Reader returns a reader of r that fails with ErrTooLarge beyond the limit.
// io.LimitReader would report the end of the body instead.
func (l *Limit) Reader(r io.Reader) io.Reader { return &limitedReader{r, l.bytes, l} }

type limitedReader struct {
	r     io.Reader
	left  int64
	limit *Limit
}

func (m *limitedReader) Read(p []byte) (int, error) {
	if m.left < 0 {
		return 0, ErrTooLarge
	}
	// One byte beyond the limit shows whether the body continues.
	if int64(len(p))-1 > m.left {
		p = p[:m.left+1]
	}
	n, err := m.r.Read(p)
	if m.left -= int64(n); m.left < 0 {
		n, err = n-1, ErrTooLarge
	}
	if err != nil && err != io.EOF && m.limit.err == nil {
		m.limit.err = err
	}
	return n, err
}
