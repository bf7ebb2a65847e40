package warc

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

// maxEncodings bounds a chain; a page needs one, a misconfigured cache two.
const maxEncodings = 4

// undoEncodings undoes Content-Encoding, the last one first, with a meter behind
// each. The returned func frees the decoders; it is never nil.
func undoEncodings(r io.Reader, h http.Header, behind func(io.Reader) io.Reader) (io.Reader, func(), error) {
	var opened []func()
	free := func() {
		for _, f := range opened {
			f()
		}
	}
	var list []string
	for name := range strings.SplitSeq(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
			list = append(list, name)
		}
	}
	if len(list) > maxEncodings {
		return nil, free, fmt.Errorf("%d content encodings, one upon the other", len(list))
	}
	for _, name := range slices.Backward(list) {
		in := bufio.NewReader(r)
		if isDecoded(name, in) {
			r = in
			continue
		}
		out, done, err := open(name, in)
		if err != nil {
			return nil, free, noEOF(err)
		}
		if done != nil {
			opened = append(opened, done)
		}
		r = behind(out)
	}
	return r, free, nil
}

// isDecoded holds for a body that is plain whatever its header says: many
// crawlers store the body decoded and leave the header, and some answers with
// an encoding have no body at all.
func isDecoded(name string, in *bufio.Reader) bool {
	b, _ := in.Peek(64)
	switch {
	case len(b) == 0:
		return true
	case name == "gzip" || name == "x-gzip":
		return len(b) >= 2 && string(b[:2]) != "\x1f\x8b"
	case name == "zstd":
		return len(b) >= 4 && !isZstd(b) && !isSkippable(b)
	}
	return looksLikeMarkup(b)
}

// looksLikeMarkup holds for bytes that no compressor begins with.
func looksLikeMarkup(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(b) > 16 && b[0] == '<' && !bytes.ContainsFunc(b, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\r' && r != '\n'
	})
}

// open starts the decoder of one encoding.
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
		err = errors.New("unknown content encoding " + name)
	}
	return out, free, err
}

// openDeflate takes both meanings of the name: RFC 9110 says zlib, some servers
// send what is within it. No deflate encoder begins with what is a zlib header.
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
	n, err := m.gz.Read(p)
	if err != io.EOF {
		return n, err
	}
	if magic, _ := m.in.Peek(3); !isGzip(magic) {
		return n, io.EOF
	}
	if err := m.gz.Reset(m.in); err != nil {
		return n, noEOF(err)
	}
	m.gz.Multistream(false)
	return n, nil
}
