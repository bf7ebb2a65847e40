package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// newService returns a service whose responses are checked against openapi.json.
func newService(t testing.TB, opts Options) http.Handler {
	t.Helper()
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	if opts.Token == "" {
		opts.Token = "the-token"
	}
	return checked(t, Handler(ex, opts))
}

// newServer starts the service for a test.
func newServer(t testing.TB, opts Options) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(newService(t, opts))
	t.Cleanup(srv.Close)
	return srv
}

// newKeyed returns a service with keys, and their secrets.
func newKeyed(t testing.TB, opts Options, names ...string) (http.Handler, []string) {
	t.Helper()
	file, secrets := writeKeys(t, names...)
	var err error
	if opts.Keys, err = LoadKeys(file); err != nil {
		t.Fatal(err)
	}
	return newService(t, opts), secrets
}

// writeKeys writes a file of keys, and returns it and their secrets.
func writeKeys(t testing.TB, names ...string) (file string, secrets []string) {
	t.Helper()
	var lines strings.Builder
	for _, name := range names {
		secret, line, err := NewKey(name)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, secret)
		lines.WriteString(line + "\n")
	}
	file = filepath.Join(t.TempDir(), "keys.txt")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, secrets
}

// ask sends a request. headers are names, each followed by its value.
func ask(h http.Handler, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+path, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// problemIn returns the problem of a response; it is empty for others.
func problemIn(w *httptest.ResponseRecorder) (p problem) {
	if w.Header().Get("Content-Type") == "application/problem+json" {
		_ = json.Unmarshal(w.Body.Bytes(), &p)
	}
	return p
}

// post sends a form of fields and values.
func post(t testing.TB, h http.Handler, path string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for i := 0; i < len(fields); i += 2 {
		if err := m.WriteField(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return ask(h, "POST", path, body.String(), "Content-Type", m.FormDataContentType())
}

// sourceOf returns a page of testdata.
func sourceOf(t testing.TB, name string) string {
	t.Helper()
	html, err := os.ReadFile(filepath.Join("..", "testdata", "pages", name, "source.html"))
	if err != nil {
		t.Fatal(err)
	}
	return string(html)
}

// get returns the body and the header of an answer with status 200.
func get(t *testing.T, address string) (string, http.Header) {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v %s", address, err, resp.Status)
	}
	return string(body), resp.Header
}

// story is a page with a story.
var story = `<!doctype html><title>The ferry is back</title><article><h1>The ferry is back</h1>` +
	strings.Repeat("<p>The first ferry in two years left at six on Tuesday morning, with all ninety seats taken and a dog asleep in the wheelhouse.</p>", 4) + `</article>`
