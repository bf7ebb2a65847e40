package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/article"
)

// publicIP is an address that the guard allows. Nothing connects to it: a guarded
// client connects to the server of the test instead.
const publicIP = "93.184.215.14"

// hosts resolves names for tests.
type hosts map[string][]string

func (h hosts) lookup(_ context.Context, _, host string) ([]netip.Addr, error) {
	var addrs []netip.Addr
	for _, s := range h[host] {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	if addrs == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return addrs, nil
}

func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv
}

// noProxy ignores the environment of the test.
func noProxy(*url.URL) (*url.URL, error) { return nil, nil }

// newClient returns a client that may connect to the test's servers.
func newClient(t testing.TB, opts Options) *Client {
	t.Helper()
	opts.AllowPrivate = true
	c := New(opts)
	c.proxy = noProxy
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// newGuarded returns a client with the guard on and a dialer that knows names, for which
// publicIP leads to srv and every other address fails the test.
func newGuarded(t testing.TB, srv *httptest.Server, names hosts) *Client {
	t.Helper()
	c := New(Options{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, _ := net.SplitHostPort(address)
		addrs, ok := names[host]
		if !ok {
			addrs = []string{host}
		}
		var err error
		for _, addr := range addrs {
			if err = Control(network, net.JoinHostPort(addr, port), nil); err == nil {
				if addr != publicIP {
					t.Errorf("connected to %s past the guard", address)
				}
				return new(net.Dialer).DialContext(ctx, network, srv.Listener.Addr().String())
			}
		}
		return nil, err
	}})
	c.proxy = noProxy
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write([]byte("<p>The page.</p>"))
}

// redirectByPath redirects by path: /301/where redirects to where with status 301.
func redirectByPath(w http.ResponseWriter, r *http.Request) {
	code := 0
	where := ""
	if _, err := fmt.Sscanf(r.URL.Path, "/%d", &code); err == nil {
		_, where, _ = strings.Cut(r.URL.Path[1:], "/")
		w.Header().Set("Location", where)
		w.WriteHeader(code)
		return
	}
	page(w, r)
}

func TestRedirects(t *testing.T) {
	srv := serve(t, redirectByPath)
	c := newClient(t, Options{})
	for _, code := range []int{301, 302, 303, 307, 308} {
		for where, want := range map[string]string{
			"/story":           "/story",
			"/301//story":      "/story",
			"../../story":      "/story",
			"?q=1":             "", // back to itself: a loop
			srv.URL + "/story": "/story",
			"/story 100%-ig":   "/story%20100%25-ig",
			"/störy":           "/st%C3%B6ry",
			"//" + srv.Listener.Addr().String() + "/s": "/s",
		} {
			u := fmt.Sprintf("%s/%d/%s", srv.URL, code, strings.NewReplacer("%", "%25", "?", "%3F").Replace(where))
			resp, err := c.Get(t.Context(), u)
			if want == "" {
				if !errors.Is(err, ErrTooManyRedirects) {
					t.Errorf("%s: %v, want %v", u, err, ErrTooManyRedirects)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", u, err)
			} else if resp.URL != srv.URL+want {
				t.Errorf("%s: ends at %s, want %s", u, resp.URL, want)
			}
		}
	}
}

func TestMaxRedirects(t *testing.T) {
	var served atomic.Int32
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("/%d", served.Add(1)), http.StatusFound)
	})
	_, err := newClient(t, Options{}).Get(t.Context(), srv.URL)
	if n := served.Load(); !errors.Is(err, ErrTooManyRedirects) || n != maxRedirects+1 {
		t.Errorf("%v after %d requests", err, n)
	}
}

// TestRedirectToPrivate checks that redirects to private addresses are refused: to an
// address, to a name that has one, and to a name that has one since the last request.
func TestRedirectToPrivate(t *testing.T) {
	srv := serve(t, redirectByPath)
	names := hosts{"news.example": {publicIP}, "inside.example": {"192.168.0.7"}, "rebound.example": {publicIP}}
	c := newGuarded(t, srv, names)
	if _, err := c.Get(t.Context(), "http://rebound.example/"); err != nil {
		t.Fatal(err)
	}
	c.CloseIdleConnections()
	names["rebound.example"] = []string{"127.0.0.1"}
	if _, err := c.Get(t.Context(), "http://news.example/301//story"); err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{
		srv.URL, "http://inside.example/", "http://rebound.example/", "http://[::1]/", "//169.254.169.254/latest",
	} {
		_, err := c.Get(t.Context(), "http://news.example/302/"+where)
		if !errors.Is(err, ErrPrivateAddress) {
			t.Errorf("%s: %v, want %v", where, err, ErrPrivateAddress)
		} else if !strings.Contains(err.Error(), "(redirected from http://news.example/302/") {
			t.Errorf("%s: %v does not say where it came from", where, err)
		}
	}
}

func TestRedirectLeaksNothing(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for _, h := range []string{"Referer", "Cookie", "Authorization"} {
			if v := r.Header.Get(h); v != "" {
				t.Errorf("%s: sent %s %s", r.URL, h, v)
			}
		}
		if r.URL.Path == "/" {
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			w.Header().Set("Location", "http://user:secret@"+r.Host+"/story")
			w.WriteHeader(http.StatusFound)
			return
		}
		page(w, r)
	})
	resp, err := newClient(t, Options{}).Get(t.Context(), srv.URL+"/?private=1")
	if err != nil || resp.URL != srv.URL+"/story" {
		t.Fatal(resp, err)
	}
}

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

func TestTimeout(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"no answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"no body": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"slow redirects": func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(150 * time.Millisecond)
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const timeout = time.Second
				c := newPipeClient(t, handler, timeout)
				begin := time.Now()
				_, err := c.Get(t.Context(), "http://"+publicIP)
				if !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v, want %v", err, ErrTimeout)
				}
				if took := time.Since(begin); took != timeout {
					t.Errorf("took %s, want %s", took, timeout)
				}
				checkErrorLine(t, err)
			})
		})
	}
}

// newPipeClient returns a client whose every connection leads to the handler
// without a network, for tests that use synctest.
func newPipeClient(t *testing.T, handler http.HandlerFunc, timeout time.Duration) *Client {
	t.Helper()
	l := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	srv := &http.Server{Handler: handler}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Shutdown(context.Background()) }) // waits for the handlers
	return newClient(t, Options{Timeout: timeout, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		l.conns <- server
		return client, nil
	}})
}

type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	close(l.closed)
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

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
	checkErrorLine(t, err)

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
			if resp.TruncatedReason != article.PartialClosed || string(resp.Body) != "<p>The beg" {
				t.Errorf("truncated %q: %q", resp.TruncatedReason, resp.Body)
			}
			if !strings.Contains(log.String(), "truncated body") {
				t.Errorf("log: %s", &log)
			}
		})
	}
}

// TestPartialContent checks that a part that nobody asked for is not taken for the
// page, unless it is all of it.
func TestPartialContent(t *testing.T) {
	for contentRange, want := range map[string]article.PartialReason{
		"":                article.PartialStatus,
		"bytes 0-9/100":   article.PartialStatus,
		"bytes 0-9/*":     article.PartialStatus,
		"bytes 90-99/100": article.PartialStatus,
		"bytes 0-9/10":    "",
		"chapters 0-9/10": article.PartialStatus,
	} {
		url := rawServer(t, "HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\nContent-Range: "+contentRange+"\r\nContent-Length: 10\r\n\r\n<p>The beg")
		resp, err := newClient(t, Options{}).Get(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		if resp.TruncatedReason != want {
			t.Errorf("%q: truncated %q; want %q", contentRange, resp.TruncatedReason, want)
		}
	}
}
