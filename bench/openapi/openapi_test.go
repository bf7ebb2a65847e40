// Package openapi checks the description of the service with another implementation
// of OpenAPI. It is a module of its own, so that this is no dependency of lede.
package openapi

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/serve"
)

// open reads the description, with old replaced by new.
func open(t *testing.T, old, new string) validator.Validator {
	t.Helper()
	text, err := os.ReadFile("../../serve/openapi.json")
	if err != nil || !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%v: %s", err, old)
	}
	text = bytes.Replace(text, []byte(old), []byte(new), 1)
	doc, err := libopenapi.NewDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := doc.BuildV3Model(); err != nil {
		t.Fatal(err)
	}
	v, errs := validator.NewValidator(doc)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return v
}

// TestDocument checks openapi.json against the schema of OpenAPI 3.1.
func TestDocument(t *testing.T) {
	ok, errs := open(t, "", "").ValidateDocument()
	for _, err := range errs {
		t.Error(err.Message, err.Reason)
		for _, e := range err.SchemaValidationErrors {
			t.Error(e.Location, e.Reason)
		}
	}
	if !ok && len(errs) == 0 {
		t.Error("the document is invalid")
	}
	if ok, _ := open(t, `"in": "query"`, `"in": "nowhere"`).ValidateDocument(); ok {
		t.Error("an invalid document is accepted")
	}
}

// TestResponses checks requests and the responses of the service. Articles as JSON, whose
// blocks contain blocks, are beyond the library; the tests of package serve check them.
func TestResponses(t *testing.T) {
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(serve.Handler(ex, serve.Options{}))
	t.Cleanup(srv.Close)
	v := open(t, `"servers": [{"url": "."}]`, `"servers": [{"url": "`+srv.URL+`"}]`) // that it is at any address
	page, err := os.ReadFile("../../testdata/pages/modern-semantic/source.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		method, path, contentType, body string
		status                          int
	}{
		{"POST", "/v1/extract?url=https://paper.example/story&with=comments,tables", "text/html", string(page), 200},
		{"POST", "/v1/extract?explain=true", "text/html", string(page), 200},
		{"POST", "/v1/extract?format=md", "text/html", string(page), 200},
		{"POST", "/v1/extract", "application/json", `{"html": "<p>A story of few words", "url": "https://paper.example/", "with": ["links"], "explain": false}`, 200},
		{"POST", "/v1/extract", "application/json", `{"url": "https://paper.example/"}`, 403},
		{"POST", "/v1/extract", "text/html", "", 422},
		{"GET", "/v1/extract?url=https%3A%2F%2Fpaper.example%2F", "", "", 403},
		{"POST", "/v1/links?url=https://paper.example/", "text/html", string(page), 200},
		{"POST", "/v1/compare", "text/html", string(page), 200},
		{"GET", "/v1/methods", "", "", 200},
		{"GET", "/openapi.json", "", "", 200},
	} {
		send := func() *http.Request {
			req, err := http.NewRequest(r.method, srv.URL+r.path, strings.NewReader(r.body))
			if err != nil {
				t.Fatal(err)
			}
			if r.contentType != "" {
				req.Header.Set("Content-Type", r.contentType)
			}
			return req
		}
		resp, err := http.DefaultClient.Do(send())
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != r.status {
			t.Errorf("%s %s: %v %s: %s", r.method, r.path, err, resp.Status, body)
		}
		resp.Body = io.NopCloser(bytes.NewReader(body))
		_, errs := v.ValidateHttpRequest(send())
		if !bytes.Contains(body, []byte(`"body":`)) {
			_, errs = v.ValidateHttpRequestResponse(send(), resp)
		}
		for _, err := range errs {
			t.Errorf("%s %s: %s: %s", r.method, r.path, err.Message, err.Reason)
			for _, e := range err.SchemaValidationErrors {
				t.Error(e.Location, e.Reason)
			}
		}
	}
}
