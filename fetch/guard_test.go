package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
)

func TestGuardRefuses(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0":             "an unspecified",
		"0.1.2.3":             "a reserved",
		"10.0.0.1":            "a private",
		"10.255.255.255":      "a private",
		"100.64.0.1":          "a carrier-private",
		"100.100.100.200":     "a carrier-private",
		"100.127.255.255":     "a carrier-private",
		"127.0.0.1":           "a loopback",
		"127.255.255.254":     "a loopback",
		"168.63.129.16":       "a cloud-internal",
		"169.254.0.1":         "a link-local",
		"169.254.169.254":     "a link-local",
		"172.16.0.1":          "a private",
		"172.31.255.255":      "a private",
		"192.0.0.192":         "a reserved",
		"192.0.2.1":           "a documentation",
		"192.88.99.1":         "a reserved",
		"192.168.1.1":         "a private",
		"198.18.0.1":          "a benchmark",
		"198.19.255.255":      "a benchmark",
		"198.51.100.7":        "a documentation",
		"203.0.113.7":         "a documentation",
		"224.0.0.1":           "a multicast",
		"239.255.255.250":     "a multicast",
		"240.0.0.1":           "a reserved",
		"255.255.255.254":     "a reserved",
		"255.255.255.255":     "a broadcast",
		"::":                  "an unspecified",
		"::1":                 "a loopback",
		"::2":                 "a reserved",
		"::127.0.0.1":         "a reserved", // IPv4-compatible
		"::8.8.8.8":           "a reserved",
		"::ffff:127.0.0.1":    "a loopback", // IPv4-mapped
		"::ffff:10.0.0.1":     "a private",
		"::ffff:169.254.1.1":  "a link-local",
		"::ffff:0.0.0.0":      "an unspecified",
		"::ffff:0:127.0.0.1":  "a reserved",   // IPv4-translated
		"64:ff9b::7f00:1":     "a loopback",   // NAT64
		"64:ff9b::10.0.0.1":   "a private",    // NAT64
		"64:ff9b::a9fe:a9fe":  "a link-local", // NAT64
		"64:ff9b:1::1":        "a reserved",   // local NAT64
		"100::1":              "a reserved",   // discard-only
		"2001::1":             "a Teredo tunnel",
		"2001:0:4136:e378::1": "a Teredo tunnel",
		"2001:2::1":           "a benchmark",
		"2001:10::1":          "a reserved", // ORCHID
		"2001:20::1":          "a reserved", // ORCHIDv2
		"2001:db8::1":         "a documentation",
		"2002:7f00:1::":       "a loopback", // 6to4
		"2002:a00:1::1":       "a private",  // 6to4
		"2002:c0a8:101::1":    "a private",  // 6to4
		"2002:a9fe:a9fe::":    "a link-local",
		"3fff::1":             "a documentation",
		"4000::1":             "a reserved",
		"5f00::1":             "a reserved",
		"fc00::1":             "a private",
		"fd00:ec2::254":       "a private", // cloud metadata
		"fe80::1":             "a link-local",
		"fe80::1%eth0":        "a link-local",
		"febf::1":             "a link-local",
		"fec0::1":             "a private",
		"ff02::1":             "a multicast",
		"ff02::1%1":           "a multicast",
	} {
		if got := refused(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
}

func TestGuardAllows(t *testing.T) {
	for _, addr := range []string{
		publicIP, "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0",
		"100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
		"168.63.129.15", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
		"192.0.1.1", "192.0.3.1", "192.167.255.255", "192.169.0.0",
		"198.17.255.255", "198.20.0.0", "223.255.255.255",
		"2001:200::1", "2001:4860:4860::8888", "2600::1", "2a00::1", "3ffe::1",
		"::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
	} {
		if got := refused(netip.MustParseAddr(addr)); got != "" {
			t.Errorf("%s: %q, want it allowed", addr, got)
		}
	}
}

func TestParseIP(t *testing.T) {
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
		addr, ok, err := parseIP(host)
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

func TestParseIPBad(t *testing.T) {
	for _, host := range []string{
		"256.256.256.256", "1.2.3.256", "256.1", "1.2.3.4.5", "1..2", ".1", "4294967296",
		"0x100000000", "08", "09.1.1.1", "1.2.3.08", "news.example.123", "a.0x1f",
		"99999999999999999999999", ":::", "1:2", "[::1", "[::1]", "::1%", "gggg::1",
	} {
		if addr, ok, err := parseIP(host); !errors.Is(err, errBadHost) {
			t.Errorf("%q: %s %v %v, want %v", host, addr, ok, err, errBadHost)
		}
	}
}

// FuzzGuardHost checks which addresses would be connected to, with a resolver
// that answers loopback for every name, as one might for odd spellings.
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
		conn, err := d.dial(t.Context(), "tcp", net.JoinHostPort(host, "80"))
		if conn != nil || err == nil {
			t.Fatalf("host %q: connected", host)
		}
		// Addresses of the standard library must be parsed alike.
		if std, err := netip.ParseAddr(host); err == nil {
			if addr, ok, err := parseIP(host); !ok || err != nil || addr != std {
				t.Errorf("host %q: parsed as %s, want %s", host, addr, std)
			}
		}
	})
}

// always resolves every name to the same address.
type always struct{ addr netip.Addr }

func (a always) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{a.addr}, nil
}
