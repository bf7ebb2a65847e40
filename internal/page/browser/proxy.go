package browser

import (
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
	"time"

	"github.com/lede-news/lede/fetch"
)

// proxy is a local HTTP proxy, the only access of a page to the network. It
// connects with Options.Dial, which refuses private addresses by default. It
// applies to all requests of Chromium, including those of frames, workers and
// sockets.
type proxy struct {
	listener net.Listener
	server   *http.Server
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
	logger   *slog.Logger
	stop     context.CancelFunc
	last     atomic.Pointer[error] // of a failed connection
}

func startProxy(dial func(context.Context, string, string) (net.Conn, error), logger *slog.Logger) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &proxy{listener: l, dial: dial, logger: logger, stop: stop}
	transport := &http.Transport{DialContext: p.connect, DisableCompression: true, MaxIdleConnsPerHost: 4}
	plain := &httputil.ReverseProxy{
		Rewrite:       func(*httputil.ProxyRequest) {}, // requests to a proxy have absolute URLs
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		// Any response would be taken for the page.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	p.server = &http.Server{
		ReadHeaderTimeout: time.Minute,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodConnect:
				p.tunnel(ctx, w, r)
			case r.URL.Host == "":
				http.Error(w, "not a proxy request", http.StatusBadRequest)
			default:
				plain.ServeHTTP(w, r)
			}
		}),
	}
	go func() {
		_ = p.server.Serve(l)
		transport.CloseIdleConnections()
	}()
	return p, nil
}

func (p *proxy) address() string { return "http://" + p.listener.Addr().String() }

// connect dials and keeps the error, which Chromium does not report.
func (p *proxy) connect(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := p.dial(ctx, network, address)
	if err != nil {
		p.logger.Debug("connection failed", "address", address, "error", err)
		p.last.Store(&err)
	}
	return c, err
}

// lastError returns the error of the last failed connection. Before the page has
// loaded, that is the connection to its host.
func (p *proxy) lastError() error {
	if err := p.last.Load(); err != nil {
		return *err
	}
	return nil
}

// tunnel handles a CONNECT request.
func (p *proxy) tunnel(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	server, err := p.connect(ctx, "tcp", r.Host)
	if err != nil {
		code := http.StatusBadGateway
		if errors.Is(err, fetch.ErrPrivateAddress) {
			code = http.StatusForbidden
		}
		http.Error(w, http.StatusText(code), code)
		return
	}
	defer server.Close()
	w.WriteHeader(http.StatusOK)
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	release := context.AfterFunc(ctx, func() { client.Close(); server.Close() })
	defer release()
	go func() {
		_, _ = io.Copy(server, buffered)
		server.Close()
	}()
	_, _ = io.Copy(client, server)
}

// close closes all connections.
func (p *proxy) close() {
	p.stop()
	_ = p.server.Close()
}
