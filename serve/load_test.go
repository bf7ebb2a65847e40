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
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede"
)

// bodyServer answers with the bodies that it reads.
func bodyServer(t *testing.T, opts Options) (*server, *httptest.Server) {
	t.Helper()
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	s := build(ex, opts)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.setDeadline(w, r)
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
	t.Parallel()
	const limit = 100_000
	s, srv := bodyServer(t, Options{MaxBytes: limit})
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
		{"just within", "text/html", "", strings.Repeat("x", limit), strings.Repeat("x", limit), 200},
		{"too large", "text/html", "", strings.Repeat("x", limit+1), "more than 100000 bytes", 413},
		{"JSON may be longer", "application/json", "", strings.Repeat("x", limit+1), strings.Repeat("x", limit+1), 200},
		{"JSON too large", "application/json", "", strings.Repeat("x", 3*limit), "bytes", 413},
		{"gzip", "text/html", "gzip", zipped("<p>Ferry"), "<p>Ferry", 200},
		{"bomb", "text/html", "gzip", zipped(strings.Repeat("x", 50*limit)), "more than 100000 bytes", 413},
		{"truncated gzip", "text/html", "gzip", zipped("<p>Ferry")[:20], "Content-Encoding", 400},
		{"unknown coding", "text/html", "rot13", "\x00\x01\x02", "unknown content coding rot13", 400},
	} {
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
				t.Errorf("%s, chunked %t: %v %s %.200s", c.name, chunked, err, resp.Status, got)
			}
		}
	}
	srv.Close() // waits for the handlers
	if left := s.bodies.left.Load(); left != bodyMemory {
		t.Errorf("%d bytes are not given back", bodyMemory-left)
	}
}

// TestBodyBudget checks that bodies are refused when all of them together take too
// much memory, and that what they took is given back.
func TestBodyBudget(t *testing.T) {
	t.Parallel()
	var b budget
	const memory = 4 * bodyStep
	b.left.Store(memory)
	body, free, err := b.readAll(strings.NewReader(strings.Repeat("x", 3*bodyStep)))
	if err != nil || len(body) != 3*bodyStep || b.left.Load() != 0 {
		t.Fatalf("%v: %d bytes, %d left", err, len(body), b.left.Load())
	}
	if _, _, err := b.readAll(strings.NewReader("x")); !errors.Is(err, errBusy) {
		t.Errorf("without memory: %v", err)
	}
	free()
	if _, _, err := b.readAll(io.MultiReader(strings.NewReader(strings.Repeat("x", 2*bodyStep)), brokenReader{})); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a broken body: %v", err)
	}
	if left := b.left.Load(); left != memory {
		t.Errorf("%d bytes are not given back", memory-left)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrNoProgress }

// TestSlowBody checks that a client that stops sending is cut off, also if its request is
// refused, and that the deadline for sending does not end the work on the request.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	short := Options{ReadTime: 50 * time.Millisecond}
	srv := newServer(t, short)
	for request, want := range map[string]string{"/v1/extract": "HTTP/1.1 408 ", "/v1/extract?nonsense": "HTTP/1.1 400 "} {
		conn, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "POST "+request+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n<p>"); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("%s: %v: %s", request, err, got)
		}
	}
	s, _ := bodyServer(t, short)
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.setDeadline(w, r)
		if _, free, err := s.readBody(w, r); err == nil {
			defer free()
		}
		select {
		case <-r.Context().Done():
			http.Error(w, "cancelled", http.StatusTeapot)
		case <-time.After(4 * short.ReadTime):
		}
	}))
	defer late.Close()
	resp, err := http.Post(late.URL, "text/html", strings.NewReader("<p>"))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%v %v", err, resp)
	}
}

func TestGate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1, 2)
		order, leave := make(chan int, 3), make(chan struct{})
		for i := range 3 { // one works, and two wait, in order
			go func() {
				if err := g.do(t.Context(), func() error { order <- i; <-leave; return nil }); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
			if full := i == 2; g.full() != full || len(g.workers) != 1 {
				t.Errorf("%d: full is %v, %d in work", i, g.full(), len(g.workers))
			}
		}
		never := func() error { t.Error("too many"); return nil }
		if err := g.do(t.Context(), never); !errors.Is(err, errBusy) {
			t.Errorf("a fourth one: %v", err)
		}
		leave <- struct{}{}
		synctest.Wait() // one works, and one waits
		gone, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("gone")
		cancel(reason)
		if err := g.do(gone, never); !errors.Is(err, reason) {
			t.Errorf("without a client: %v", err)
		}
		close(leave)
		if a, b, c := <-order, <-order, <-order; a != 0 || b != 1 || c != 2 {
			t.Errorf("order %d, %d, %d", a, b, c)
		}
	})
}
