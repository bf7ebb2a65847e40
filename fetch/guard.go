package fetch

import (
	"net/netip"
	"slices"
)

// blocks are the addresses that are not on the public internet: the IANA
// special-purpose registries (RFC 6890 and its updates), multicast, and addresses
// that clouds use for their own services. The first block that contains an address
// gives its class, which completes "is … address".
var blocks = []struct {
	class    string
	prefixes []netip.Prefix
}{
	{"an unspecified", prefixes("0.0.0.0/32", "::/128")},
	{"a loopback", prefixes("127.0.0.0/8", "::1/128")},
	{"a private", prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10")},
	{"a carrier-private", prefixes("100.64.0.0/10")},
	{"a cloud-internal", prefixes("168.63.129.16/32")}, // Azure's platform service
	// Among the link-local ones is 169.254.169.254, cloud metadata.
	{"a link-local", prefixes("169.254.0.0/16", "fe80::/10")},
	{"a documentation", prefixes("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")},
	{"a benchmark", prefixes("198.18.0.0/15", "2001:2::/48")},
	{"a multicast", prefixes("224.0.0.0/4", "ff00::/8")},
	{"a broadcast", prefixes("255.255.255.255/32")},
	{"a Teredo tunnel", prefixes("2001::/32")},
	{"a reserved", prefixes("0.0.0.0/8", "192.0.0.0/24", "192.88.99.0/24", "240.0.0.0/4", "2001::/23")},
}

func prefixes(list ...string) (all []netip.Prefix) {
	for _, s := range list {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

// refused returns the class of an address that must not be connected to, or "".
func refused(addr netip.Addr) string {
	// A prefix never contains an address with a zone, nor a mapped one.
	addr = addr.WithZone("").Unmap()
	if inner, ok := embedded(addr); ok {
		return refused(inner)
	}
	for _, b := range blocks {
		if slices.ContainsFunc(b.prefixes, func(p netip.Prefix) bool { return p.Contains(addr) }) {
			return b.class
		}
	}
	// 2000::/3 is all that IANA has allocated as global unicast so far. The rest
	// includes other ways to write IPv4 addresses (::127.0.0.1, 64:ff9b:1::/48).
	if addr.Is6() && !netip.PrefixFrom(netip.AddrFrom16([16]byte{0x20}), 3).Contains(addr) {
		return "a reserved"
	}
	return ""
}

// embedded returns the IPv4 address that a gateway would connect to: by NAT64
// (RFC 6052), which networks without IPv4 use, or by 6to4 (RFC 3056).
func embedded(addr netip.Addr) (netip.Addr, bool) {
	b := addr.As16()
	switch {
	case addr.Is4():
	case [12]byte(b[:12]) == [12]byte{0x00, 0x64, 0xff, 0x9b}:
		return netip.AddrFrom4([4]byte(b[12:])), true
	case b[0] == 0x20 && b[1] == 0x02:
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return netip.Addr{}, false
}
