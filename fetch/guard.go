package fetch

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"strconv"
	"strings"
)

// guard lists the addresses that are not on the public internet.
type guard struct {
	v4, v6 []block
}

type block struct {
	prefix netip.Prefix
	class  string // completes "is … address"
}

// newGuard has the IANA special-purpose registries (RFC 6890 and its updates),
// multicast, and addresses that clouds use for their own services.
func newGuard() *guard {
	b := func(prefix, class string) block { return block{netip.MustParsePrefix(prefix), class} }
	return &guard{
		v4: []block{
			b("0.0.0.0/32", "an unspecified"),
			b("0.0.0.0/8", "a reserved"),
			b("10.0.0.0/8", "a private"),
			b("100.64.0.0/10", "a carrier-private"),
			b("127.0.0.0/8", "a loopback"),
			b("168.63.129.16/32", "a cloud-internal"), // Azure's platform service
			b("169.254.0.0/16", "a link-local"),       // among them 169.254.169.254, cloud metadata
			b("172.16.0.0/12", "a private"),
			b("192.0.0.0/24", "a reserved"),
			b("192.0.2.0/24", "a documentation"),
			b("192.88.99.0/24", "a reserved"),
			b("192.168.0.0/16", "a private"),
			b("198.18.0.0/15", "a benchmark"),
			b("198.51.100.0/24", "a documentation"),
			b("203.0.113.0/24", "a documentation"),
			b("224.0.0.0/4", "a multicast"),
			b("255.255.255.255/32", "a broadcast"),
			b("240.0.0.0/4", "a reserved"),
		},
		v6: []block{
			b("::/128", "an unspecified"),
			b("::1/128", "a loopback"),
			b("fc00::/7", "a private"),
			b("fe80::/10", "a link-local"),
			b("fec0::/10", "a private"), // site-local, deprecated
			b("ff00::/8", "a multicast"),
			b("2001::/32", "a Teredo tunnel"),
			b("2001:2::/48", "a benchmark"),
			b("2001::/23", "a reserved"),
			b("2001:db8::/32", "a documentation"),
			b("3fff::/20", "a documentation"),
		},
	}
}

// refuses returns the class of an address that must not be connected to, or "".
func (g *guard) refuses(addr netip.Addr) string {
	// A prefix never contains an address with a zone, nor a mapped one.
	addr = addr.WithZone("").Unmap()
	if addr.Is4() {
		return lookup(g.v4, addr)
	}
	if inner, ok := embedded(addr); ok {
		return g.refuses(inner)
	}
	if class := lookup(g.v6, addr); class != "" {
		return class
	}
	// 2000::/3 is all that IANA has allocated as global unicast so far. The rest
	// includes other ways to write IPv4 addresses (::127.0.0.1, 64:ff9b:1::/48).
	if !netip.PrefixFrom(netip.AddrFrom16([16]byte{0x20}), 3).Contains(addr) {
		return "a reserved"
	}
	return ""
}

func lookup(blocks []block, addr netip.Addr) string {
	for _, b := range blocks {
		if b.prefix.Contains(addr) {
			return b.class
		}
	}
	return ""
}

// embedded returns the IPv4 address that a gateway would connect to: by NAT64
// (RFC 6052), which networks without IPv4 use, or by 6to4 (RFC 3056).
func embedded(addr netip.Addr) (netip.Addr, bool) {
	b := addr.As16()
	switch {
	case [12]byte(b[:12]) == [12]byte{0x00, 0x64, 0xff, 0x9b}:
		return netip.AddrFrom4([4]byte(b[12:])), true
	case b[0] == 0x20 && b[1] == 0x02:
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return netip.Addr{}, false
}

var errBadHost = errors.New("the host looks like an IP address but is not one; check the address")

// parseIP parses a host that is an IP address; ok is false if it is a name. It
// accepts what browsers and C libraries accept: 127.1, 0x7f.0.0.1, 017700000001,
// 2130706433. Such a host never reaches a resolver, which might read it
// differently. A host that ends in a number but is no address is an error, as in
// browsers (WHATWG URL, "ends in a number").
func parseIP(host string) (addr netip.Addr, ok bool, err error) {
	if strings.Contains(host, ":") {
		addr, err := netip.ParseAddr(host)
		if err != nil {
			return netip.Addr{}, false, errBadHost
		}
		return addr, true, nil
	}
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	if !isNumber(parts[len(parts)-1]) {
		return netip.Addr{}, false, nil
	}
	if addr, ok = parseIPv4(parts); !ok {
		return netip.Addr{}, false, errBadHost
	}
	return addr, true, nil
}

// isNumber reports whether s looks like a number; 09 does, although it is not
// valid octal.
func isNumber(s string) bool {
	if len(s) >= 2 && strings.EqualFold(s[:2], "0x") {
		return strings.Trim(s[2:], "0123456789abcdefABCDEF") == ""
	}
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// parseIPv4 is inet_aton: one to four numbers, the last of which fills the
// remaining bytes.
func parseIPv4(parts []string) (netip.Addr, bool) {
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var ip uint32
	for i, part := range parts {
		n, ok := parseNumber(part)
		if !ok {
			return netip.Addr{}, false
		}
		if i < len(parts)-1 {
			if n > 0xff {
				return netip.Addr{}, false
			}
			ip |= n << (24 - 8*i)
			continue
		}
		if uint64(n) >= 1<<(32-8*i) {
			return netip.Addr{}, false
		}
		ip |= n
	}
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, ip))), true
}

// parseNumber parses a decimal, 0octal or 0xhexadecimal number of at most 32 bits.
func parseNumber(s string) (uint32, bool) {
	base := 10
	switch {
	case len(s) >= 2 && strings.EqualFold(s[:2], "0x"):
		base, s = 16, s[2:]
		if s == "" {
			return 0, true
		}
	case len(s) >= 2 && s[0] == '0':
		base, s = 8, s[1:]
	}
	n, err := strconv.ParseUint(s, base, 32)
	return uint32(n), err == nil
}
