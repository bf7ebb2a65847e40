package fetch

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
)

var errBadHost = errors.New("host looks like an IP address but is none; check the address")

// literal is the address that a host spells out, if it does. It reads what
// browsers and C libraries read: 127.1, 0x7f.0.0.1, 017700000001, 2130706433.
// Such a host never reaches a resolver, which might read it in yet another way;
// one that ends in a number but is no address is an error, as in browsers
// (WHATWG URL, "ends in a number").
func literal(host string) (addr netip.Addr, ok bool, err error) {
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

// isNumber goes by the looks: 09 is no octal number, but meant for one.
func isNumber(s string) bool {
	if len(s) >= 2 && strings.EqualFold(s[:2], "0x") {
		return strings.Trim(s[2:], "0123456789abcdefABCDEF") == ""
	}
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// parseIPv4 is inet_aton: one to four numbers, the last of which fills the
// bytes that are left.
func parseIPv4(parts []string) (netip.Addr, bool) {
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var ip uint32
	for i, part := range parts {
		n, ok := number(part)
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
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}), true
}

// number reads a decimal, 0octal or 0xhexadecimal number of at most 32 bits.
func number(s string) (uint32, bool) {
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
