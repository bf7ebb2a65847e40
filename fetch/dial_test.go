package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestGuardStopsGet(t *testing.T) {
	srv := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("reached the server") })
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	c := newGuarded(t, srv, Options{Resolver: hosts{
		"inside.example":  {"10.1.2.3"},
		"rebound.example": {"127.0.0.1", "::1", "::ffff:169.254.169.254"},
		"localhost":       {"127.0.0.1", "::1"},
	}})
	for url, want := range map[string]string{
		srv.URL:                          "127.0.0.1 is a loopback address, which is not allowed",
		"http://[::1]:" + port:           "::1 is a loopback address",
		"http://[::ffff:127.0.0.1]/":     "is 127.0.0.1, a loopback address",
		"http://[fe80::1%25lo]/":         "fe80::1%lo is a link-local address",
		"http://0.0.0.0:" + port:         "0.0.0.0 is an unspecified address",
		"http://[::]:" + port:            ":: is an unspecified address",
		"http://2130706433:" + port:      "2130706433 is 127.0.0.1, a loopback address",
		"http://0x7f.1:" + port:          "0x7f.1 is 127.0.0.1, a loopback address",
		"http://0177.0.0.1:" + port:      "a loopback address",
		"http://127.0.0.1.:" + port:      "a loopback address",
		"http://１２７.0.0.1:" + port:       "a loopback address",
		"http://127。0。0。1:" + port:       "a loopback address",
		"http://localhost:" + port:       "localhost is 127.0.0.1, a loopback address",
		"http://inside.example/":         "inside.example is 10.1.2.3, a private address",
		"https://rebound.example/":       "rebound.example is 127.0.0.1, a loopback address",
		"http://169.254.169.254/latest/": "169.254.169.254 is a link-local address",
	} {
		_, err := c.Get(t.Context(), url)
		if !errors.Is(err, ErrPrivateAddress) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

func TestGuardSkipsPrivateAddresses(t *testing.T) {
	srv := serve(t, page)
	c := newGuarded(t, srv, Options{Resolver: hosts{
		"mixed.example": {"10.0.0.1", "fd00::1", publicIP, "127.0.0.1"},
	}})
	resp, err := c.Get(t.Context(), "http://mixed.example/")
	if err != nil || string(resp.Body) != "<p>The page.</p>" {
		t.Fatal(resp, err)
	}
}

// A name that is public when it is checked and private when it is connected to
// must be refused; it is resolved only once.
func TestGuardResolvesOnce(t *testing.T) {
	srv := serve(t, page)
	var lookups atomic.Int32
	c := newGuarded(t, srv, Options{Resolver: resolverFunc(func(string) []netip.Addr {
		if lookups.Add(1) == 1 {
			return []netip.Addr{netip.MustParseAddr(publicIP)}
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	})})
	if _, err := c.Get(t.Context(), "http://rebind.example/"); err != nil {
		t.Fatal(err)
	}
	c.CloseIdleConnections()
	if _, err := c.Get(t.Context(), "http://rebind.example/"); !errors.Is(err, ErrPrivateAddress) {
		t.Fatalf("%v, want %v", err, ErrPrivateAddress)
	}
	if n := lookups.Load(); n != 2 {
		t.Errorf("%d lookups for two connections", n)
	}
}

type resolverFunc func(host string) []netip.Addr

func (f resolverFunc) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return f(host), nil
}

func TestGetIPv6(t *testing.T) {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 here: ", err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(page)}
	go srv.Serve(l)
	defer srv.Close()
	if _, err := newClient(t, Options{}).Get(t.Context(), "http://"+l.Addr().String()); err != nil {
		t.Fatal(err)
	}
}

func TestInterleave(t *testing.T) {
	addrs := func(s string) (list []netip.Addr) {
		for f := range strings.FieldsSeq(s) {
			list = append(list, netip.MustParseAddr(f))
		}
		return list
	}
	for in, want := range map[string]string{
		"":                                "",
		"1.1.1.1":                         "1.1.1.1",
		"1.1.1.1 2.2.2.2 2a00::1":         "1.1.1.1 2a00::1 2.2.2.2",
		"2a00::1 2a00::2 2a00::3 1.1.1.1": "2a00::1 1.1.1.1 2a00::2 2a00::3",
	} {
		var got []string
		for _, a := range interleave(addrs(in)) {
			got = append(got, a.String())
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", in, s, want)
		}
	}
}

func TestRace(t *testing.T) {
	fast, slow, dead := netip.MustParseAddr("1.1.1.1"), netip.MustParseAddr("2a00::1"), netip.MustParseAddr("2a00::2")
	errDead := errors.New("dead")
	for _, test := range []struct {
		name  string
		addrs []netip.Addr
		want  netip.Addr
		took  time.Duration
	}{
		{"first", []netip.Addr{fast, slow}, fast, 10 * time.Millisecond},
		{"a hanging address delays by the head start", []netip.Addr{slow, fast}, fast, 260 * time.Millisecond},
		{"a failing address does not delay", []netip.Addr{dead, fast}, fast, 10 * time.Millisecond},
		{"slow but the only one", []netip.Addr{dead, slow, dead}, slow, time.Second},
		{"none", []netip.Addr{dead, dead}, netip.Addr{}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var open atomic.Int32
				d := &dialer{connect: func(ctx context.Context, _, address string) (net.Conn, error) {
					addr := netip.MustParseAddrPort(address).Addr()
					wait := map[netip.Addr]time.Duration{fast: 10 * time.Millisecond, slow: time.Second}[addr]
					if addr == dead {
						return nil, errDead
					}
					time.Sleep(wait) // ignores ctx, so that slower attempts connect too
					open.Add(1)
					return &fakeConn{addr: addr, open: &open}, nil
				}}
				begin := time.Now()
				conn, err := d.race(t.Context(), "tcp", "80", test.addrs)
				took := time.Since(begin)
				if took != test.took {
					t.Errorf("took %s, want %s", took, test.took)
				}
				if !test.want.IsValid() {
					if err != errDead {
						t.Errorf("%v, want %v", err, errDead)
					}
					return
				}
				if err != nil || conn.(*fakeConn).addr != test.want {
					t.Errorf("%v %v, want %v", conn, err, test.want)
				}
				time.Sleep(time.Minute)
				if n := open.Load(); n != 1 {
					t.Errorf("%d connections left open, want the one", n)
				}
			})
		})
	}
}

type fakeConn struct {
	net.Conn
	addr netip.Addr
	open *atomic.Int32
}

func (c *fakeConn) Close() error {
	c.open.Add(-1)
	return nil
}
