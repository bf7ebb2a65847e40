package fetch

import (
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
