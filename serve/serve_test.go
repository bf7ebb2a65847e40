package serve

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/lede-news/lede"
)

// newServer starts the service for a test.
func newServer(t testing.TB, opts Options) *httptest.Server {
	t.Helper()
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(checked(t, Handler(ex, opts)))
	t.Cleanup(srv.Close)
	return srv
}

func TestExtract(t *testing.T) {
	srv := newServer(t, Options{})
	page, err := os.Open("../testdata/pages/modern-semantic/source.html")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	resp, err := http.Post(srv.URL+"/v1/extract?url=https://paper.example/story", "text/html", page)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), `"title": "Ferry returns to Saltmarsh End after two years"`) {
		t.Errorf("%v %s: %s", err, resp.Status, body)
	}
}
