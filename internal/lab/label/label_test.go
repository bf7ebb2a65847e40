package label

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

// newServer serves copies of the pages in testdata, which tests may change.
func newServer(t *testing.T) (s *Server, dir string) {
	t.Helper()
	dir = t.TempDir()
	var files []string
	for _, name := range []string{"harbour", "market", "hostile"} {
		file := filepath.Join(dir, name+".html")
		if err := os.WriteFile(file, source(t, name), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	pages, err := Files(files)
	if err != nil {
		t.Fatal(err)
	}
	store, err := OpenStore(filepath.Join(dir, "labels.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return New(pages, store), dir
}

// source returns a page of testdata.
func source(t testing.TB, name string) []byte {
	t.Helper()
	page, err := os.ReadFile("testdata/pages/" + name + ".html")
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// request sends a request of the application, with the given headers.
func request(s *Server, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8417"+path, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestGuard(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	in := s.Path()
	for name, c := range map[string]struct {
		method, path string
		headers      []string
		want         int
	}{
		"page":                    {"GET", in, nil, 200},
		"script":                  {"GET", in + "web/main.js", nil, 200},
		"file outside web":        {"GET", in + "web/..%2Fserver.go", nil, 404},
		"DNS rebinding":           {"GET", in, []string{"Host", "rebound.trial.example:8417"}, 403},
		"no token":                {"GET", "/", nil, 403},
		"wrong token":             {"GET", "/" + strings.Repeat("A", 26) + "/api/pages", nil, 403},
		"link from another site":  {"GET", in, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		"read from another site":  {"GET", in + "api/pages", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		"write from another port": {"PUT", in + "api/label?page=harbour", []string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:9"}, 403},
		"path traversal":          {"GET", in + "api/page?page=..%2F..%2Fgo.mod", nil, 404},
		"path traversal, frame":   {"GET", in + "frame?page=%2Fetc%2Fpasswd", nil, 404},
	} {
		w := request(s, c.method, c.path, `{"skipped":true}`, c.headers...)
		if w.Code != c.want {
			t.Errorf("%s: %d, want %d: %s", name, w.Code, c.want, w.Body)
		}
		if h := w.Header(); h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: headers %v", name, h)
		}
	}
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	tool := request(s, "GET", s.Path(), "").Header().Get("Content-Security-Policy")
	if strings.Contains(tool, "unsafe") || !strings.Contains(tool, "default-src 'none'") || !strings.Contains(tool, "frame-ancestors 'none'") {
		t.Error(tool)
	}
	policy := request(s, "GET", s.Path()+"frame?page=hostile", "").Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'none'") || !strings.Contains(policy, "sandbox allow-same-origin;") || strings.Contains(policy, "http:") {
		t.Error(policy)
	}
}

// TestLabelling labels a page, and reads the labels after the page has changed.
func TestLabelling(t *testing.T) {
	t.Parallel()
	s, dir := newServer(t)
	put := func(want int, change string, args ...any) (l labelState) {
		t.Helper()
		w := request(s, "PUT", s.Path()+"api/label?page=harbour", fmt.Sprintf(change, args...))
		if w.Code != want {
			t.Fatalf("status %d: %s", w.Code, w.Body)
		}
		_ = json.Unmarshal(w.Body.Bytes(), &l)
		return l
	}
	get := func() (page struct {
		Rows  []row
		Label labelState
	}) {
		t.Helper()
		w := request(s, "GET", s.Path()+"api/page?page=harbour", "")
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body, err)
		}
		return page
	}
	node := map[string]dom.Node{}
	for _, r := range get().Rows {
		node[r.Name] = r.Node
	}
	if l := put(200, `{"title":%d}`, node["h1"]); l.State != "started" || l.Title.Node != node["h1"] || !strings.HasPrefix(l.Title.Text, "Harbour wall") {
		t.Errorf("%+v", l)
	}
	if l := put(200, `{"body":%d}`, node["div.story"]); l.State != "labelled" || l.Body == nil || l.Title == nil {
		t.Errorf("%+v", l)
	}
	for _, bad := range []string{`{"title":0}`, `{"title":999999}`, `{"title":"x"}`, `{"titel":1}`, `[`} {
		put(400, "%s", bad)
	}
	again, err := OpenStore(filepath.Join(dir, "labels.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if l := again.Get("harbour"); !l.Done || l.Body.Path == "" || l.Title.Hash == "" {
		t.Errorf("%+v", l)
	}
	changed := strings.ReplaceAll(string(source(t, "harbour")), "Half of the money", "The mayor was pleased. Half of the money")
	if err := os.WriteFile(filepath.Join(dir, "harbour.html"), []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	if l := get().Label; l.Title.Node != node["h1"] || l.Body.Node != dom.None || l.Body.Text == "" {
		t.Errorf("after the text of the body has changed: %+v", l)
	}
	if l := put(200, `{"skipped":true}`); l.State != "skipped" {
		t.Errorf("%+v", l)
	}
	if l := put(200, `{"title":-1,"body":-1,"skipped":false}`); l.State != "open" {
		t.Errorf("%+v", l)
	}
}

// TestBadLabels checks that errors contain the file and the line.
func TestBadLabels(t *testing.T) {
	t.Parallel()
	const good = `{"page":"a","done":true}` + "\n"
	for name, text := range map[string]string{
		"no JSON": good + "title: x\n", "truncated": good + good[:len(good)-9], "no page": "\n" + `{"done":true}`,
		"repeated": good + good, "unknown field": "\n" + `{"page":"a","titel":{}}`,
	} {
		file := filepath.Join(t.TempDir(), "labels.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenStore(file); err == nil || !strings.Contains(err.Error(), "labels.jsonl:2:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
