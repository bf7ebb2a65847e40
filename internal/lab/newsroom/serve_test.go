package newsroom

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

func get(t *testing.T, h http.Handler, url string) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
	return w.Result()
}

func TestHandler(t *testing.T) {
	t.Parallel()
	n := New(1)
	h := n.Handler()
	if r := get(t, h, "http://127.0.0.1/"); r.StatusCode != 200 {
		t.Errorf("front page: %s", r.Status)
	}
	for _, s := range n.Sites() {
		root := "http://127.0.0.1/" + s.Name
		for _, path := range []string{"/", "/" + s.Sections()[0] + "/", s.Page(3).Path, s.Page(123456).Path,
			"/feed.xml", "/sitemap.xml", "/robots.txt", "/img/64x36/3-lead.png", "/img/64x36/3-lead.jpg", "/img/64x36/3-lead.svg"} {
			if r := get(t, h, root+path); r.StatusCode != 200 {
				t.Errorf("%s%s: %s", root, path, r.Status)
			}
		}
		for _, path := range []string{"/nothing", s.Page(3).Path + "x", "/img/a.png"} {
			if r := get(t, h, root+path); r.StatusCode != 404 {
				t.Errorf("%s%s: %s, want 404", root, path, r.Status)
			}
		}
	}
	if r := get(t, h, "http://127.0.0.1/no-such-site/"); r.StatusCode != 404 {
		t.Errorf("unknown site: %s", r.Status)
	}
	if r := get(t, h, "http://127.0.0.1/le-fanal"); r.StatusCode != 301 {
		t.Errorf("site without slash: %s", r.Status)
	}
}

// TestLinks requests every link of a page under the path prefix.
func TestLinks(t *testing.T) {
	t.Parallel()
	testkit.SkipRace(t)
	n := New(1)
	h := n.Handler()
	address := regexp.MustCompile(`(?i)(?:href|src|action)="(/[^"\s>]*)`)
	for _, s := range n.Sites() {
		body, err := io.ReadAll(get(t, h, "http://127.0.0.1/"+s.Name+s.Page(2).Path).Body)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range address.FindAllStringSubmatch(string(body), -1) {
			if seen[m[1]] || strings.Contains(m[1], "/img/") && len(seen) > 20 {
				continue
			}
			seen[m[1]] = true
			if r := get(t, h, "http://127.0.0.1"+m[1]); r.StatusCode >= 400 {
				t.Errorf("%s: %s", m[1], r.Status)
			}
		}
	}
}
