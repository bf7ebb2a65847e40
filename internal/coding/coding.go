// Package coding undoes the content codings of HTTP (RFC 9110, section 8.4):
// gzip, deflate, br and zstd, alone or one upon the other, under a limit that
// holds before and behind each of them.
package coding

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// maxCodings bounds a chain; a page needs one, a misconfigured cache two.
const maxCodings = 4

// Read reads a body to its end and undoes the codings that its header names. A
// body that is plain whatever its header says stays as it is. With an error
// comes what could be read: io.ErrUnexpectedEOF says that the body breaks off,
// ErrTooLarge that it is over the limit, and an error of r is given as it is.
// size is what the body is said to have, or 0.
func Read(r io.Reader, h http.Header, size int64, limit *Limit) ([]byte, error) {
	r, free, err := undo(r, h, limit)
	defer free()
	var body bytes.Buffer
	if err == nil {
		// The size is somebody's word: a start, not a promise.
		body.Grow(int(min(max(size, 0), 1<<20)) + bytes.MinRead)
		_, err = body.ReadFrom(r)
	}
	if first := limit.Fault(); first != nil {
		err = first
	}
	return body.Bytes(), err
}

// undo undoes the codings, the last one first, with the limit behind each. The
// returned func frees the decoders; it is never nil.
func undo(r io.Reader, h http.Header, limit *Limit) (io.Reader, func(), error) {
	var opened []func()
	free := func() {
		for _, f := range opened {
			f()
		}
	}
	names := list(h)
	if len(names) > maxCodings {
		return nil, free, fmt.Errorf("%d content codings, one upon the other", len(names))
	}
	for _, name := range slices.Backward(names) {
		in := bufio.NewReader(r)
		if isPlain(name, in) {
			r = in
			continue
		}
		out, done, err := open(name, in)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF // some input, but less than a header
		}
		if err != nil {
			return nil, free, err
		}
		if done != nil {
			opened = append(opened, done)
		}
		r = limit.On(out)
	}
	return r, free, nil
}

// list has the codings of a body in the order in which they were applied.
func list(h http.Header) (names []string) {
	for name := range strings.SplitSeq(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
			names = append(names, name)
		}
	}
	return names
}

// open starts the decoder of one coding.
func open(name string, in *bufio.Reader) (out io.Reader, free func(), err error) {
	switch name {
	case "gzip", "x-gzip":
		out, err = openGzip(in)
	case "deflate":
		out, err = openDeflate(in)
	case "br":
		out = brotli.NewReader(in)
	case "zstd":
		var d *zstd.Decoder
		// 8 MiB is the largest window that RFC 9659 lets a server use.
		d, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
		if err == nil {
			out, free = d, d.Close
		}
	default:
		err = errors.New("unknown content coding " + name)
	}
	return out, free, err
}

// openDeflate takes both meanings of the name: RFC 9110 says zlib, some servers
// send what is within it. A zlib header is never the beginning of a stream that
// a deflate encoder writes, since it would be a stored block with padding that
// is not zero.
func openDeflate(in *bufio.Reader) (io.Reader, error) {
	b, err := in.Peek(2)
	if err != nil {
		return nil, err
	}
	if b[0]&0x0f == 8 && (uint(b[0])<<8|uint(b[1]))%31 == 0 {
		return zlib.NewReader(in)
	}
	return flate.NewReader(in), nil
}

const gzipMagic = "\x1f\x8b"

// members reads gzip members one after the other and stops at what is none:
// servers pad a body with zeros or newlines, and browsers look away.
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

// Read goes on to the next member by itself: who reads gives up on a reader that
// again and again has nothing, as empty members would.
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

const zstdMagic = "\x28\xb5\x2f\xfd"

// isPlain holds for a body that is not coded whatever its header says: many
// crawlers store the body decoded and leave the header, some servers name a
// coding that they have not applied, and some answers with one have no body.
func isPlain(name string, in *bufio.Reader) bool {
	b, _ := in.Peek(64)
	switch name {
	case "gzip", "x-gzip": // the magic number is no text
		return len(b) == 0 || isText(b)
	case "zstd": // here it may be
		magic := b[:min(len(b), len(zstdMagic))]
		return len(b) == 0 || !strings.HasPrefix(zstdMagic, string(magic)) && isText(b)
	}
	return len(b) == 0 || isMarkup(b)
}

func isText(b []byte) bool { return strings.HasPrefix(http.DetectContentType(b), "text/") }

// isMarkup holds for bytes that no compressor begins with.
func isMarkup(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(b) > 16 && b[0] == '<' && isText(b)
}

// ErrTooLarge is said of a body that is over its limit, as sent or decoded.
var ErrTooLarge = errors.New("over the limit")

// Limit bounds the bytes of one body at each place where it is set on a reader.
// It knows the error that came first, however decoders wrap it or hide it.
type Limit struct {
	bytes int64
	fault error
}

// NewLimit allows so many bytes.
func NewLimit(bytes int64) *Limit { return &Limit{bytes: bytes} }

// Fault is the first error that came through any of the readers.
func (l *Limit) Fault() error { return l.fault }

// On returns a reader that fails once more has come from r than is allowed.
// io.LimitReader would end there instead, and half a page would pass for a whole
// one.
func (l *Limit) On(r io.Reader) io.Reader { return &meter{r, l.bytes, l} }

type meter struct {
	r     io.Reader
	left  int64
	limit *Limit
}

func (m *meter) Read(p []byte) (int, error) {
	if m.left < 0 {
		return 0, ErrTooLarge
	}
	// One byte past the limit tells a body that ends there from one that goes on.
	if int64(len(p))-1 > m.left {
		p = p[:m.left+1]
	}
	n, err := m.r.Read(p)
	if m.left -= int64(n); m.left < 0 {
		n, err = n-1, ErrTooLarge
	}
	if err != nil && err != io.EOF && m.limit.fault == nil {
		m.limit.fault = err
	}
	return n, err
}
