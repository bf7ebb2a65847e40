package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede"
)

// bodyServer answers with the bodies that it reads, and the budget that was left.
func bodyServer(t *testing.T, opts Options, memory int64) (*server, *httptest.Server) {
	t.Helper()
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	opts = opts.withDefaults()
	s := &server{ex: ex, opts: opts, gate: newGate(opts.Workers, opts.Queue), bodies: newBudget(memory)}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, free, err := s.readBody(w, r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		defer free()
		_, _ = w.Write(body)
	}))
	t.Cleanup(srv.Close)
	return s, srv
}

func TestReadBody(t *testing.T) {
	const limit = 100_000
	s, srv := bodyServer(t, Options{MaxBytes: limit}, bodyMemory)
	zipped := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, text)
		z.Close()
		return b.String()
	}
	for _, c := range []struct {
		name, media, coding, body, want string
		status                          int
	}{
		{"empty", "text/html", "", "", "", 200},
		{"plain", "text/html", "", "<p>Ferry", "<p>Ferry", 200},
		{"just within", "text/html", "", strings.Repeat("x", limit), strings.Repeat("x", limit), 200},
		{"too large", "text/html", "", strings.Repeat("x", limit+1), "more than 100000 bytes", 413},
		{"JSON may be longer", "application/json", "", strings.Repeat("x", limit+1), strings.Repeat("x", limit+1), 200},
		{"JSON too large", "application/json", "", strings.Repeat("x", 3*limit), "bytes", 413},
		{"gzip", "text/html", "gzip", zipped("<p>Ferry"), "<p>Ferry", 200},
		{"bomb", "text/html", "gzip", zipped(strings.Repeat("x", 50*limit)), "more than 100000 bytes", 413},
		{"cut gzip", "text/html", "gzip", zipped("<p>Ferry")[:20], "Content-Encoding", 400},
		{"unknown coding", "text/html", "rot13", "\x00\x01\x02", "unknown content coding rot13", 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, chunked := range []bool{false, true} {
				var in io.Reader = strings.NewReader(c.body)
				if chunked {
					in = struct{ io.Reader }{in} // of unknown length
				}
				req, _ := http.NewRequest("POST", srv.URL, in)
				req.Header.Set("Content-Type", c.media)
				req.Header.Set("Content-Encoding", c.coding)
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != c.status || !strings.Contains(string(got), c.want) {
					t.Errorf("chunked %t: %v %s %.200s", chunked, err, resp.Status, got)
				}
			}
		})
	}
	srv.Close() // waits for the handlers
	if left := s.bodies.left.Load(); left != bodyMemory {
		t.Errorf("%d bytes are not given back", bodyMemory-left)
	}
}

// TestBodyBudget checks that bodies are refused when all of them together take too
// much memory, and that what they took is given back.
func TestBodyBudget(t *testing.T) {
	const memory = 4 * bodyStep
	s, srv := bodyServer(t, Options{}, memory)
	page := strings.Repeat("x", 2*bodyStep)
	slow, send := io.Pipe()
	done := make(chan string)
	go func() {
		resp, err := http.Post(srv.URL, "text/html", slow)
		if err != nil {
			done <- err.Error()
			return
		}
		defer resp.Body.Close()
		done <- resp.Status
	}()
	// It takes all memory when one step is full, and it needs no more.
	if _, err := io.WriteString(send, page+page[:bodyStep/2]); err != nil {
		t.Fatal(err)
	}
	for s.bodies.left.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	resp, err := http.Post(srv.URL, "text/html", strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
		t.Errorf("%s, Retry-After %q", resp.Status, resp.Header.Get("Retry-After"))
	}
	send.Close()
	if got := <-done; got != "200 OK" {
		t.Error(got)
	}
	for s.bodies.left.Load() < memory { // the answer may arrive before it is given back
		time.Sleep(time.Millisecond)
	}
	if resp, err = http.Post(srv.URL, "text/html", strings.NewReader(page)); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("after the slow body: %s", resp.Status)
	}
}

// TestSlowBody checks that a client that stops sending is cut off, and that the
// deadline for sending does not end the work on the request.
func TestSlowBody(t *testing.T) {
	short := Options{ReadTime: 50 * time.Millisecond}
	_, bare := bodyServer(t, short, bodyMemory)
	for _, srv := range []*httptest.Server{bare, newServer(t, short)} {
		conn, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n<p>"); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 408 ") || !strings.Contains(string(got), "did not arrive in time") {
			t.Errorf("%v: %s", err, got)
		}
	}

	s := &server{opts: Options{ReadTime: 50 * time.Millisecond}.withDefaults(), bodies: newBudget(bodyMemory)}
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, free, err := s.readBody(w, r); err == nil {
			defer free()
		}
		select {
		case <-r.Context().Done():
			http.Error(w, "cancelled", http.StatusTeapot)
		case <-time.After(4 * s.opts.ReadTime):
		}
	}))
	defer late.Close()
	resp, err := http.Post(late.URL, "text/html", strings.NewReader("<p>"))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%v %v", err, resp)
	}
}

func TestGate(t *testing.T) { synctest.Test(t, testGate) }

func testGate(t *testing.T) {
	g := newGate(1, 2)
	leave, err := g.enter(t.Context())
	if err != nil || g.busy() != 1 || g.full() {
		t.Fatalf("%v, %d in work", err, g.busy())
	}
	// Two wait, in order.
	order := make(chan int, 2)
	for i := range 2 {
		go func() {
			leave, err := g.enter(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			order <- i
			leave()
		}()
		synctest.Wait()
	}
	if !g.full() {
		t.Error("not full")
	}
	if _, err := g.enter(t.Context()); !errors.Is(err, errBusy) {
		t.Errorf("a third one: %v", err)
	}
	if g.refused.Load() != 2 {
		t.Errorf("%d refused", g.refused.Load())
	}
	gone, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("gone")
	cancel(reason)
	if _, err := g.enterBatched(gone); !errors.Is(err, reason) {
		t.Errorf("without a client: %v", err)
	}
	leave()
	if a, b := <-order, <-order; a != 0 || b != 1 {
		t.Errorf("order %d, %d", a, b)
	}
}

// TestGateOfBatches checks that pages of batches take all workers if nobody else wants
// them, and that a single request waits for as many of them as there are workers.
func TestGateOfBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers = 2
		g := newGate(workers, 1)
		let := make(chan struct{}) // lets a page of a batch end
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				leave, err := g.enterBatched(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				<-let
				leave()
			})
		}
		synctest.Wait()
		if g.busy() != workers {
			t.Fatalf("%d workers are busy, want %d", g.busy(), workers)
		}
		entered := false
		all.Go(func() {
			leave, err := g.enter(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			entered = true
			leave()
		})
		synctest.Wait()
		before := 0
		for !entered {
			let <- struct{}{}
			before++
			synctest.Wait()
		}
		if before > workers {
			t.Errorf("%d pages of batches ended before a single request was let in", before)
		}
		close(let)
		all.Wait()
	})
}
