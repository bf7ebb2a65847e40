package serve

import (
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede"
)

// maxWeb is the size of the page at / with all that it loads.
const maxWeb = 200_000

// TestWebFiles checks that the page at / is small, is served whole, and uses nothing
// that its policy forbids.
func TestWebFiles(t *testing.T) {
	t.Parallel()
	srv := newServer(t, Options{})
	entries, err := web.ReadDir("web")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"base.css", "cover.js", "element.js", "keys.js"} // shared with other pages
	for _, e := range entries {
		if e.Name() != "index.html" {
			names = append(names, e.Name())
		}
	}
	page, header := get(t, srv.URL+"/")
	size := len(page)
	for _, name := range names {
		text, h := get(t, srv.URL+"/web/"+name)
		size += len(text)
		if h.Get("Content-Security-Policy") != header.Get("Content-Security-Policy") || h.Get("Content-Type") == "" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", name, h)
		}
		for _, m := range regexp.MustCompile(`from "\./([^"]+)"`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(names, m[1]) {
				t.Errorf("%s imports %s, which does not exist", name, m[1])
			}
		}
		for _, forbidden := range []string{"innerHTML", "outerHTML =", "insertAdjacentHTML", "document.write", "eval(", "new Function", "@import", "url("} {
			if strings.Contains(text, forbidden) && path.Ext(name) != ".html" {
				t.Errorf("%s has %s", name, forbidden)
			}
		}
	}
	if size > maxWeb {
		t.Errorf("the page at / has %d bytes, more than %d", size, maxWeb)
	}
	if found := regexp.MustCompile(` style=| on[a-z]+=|<style|javascript:`).FindString(page); found != "" {
		t.Errorf("the page has %q, which its policy forbids", found)
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"#]+)"`).FindAllStringSubmatch(page, -1) {
		if strings.HasPrefix(m[1], "http") || strings.HasPrefix(m[1], "/") {
			t.Errorf("%s is not relative, so that the page cannot be mounted elsewhere", m[1])
		}
	}
}

func TestWebPolicy(t *testing.T) {
	t.Parallel()
	for pictures, want := range map[bool]string{false: "img-src data:", true: "img-src data: http: https:"} {
		_, h := get(t, newServer(t, Options{Pictures: pictures}).URL+"/")
		policy := h.Get("Content-Security-Policy")
		if !strings.HasSuffix(policy, want) || !strings.Contains(policy, "default-src 'none'; script-src 'self'; style-src 'self'") || strings.Contains(policy, "unsafe") {
			t.Errorf("pictures %v: %s", pictures, policy)
		}
	}
}

// TestMounted mounts the service below a path.
func TestMounted(t *testing.T) {
	t.Parallel()
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/tools/lede/", http.StripPrefix("/tools/lede", checked(t, Handler(ex, Options{Token: "secret"}))))
	srv := httptest.NewServer(mux)
	defer srv.Close()
	page, _ := get(t, srv.URL+"/tools/lede/")
	if !strings.Contains(page, `src="web/main.js"`) {
		t.Error("links of the page are not relative to it")
	}
	w := post(t, mux, "/tools/lede/ui/send", "token", "secret", "url", "https://paper.example/", "html", "<p></script><script>alert(1)</script>")
	body := w.Body.String()
	if !strings.Contains(body, `src="../web/main.js"`) || strings.Contains(body, "<script>alert") || !strings.Contains(body, `id="sent"`) {
		t.Error(body)
	}
}
