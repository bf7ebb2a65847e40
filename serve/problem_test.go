package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/crawl/polite"
)

// TestProblemDocs compares the kinds of problems with docs/problems.md and with the
// descriptions of openapi.json.
func TestProblemDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/problems.md")
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^### (\S+)\n\n(.+)$`).FindAllStringSubmatch(string(text), -1) {
		described[m[1]] = m[2]
	}
	for _, p := range problems {
		about, ok := described[p.kind]
		if delete(described, p.kind); !ok || !strings.HasPrefix(about, "Status "+strconv.Itoa(p.status)) || strings.Count(about, ". ") < 2 {
			t.Errorf("docs/problems.md says about %s: %q; want its status %d, what it means and what to do", p.kind, about, p.status)
		}
		if !regexp.MustCompile(`\b`+p.kind+`\b`).Match(openAPI) && p.kind != "robots" && p.kind != "wait" && p.kind != "stopping" && p.kind != "not-found" && p.kind != "method-not-allowed" {
			t.Errorf("openapi.json does not mention %s", p.kind)
		}
	}
	for kind := range described {
		t.Errorf("docs/problems.md describes %s, which is not a kind", kind)
	}
}

// TestProblemOf checks the problem of every error of lede and of fetching.
func TestProblemOf(t *testing.T) {
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
		{lede.ErrUnknownMethod, "method", 400}, {lede.ErrOption, "option", 400}, {lede.ErrTimeout, "timeout", 422}, {lede.ErrInternal, "crash", 500},
		{fetching(fetch.ErrURL), "address", 400}, {fetching(fetch.ErrScheme), "address", 400}, {fetching(fetch.ErrPrivateAddress), "address", 403},
		{fetching(fetch.ErrDNS), "fetch", 502}, {fetching(fetch.ErrConnect), "fetch", 502}, {fetching(fetch.ErrTLS), "fetch", 502}, {fetching(fetch.ErrProtocol), "fetch", 502},
		{fetching(fetch.ErrTimeout), "fetch", 504}, {fetching(fetch.ErrTooManyRedirects), "fetch", 502}, {fetching(fetch.ErrEncoding), "fetch", 502}, {fetching(fetch.ErrProxy), "fetch", 502},
		{fetching(fetch.ErrNotHTML), "not-html", 422}, {fetching(fetch.ErrTooLarge), "too-large", 422}, {&fetch.StatusError{Code: 404}, "status", 502},
		{polite.ErrRobots, "robots", 403}, {polite.ErrNoRobots, "robots", 403}, {&polite.WaitError{}, "wait", 503},
		{errBusy, "busy", 429}, {errors.New("open /home/me/sites.db"), "crash", 500},
	} {
		p := problemOf(fmt.Errorf("page: %w", v.err))
		if p.kind != v.kind || p.status != v.status || p.detail == "" || !errors.Is(p, v.err) && p != v.err {
			t.Errorf("%v: kind %s, status %d, %q; want %s, %d", v.err, p.kind, p.status, p.detail, v.kind, v.status)
		}
		if strings.Contains(p.detail, "/home") {
			t.Errorf("%v: the detail has a path of this machine: %s", v.err, p.detail)
		}
		if site := (*fetch.StatusError)(nil); errors.As(v.err, &site) != (p.site == 404) {
			t.Errorf("%v: status %d of the site", v.err, p.site)
		}
	}
}

// TestUnknownPaths checks that paths and methods that do not exist are problems.
func TestUnknownPaths(t *testing.T) {
	srv := newServer(t, Options{})
	for request, want := range map[string]string{
		"GET /v1/other": "404 not-found ", "GET /v1/methods/": "404 not-found ", "GET //v1/methods": "404 not-found ", "GET /web/../v1/methods": "404 not-found ", "POST /v1": "404 not-found ", "DELETE /v1/extract": "405 method-not-allowed GET, HEAD, POST",
		"GET /v1/batch": "405 method-not-allowed POST", "POST /healthz": "405 method-not-allowed GET, HEAD", "PUT /v1/methods": "405 method-not-allowed GET, HEAD",
		"POST /": "405 method-not-allowed GET, HEAD",
	} {
		method, path, _ := strings.Cut(request, " ")
		req, _ := http.NewRequest(method, srv.URL+path, nil)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		p := problemIn(t, resp)
		if got := fmt.Sprint(resp.StatusCode, " ", p.Kind, " ", resp.Header.Get("Allow")); got != want {
			t.Errorf("%s: %s, want %s", request, got, want)
		}
		if p.Kind == "not-found" && !strings.Contains(p.Detail, "/v1/extract") {
			t.Errorf("%s: the paths are not listed: %s", request, p.Detail)
		}
	}
}

// TestGone checks that nothing is written for a client that went away.
func TestGone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/v1/extract", strings.NewReader("<p>A story"))
	Handler(ex, Options{}).ServeHTTP(w, r)
	if w.Code != statusGone || w.Body.Len() > 0 {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	if slices.ContainsFunc(problems, func(p problem) bool { return p.status == statusGone }) {
		t.Error("a problem has the status of clients that are gone")
	}
}
