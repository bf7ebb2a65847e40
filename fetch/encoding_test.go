package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// encoder knows the encodings by name, and "deflate raw" for what servers send
// that leave out zlib's header.
func encoder(t testing.TB, name string, w io.Writer) io.WriteCloser {
	t.Helper()
	switch name {
	case "gzip", "x-gzip":
		return gzip.NewWriter(w)
	case "deflate":
		return zlib.NewWriter(w)
	case "deflate raw":
		f, err := flate.NewWriter(w, flate.DefaultCompression)
		if err != nil {
			t.Fatal(err)
		}
		return f
	case "br":
		return brotli.NewWriterLevel(w, brotli.BestSpeed)
	case "zstd":
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	t.Fatalf("no encoder for %s", name)
	return nil
}

func encode(t testing.TB, name string, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := encoder(t, name, &buf)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// sent serves one body under one Content-Encoding.
func sent(t testing.TB, encoding string, body []byte) string {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}).URL
}

// story is a text that does not compress to nothing.
func story(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "<p>Paragraph %d of the story.</p>\n", r.Uint32())
	}
	return b.Bytes()[:n]
}

func TestEncodings(t *testing.T) {
	want := story(300_000)
	enc := func(names ...string) []byte {
		b := want
		for _, name := range names {
			b = encode(t, name, b)
		}
		return b
	}
	for _, test := range []struct {
		name, header string
		body         []byte
	}{
		{"none", "", want},
		{"identity", "identity", want},
		{"gzip", "gzip", enc("gzip")},
		{"x-gzip", "X-GZIP", enc("gzip")},
		{"deflate", "deflate", enc("deflate")},
		{"deflate raw", "deflate", enc("deflate raw")},
		{"br", "br", enc("br")},
		{"zstd", "zstd", enc("zstd")},
		{"chain", "gzip, br", enc("gzip", "br")},
		{"chain of all", "deflate,gzip, identity,, zstd ,br", enc("deflate", "gzip", "zstd", "br")},
		{"gzip members", "gzip", append(encode(t, "gzip", want[:1000]), encode(t, "gzip", want[1000:])...)},
		{"zstd frames", "zstd", append(encode(t, "zstd", want[:1000]), encode(t, "zstd", want[1000:])...)},
		{"gzip with a newline after it", "gzip", append(enc("gzip"), '\n')},
		{"gzip with zeros after it", "gzip", append(enc("gzip"), make([]byte, 600)...)},
	} {
		t.Run(test.name, func(t *testing.T) {
			resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, test.header, test.body))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(resp.Body, want) || resp.Truncated {
				t.Errorf("%d bytes, truncated %v; want %d", len(resp.Body), resp.Truncated, len(want))
			}
		})
	}
}

func TestEncodingOffered(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "gzip, deflate, br, zstd" {
			t.Errorf("Accept-Encoding %q", got)
		}
		page(w, r)
	})
	if _, err := newClient(t, Options{}).Get(t.Context(), srv.URL); err != nil {
		t.Fatal(err)
	}
}

func TestEncodingOfEmptyBody(t *testing.T) {
	for _, encoding := range []string{"gzip", "deflate", "br", "zstd", "gzip, br"} {
		resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, encoding, nil))
		if err != nil || len(resp.Body) != 0 || resp.Truncated {
			t.Errorf("%s: %v %v", encoding, resp, err)
		}
	}
}

func TestEncodingBad(t *testing.T) {
	text := []byte("<p>" + strings.Repeat("Plain text, not compressed. ", 20) + "</p>")
	damaged := func(name string) []byte {
		b := encode(t, name, story(300_000))
		for i := len(b) / 2; i < len(b)/2+200; i++ {
			b[i] ^= 0x55
		}
		return b
	}
	wide := &bytes.Buffer{}
	z, _ := zstd.NewWriter(wide, zstd.WithWindowSize(64<<20), zstd.WithEncoderConcurrency(1))
	z.Write(story(1 << 20))
	z.Flush()
	z.Write(story(1 << 20))
	z.Close()
	for _, test := range []struct {
		name, header string
		body         []byte
	}{
		{"unknown", "compress", text},
		{"unknown among known", "gzip, sdch", text},
		{"too many", "gzip,gzip,gzip,gzip,gzip", text},
		{"text as gzip", "gzip", text},
		{"text as br", "br", text},
		{"text as zstd", "zstd", text},
		{"text as deflate", "deflate", text},
		{"gzip as zstd", "zstd", encode(t, "gzip", text)},
		{"damaged gzip", "gzip", damaged("gzip")},
		{"damaged deflate", "deflate", damaged("deflate")},
		{"damaged br", "br", damaged("br")},
		{"damaged zstd", "zstd", damaged("zstd")},
		{"zstd with a window over 8 MiB", "zstd", wide.Bytes()},
		{"text within gzip as br", "br, gzip", encode(t, "gzip", text)},
	} {
		t.Run(test.name, func(t *testing.T) {
			resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, test.header, test.body))
			if !errors.Is(err, ErrEncoding) {
				t.Errorf("%v %v, want %v", resp != nil, err, ErrEncoding)
			}
			oneClearLine(t, err)
		})
	}
}

func TestEncodingTruncated(t *testing.T) {
	want := story(600_000)
	for _, name := range []string{"gzip", "deflate", "deflate raw", "br", "zstd"} {
		whole := encode(t, name, want)
		header, _, _ := strings.Cut(name, " ")
		for _, cut := range []int{1, 5, len(whole) / 2, len(whole) - 1} {
			t.Run(fmt.Sprintf("%s after %d", name, cut), func(t *testing.T) {
				resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, header, whole[:cut]))
				if err != nil {
					t.Fatal(err)
				}
				if !resp.Truncated || !bytes.HasPrefix(want, resp.Body) {
					t.Errorf("truncated %v, %d bytes", resp.Truncated, len(resp.Body))
				}
				if cut == len(whole)/2 && len(resp.Body) < 100_000 {
					t.Errorf("only %d bytes of half a body", len(resp.Body))
				}
			})
		}
	}
}
