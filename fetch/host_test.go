package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
)

func TestLiteral(t *testing.T) {
	for host, want := range map[string]string{
		"127.0.0.1":              "127.0.0.1",
		"127.0.0.1.":             "127.0.0.1",
		"127.1":                  "127.0.0.1",
		"127.0.1":                "127.0.0.1",
		"127.65535":              "127.0.255.255",
		"2130706433":             "127.0.0.1",
		"0x7f000001":             "127.0.0.1",
		"0X7F000001":             "127.0.0.1",
		"0x7f.1":                 "127.0.0.1",
		"0x7f.0x0.0x0.0x1":       "127.0.0.1",
		"017700000001":           "127.0.0.1",
		"0177.0.0.1":             "127.0.0.1",
		"0000177.0.0.01":         "127.0.0.1",
		"0127.0.0.1":             "87.0.0.1",
		"0":                      "0.0.0.0",
		"0x":                     "0.0.0.0",
		"0.0":                    "0.0.0.0",
		"4294967295":             "255.255.255.255",
		"0xa9.0xfe.0xa9.0xfe":    "169.254.169.254",
		"2852039166":             "169.254.169.254",
		"::1":                    "::1",
		"0:0:0:0:0:0:0:1":        "::1",
		"::ffff:7f00:1":          "::ffff:127.0.0.1",
		"fe80::1%eth0":           "fe80::1%eth0",
		"news.example":           "",
		"news.example.":          "",
		"127.0.0.1.news.example": "",
		"0x7f.example":           "",
		"7eleven":                "",
		"1e3":                    "",
		"0xg":                    "",
		"localhost":              "",
		"":                       "",
		".":                      "",
	} {
		addr, ok, err := literal(host)
		switch {
		case err != nil:
			t.Errorf("%q: %v", host, err)
		case want == "" && ok:
			t.Errorf("%q: %s, want a name", host, addr)
		case want != "" && (!ok || addr.String() != want):
			t.Errorf("%q: %s, want %s", host, addr, want)
		}
	}
}

func TestLiteralBad(t *testing.T) {
	for _, host := range []string{
		"256.256.256.256", "1.2.3.256", "256.1", "1.2.3.4.5", "1..2", ".1", "4294967296",
		"0x100000000", "08", "09.1.1.1", "1.2.3.08", "news.example.123", "a.0x1f",
		"99999999999999999999999", ":::", "1:2", "[::1", "[::1]", "::1%", "gggg::1",
	} {
		if addr, ok, err := literal(host); !errors.Is(err, errBadHost) {
			t.Errorf("%q: %s %v %v, want %v", host, addr, ok, err, errBadHost)
		}
	}
}

// FuzzGuardHost has a resolver that says loopback for every name, as one might
// that reads odd spellings, and looks at what would be connected to.
func FuzzGuardHost(f *testing.F) {
	for _, host := range []string{
		"127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.01", "localhost", "news.example",
		"::1", "::ffff:127.0.0.1", "fe80::1%eth0", "64:ff9b::7f00:1", "2002:7f00:1::",
		"1.1.1.1", "2606:4700::1111", "0", "", ".", "..", "0x", "[::1]", "１２７.0.0.1",
		"127。0。0。1", "127.0.0.1\x00.news.example", "1.1.1.1 ", "+1.1.1.1", "1_0.1.1.1",
	} {
		f.Add(host)
	}
	loopback := netip.MustParseAddr("127.0.0.1")
	f.Fuzz(func(t *testing.T, host string) {
		d := newDialer(Options{Resolver: always{loopback}}.withDefaults())
		d.connect = func(_ context.Context, _, address string) (net.Conn, error) {
			ap, err := netip.ParseAddrPort(address)
			if err != nil {
				t.Errorf("host %q: connects to %q, which is no address", host, address)
			} else if a := ap.Addr().Unmap(); !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() {
				t.Errorf("host %q: connects to %s", host, a)
			}
			return nil, net.ErrClosed
		}
		conn, err := d.DialContext(t.Context(), "tcp", net.JoinHostPort(host, "80"))
		if conn != nil || err == nil {
			t.Fatalf("host %q: a connection", host)
		}
		// What the standard library reads as an address has to be read as that one.
		if std, err := netip.ParseAddr(host); err == nil {
			if addr, ok, err := literal(host); !ok || err != nil || addr != std {
				t.Errorf("host %q: read as %s, want %s", host, addr, std)
			}
		}
	})
}

// always resolves every name to the same address.
type always struct{ addr netip.Addr }

func (a always) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{a.addr}, nil
}
