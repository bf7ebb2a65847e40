package label

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

// newServer serves copies of the pages in testdata, which tests may change.
func newServer(t *testing.T, opts Options) (s *Server, dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"harbour", "market", "hostile"} {
		write(t, filepath.Join(dir, name+".html"), source(t, name))
	}
	var err error
	if opts.Pages == nil {
		if opts.Pages, err = Files([]string{filepath.Join(dir, "harbour.html"), filepath.Join(dir, "market.html"), filepath.Join(dir, "hostile.html")}); err != nil {
			t.Fatal(err)
		}
	}
	if opts.Store == nil {
		opts.Store = openStore(t)
	}
	if opts.Suggest == nil {
		opts.Suggest = firstHeading
	}
	if s, err = New(opts); err != nil {
		t.Fatal(err)
	}
	return s, dir
}

// firstHeading suggests the first heading, and the parent of the first long paragraph.
func firstHeading(_ context.Context, d *dom.Document, _ string) (title, body dom.Node) {
	for n := range d.All(d.Root(), dom.P) {
		if d.Words(n) > 15 {
			return d.First(dom.H1), d.Parent(n)
		}
	}
	return d.First(dom.H1), dom.None
}

// request sends a request of the application, with the given headers.
func request(s *Server, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8417"+path, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", "http://127.0.0.1:8417")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		switch {
		case headers[i] == "Host":
			r.Host = headers[i+1]
		case headers[i+1] == "":
			r.Header.Del(headers[i])
		default:
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// decodeJSON decodes a response.
func decodeJSON[T any](t *testing.T, w *httptest.ResponseRecorder, want int) (v T) {
	t.Helper()
	if w.Code != want {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

type pageResponse struct {
	Doc   string
	Rows  []struct{ N, D int }
	Label stateResponse
}

type stateResponse struct {
	Version, State string
	Undo           int
	Title, Body    *struct {
		Node        int
		Match, Text string
	}
}

func getPage(t *testing.T, s *Server, id string) pageResponse {
	t.Helper()
	return decodeJSON[pageResponse](t, request(s, "GET", s.Path()+"api/page?page="+url.QueryEscape(id), ""), http.StatusOK)
}

func pathFor(s *Server, what, id, doc string) string {
	return s.Path() + what + "?" + url.Values{"page": {id}, "doc": {doc}}.Encode()
}

func TestGuard(t *testing.T) {
	s, _ := newServer(t, Options{Hosts: []string{"label.trial.example"}})
	in := s.Path()
	put := `{"version":"","skipped":true}`
	for name, c := range map[string]struct {
		method, path, body string
		headers            []string
		want               int
	}{
		"page":                       {"GET", in, "", nil, 200},
		"opened from a terminal":     {"GET", in, "", []string{"Sec-Fetch-Site", "none"}, 200},
		"old browser":                {"GET", in + "api/pages", "", []string{"Sec-Fetch-Site", ""}, 200},
		"script":                     {"GET", in + "web/main.js", "", nil, 200},
		"missing file":               {"GET", in + "web/none.js", "", nil, 404},
		"file outside web":           {"GET", in + "web/..%2Fserver.go", "", nil, 404},
		"localhost":                  {"GET", in, "", []string{"Host", "localhost:8417"}, 200},
		"IPv6":                       {"GET", in, "", []string{"Host", "[::1]:8417"}, 200},
		"allowed host":               {"GET", in, "", []string{"Host", "label.trial.example:8417"}, 200},
		"DNS rebinding":              {"GET", in, "", []string{"Host", "rebound.trial.example:8417"}, 403},
		"host with a similar prefix": {"GET", in, "", []string{"Host", "127.0.0.1.trial.example"}, 403},
		"another address":            {"GET", in, "", []string{"Host", "192.168.1.7:8417"}, 403},
		"no token":                   {"GET", "/", "", nil, 403},
		"wrong token":                {"GET", "/" + strings.Repeat("A", 26) + "/api/pages", "", nil, 403},
		"longer token":               {"GET", strings.TrimSuffix(in, "/") + "x/", "", nil, 403},
		"link from another site":     {"GET", in, "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		"read from another site":     {"GET", in + "api/pages", "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		"read from another port":     {"GET", in + "api/pages", "", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors"}, 403},
		"frame of another site":      {"GET", in, "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		"write from another site":    {"PUT", in + "api/label?page=harbour", put, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://www.trial.example"}, 403},
		"write from an old browser":  {"PUT", in + "api/label?page=harbour", put, []string{"Sec-Fetch-Site", "", "Origin", "https://www.trial.example"}, 403},
		"write from another port":    {"PUT", in + "api/label?page=harbour", put, []string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:9"}, 403},
		"form":                       {"POST", in + "api/undo?page=harbour", "version=", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
		"unknown method":             {"DELETE", in + "api/label", "", []string{"Origin", "http://127.0.0.1:8417"}, 405},
		"path traversal":             {"GET", in + "api/page?page=..%2F..%2Fgo.mod", "", nil, 404},
		"path traversal, frame":      {"GET", in + "frame?page=%2Fetc%2Fpasswd", "", nil, 404},
		"path traversal, history":    {"GET", in + "api/history?page=../x", "", nil, 404},
		"no page":                    {"GET", in + "api/label", "", nil, 404},
	} {
		w := request(s, c.method, c.path, c.body, c.headers...)
		if w.Code != c.want {
			t.Errorf("%s: %d, want %d: %s", name, w.Code, c.want, w.Body)
		}
		if h := w.Header(); h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") == "" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" || h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: headers %v", name, h)
		}
		if w.Code == http.StatusForbidden && strings.Contains(w.Body.String(), s.token) {
			t.Errorf("%s: the response contains the token", name)
		}
	}
	if list, err := s.Store.All(); err != nil || len(list) != 0 {
		t.Errorf("labels: %v, %v", list, err)
	}
}

func TestPolicies(t *testing.T) {
	for _, network := range []bool{false, true} {
		s, _ := newServer(t, Options{Network: network})
		tool := request(s, "GET", s.Path(), "").Header().Get("Content-Security-Policy")
		if strings.Contains(tool, "unsafe") || !strings.Contains(tool, "default-src 'none'") || !strings.Contains(tool, "frame-ancestors 'none'") {
			t.Error(tool)
		}
		p := getPage(t, s, "hostile")
		w := request(s, "GET", pathFor(s, "frame", "hostile", p.Doc), "")
		policy := w.Header().Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'none'", "connect-src 'none'", "frame-src 'none'", "object-src 'none'", "form-action 'none'", "sandbox allow-same-origin;", "frame-ancestors 'self'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("no %s in %s", want, policy)
			}
		}
		if strings.Contains(policy, "allow-scripts") || strings.Contains(policy, "http:") != network {
			t.Error(policy)
		}
		if w.Header().Get("X-Frame-Options") != "SAMEORIGIN" || w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Error(w.Code, w.Header())
		}
	}
}

// TestWebFiles checks that the application uses nothing that its policy forbids.
func TestWebFiles(t *testing.T) {
	s, _ := newServer(t, Options{})
	entries, err := web.ReadDir("web")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		w := request(s, "GET", s.Path()+"web/"+e.Name(), "")
		text := w.Body.String()
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") == "" || strings.Contains(text, "innerHTML") || strings.Contains(text, "http://") || strings.Contains(text, "https://") {
			t.Errorf("%s: %d, %s", e.Name(), w.Code, w.Header().Get("Content-Type"))
		}
	}
	page := request(s, "GET", s.Path(), "").Body.String()
	if strings.Contains(page, " style=") || strings.Contains(page, " onclick=") || strings.Contains(page, "<style") {
		t.Error("inline styles or handlers")
	}
}

func TestLabelling(t *testing.T) {
	s, _ := newServer(t, Options{})
	p := getPage(t, s, "harbour")
	if len(p.Rows) < 10 || p.Label.State != "open" || p.Label.Title != nil {
		t.Fatalf("%+v", p)
	}
	guess := decodeJSON[map[string]int](t, request(s, "GET", pathFor(s, "api/suggestion", "harbour", p.Doc), ""), 200)
	if guess["title"] <= 0 || guess["body"] <= 0 {
		t.Fatal(guess)
	}
	type answer struct {
		Error string
		Label stateResponse
	}
	send := func(want int, change string, args ...any) stateResponse {
		t.Helper()
		return decodeJSON[answer](t, request(s, "PUT", pathFor(s, "api/label", "harbour", p.Doc), fmt.Sprintf(change, args...)), want).Label
	}
	one := send(200, `{"version":%q,"title":{"node":%d,"box":[1,2,3,4]}}`, p.Label.Version, guess["title"])
	if one.State != "started" || one.Title == nil || one.Title.Match != "exact" || one.Undo != 1 || !strings.HasPrefix(one.Title.Text, "Harbour wall") {
		t.Errorf("%+v", one)
	}
	two := send(200, `{"version":%q,"body":{"node":%d}}`, one.Version, guess["body"])
	if two.State != "labelled" || two.Body == nil || two.Title == nil {
		t.Errorf("%+v", two)
	}
	// The change of another tab is rejected with the current label.
	if other := send(409, `{"version":%q,"skipped":true}`, p.Label.Version); other.Version != two.Version {
		t.Errorf("%+v", other)
	}
	// Repeating the last change has no effect.
	if same := send(200, `{"version":%q,"body":{"node":%d}}`, one.Version, guess["body"]); same.Version != two.Version || same.Undo != 2 {
		t.Errorf("%+v", same)
	}
	cleared := send(200, `{"version":%q,"title":null,"body":null}`, two.Version)
	if cleared.State != "open" {
		t.Errorf("%+v", cleared)
	}
	undone := decodeJSON[answer](t, request(s, "POST", pathFor(s, "api/undo", "harbour", p.Doc), fmt.Sprintf(`{"version":%q}`, cleared.Version)), 200).Label
	if undone.State != "labelled" || undone.Undo != 2 {
		t.Errorf("%+v", undone)
	}
	skipped := send(200, `{"version":%q,"skipped":true}`, undone.Version)
	if skipped.State != "skipped" {
		t.Errorf("%+v", skipped)
	}
	former := decodeJSON[struct{ Former []Label }](t, request(s, "GET", pathFor(s, "api/history", "harbour", ""), ""), 200).Former
	if len(former) != 3 || !former[0].Done || former[0].Title.Box != (Box{1, 2, 3, 4}) {
		t.Errorf("%+v", former)
	}
	list := decodeJSON[struct{ Pages []struct{ ID, State string } }](t, request(s, "GET", s.Path()+"api/pages", ""), 200).Pages
	if len(list) != 3 || list[0].State != "skipped" || list[1].State != "open" {
		t.Errorf("%+v", list)
	}
	for _, bad := range []string{
		`{"title":{"node":0}}`, `{"title":{"node":-1}}`, `{"title":{"node":999999}}`, `{"title":"x"}`, `{"titel":null}`, `[`, `{"title":{"node":%d,"box":[0,0,-5,0]}}`,
		`{"version":"` + strings.Repeat("x", 70<<10) + `"}`,
	} {
		if strings.Contains(bad, "%d") {
			bad = fmt.Sprintf(bad, guess["title"])
		}
		if w := request(s, "PUT", pathFor(s, "api/label", "harbour", p.Doc), bad); w.Code != http.StatusBadRequest {
			t.Errorf("%.60s: %d", bad, w.Code)
		}
	}
}

// TestChangedPage changes a page after it was labelled, while it is shown.
func TestChangedPage(t *testing.T) {
	s, dir := newServer(t, Options{})
	p := getPage(t, s, "harbour")
	guess := decodeJSON[map[string]int](t, request(s, "GET", pathFor(s, "api/suggestion", "harbour", p.Doc), ""), 200)
	choice := fmt.Sprintf(`{"version":%q,"title":{"node":%d},"body":{"node":%d}}`, p.Label.Version, guess["title"], guess["body"])
	if w := request(s, "PUT", pathFor(s, "api/label", "harbour", p.Doc), choice); w.Code != http.StatusOK {
		t.Fatal(w.Body)
	}
	write(t, filepath.Join(dir, "harbour.html"), strings.NewReplacer(
		"<main>", "<main><div>Listen</div><div>", "</main>", "</div></main>", "Half of the money", "The mayor was pleased. Half of the money",
	).Replace(source(t, "harbour")))

	changed := getPage(t, s, "harbour")
	if l := changed.Label; l.Title.Match != "moved" || l.Body.Match != "changed" || changed.Doc == p.Doc || l.State != "labelled" {
		t.Errorf("%+v", l)
	}
	// A tab with the old version must not use its node numbers.
	if w := request(s, "PUT", pathFor(s, "api/label", "harbour", p.Doc), choice); w.Code != http.StatusGone {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	write(t, filepath.Join(dir, "harbour.html"), "<title>Gone</title><p>This story was taken down.")
	if l := getPage(t, s, "harbour").Label; l.Title.Match != "lost" || l.Title.Node != -1 || l.Title.Text == "" {
		t.Errorf("%+v", l.Title)
	}
	if err := os.Remove(filepath.Join(dir, "harbour.html")); err != nil {
		t.Fatal(err)
	}
	if w := request(s, "GET", s.Path()+"api/page?page=harbour", ""); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "no such file") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

// TestInvalidFile checks that the line of an invalid label is reported.
func TestInvalidFile(t *testing.T) {
	s, _ := newServer(t, Options{})
	p := getPage(t, s, "harbour")
	write(t, s.Store.File(), "oops\n")
	for _, path := range []string{s.Path() + "api/pages", s.Path() + "api/page?page=harbour", pathFor(s, "api/label", "harbour", p.Doc)} {
		if w := request(s, "GET", path, ""); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "labels.jsonl:1:") {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
	}
	if w := request(s, "PUT", pathFor(s, "api/label", "harbour", p.Doc), `{"skipped":true}`); w.Code != http.StatusInternalServerError {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

func TestNew(t *testing.T) {
	store := openStore(t)
	if _, err := New(Options{Store: store}); !errors.Is(err, ErrNoPages) {
		t.Error(err)
	}
	if _, err := New(Options{Store: store, Pages: []Page{{ID: "a"}, {ID: "a"}}}); err == nil {
		t.Error("repeated ID: no error")
	}
	if _, err := New(Options{Pages: []Page{{ID: "a"}}}); err == nil {
		t.Error("no store: no error")
	}
	a, _ := New(Options{Store: store, Pages: []Page{{ID: "a"}}})
	b, _ := New(Options{Store: store, Pages: []Page{{ID: "a"}}})
	if a.Path() == b.Path() || len(a.Path()) < 20 {
		t.Error("the token is predictable")
	}
}

func TestListen(t *testing.T) {
	first, err := Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if !strings.HasPrefix(first.Addr().String(), "127.0.0.1:") {
		t.Error(first.Addr())
	}
	second, err := Listen(first.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()

	s, _ := newServer(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, first) }()
	r, err := http.Get(s.URL(first))
	if err != nil || r.StatusCode != http.StatusOK {
		t.Error(r, err)
	}
	r.Body.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
