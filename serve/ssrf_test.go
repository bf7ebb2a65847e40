package serve

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lede-news/lede/fetch"
)

// privateHosts are ways to name this machine and private networks.
var privateHosts = []string{
	"127.0.0.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]",
	"localhost", "①②⑦.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "10.0.0.1", "169.254.169.254", "[fe80::1]", "[fd00:ec2::254]",
}

// oddHosts name this machine for some resolvers, and nothing for others.
var oddHosts = []string{"127.1", "2130706433", "0x7f.1", "0177.0.0.1"}

// badAddresses do not name a public page in another way.
var badAddresses = []string{
	"http://public.example@127.0.0.1/", `http://127.0.0.1\@public.example/`, "http:///127.0.0.1/", "//127.0.0.1/", "127.0.0.1", "http://127.0.0.1:99999/",
	"file:///etc/passwd", "gopher://127.0.0.1:6379/_INFO", "data:text/html,<p>x", "unix:///var/run/docker.sock",
}

// TestPrivateAddressesAreNotFetched checks that the service connects to no private
// address, whatever the way to name it and to ask for it, and says why.
func TestPrivateAddressesAreNotFetched(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, "")
	}
	var accepted atomic.Int64
	local := httptest.NewUnstartedServer(http.NotFoundHandler())
	local.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			accepted.Add(1)
		}
	}
	local.Start()
	defer local.Close()
	h := newService(t, Options{Fetch: fetch.New(fetch.Options{})})
	_, port, _ := strings.Cut(strings.TrimPrefix(local.URL, "http://"), ":")
	addresses := badAddresses
	for _, host := range append(privateHosts, oddHosts...) {
		addresses = append(addresses, "http://"+host+":"+port+"/")
	}
	for _, address := range addresses {
		body, _ := json.Marshal(map[string]string{"url": address})
		for _, path := range []string{"/v1/extract", "/v1/links", "/v1/compare", "/ui/page"} {
			w := ask(h, "POST", path, string(body), "Content-Type", "application/json")
			noHost := w.Code == http.StatusBadGateway && strings.Contains(problemIn(w).Detail, "there is no host "+oddHost(address))
			if p := problemIn(w); !noHost && (w.Code != http.StatusForbidden && w.Code != http.StatusBadRequest || p.Kind != "address" || len(p.Detail) < 20) {
				t.Errorf("%s of %q: %d %s", path, address, w.Code, w.Body)
			}
		}
	}
	if n := accepted.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
	if resp, err := http.Get(local.URL); err != nil || accepted.Load() != 1 { // the server counts them
		t.Errorf("%v %v: %d connections", resp, err, accepted.Load())
	}
}

// oddHost returns the host of an address if it is one of oddHosts, or else what no
// message contains.
func oddHost(address string) string {
	if u, err := url.Parse(address); err == nil && slices.Contains(oddHosts, u.Hostname()) {
		return u.Hostname()
	}
	return "\x00"
}
