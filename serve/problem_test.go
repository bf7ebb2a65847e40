package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
)

// TestProblemDocs compares the kinds of problems with docs/problems.md and with the
// descriptions of openapi.json.
func TestProblemDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/problems.md")
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^### (\S+)\n\n(.+)$`).FindAllStringSubmatch(string(text), -1) {
		described[m[1]] = m[2]
	}
	for _, p := range problems {
		about, ok := described[p.Kind]
		if delete(described, p.Kind); !ok || !strings.HasPrefix(about, "Status "+strconv.Itoa(p.Status)) || strings.Count(about, ". ") < 2 {
			t.Errorf("docs/problems.md says about %s: %q; want its status %d, what it means and what to do", p.Kind, about, p.Status)
		}
		if !regexp.MustCompile(`\b`+p.Kind+`\b`).Match(openAPI) && p.Kind != "not-found" && p.Kind != "method-not-allowed" {
			t.Errorf("openapi.json does not mention %s", p.Kind)
		}
	}
	for kind := range described {
		t.Errorf("docs/problems.md describes %s, which is not a kind", kind)
	}
}

// TestProblemOf checks the problem of every error of lede and of fetching.
func TestProblemOf(t *testing.T) {
	t.Parallel()
	fetching := func(kind error) error {
		return &fetch.Error{URL: "https://paper.example/", Kind: kind, Reason: "reason"}
	}
	for _, v := range []struct {
		err    error
		kind   string
		status int
	}{
		{lede.ErrEmpty, "empty", 422}, {lede.ErrTooLarge, "too-large", 413}, {lede.ErrNotHTML, "not-html", 422}, {lede.ErrCharset, "charset", 400},
		{lede.ErrMalformed, "malformed", 422}, {lede.ErrNoContent, "no-content", 422}, {lede.ErrScripts, "scripts", 422}, {lede.ErrNotArticle, "not-article", 422},
		{lede.ErrUnknownMethod, "method", 400}, {lede.ErrOption, "option", 400}, {lede.ErrTimeout, "timeout", 422}, {lede.ErrOutput, "output", 422}, {lede.ErrInternal, "crash", 500},
		{fetching(fetch.ErrURL), "address", 400}, {fetching(fetch.ErrScheme), "address", 400}, {fetching(fetch.ErrPrivateAddress), "address", 403},
		{fetching(fetch.ErrDNS), "fetch", 502}, {fetching(fetch.ErrConnect), "fetch", 502}, {fetching(fetch.ErrTLS), "fetch", 502}, {fetching(fetch.ErrProtocol), "fetch", 502},
		{fetching(fetch.ErrTimeout), "fetch", 504}, {fetching(fetch.ErrTooManyRedirects), "fetch", 502}, {fetching(fetch.ErrEncoding), "fetch", 502}, {fetching(fetch.ErrProxy), "fetch", 502},
		{fetching(fetch.ErrNotHTML), "not-html", 422}, {fetching(fetch.ErrTooLarge), "too-large", 422}, {&fetch.StatusError{Code: 404}, "status", 502},
		{errBusy, "busy", 429}, {errors.New("open /home/me/sites.db"), "crash", 500},
	} {
		p := problemOf(fmt.Errorf("page: %w", v.err))
		if p.Kind != v.kind || p.Status != v.status || p.Detail == "" {
			t.Errorf("%v: kind %s, status %d, %q; want %s, %d", v.err, p.Kind, p.Status, p.Detail, v.kind, v.status)
		}
		if strings.Contains(p.Detail, "/home") {
			t.Errorf("%v: the detail has a path of this machine: %s", v.err, p.Detail)
		}
		if site := (*fetch.StatusError)(nil); errors.As(v.err, &site) != (p.Site == 404) {
			t.Errorf("%v: status %d of the site", v.err, p.Site)
		}
	}
}

// TestUnknownPaths checks that paths and methods that do not exist are problems.
func TestUnknownPaths(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	for request, want := range map[string]string{
		"GET /v1/other": "404 not-found ", "GET /v1/methods/": "404 not-found ", "GET //v1/methods": "404 not-found ", "GET /web/../v1/methods": "404 not-found ",
		"DELETE /v1/extract": "405 method-not-allowed GET, HEAD, POST", "GET /v1/links": "405 method-not-allowed POST", "POST /": "405 method-not-allowed GET, HEAD",
	} {
		method, path, _ := strings.Cut(request, " ")
		w := ask(h, method, path, "")
		p := problemIn(w)
		if got := fmt.Sprint(w.Code, " ", p.Kind, " ", w.Header().Get("Allow")); got != want {
			t.Errorf("%s: %s, want %s", request, got, want)
		}
		if p.Kind == "not-found" && !strings.Contains(p.Detail, "/v1/extract") {
			t.Errorf("%s: the paths are not listed: %s", request, p.Detail)
		}
	}
}

// TestGone checks that nothing is written for a client that went away.
func TestGone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	newService(t, Options{}).ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/v1/extract", strings.NewReader("<p>A story")))
	if w.Code != statusGone || w.Body.Len() > 0 {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}
