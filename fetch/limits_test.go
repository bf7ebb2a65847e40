package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestMaxBytes(t *testing.T) {
	const limit = 10_000
	c := newClient(t, Options{MaxBytes: limit})
	for _, encoding := range []string{"", "gzip", "zstd"} {
		for size, fits := range map[int]bool{limit - 1: true, limit: true, limit + 1: false, 10 * limit: false} {
			body := story(size)
			if encoding != "" {
				body = encode(t, encoding, body)
			}
			resp, err := c.Get(t.Context(), sent(t, encoding, body))
			switch {
			case fits && (err != nil || len(resp.Body) != size):
				t.Errorf("%s %d: %v", encoding, size, err)
			case !fits && !errors.Is(err, ErrTooLarge):
				t.Errorf("%s %d: %v, want %v", encoding, size, err, ErrTooLarge)
			}
		}
	}
}

func TestMaxBytesAtItsLargest(t *testing.T) {
	c := newClient(t, Options{MaxBytes: 1<<63 - 1})
	if _, err := c.Get(t.Context(), serve(t, page).URL); err != nil {
		t.Fatal(err)
	}
}

func TestEndlessBody(t *testing.T) {
	for _, media := range []string{"text/html", ""} {
		srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = []string{media}
			for err := error(nil); err == nil; {
				_, err = io.WriteString(w, "<p>And another thing.</p>\n")
			}
		})
		_, err := newClient(t, Options{MaxBytes: 1 << 20}).Get(t.Context(), srv.URL)
		if !errors.Is(err, ErrTooLarge) {
			t.Errorf("%v, want %v", err, ErrTooLarge)
		}
		oneClearLine(t, err)
	}
}

// A bomb fails on the way, and not when it has gone off.
func TestBomb(t *testing.T) {
	const limit = 4 << 20
	// Made beforehand, so that what is measured is the client's.
	part := encode(t, "gzip", make([]byte, 8<<20))
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/html")
		for range 128 { // members make one body: 1 GiB
			w.Write(part)
		}
	})
	c := newClient(t, Options{MaxBytes: limit})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := c.Get(t.Context(), srv.URL)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v, want %v", err, ErrTooLarge)
	}
	// All buffers on the way to the limit, twice over with the race detector.
	if used := after.TotalAlloc - before.TotalAlloc; used > 40<<20 {
		t.Errorf("%d MiB allocated for a limit of %d MiB", used>>20, limit>>20)
	}
}

func TestTimeout(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"no answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"no body": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"one byte at a time": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			for r.Context().Err() == nil {
				w.Write([]byte("a"))
				w.(http.Flusher).Flush()
				time.Sleep(5 * time.Millisecond)
			}
		},
		"gzip that stops": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(encode(t, "gzip", story(10_000))[:1000])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"redirects without haste": func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(15 * time.Millisecond)
			http.Redirect(w, r, "/", http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, handler)
			c := newClient(t, Options{Timeout: 100 * time.Millisecond})
			begin := time.Now()
			_, err := c.Get(t.Context(), srv.URL)
			if !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want %v", err, ErrTimeout)
			}
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("took %s", took)
			}
			oneClearLine(t, err)
		})
	}
}

func TestTimeoutOfHandshake(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // accepts, says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := newClient(t, Options{Timeout: 100 * time.Millisecond})
	for _, scheme := range []string{"http", "https"} {
		if _, err := c.Get(t.Context(), scheme+"://"+l.Addr().String()); !errors.Is(err, ErrTimeout) {
			t.Errorf("%s: %v, want %v", scheme, err, ErrTimeout)
		}
	}
}

func TestContext(t *testing.T) {
	arrived := make(chan struct{}, 1)
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.(http.Flusher).Flush()
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	c := newClient(t, Options{})

	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	_, err := c.Get(ctx, srv.URL)
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrTimeout) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	oneClearLine(t, err)

	if _, err := c.Get(ctx, srv.URL); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}

	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = c.Get(ctx, srv.URL)
	if !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want %v", err, ErrTimeout)
	}

	errShutdown := errors.New("shutting down")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errShutdown)
	if _, err := c.Get(ctx, srv.URL); !errors.Is(err, errShutdown) || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, errShutdown)
	}
}

func TestTruncated(t *testing.T) {
	for name, raw := range map[string]string{
		"length":  "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>The beg",
		"chunked": "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\na\r\n<p>The beg\r\n20\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			c := newClient(t, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			resp, err := c.Get(t.Context(), rawServer(t, raw))
			if err != nil {
				t.Fatal(err)
			}
			if !resp.Truncated || string(resp.Body) != "<p>The beg" {
				t.Errorf("truncated %v: %q", resp.Truncated, resp.Body)
			}
			if !strings.Contains(log.String(), "broke off") {
				t.Errorf("log: %s", &log)
			}
		})
	}
}

func TestConcurrentGets(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", "zstd")
		w.Write(encode(t, "zstd", []byte(strings.Repeat(r.URL.Path, 1000))))
	})
	c := newClient(t, Options{})
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			path := "/" + strconv.Itoa(i)
			resp, err := c.Get(t.Context(), srv.URL+path)
			if err != nil || string(resp.Body) != strings.Repeat(path, 1000) {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
	wg.Wait()
}

func TestReusesConnections(t *testing.T) {
	srv := serve(t, page)
	var opened atomic.Int32
	c := newClient(t, Options{})
	c.dialer.connect = counting(c.dialer.connect, &opened)
	for range 5 {
		if _, err := c.Get(t.Context(), srv.URL); err != nil {
			t.Fatal(err)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

type connectFunc = func(context.Context, string, string) (net.Conn, error)

func counting(connect connectFunc, n *atomic.Int32) connectFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		n.Add(1)
		return connect(ctx, network, address)
	}
}
