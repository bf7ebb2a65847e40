package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/lede-news/lede/fetch"
)

// publicIP is a public address, which leads to a server of the test.
const publicIP = "93.184.215.14"

// privateHosts are the ways to name an address that must not be connected to.
var privateHosts = []string{
	"127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "0.0.0.0", "0",
	"2130706433", "0x7f000001", "0X7F.0.0.1", "0x7f.1", "017700000001", "0177.0.0.1", "0000177.0.0.01", "127.0.0.1.", "127.65535",
	"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "198.18.0.1", "192.0.2.1", "224.0.0.1", "255.255.255.255",
	"169.254.169.254", "2852039166", "0xa9fea9fe", "0xa9.0xfe.0xa9.0xfe", "0251.0376.0251.0376", "169.254.43518", "169.16689662",
	"168.63.129.16", "100.100.100.200", "192.0.0.192",
	"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]",
	"[::FFFF:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]",
	"[fe80::1]", "[fe80::1%25lo]", "[fe80::1%25eth0]", "[::1%25lo]", "[fc00::1]", "[fd00:ec2::254]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]",
	"[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::]", "[2001:0:7f00:1::]", "[100::1]",
	"localhost", "LOCALHOST", "LocalHost.", "localhost.localdomain", "sub.localhost", "ip6-localhost", "metadata.google.internal", "inside", "inside.example",
	"①②⑦.⓪.⓪.①", "１２７.０.０.１", "127。0。0。1", "127｡0｡0｡1", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "lo\u00adcalhost", "127.0.0.1\u3002",
	"%31%32%37.0.0.1", "127%2e0%2e0%2e1", "%6c%6f%63%61%6c%68%6f%73%74", "%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1", "127.0.0.1%00.public.example", "127.0.0.1%20",
	"256.256.256.256", "127.0.0.1.1", "127.0.0.08", "0x7f.0.0.0x", "[::1", "[127.0.0.1]", "[v1.::1]",
}

// badAddresses are refused before anything is resolved, or lead to a private address in
// another way than by their host alone.
func badAddresses() []string {
	list := []string{
		"http://public.example@127.0.0.1/", "http://public.example:80@127.0.0.1/", "http://127.0.0.1@public.example/", "http://user:pass@localhost/",
		"http://public.example%40127.0.0.1/", `http://public.example\@127.0.0.1/`, `http://127.0.0.1\@public.example/`, "http://127.0.0.1\t/", "http://127.0.0.1\n.public.example/",
		"http:///127.0.0.1/", "http:127.0.0.1", "//127.0.0.1/", "127.0.0.1", "localhost:80", "http://", "http://:80/", "http://127.0.0.1:0/", "http://127.0.0.1:99999/",
		"file:///etc/passwd", "file://localhost/etc/passwd", "FILE:///etc/passwd", "gopher://127.0.0.1:6379/_INFO", "ftp://127.0.0.1/", "dict://127.0.0.1:11211/stats",
		"ldap://127.0.0.1/", "jar:http://127.0.0.1!/", "data:text/html,<p>x", "javascript:1", "view-source:http://127.0.0.1/", "unix:///var/run/docker.sock", "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
		"ws://127.0.0.1/", "netdoc:///etc/passwd", "about:blank",
	}
	for _, host := range privateHosts {
		list = append(list, "http://"+host+"/latest/meta-data/", "HTTPS://"+host+":8443/")
	}
	return list
}

// outside is a world in which only publicIP may be connected to. Names that nobody has
// defined lead to this machine.
type outside struct {
	t        *testing.T
	site     *pipeListener
	mu       sync.Mutex
	names    map[string][]string
	lookups  map[string]int
	connects atomic.Int64
}

func newOutside(t *testing.T) *outside {
	o := &outside{t: t, names: map[string][]string{"public.example": {publicIP}}, lookups: map[string]int{}}
	o.site = newPipes()
	srv := &http.Server{Handler: http.HandlerFunc(o.serve)}
	go func() { _ = srv.Serve(o.site) }()
	t.Cleanup(func() { srv.Close() })
	return o
}

// inOutside runs a test of one way to ask, with a fake clock: a batch waits between two
// requests to a host.
func inOutside(t *testing.T, name string, test func(*testing.T, *outside)) {
	t.Run(name, func(t *testing.T) {
		withoutProxies(t)
		synctest.Test(t, func(t *testing.T) { test(t, newOutside(t)) })
	})
}

func withoutProxies(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, "")
	}
}

// serve redirects by the path, as in /301/http://127.0.0.1/, a number of times as in
// /hops/3/302/http://127.0.0.1/, or shows a page.
func (o *outside) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close") // so that each request connects again
	head, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.RequestURI(), "/"), "/")
	rest, err := url.PathUnescape(rest)
	var code, hops int
	switch n, _ := fmt.Sscanf(head, "%d", &code); {
	case head == "robots.txt":
		http.NotFound(w, r)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
	case n == 1:
		w.Header().Set("Location", rest)
		w.WriteHeader(code)
	case head == "hops":
		number, rest, _ := strings.Cut(rest, "/")
		if _, err := fmt.Sscanf(number, "%d", &hops); err == nil && hops > 0 {
			w.Header().Set("Location", fmt.Sprintf("http://public.example/hops/%d/%s", hops-1, url.PathEscape(rest)))
		} else {
			w.Header().Set("Location", "/"+rest)
		}
		w.WriteHeader(http.StatusFound)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(lookPage))
	}
}

// lookup returns the addresses of a host.
func (o *outside) lookup(host string) (list []netip.Addr) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	host = strings.ToLower(host)
	o.lookups[host]++
	addrs, ok := o.names[host]
	switch {
	case !ok:
		addrs = []string{"127.0.0.1", "::1"}
	case strings.HasPrefix(host, "rebind"): // another answer for each lookup
		addrs = addrs[min(o.lookups[host], len(addrs))-1:][:1]
	}
	for _, a := range addrs {
		list = append(list, netip.MustParseAddr(a))
	}
	return list
}

// dial connects to the site as a net.Dialer with the guard would, and fails the test for
// any address but publicIP.
func (o *outside) dial(_ context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	for _, addr := range o.lookup(host) {
		if err = fetch.Control(network, net.JoinHostPort(addr.String(), port), nil); err != nil {
			continue
		}
		if addr.String() != publicIP {
			o.t.Errorf("connected to %s", addr)
		}
		o.connects.Add(1)
		return o.site.dial(), nil
	}
	return nil, err
}

// service returns a service that fetches in this world.
func (o *outside) service() http.Handler {
	client := fetch.New(fetch.Options{Dial: o.dial})
	o.t.Cleanup(client.CloseIdleConnections)
	return newService(o.t, Options{Fetch: client})
}

// batchPath is the one that asks for robots.txt first, and waits between requests.
const batchPath = "POST /v1/batch"

// fetchers ask a service for a page by its address, in all ways. They return the status,
// the kind of the problem and what it says; in a batch, those of its line.
var fetchers = map[string]func(t *testing.T, h http.Handler, address string) (status int, kind, detail string){
	"GET /v1/extract": func(t *testing.T, h http.Handler, address string) (int, string, string) {
		return readProblem(t, ask(h, "GET", "/v1/extract?url="+url.QueryEscape(address), ""))
	},
	"POST /v1/extract": postURL("/v1/extract"),
	"POST /v1/links":   postURL("/v1/links"),
	"POST /v1/compare": postURL("/v1/compare"),
	"POST /ui/page":    postURL("/ui/page"),
	batchPath: func(t *testing.T, h http.Handler, address string) (int, string, string) {
		line, err := json.Marshal(map[string]string{"url": address})
		if err != nil {
			t.Fatal(err)
		}
		w := ask(h, "POST", "/v1/batch", string(line)+"\n")
		var answer struct{ Error, Kind string }
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Errorf("%q: %v: %s", address, err, w.Body)
		}
		if answer.Kind == "address" {
			w.Code = http.StatusForbidden // of the line
		}
		return w.Code, answer.Kind, answer.Error
	},
}

func postURL(path string) func(*testing.T, http.Handler, string) (int, string, string) {
	return func(t *testing.T, h http.Handler, address string) (int, string, string) {
		body, err := json.Marshal(map[string]string{"url": address})
		if err != nil {
			t.Fatal(err)
		}
		return readProblem(t, ask(h, "POST", path, string(body), "Content-Type", "application/json"))
	}
}

func readProblem(t *testing.T, w *httptest.ResponseRecorder) (int, string, string) {
	t.Helper()
	var p struct{ Kind, Detail string }
	if w.Code >= 400 {
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			t.Errorf("%v: %s", err, w.Body)
		}
	}
	return w.Code, p.Kind, p.Detail
}

// Whatever the way to name a private address, and to ask for it, it is not connected to,
// and the answer says why.
func TestPrivateAddressesAreNotFetched(t *testing.T) {
	for name, get := range fetchers {
		inOutside(t, name, func(t *testing.T, o *outside) {
			h := o.service()
			for _, address := range badAddresses() {
				status, kind, detail := get(t, h, address)
				if status != http.StatusForbidden && status != http.StatusBadRequest || kind != "address" || len(detail) < 20 {
					t.Errorf("%q: %d %s: %s", address, status, kind, detail)
				}
			}
			// A batch asks public.example for robots.txt before it looks at the address.
			if n := o.connects.Load(); n != 0 && name != batchPath || n > 1 {
				t.Errorf("%d connections", n)
			}
			// The world works: a public page is fetched.
			for _, address := range []string{"http://public.example/story", "http://PUBLIC.example:8080/#@127.0.0.1", "http://public.example/?url=http://127.0.0.1/", "http://" + publicIP + "/"} {
				if status, kind, detail := get(t, h, address); status != http.StatusOK {
					t.Errorf("%q: %d %s: %s", address, status, kind, detail)
				}
			}
			if n := o.connects.Load(); n != 4 && name != batchPath || n < 4 {
				t.Errorf("%d connections to public pages", n)
			}
		})
	}
}

// Redirects are checked as the first address is, however many and of whatever kind.
func TestRedirectsToPrivateAddresses(t *testing.T) {
	for name, get := range fetchers {
		inOutside(t, name, func(t *testing.T, o *outside) {
			o.names["other.example"] = []string{publicIP}
			h := o.service()
			targets := []string{
				"http://127.0.0.1/", "//127.0.0.1/", "http://2130706433/", "http://[::ffff:169.254.169.254]/latest/", "https://inside.example/", "http://localhost:6379/",
				"file:///etc/passwd", "gopher://127.0.0.1:6379/_INFO", "http://public.example@127.0.0.1/", "http://[64:ff9b::7f00:1]/", "http://0x7f.1/", "http://①②⑦.0.0.1/",
			}
			for _, target := range targets {
				for _, code := range []int{301, 302, 303, 307, 308} {
					for _, path := range []string{
						fmt.Sprintf("/%d/%s", code, url.PathEscape(target)),
						fmt.Sprintf("/hops/3/%d/%s", code, url.PathEscape(url.PathEscape(target))),
						fmt.Sprintf("/%d/%s", code, url.PathEscape(fmt.Sprintf("http://other.example/%d/%s", code, url.PathEscape(target)))),
					} {
						before := o.connects.Load()
						status, kind, detail := get(t, h, "http://public.example"+path)
						if status != http.StatusForbidden && status != http.StatusBadRequest || kind != "address" || !strings.Contains(detail, "redirected ") {
							t.Errorf("%s: %d %s: %s", path, status, kind, detail)
						}
						if o.connects.Load() == before { // or robots.txt
							t.Errorf("%s: the first address was not asked", path)
						}
					}
				}
			}
		})
	}
}

// A name is resolved once for each connection, and only addresses that were checked are
// connected to: the second look of a rebinding resolver comes too late.
func TestRebinding(t *testing.T) {
	for name, get := range fetchers {
		inOutside(t, name, func(t *testing.T, o *outside) {
			o.names["rebind.example"] = []string{publicIP, "127.0.0.1"}
			o.names["rebind-later.example"] = []string{publicIP, publicIP, "169.254.169.254"}
			o.names["rebind-mapped.example"] = []string{publicIP, "::ffff:10.0.0.1"}
			o.names["mixed.example"] = []string{"127.0.0.1", publicIP, "10.0.0.1", "::1", "169.254.169.254"}
			o.names["private.example"] = []string{"127.0.0.1", "10.0.0.1", "::1", "fe80::1", "::ffff:192.168.0.1", "64:ff9b::a00:1"}
			h := o.service()
			for _, test := range []struct {
				address string
				want    []string // kinds, or "" for a page
				polite  []string // likewise, if robots.txt is the first look
			}{
				{"http://rebind.example/", []string{"", "address", "address"}, []string{"address", "address"}},
				{"http://rebind-later.example/", []string{"", "", "address"}, []string{"", "address"}},
				{"http://rebind-mapped.example/302/" + url.PathEscape("http://rebind-mapped.example/"), []string{"address"}, []string{"address"}},
				{"http://mixed.example/", []string{"", "", "", ""}, []string{"", ""}},
				{"http://private.example/", []string{"address", "address"}, []string{"address", "address"}},
			} {
				if name == batchPath {
					test.want = test.polite
				}
				for i, want := range test.want {
					if _, kind, detail := get(t, h, test.address); kind != want {
						t.Errorf("%s, request %d: kind %q, want %q: %s", test.address, i+1, kind, want, detail)
					}
				}
			}
			for host, n := range o.lookups {
				if strings.HasPrefix(host, "rebind") && n > 4 {
					t.Errorf("%s was resolved %d times", host, n)
				}
			}
		})
	}
}

// With connections of the system, and a server on this machine that counts them.
func TestNoConnectionToThisMachine(t *testing.T) {
	withoutProxies(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var accepted atomic.Int64
	srv := &http.Server{Handler: http.NotFoundHandler(), ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			accepted.Add(1)
		}
	}}
	go func() { _ = srv.Serve(l) }()
	defer srv.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	resolver := &outside{t: t, names: map[string][]string{}, lookups: map[string]int{}} // all names lead to this machine
	guarded := net.Dialer{Control: fetch.Control}
	h := newService(t, Options{Fetch: fetch.New(fetch.Options{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, _ := net.SplitHostPort(address)
		return guarded.DialContext(ctx, network, net.JoinHostPort(resolver.lookup(host)[0].String(), port))
	}})})
	for _, host := range []string{
		"127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "LOCALHOST.", "any.example", "①②⑦.0.0.1", "127。0。0。1",
	} {
		for name, get := range fetchers {
			if _, kind, detail := get(t, h, "http://"+host+":"+port+"/"); kind != "address" {
				t.Errorf("%s of %s: %s: %s", name, host, kind, detail)
			}
		}
	}
	if n := accepted.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
	// The server counts connections.
	resp, err := http.Get("http://" + l.Addr().String())
	if err != nil || accepted.Load() != 1 {
		t.Fatalf("%v: %d connections", err, accepted.Load())
	}
	resp.Body.Close()
}
