package coding

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// encode applies codings by their names, and "deflate raw" for what servers send
// that leave out zlib's header.
func encode(t testing.TB, data []byte, names ...string) []byte {
	t.Helper()
	for _, name := range names {
		var out bytes.Buffer
		var w io.WriteCloser
		var err error
		switch name {
		case "gzip":
			w = gzip.NewWriter(&out)
		case "deflate":
			w = zlib.NewWriter(&out)
		case "deflate raw":
			w, err = flate.NewWriter(&out, flate.DefaultCompression)
		case "br":
			w = brotli.NewWriterLevel(&out, brotli.BestSpeed)
		case "zstd":
			w, err = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
		default:
			t.Fatalf("no encoder for %s", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		data = out.Bytes()
	}
	return data
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

// read reads a body as it was sent under a header.
func read(header string, sent io.Reader, most int64) ([]byte, error) {
	limit := NewLimit(most)
	return Read(limit.On(sent), http.Header{"Content-Encoding": {header}}, -1, limit)
}
