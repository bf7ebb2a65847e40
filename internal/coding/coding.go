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
