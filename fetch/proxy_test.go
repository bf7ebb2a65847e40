package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// useProxy makes a client use a proxy for all but the hosts in direct.
func useProxy(t testing.TB, c *Client, proxy string, direct ...string) {
	t.Helper()
	p, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	c.proxy = func(u *url.URL) (*url.URL, error) {
		for _, host := range direct {
			if u.Hostname() == host {
				return nil, nil
			}
		}
		return p, nil
	}
}

// newProxiedClient returns a guarded client that uses a proxy, with names that are
// known here.
func newProxiedClient(t testing.TB, proxy string, names hosts) *Client {
	t.Helper()
	c := New(Options{})
	c.lookup = names.lookup
	useProxy(t, c, proxy)
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func TestProxy(t *testing.T) {
	var asked atomic.Value
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.String())
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "http://inside.example/", http.StatusFound)
			return
		}
		page(w, r)
	})
	c := newProxiedClient(t, proxy.URL, hosts{"paper.example": {publicIP}, "inside.example": {"10.1.2.3"}, "mixed.example": {publicIP, "127.0.0.1"}})

	// The proxy itself is on this machine, which is the user's choice.
	for _, target := range []string{"http://paper.example/story", "http://" + publicIP + "/story"} {
		resp, err := c.Get(t.Context(), target)
		if err != nil || string(resp.Body) != "<p>The page.</p>" || asked.Load() != target {
			t.Errorf("%s: %v, the proxy was asked for %v", target, err, asked.Load())
		}
	}

	// The guard checks the target before the proxy sees it, also after a redirect.
	for target, want := range map[string]string{
		"http://127.0.0.1/":          "127.0.0.1 is a loopback address, which is not allowed",
		"http://2130706433/":         "of a private network",
		"http://0x7f.1/":             "of a private network",
		"http://unknown.example/":    "unknown.example cannot be resolved here, so its address cannot be checked",
		"http://[::ffff:10.0.0.1]/":  "10.0.0.1, a private address",
		"http://169.254.169.254/":    "a link-local address",
		"http://inside.example/":     "inside.example is 10.1.2.3, a private address",
		"http://mixed.example/":      "mixed.example is 127.0.0.1, a loopback address",
		"http://localhost/":          "localhost is a name of this machine or of a private network, which is not allowed",
		"http://intranet/":           "of a private network",
		"http://wiki.corp/":          "of a private network",
		"http://printer.local./":     "of a private network",
		"http://nas.home.arpa/":      "of a private network",
		"https://metadata.internal/": "of a private network",
		"http://paper.example/moved": "inside.example is 10.1.2.3, a private address",
	} {
		asked.Store("")
		_, err := c.Get(t.Context(), target)
		if !errors.Is(err, ErrPrivateAddress) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", target, err, want)
		}
		if s := asked.Load().(string); s != "" && !strings.HasSuffix(s, "/moved") {
			t.Errorf("%s: the proxy was asked for %s", target, s)
		}
	}

	// AllowPrivate turns the check off.
	open := newClient(t, Options{})
	useProxy(t, open, proxy.URL)
	if _, err := open.Get(t.Context(), "http://127.0.0.1:1/"); err != nil {
		t.Error(err)
	}

	// What goes past the proxy is guarded as without one, the proxy included.
	useProxy(t, c, proxy.URL, "127.0.0.1")
	if _, err := c.Get(t.Context(), proxy.URL); !errors.Is(err, ErrPrivateAddress) {
		t.Errorf("without the proxy: %v", err)
	}
}

// TestProxyTargetUnknown checks that the guard does not let a target pass because the
// name server fails, answers nothing or takes long.
func TestProxyTargetUnknown(t *testing.T) {
	proxy := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") })
	c := newProxiedClient(t, proxy.URL, nil)
	for _, dns := range []*net.DNSError{{Err: "server misbehaving", IsTemporary: true}, {Err: "i/o timeout", IsTimeout: true}, {Err: "no such host", IsNotFound: true}, nil} {
		c.lookup = func(context.Context, string, string) ([]netip.Addr, error) {
			if dns == nil {
				return nil, nil
			}
			return nil, dns
		}
		if _, err := c.Get(t.Context(), "http://inside.example/"); !errors.Is(err, ErrPrivateAddress) {
			t.Errorf("%v: %v", dns, err)
		}
	}
	synctest.Test(t, func(t *testing.T) { // a name server that does not answer
		c := newProxiedClient(t, proxy.URL, nil)
		c.lookup = func(ctx context.Context, _, _ string) ([]netip.Addr, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		if _, err := c.Get(t.Context(), "http://inside.example/"); !errors.Is(err, ErrTimeout) {
			t.Error(err)
		}
	})
}

func TestProxyTunnel(t *testing.T) {
	site := httptest.NewTLSServer(http.HandlerFunc(page))
	defer site.Close()
	var asked atomic.Value
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Method + " " + r.Host + " " + r.Header.Get("Proxy-Authorization"))
		server, err := net.Dial("tcp", site.Listener.Addr().String())
		if err != nil {
			http.Error(w, "no", http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusOK)
		client, sent, err := http.NewResponseController(w).Hijack()
		if err != nil {
			server.Close()
			return
		}
		go copyConn(client, server)
		go copyConn(server, sent) // a part of what the client sends may have been read
	})
	c := newProxiedClient(t, strings.Replace(proxy.URL, "://", "://ann:secret@", 1), hosts{"example.com": {publicIP}})
	c.proxied.TLSClientConfig = site.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	if _, err := c.Get(t.Context(), "https://example.com/story"); err != nil {
		t.Fatal(err)
	}
	if got := asked.Load(); got != "CONNECT example.com:443 Basic YW5uOnNlY3JldA==" {
		t.Errorf("the proxy was asked for %v", got)
	}
}

func copyConn(to net.Conn, from io.Reader) {
	_, _ = io.Copy(to, from)
	to.Close()
}

// The failure of a proxy is not blamed on the site, and shows no password.
func TestProxyErrors(t *testing.T) {
	refusing := refusingAddr(t)
	answer := func(code int) string {
		return strings.TrimPrefix(serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }).URL, "http://")
	}
	for _, test := range []struct{ name, proxy, target, want string }{
		{"refused", refusing, "https://paper.example/", "cannot be used: connection refused; check HTTPS_PROXY"},
		{"unknown name", "proxy.invalid:3128", "https://paper.example/", "cannot be used: "},
		{"password", answer(407), "https://paper.example/", "asks for a name and a password; set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT"},
		{"forbidden", answer(403), "https://paper.example/", "does not connect to paper.example (403 Forbidden)"},
		{"no way", answer(502), "https://paper.example/", "does not connect to paper.example (502 Bad Gateway)"},
		{"closed", strings.TrimPrefix(rawServer(t, ""), "http://"), "http://paper.example/", "cannot be used: EOF"},
	} {
		c := newProxiedClient(t, "http://ann:secret@"+test.proxy, hosts{"paper.example": {publicIP}})
		_, err := c.Get(t.Context(), test.target)
		if !errors.Is(err, ErrProxy) || !strings.Contains(err.Error(), "the proxy http://"+test.proxy) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
			continue
		}
		checkErrorLine(t, err)
		if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "spelling") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestProxyVariables(t *testing.T) {
	var asked atomic.Int32
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		page(w, r)
	})
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "REQUEST_METHOD"} {
		t.Setenv(name, "")
	}
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "10.1.2.3")
	c := New(Options{})
	defer c.CloseIdleConnections()
	if _, err := c.Get(t.Context(), "http://"+publicIP+"/"); err != nil || asked.Load() != 1 {
		t.Errorf("%v after %d requests of the proxy", err, asked.Load())
	}
	if _, err := c.Get(t.Context(), "http://10.1.2.3/"); !errors.Is(err, ErrPrivateAddress) || asked.Load() != 1 {
		t.Errorf("NO_PROXY: %v after %d requests of the proxy", err, asked.Load())
	}
	t.Setenv("HTTP_PROXY", "http://ann:secret@[x/")
	if _, err := New(Options{}).Get(t.Context(), "http://"+publicIP+"/"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("an invalid proxy: %v", err)
	}
}
