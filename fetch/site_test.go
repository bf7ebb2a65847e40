package fetch

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

// publicIP is an address that the guard lets pass. Nothing connects to it: a
// guarded client leads it to the test's own server.
const publicIP = "93.184.215.14"

// hosts resolves names for tests.
type hosts map[string][]string

func (h hosts) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
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

// newClient returns a client that may connect to the test's servers.
func newClient(t testing.TB, opts Options) *Client {
	t.Helper()
	opts.AllowPrivate = true
	c := New(opts)
	c.transport.Proxy = nil // whatever the environment of the test says
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// newGuarded returns a client with the guard on, for which publicIP leads to srv
// and every other address fails the test.
func newGuarded(t testing.TB, srv *httptest.Server, opts Options) *Client {
	t.Helper()
	c := New(opts)
	c.dialer.connect = func(ctx context.Context, network, address string) (net.Conn, error) {
		if host, _, _ := net.SplitHostPort(address); host != publicIP {
			t.Errorf("connected to %s past the guard", address)
			return nil, net.ErrClosed
		}
		return new(net.Dialer).DialContext(ctx, network, srv.Listener.Addr().String())
	}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write([]byte("<p>The page.</p>"))
}
