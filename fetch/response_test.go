package fetch

import (
	"errors"
	"net/http"
	"strings"
	"testing"
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
			oneClearLine(t, err)
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
			t.Errorf("User-Agent %q says not where to read about it", resp.Header.Get("X-Agent"))
		}
		if got := resp.Header.Get("X-Method"); got != "GET" {
			t.Errorf("method %s", got)
		}
	}
}

func TestMetaRefreshIsNotFollowed(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Refresh", "0; url=/elsewhere")
		w.Write([]byte(`<meta http-equiv="refresh" content="0; url=/elsewhere">`))
	})
	resp, err := newClient(t, Options{}).Get(t.Context(), srv.URL+"/here")
	if err != nil || resp.URL != srv.URL+"/here" {
		t.Fatal(resp, err)
	}
}
