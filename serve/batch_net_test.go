package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/lede-news/lede/fetch"
)

// TestBatchFetch checks that pages of a batch are fetched as their sites allow.
func TestBatchFetch(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			_, _ = io.WriteString(w, "User-agent: *\nDisallow: /private\n")
		case "/moved":
			http.Redirect(w, r, "/story", http.StatusFound)
		default:
			_, _ = io.WriteString(w, story)
		}
	}))
	t.Cleanup(site.Close)
	in := fmt.Sprintf(`{"url":"%[1]s/private"}`+"\n"+`{"id":"m","url":"%[1]s/moved"}`+"\n"+`{"url":"ftp://paper.example/"}`+"\n", site.URL)
	srv := newServer(t, Options{Fetch: fetch.New(fetch.Options{AllowPrivate: true})})
	resp, body := sendBody(t, srv.URL+"/v1/batch", ndjson, in)
	l := batchLines(t, body)
	if resp.StatusCode != http.StatusOK || len(l) != 3 {
		t.Fatal(resp.Status, body)
	}
	if l[0].ID != site.URL+"/private" || l[0].Kind != "robots" || l[1].ID != "m" || l[1].URL != site.URL+"/story" || l[1].Title != "The ferry is back" || l[2].Kind != "address" {
		t.Errorf("%+v", l)
	}
	guarded := newServer(t, Options{Fetch: fetch.New(fetch.Options{})})
	_, body = sendBody(t, guarded.URL+"/v1/batch", ndjson, in)
	for _, l := range batchLines(t, body) {
		if l.Kind != "address" {
			t.Errorf("%+v", l)
		}
	}
}

// TestBatchDisconnect checks that a batch over TCP ends when its client goes away.
func TestBatchDisconnect(t *testing.T) {
	m, ex := newCounting(t)
	h := checked(t, Handler(ex, Options{Workers: 2}))
	done := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithCancel(t.Context())
	body, send := io.Pipe()
	go func() {
		for n := 0; ; n++ {
			if _, err := io.WriteString(send, storyLine(n, 500)); err != nil {
				return
			}
		}
	}()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL+"/v1/batch", body)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-done
	after := m.pages.Load()
	runtime.Gosched()
	if n := m.pages.Load(); n != after {
		t.Errorf("%d pages were extracted after the end of the request", n-after)
	}
}

// TestBatchMemory checks that the memory of a batch does not depend on its length. The
// long form has 100,000 lines.
func TestBatchMemory(t *testing.T) {
	lines := 4000
	if os.Getenv("LEDE_LONG") != "" {
		lines = 100_000
	}
	_, ex := newCounting(t)
	srv := httptest.NewServer(Handler(ex, Options{Workers: 2}))
	t.Cleanup(srv.Close)
	body, send := io.Pipe()
	go func() {
		for n := range lines {
			if _, err := io.WriteString(send, storyLine(n, 400)); err != nil {
				return
			}
		}
		send.Close()
	}()
	resp, err := http.Post(srv.URL+"/v1/batch", ndjson, body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	answers := bufio.NewReader(resp.Body)
	var early int64
	for n := range lines {
		line, err := answers.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, fmt.Sprintf(`{"id":"page %d",`, n)) {
			t.Fatalf("line %d: %v: %.100s", n, err, line)
		}
		if n == lines/10 {
			early = heap()
		}
	}
	const most = 8 << 20 // a few pages in work
	if late := heap(); late > early+most {
		t.Errorf("%d bytes after %d lines, %d after %d", early, lines/10, late, lines)
	} else {
		t.Logf("%d KB after %d lines, %d KB after %d", early>>10, lines/10, late>>10, lines)
	}
}
