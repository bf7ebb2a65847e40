package web

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestKnownHost(t *testing.T) {
	local := &net.TCPAddr{IP: net.ParseIP("192.168.7.9"), Port: 8080}
	for host, want := range map[string]bool{
		"localhost":                true,
		"LOCALHOST:8080":           true,
		"localhost.:8080":          true,
		"127.0.0.1:8080":           true,
		"127.3.2.1":                true,
		"[::1]:8080":               true,
		"[::1]":                    true,
		"[::ffff:127.0.0.1]:8080":  true,
		"192.168.7.9:8080":         true, // where the connection was made to
		"lede.example":             true,
		"Lede.Example.:8080":       true,
		"192.168.7.8:8080":         false,
		"0.0.0.0:8080":             false, // browsers connect it to loopback
		"evil.example":             false,
		"localhost.evil.example":   false,
		"127.0.0.1.evil.example":   false,
		"lede.example.evil.exampl": false,
		"":                         false,
		"*":                        false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local))
		if got := KnownHost(r, []string{"lede.example"}); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
		if !KnownHost(r, []string{"*"}) {
			t.Errorf("%q is not any name", host)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil) // without a connection
	r.Host = "192.168.7.9"
	if KnownHost(r, nil) {
		t.Error("an address is known without a connection")
	}
}

func TestCrossSite(t *testing.T) {
	for _, test := range []struct {
		site, origin string
		want         bool
	}{
		{"", "", false},
		{"none", "", false},
		{"same-origin", "http://localhost:8080", false},
		{"same-origin", "https://behind.proxy.example", false},
		{"same-site", "", true}, // another port of this machine
		{"cross-site", "", true},
		{"anything", "", true},
		{"", "http://localhost:8080", false},
		{"", "https://localhost:8080", false}, // a proxy may end TLS
		{"", "http://localhost:3000", true},
		{"", "https://evil.example", true},
		{"", "null", true},
		{"", "http://[", true},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r := httptest.NewRequest(method, "http://localhost:8080/", nil)
			r.Header.Set("Sec-Fetch-Site", test.site)
			r.Header.Set("Origin", test.origin)
			if got := CrossSite(r); got != test.want {
				t.Errorf("%s %+v: %v", method, test, got)
			}
			if protection := http.NewCrossOriginProtection(); protection.Check(r) != nil && !CrossSite(r) {
				t.Errorf("%s %+v: net/http refuses it", method, test)
			}
		}
	}
}
