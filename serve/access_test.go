package serve

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// publicPaths are answered without a key.
var publicPaths = []string{"/", "/web/app.css", "/healthz", "/openapi.json"}

// keyedPaths need a key, if there are keys.
var keyedPaths = []string{"/v1/extract", "/v1/methods", "/v1/links", "/v1/compare", "/metrics", "/ui/config", "/ui/page", "/ui/other", "/web/a/b", "/web/../v1/methods", "/v1", "//v1/methods", "/unknown", "/debug/pprof/"}

func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	t.Parallel()
	keyed, _ := newKeyed(t, Options{}, "desk")
	open := newService(t, Options{})
	for _, path := range append(append([]string{framePath, sendPath}, publicPaths...), keyedPaths...) {
		for _, w := range []*httptest.ResponseRecorder{
			ask(open, "GET", path, ""), ask(keyed, "GET", path, ""), ask(open, "POST", path, "x"), ask(open, "GET", path, "", "Host", "evil.example"),
		} {
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
				"Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "SAMEORIGIN",
			} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: %s is %q, want %q", path, name, got, want)
				}
			}
			policy := w.Header().Get("Content-Security-Policy")
			if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors") {
				t.Errorf("%s: policy %q", path, policy)
			}
			if w.Header().Get("X-Request-Id") == "" {
				t.Errorf("%s: no request ID", path)
			}
		}
	}
}

func TestHost(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{Hosts: []string{"lede.example"}})
	for host, want := range map[string]int{
		"127.0.0.1:8080": 200, "localhost:8080": 200, "[::1]:8080": 200, "lede.example": 200,
		"evil.example": 403, "127.0.0.1.evil.example:8080": 403, "0.0.0.0:8080": 403, "": 403,
	} {
		if w := ask(h, "GET", "/v1/methods", "", "Host", host); w.Code != want || want == 403 && problemIn(w).Kind != "forbidden" {
			t.Errorf("%q: %d %s, want %d", host, w.Code, w.Body, want)
		}
		// A load balancer may ask by any name.
		if w := ask(h, "GET", "/healthz", "", "Host", host); w.Code != 200 {
			t.Errorf("%q: /healthz is %d", host, w.Code)
		}
	}
	// With keys, the owner of a name does not have one.
	keyed, secrets := newKeyed(t, Options{}, "desk")
	if w := ask(keyed, "GET", "/v1/methods", "", "Host", "lede.example", "Authorization", "Bearer "+secrets[0]); w.Code != 200 {
		t.Errorf("with a key: %d %s", w.Code, w.Body)
	}
}

func TestOtherSites(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	article := "<p>" + strings.Repeat("The ferry is back after two years. ", 40)
	for _, test := range []struct {
		method, path string
		headers      []string
		want         int
	}{
		{"POST", "/v1/extract", nil, 200},
		{"POST", "/v1/extract", []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://127.0.0.1:8080"}, 200},
		{"POST", "/v1/extract", []string{"Origin", "http://127.0.0.1:8080"}, 200},
		{"POST", "/v1/extract", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		{"POST", "/v1/extract", []string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:3000"}, 403},
		{"POST", "/v1/extract", []string{"Origin", "https://evil.example"}, 403},
		{"POST", "/v1/extract", []string{"Origin", "null"}, 403},
		{"GET", "/v1/methods", []string{"Sec-Fetch-Site", "cross-site"}, 403}, // an <img>
		{"GET", "/v1/methods", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403},
		{"GET", "/v1/methods", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200}, // a link
		{"GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"}, 403},
	} {
		w := ask(h, test.method, test.path, article, test.headers...)
		if w.Code != test.want {
			t.Errorf("%+v: %d %s", test, w.Code, w.Body)
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%+v: allows an origin", test)
		}
	}
	// No preflight succeeds.
	if w := ask(h, "OPTIONS", "/v1/extract", "", "Origin", "https://evil.example", "Access-Control-Request-Method", "POST"); w.Code != 403 {
		t.Errorf("preflight: %d", w.Code)
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	open := newService(t, Options{Token: "the-token"})
	keyed, secrets := newKeyed(t, Options{Token: "the-secret"}, "desk", "night")
	tokenFor := func(secret string) string {
		var c struct{ Token string }
		w := ask(keyed, "GET", "/ui/config", "", "Authorization", "Bearer "+secret)
		if err := json.Unmarshal(w.Body.Bytes(), &c); err != nil || c.Token == "" {
			t.Fatalf("%v: %s", err, w.Body)
		}
		return c.Token
	}
	desk, night := tokenFor(secrets[0]), tokenFor(secrets[1])
	if !strings.HasPrefix(desk, "desk.") || strings.Contains(desk, secrets[0]) || desk == night {
		t.Errorf("tokens %q and %q", desk, night)
	}
	_, mac, _ := strings.Cut(desk, ".")
	for _, path := range []string{framePath, sendPath} {
		for _, test := range []struct {
			h      http.Handler
			fields []string
			want   int
		}{
			{open, []string{"token", "the-token", "url", "https://paper.example/", "html", lookPage}, 200},
			{open, []string{"token", "the-toke", "html", lookPage}, 401},
			{open, []string{"token", "", "html", lookPage}, 401},
			{open, []string{"html", lookPage, "token", "the-token"}, 401}, // not the first field
			{open, nil, 401},
			{keyed, []string{"token", desk, "html", lookPage}, 200},
			{keyed, []string{"token", "the-secret", "html", lookPage}, 401},
			{keyed, []string{"token", "night." + mac, "html", lookPage}, 401},
			{keyed, []string{"token", "desk.", "html", lookPage}, 401},
			{keyed, []string{"token", secrets[0], "html", lookPage}, 401},
		} {
			if w := post(t, test.h, path, test.fields...); w.Code != test.want || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
				t.Errorf("%s %.60q: %d, want %d", path, test.fields, w.Code, test.want)
			}
		}
	}
	if w := ask(open, "POST", sendPath, "token=the-token&html=x", "Content-Type", "application/x-www-form-urlencoded"); w.Code != 401 {
		t.Errorf("another kind of form: %d", w.Code)
	}
	if w := ask(keyed, "GET", "/v1/methods", "", "Authorization", "Bearer "+desk); w.Code != 401 {
		t.Errorf("a token is accepted as a key: %d", w.Code)
	}
	// Any site may send a page, but not show one in a frame.
	const form = "--x\r\nContent-Disposition: form-data; name=token\r\n\r\nthe-token\r\n--x\r\nContent-Disposition: form-data; name=html\r\n\r\nx\r\n--x--"
	for path, want := range map[string]int{sendPath: 200, framePath: 403} {
		w := ask(open, "POST", path, form, "Content-Type", "multipart/form-data; boundary=x", "Sec-Fetch-Site", "cross-site", "Origin", "https://paper.example")
		if w.Code != want {
			t.Errorf("%s from another site: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestKeysAreNeeded(t *testing.T) {
	t.Parallel()
	h, secrets := newKeyed(t, Options{}, "desk", "night")
	for _, path := range publicPaths {
		if w := ask(h, "GET", path, ""); w.Code == 401 {
			t.Errorf("%s needs a key", path)
		}
	}
	for _, path := range keyedPaths {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS", "PUT"} {
			w := ask(h, method, path, "x")
			if w.Code != 401 || !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer ") || problemIn(w).Kind != "key" {
				t.Errorf("%s %s without a key: %d %v", method, path, w.Code, w.Header())
			}
		}
	}
	for _, secret := range secrets {
		if w := ask(h, "GET", "/v1/methods", "", "Authorization", "bearer  "+secret+" "); w.Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		for _, header := range []string{"Basic " + secret, secret, "Bearer " + secret + "x", "Bearer " + secret[1:], "Bearer ", "Bearer desk"} {
			if w := ask(h, "GET", "/v1/methods", "", "Authorization", header); w.Code != 401 || strings.Contains(w.Body.String(), secret) {
				t.Errorf("%q: %d %s", header, w.Code, w.Body)
			}
		}
		if w := ask(h, "GET", "/v1/methods?key="+secret, ""); w.Code != 401 {
			t.Errorf("a key in the address: %d", w.Code)
		}
	}
}

func TestReload(t *testing.T) {
	t.Parallel()
	file, secrets := writeKeys(t, "desk", "night")
	keys, err := LoadKeys(file)
	if err != nil {
		t.Fatal(err)
	}
	h := newService(t, Options{Keys: keys})
	get := func(secret string) int {
		return ask(h, "GET", "/v1/methods", "", "Authorization", "Bearer "+secret).Code
	}
	reload := func(text string) error {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return keys.Reload()
	}
	text, err := os.ReadFile(file)
	if err != nil || get(secrets[0]) != 200 || get(secrets[1]) != 200 {
		t.Fatal("the keys are not valid", err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := reload(lines[0] + "broken\n"); err == nil || !strings.Contains(err.Error(), file+": line 2: ") || get(secrets[1]) != 200 {
		t.Errorf("a broken file: %v, and a key gets %d", err, get(secrets[1]))
	}
	if err := reload("# on leave: " + lines[1] + lines[0]); err != nil || get(secrets[1]) != 401 || get(secrets[0]) != 200 {
		t.Errorf("%v: a key that was removed gets %d, another %d", err, get(secrets[1]), get(secrets[0]))
	}
	if err := reload(""); err != nil || get(secrets[0]) != 401 {
		t.Errorf("%v: without keys: %d", err, get(secrets[0]))
	}
	if _, err := LoadKeys(file); err == nil || !strings.Contains(err.Error(), "lede serve key NAME >>") {
		t.Errorf("no keys: %v", err)
	}
	if _, err := LoadKeys(file + ".missing"); err == nil {
		t.Error("a missing file is no error")
	}
}
