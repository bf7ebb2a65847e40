package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"time"

	"github.com/lede-news/lede/fetch"
)

// gate is the only way from a page to the network: a proxy on this machine that
// connects through a dialer with a guard. It holds for whatever Chromium does,
// frames, workers and sockets included, and Chromium itself resolves no names.
type gate struct {
	listener net.Listener
	server   *http.Server
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
	logger   *slog.Logger
	stop     context.CancelFunc
	tunnels  sync.WaitGroup

	mu   sync.Mutex
	last error // why there was no connection
}

func openGate(dial func(context.Context, string, string) (net.Conn, error), logger *slog.Logger) (*gate, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	g := &gate{listener: l, dial: dial, logger: logger, stop: stop}
	transport := &http.Transport{DialContext: g.connect, DisableCompression: true, MaxIdleConnsPerHost: 4}
	plain := &httputil.ReverseProxy{
		Rewrite:       func(*httputil.ProxyRequest) {}, // a proxy gets whole addresses
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		// Whatever is answered would be taken for the page.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	g.server = &http.Server{
		ReadHeaderTimeout: time.Minute,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodConnect:
				g.tunnel(ctx, w, r)
			case r.URL.Host == "":
				http.Error(w, "this is a proxy", http.StatusBadRequest)
			default:
				plain.ServeHTTP(w, r)
			}
		}),
	}
	go func() {
		_ = g.server.Serve(l)
		transport.CloseIdleConnections()
	}()
	return g, nil
}

func (g *gate) address() string { return "http://" + g.listener.Addr().String() }

// connect dials and remembers what went wrong: Chromium only hears that it did.
func (g *gate) connect(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := g.dial(ctx, network, address)
	if errors.Is(err, fetch.ErrPrivateAddress) {
		err = fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err != nil {
		g.logger.Debug("no connection for a page", "to", address, "reason", err)
		g.mu.Lock()
		g.last = err
		g.mu.Unlock()
	}
	return c, err
}

// reason is why the last connection failed, or nil when none did. While the
// page itself has not come, that is the one to its host.
func (g *gate) reason() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last
}

// tunnel connects the two ends and lets them speak.
func (g *gate) tunnel(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	there, err := g.connect(ctx, "tcp", r.Host)
	if err != nil {
		code := http.StatusBadGateway
		if errors.Is(err, ErrRefused) {
			code = http.StatusForbidden
		}
		http.Error(w, http.StatusText(code), code)
		return
	}
	g.tunnels.Add(1)
	defer g.tunnels.Done()
	defer there.Close()
	w.WriteHeader(http.StatusOK)
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	release := context.AfterFunc(ctx, func() { here.Close(); there.Close() })
	defer release()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(there, buffered)
		there.Close()
	}()
	_, _ = io.Copy(here, there)
	here.Close()
	<-done
}

// close cuts all connections.
func (g *gate) close() {
	g.stop()
	_ = g.server.Close()
	g.tunnels.Wait()
}
