package fetch

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func encode(t testing.TB, name string, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&buf)
	if name == "zstd" {
		var err error
		if w, err = zstd.NewWriter(&buf, zstd.WithEncoderConcurrency(1)); err != nil {
			t.Fatal(err)
		}
	}
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

// What package coding does is tried there; here it is that bodies go through it.
func TestEncodings(t *testing.T) {
	want := story(300_000)
	for _, test := range []struct {
		header string
		body   []byte
	}{
		{"", want},
		{"identity", want},
		{"gzip", encode(t, "gzip", want)},
		{"zstd, gzip", encode(t, "gzip", encode(t, "zstd", want))},
		{"gzip", want}, // which the server only says
	} {
		resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, test.header, test.body))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(resp.Body, want) || resp.Truncated {
			t.Errorf("%s: %d bytes, truncated %v; want %d", test.header, len(resp.Body), resp.Truncated, len(want))
		}
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
	resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, "gzip, br", nil))
	if err != nil || len(resp.Body) != 0 || resp.Truncated {
		t.Errorf("%v %v", resp, err)
	}
}

func TestEncodingBad(t *testing.T) {
	damaged := encode(t, "gzip", story(300_000))
	for i := len(damaged) / 2; i < len(damaged)/2+200; i++ {
		damaged[i] ^= 0x55
	}
	for header, body := range map[string][]byte{
		"compress":       []byte("\x1f\x9d\x90"),
		"gzip":           damaged,
		"br":             encode(t, "gzip", story(100)),
		"a, b, c, d, e":  story(100),
		"gzip, identity": bytes.Repeat([]byte{1, 2, 3, 4}, 10),
	} {
		resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, header, body))
		if !errors.Is(err, ErrEncoding) {
			t.Errorf("%s: %v %v, want %v", header, resp != nil, err, ErrEncoding)
		}
		oneClearLine(t, err)
	}
}

func TestEncodingTruncated(t *testing.T) {
	want := story(600_000)
	whole := encode(t, "gzip", want)
	for _, cut := range []int{1, len(whole) / 2, len(whole) - 1} {
		resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, "gzip", whole[:cut]))
		if err != nil {
			t.Fatal(err)
		}
		if !resp.Truncated || !bytes.HasPrefix(want, resp.Body) || cut > 1 && len(resp.Body) < 100_000 {
			t.Errorf("after %d bytes: truncated %v, %d bytes", cut, resp.Truncated, len(resp.Body))
		}
	}
}
