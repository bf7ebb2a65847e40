package serve

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/lede-news/lede/fetch"
)

// TestOptions checks options that are invalid, and what their problems say.
func TestOptions(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	for _, v := range []struct {
		query, json string
		kind, says  string // "": no problem
	}{
		{"", "", "", ""},
		{"url=https://paper.example/&method=coreex&set=threshold=0.8&favor=recall&with=comments,links&with=tables&format=text&body_only=true&only_articles=false&pictures=false&charset=utf-8&memory=off", "", "", ""},
		{"fromat=md", "", "option", "format"},
		{"format=pdf", "", "option", "text, md, html, json, styled, cleaned"},
		{"format=md&format=md", "", "option", "2 times"},
		{"favor=both", "", "option", "precision, recall"},
		{"with=ads", "", "option", "comments, captions, tables, links"},
		{"explain=yes", "", "option", "true, false"},
		{"explain=true&format=md", "", "option", "explain writes text or json"},
		{"format=cleaned&body_only=true", "", "option", "cleaned"},
		{"memory=on", "", "option", "off, use, learn"},
		{"memory=learn", "", "option", "remembers nothing"},
		{"site=paper.example&link_text=Ferry", "", "", ""},
		{"method=magic", "", "method", "available methods: blend"},
		{"method=coreex&set=thresold=1", "", "option", "threshold"},
		{"charset=utf-99", "", "charset", "utf-99"},
		{"a=%zz", "", "option", "malformed"},

		{"", `{"html": "PAGE"}`, "", ""},
		{"method=twcem", `{"html": "PAGE", "url": "https://paper.example/", "link_text": "Ferry", "with": ["comments", "tables"], "set": [], "pictures": false, "explain": true, "site": null}`, "", ""},
		{"format=md", `{"html": "PAGE", "format": "md"}`, "option", "both in the query and in the JSON"},
		{"", `{"html": "PAGE", "HTML": "x"}`, "option", "HTML"},
		{"", `{"html": "PAGE", "explain": 1}`, "option", "a string, a boolean or a list"},
		{"", `{"html": "PAGE", "with": [1]}`, "option", "a string, a boolean or a list"},
		{"", `{"html": "PAGE", "url": ["a", "b"]}`, "option", "2 times"},
		{"", `{"html": "PAGE", "charset": "latin1"}`, "option", "Unicode"},
		{"", `{"html": 1}`, "json", "html is invalid"},
		{"", `{"html": "PAGE"`, "json", "unexpected end"},
		{"", `{"html": "PAGE"} {}`, "json", "after top-level value"},
		{"", `{"html": "PAGE",}`, "json", "invalid"},
		{"", `{}`, "option", "neither html nor url"},
		{"", `{"html": null}`, "option", "neither html nor url"},
		{"", `{"url": "https://paper.example/"}`, "no-fetch", "send the page"},
		{"", `["PAGE"]`, "media-type", "text/html"},
		{"", "<p>PAGE", "media-type", "text/html"},
		{"", `{"html": ""}`, "empty", "the page is empty"},
	} {
		contentType, body := "text/html", story
		if v.json != "" {
			page, _ := json.Marshal(story)
			contentType, body = "application/json; charset=utf-8", strings.Replace(v.json, `"PAGE"`, string(page), 1)
		}
		w := ask(h, "POST", "/v1/extract?"+v.query, body, "Content-Type", contentType)
		if p := problemIn(w); p.Kind != v.kind || !strings.Contains(p.Detail, v.says) || (v.kind == "") != (w.Code == http.StatusOK) {
			t.Errorf("%s %s: %d %+v; want %s with %q", v.query, v.json, w.Code, p, v.kind, v.says)
		}
	}
}

// TestForms checks that forms are refused, and that what curl calls a form is a page.
func TestForms(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	for _, v := range []struct{ contentType, body, kind string }{
		{"multipart/form-data; boundary=x", "--x\r\n\r\n" + story + "\r\n--x--", "media-type"},
		{"application/x-www-form-urlencoded", "url=https%3A%2F%2Fpaper.example%2F", "media-type"},
		{"application/x-www-form-urlencoded", story, ""},
		{"", story, ""},
		{"application/octet-stream", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00", "not-html"},
		{"text/html", "", "empty"},
	} {
		if w := ask(h, "POST", "/v1/extract", v.body, "Content-Type", v.contentType); problemIn(w).Kind != v.kind {
			t.Errorf("%s, %.20q: %d %s, want %q", v.contentType, v.body, w.Code, w.Body, v.kind)
		}
	}
}

// TestCharsets checks that the charset of Content-Type is believed, that charset
// overrides it, and that html in JSON is Unicode whatever it declares.
func TestCharsets(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	page := func(declared, text string) string {
		return `<meta charset="` + declared + `"><title>x</title><article>` + strings.Repeat("<p>"+text+", said the owner of the place on Tuesday, and nobody objected to it.", 5) + "</article>"
	}
	inJSON, _ := json.Marshal(map[string]string{"html": page("windows-1251", "Café")})
	for _, v := range []struct{ query, contentType, body string }{
		{"", "text/html", page("iso-8859-1", "Caf\xe9")},
		{"", "text/html; charset=windows-1252", page("windows-1251", "Caf\xe9")},
		{"?charset=windows-1252", "text/html; charset=windows-1251", page("windows-1251", "Caf\xe9")},
		{"", "application/json", string(inJSON)},
	} {
		if w := ask(h, "POST", "/v1/extract"+v.query, v.body, "Content-Type", v.contentType); !strings.Contains(w.Body.String(), "Café, said") {
			t.Errorf("%s, %s: %s", v.query, v.contentType, w.Body)
		}
	}
}

// TestFormats checks the headers of the response in each format.
func TestFormats(t *testing.T) {
	t.Parallel()
	h := newService(t, Options{})
	for query, want := range map[string]string{
		"": "application/json", "?format=md": "text/markdown; charset=utf-8", "?format=html": "text/html; charset=utf-8",
		"?format=styled": "text/html; charset=utf-8", "?format=cleaned": "text/html; charset=utf-8",
		"?explain=true": "application/json", "?explain=true&format=text": "text/plain; charset=utf-8",
	} {
		w := ask(h, "POST", "/v1/extract"+query, story)
		if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != want || !strings.Contains(w.Body.String(), "ninety seats") {
			t.Errorf("%s: %d, %s: %s", query, w.Code, got, w.Body)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if isHTML := strings.HasPrefix(want, "text/html"); isHTML && policy != documentPolicy || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "sandbox") {
			t.Errorf("%s: Content-Security-Policy %q", query, policy)
		}
	}
}

// TestFetch checks pages that are fetched, and why they are not.
func TestFetch(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/story":
			_, _ = io.WriteString(w, story)
		case "/picture":
			w.Header().Set("Content-Type", "image/png")
		case "/large":
			_, _ = io.WriteString(w, strings.Repeat("x", 2<<20))
		default:
			http.Error(w, "no", http.StatusTeapot)
		}
	}))
	t.Cleanup(site.Close)
	open := newService(t, Options{Fetch: fetch.New(fetch.Options{AllowPrivate: true, MaxBytes: 1 << 20})})
	guarded := newService(t, Options{Fetch: fetch.New(fetch.Options{})})
	closed := newService(t, Options{})
	for _, v := range []struct {
		h           http.Handler
		address     string
		kind        string
		status, own int
	}{
		{open, site.URL + "/story", "", 200, 0}, {open, site.URL + "/other", "status", 502, 418}, {open, site.URL + "/picture", "not-html", 422, 0}, {open, site.URL + "/large", "too-large", 422, 0},
		{open, "http://127.0.0.1:1/", "fetch", 502, 0}, {open, "file:///etc/passwd", "address", 400, 0}, {open, "nonsense", "address", 400, 0},
		{guarded, site.URL + "/story", "address", 403, 0}, {closed, site.URL + "/story", "no-fetch", 403, 0}, {open, "", "option", 400, 0},
	} {
		for _, path := range []string{"/v1/extract", "/v1/links", "/v1/compare"} {
			body, _ := json.Marshal(map[string]string{"url": v.address})
			w := ask(v.h, "POST", path, string(body), "Content-Type", "application/json")
			if path == "/v1/extract" {
				w = ask(v.h, "GET", path+"?url="+url.QueryEscape(v.address), "")
			}
			if p := problemIn(w); w.Code != v.status || p.Kind != v.kind || p.Site != v.own {
				t.Errorf("%s of %q: %d %s", path, v.address, w.Code, w.Body)
			}
		}
	}
}

// TestFetchesAreBounded checks that requests are refused while too many pages are being
// fetched, and accepted afterwards.
func TestFetchesAreBounded(t *testing.T) {
	t.Parallel()
	arrived, answer := make(chan struct{}), make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-answer
		_, _ = io.WriteString(w, story)
	}))
	t.Cleanup(site.Close)
	h := newService(t, Options{Workers: 1, Fetch: fetch.New(fetch.Options{AllowPrivate: true})})
	done := make(chan int, maxFetches)
	get := func() int { return ask(h, "GET", "/v1/extract?url="+url.QueryEscape(site.URL), "").Code }
	for range maxFetches {
		go func() { done <- get() }()
		<-arrived
	}
	if status := get(); status != http.StatusTooManyRequests {
		t.Errorf("status %d while %d pages are being fetched", status, maxFetches)
	}
	if w := ask(h, "POST", "/v1/extract", story); w.Code != http.StatusOK {
		t.Errorf("a page that was sent waits for those that are fetched: %d", w.Code)
	}
	close(answer)
	for range maxFetches {
		if status := <-done; status != http.StatusOK && status != http.StatusTooManyRequests {
			t.Errorf("status %d", status)
		}
	}
}
