package fetch

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// maxEncodings bounds a chain; a page needs one, a misconfigured cache two.
const maxEncodings = 4

// contentEncodings lists the encodings of a body in the order they were applied.
func contentEncodings(h http.Header) ([]string, error) {
	var list []string
	for token := range strings.SplitSeq(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		switch token = strings.ToLower(strings.TrimSpace(token)); token {
		case "", "identity":
		case "gzip", "x-gzip", "deflate", "br", "zstd":
			list = append(list, token)
		default:
			return nil, fmt.Errorf("unknown content encoding %q", token)
		}
	}
	if len(list) > maxEncodings {
		return nil, fmt.Errorf("%d content encodings, one upon the other", len(list))
	}
	return list, nil
}

// decode undoes the encodings, the last one first, with a meter behind each.
// The returned func frees the decoders; it is never nil.
func decode(r io.Reader, encodings []string, meter func(io.Reader) io.Reader) (io.Reader, func(), error) {
	var closers []func()
	closeAll := func() {
		for _, f := range closers {
			f()
		}
	}
	for _, encoding := range slices.Backward(encodings) {
		in := bufio.NewReader(r)
		if _, err := in.Peek(1); err == io.EOF {
			return in, closeAll, nil // no body at all, as some servers send with an encoding
		}
		out, free, err := open(encoding, in)
		if err != nil {
			return nil, closeAll, err
		}
		if free != nil {
			closers = append(closers, free)
		}
		r = meter(out)
	}
	return r, closeAll, nil
}

// open starts the decoder of one encoding.
func open(encoding string, in *bufio.Reader) (out io.Reader, free func(), err error) {
	switch encoding {
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
		err = errors.New("unknown content encoding " + encoding)
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF // some input, but less than a header
	}
	return out, free, err
}

// openDeflate accepts both meanings of the name: RFC 9110 says zlib, some
// servers send what is within it. A zlib header is never the beginning of a
// stream that a deflate encoder writes, since it would be a stored block with
// padding that is not zero.
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

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.gz.Read(p)
		if err != io.EOF || n > 0 {
			if err == io.EOF {
				err = nil
			}
			return n, err
		}
		if magic, _ := m.in.Peek(2); string(magic) != "\x1f\x8b" {
			return 0, io.EOF
		}
		if err := m.gz.Reset(m.in); err != nil {
			return 0, err
		}
		m.gz.Multistream(false)
	}
}
