package fetch

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestGuardStopsGet connects with the dialer of the system.
func TestGuardStopsGet(t *testing.T) {
	srv := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("reached the server") })
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	c := New(Options{})
	c.proxy = noProxy
	for url, want := range map[string]string{
		srv.URL:                          "127.0.0.1 is a loopback address, which is not allowed",
		"http://[::1]:" + port:           "::1 is a loopback address",
		"http://[::ffff:127.0.0.1]/":     "is 127.0.0.1, a loopback address",
		"http://[fe80::1%25lo]/":         "fe80::1%lo is a link-local address",
		"http://0.0.0.0:" + port:         "0.0.0.0 is an unspecified address",
		"http://[::]:" + port:            ":: is an unspecified address",
		"http://localhost:" + port:       "a loopback address",
		"http://169.254.169.254/latest/": "169.254.169.254 is a link-local address",
	} {
		_, err := c.Get(t.Context(), url)
		if !errors.Is(err, ErrPrivateAddress) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
		checkErrorLine(t, err)
	}
	// Other ways to write an address are names to some resolvers, and refused or unknown.
	for _, host := range []string{"2130706433", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1."} {
		if _, err := c.Get(t.Context(), "http://"+host+":"+port); err == nil {
			t.Errorf("%s was fetched", host)
		}
	}
}

func TestGuardSkipsPrivateAddresses(t *testing.T) {
	c := newGuarded(t, serve(t, page), hosts{"mixed.example": {"10.0.0.1", "fd00::1", publicIP, "127.0.0.1"}, "inside.example": {"10.1.2.3"}})
	resp, err := c.Get(t.Context(), "http://mixed.example/")
	if err != nil || string(resp.Body) != "<p>The page.</p>" {
		t.Fatal(resp, err)
	}
	if _, err := c.Get(t.Context(), "http://inside.example/"); err == nil || !strings.Contains(err.Error(), "inside.example is 10.1.2.3, a private address") {
		t.Error(err)
	}
}
