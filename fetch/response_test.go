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
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede/article"
)

func TestContentTypes(t *testing.T) {
	c := newClient(t, Options{})
	const html = "<!DOCTYPE html><p>The page.</p>"
	for _, test := range []struct {
		header, body   string
		media, charset string
		isPage         bool
	}{
		{"text/html", html, "text/html", "", true},
		{"Text/HTML; Charset=ISO-8859-1", html, "text/html", "iso-8859-1", true},
		{`text/html;charset="utf-8"`, html, "text/html", "utf-8", true},
		{"text/html; charset=utf-8; charset=latin1", html, "text/html", "utf-8", true},
		{"text/html, text/html; charset=utf-8", html, "text/html", "", true},
		{"text/html;", html, "text/html", "", true},
		{"application/xhtml+xml", html, "application/xhtml+xml", "", true},
		{"application/xml", html, "application/xml", "", true},
		{"application/rss+xml", html, "application/rss+xml", "", true},
		{"text/xml", html, "text/xml", "", true},
		{"text/plain", "words", "text/plain", "", true},
		{"", html, "", "", true},
		{"", "words", "", "", true},
		{"application/octet-stream", html, "application/octet-stream", "", true},
		{"html", html, "html", "", true},
		{"", "%PDF-1.7 and so on", "", "", false},
		{"application/octet-stream", "\x89PNG\r\n\x1a\n", "", "", false},
		{"image/jpeg", "", "", "", false},
		{"image/svg+xml", "", "", "", false},
		{"video/mp4", "", "", "", false},
		{"audio/mpeg", "", "", "", false},
		{"font/woff2", "", "", "", false},
		{"application/pdf", "", "", "", false},
		{"application/json; charset=utf-8", "{}", "", "", false},
		{"application/zip", "", "", "", false},
		{"text/css", "", "", "", false},
		{"text/event-stream", "", "", "", false},
	} {
		srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = []string{test.header}
			if test.header == "" {
				w.Header()["Content-Type"] = nil // keeps the server from guessing
			}
			w.Write([]byte(test.body))
		})
		resp, err := c.Get(t.Context(), srv.URL)
		if !test.isPage {
			if !errors.Is(err, ErrNotHTML) {
				t.Errorf("%q: %v, want %v", test.header, err, ErrNotHTML)
			}
			checkErrorLine(t, err)
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", test.header, err)
		} else if resp.ContentType != test.media || resp.Charset != test.charset || string(resp.Body) != test.body {
			t.Errorf("%q: %q %q %q", test.header, resp.ContentType, resp.Charset, resp.Body)
		}
	}
}

func TestRequestHeader(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Agent", r.UserAgent())
		w.Header().Set("X-Method", r.Method)
		page(w, r)
	})
	for agent, want := range map[string]string{"": "lede/", "paper/1.0": "paper/1.0"} {
		resp, err := newClient(t, Options{UserAgent: agent}).Get(t.Context(), srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Header.Get("X-Agent"); !strings.HasPrefix(got, want) {
			t.Errorf("User-Agent %q, want %q", got, want)
		}
		if agent == "" && !strings.HasSuffix(resp.Header.Get("X-Agent"), " (+https://github.com/lede-news/lede)") {
			t.Errorf("User-Agent %q has no link", resp.Header.Get("X-Agent"))
		}
		if got := resp.Header.Get("X-Method"); got != "GET" {
			t.Errorf("method %s", got)
		}
	}
}

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

// sent serves a body with a Content-Encoding and returns the URL.
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

// story returns n bytes of text that does not compress well.
func story(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "<p>Paragraph %d of the story.</p>\n", r.Uint32())
	}
	return b.Bytes()[:n]
}

func TestEncodingBad(t *testing.T) {
	for header, body := range map[string][]byte{
		"compress":       []byte("\x1f\x9d\x90"),
		"br":             encode(t, "gzip", story(100)),
		"a, b, c, d, e":  story(100),
		"gzip, identity": bytes.Repeat([]byte{1, 2, 3, 4}, 10),
	} {
		resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, header, body))
		if !errors.Is(err, ErrEncoding) {
			t.Errorf("%s: %v %v, want %v", header, resp != nil, err, ErrEncoding)
		}
		checkErrorLine(t, err)
	}
	damaged := encode(t, "gzip", story(300_000))
	for i := len(damaged) / 2; i < len(damaged)/2+200; i++ {
		damaged[i] ^= 0x55
	}
	resp, err := newClient(t, Options{}).Get(t.Context(), sent(t, "gzip", damaged))
	if err != nil || resp.TruncatedReason != article.PartialCompressed {
		t.Errorf("a damaged body: %v, want what comes before the damage", err)
	}
}
