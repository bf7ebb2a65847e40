package polite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lede-news/lede/fetch"
)

// web is a made-up web. It records each request with its time, and what must not
// happen: two requests at once to a host.
type web struct {
	robots   map[string]string // by host; missing: status 404
	fail     map[string][]error
	redirect map[string]string
	answer   func(fetch.Request) (*fetch.Response, error) // of pages, if not nil
	took     time.Duration                                // for each request

	mu       sync.Mutex
	began    time.Time
	log      []string
	requests []fetch.Request
	now, max int // concurrent requests
	hosts    map[string]int
	twice    []string // requests to a host that was busy
}

func (w *web) do(ctx context.Context, req fetch.Request) (*fetch.Response, error) {
	address := req.URL
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	name := strings.ToLower(u.Hostname())
	w.mu.Lock()
	w.log = append(w.log, fmt.Sprintf("%s %s", time.Since(w.began), strings.TrimPrefix(address, "https://")))
	w.requests = append(w.requests, req)
	w.now++
	w.max = max(w.max, w.now)
	if w.hosts == nil {
		w.hosts = map[string]int{}
	}
	if w.hosts[name]++; w.hosts[name] > 1 {
		w.twice = append(w.twice, address)
	}
	if errs := w.fail[address]; len(errs) > 0 {
		err, w.fail[address] = errs[0], errs[1:]
	}
	w.mu.Unlock()
	select {
	case <-time.After(w.took):
	case <-ctx.Done():
		err = &fetch.Error{URL: address, Kind: fetch.ErrTimeout, Err: ctx.Err()}
	}
	w.mu.Lock()
	w.now--
	w.hosts[name]--
	text, ok := w.robots[u.Host]
	w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	resp := &fetch.Response{URL: address, Status: http.StatusOK, Header: http.Header{}}
	if to := w.redirect[address]; to != "" {
		resp.Status, resp.Location = http.StatusFound, to
		return resp, nil
	}
	resp.Body = []byte("page")
	if u.Path == "/robots.txt" {
		if !ok {
			return nil, &fetch.StatusError{URL: address, Code: 404}
		}
		resp.Header.Set("ETag", `"`+text+`"`)
		if req.ETag == `"`+text+`"` {
			resp.Status, resp.Body = http.StatusNotModified, nil
			return resp, nil
		}
		resp.Body = []byte(text)
	} else if w.answer != nil {
		return w.answer(req)
	}
	if req.Read == nil {
		return resp, nil
	}
	body := resp.Body
	resp.Body = nil
	return resp, req.Read(resp, bytes.NewReader(body))
}

// want compares the log.
func (w *web) want(t *testing.T, want ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if got := strings.Join(w.log, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("requests:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	if len(w.twice) > 0 {
		t.Errorf("two at once: %q", w.twice)
	}
}

// memory keeps what is known about hosts as a database does.
type memory struct {
	mu    sync.Mutex
	data  map[string][]byte // by kind and name
	saves int               // of robots.txt
}

func newMemory() *memory { return &memory{data: map[string][]byte{}} }

func (m *memory) Load(kind, name string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.data[kind+" "+name]
}

func (m *memory) Save(kind, name string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.data[kind+" "+name] = data
	if kind == "robots" {
		m.saves++
	}
}

// host and robots return what is known about a host and a robots.txt.
func (m *memory) host(t *testing.T, name string) (h Host) {
	t.Helper()
	if err := json.Unmarshal(m.Load("host", name), &h); err != nil {
		t.Error(err)
	}
	return h
}

func (m *memory) robots(t *testing.T, origin string) (r Robots) {
	t.Helper()
	if err := json.Unmarshal(m.Load("robots", origin), &r); err != nil {
		t.Error(err)
	}
	return r
}
