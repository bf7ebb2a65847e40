package browser

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// web is a made-up internet: every name leads to one server.
type web struct {
	*httptest.Server
	mux *http.ServeMux
}

func newWeb(t testing.TB) *web {
	t.Helper()
	mux := http.NewServeMux()
	w := &web{Server: httptest.NewServer(mux), mux: mux}
	t.Cleanup(func() {
		w.CloseClientConnections()
		w.Close()
	})
	return w
}

// dial connects to the server under whatever name.
func (w *web) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, w.Listener.Addr().String())
}

// page has the web answer with a page.
func (w *web) page(path, html string) {
	w.mux.HandleFunc(path, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = rw.Write([]byte(html))
	})
}
