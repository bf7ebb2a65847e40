package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/api/request"
)

// problemDocs is the address of the page that describes the kinds of problems.
const problemDocs = "https://github.com/lede-news/lede/blob/main/docs/problems.md"

// problem is an error as clients see it (RFC 9457).
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Kind   string `json:"kind"`
	Site   int    `json:"site_status,omitempty"` // with which the site of a page answered

	Article json.RawMessage `json:"article,omitempty"` // facts of a page whose text was not found
}

// problems lists the kinds of problems, as docs/problems.md does.
var problems = []problem{
	// The request.
	{Kind: "option", Title: "Invalid option", Status: http.StatusBadRequest},
	{Kind: "method", Title: "Unknown extraction method", Status: http.StatusBadRequest},
	{Kind: "charset", Title: "Unknown charset", Status: http.StatusBadRequest},
	{Kind: "json", Title: "Invalid JSON", Status: http.StatusBadRequest},
	{Kind: "body", Title: "The request cannot be read", Status: http.StatusBadRequest},
	{Kind: "media-type", Title: "The body is of a type that is not accepted", Status: http.StatusUnsupportedMediaType},
	{Kind: "not-found", Title: "There is no such path", Status: http.StatusNotFound},
	{Kind: "method-not-allowed", Title: "The path does not allow this HTTP method", Status: http.StatusMethodNotAllowed},
	{Kind: "too-large", Title: "The page is too large", Status: http.StatusRequestEntityTooLarge},
	{Kind: "slow", Title: "The request took too long to arrive", Status: http.StatusRequestTimeout},
	// Access and load.
	{Kind: "key", Title: "A key is needed", Status: http.StatusUnauthorized},
	{Kind: "forbidden", Title: "The request is not allowed", Status: http.StatusForbidden},
	{Kind: "no-fetch", Title: "The service does not fetch pages", Status: http.StatusForbidden},
	{Kind: "busy", Title: "The service is busy", Status: http.StatusTooManyRequests},
	// The page.
	{Kind: "empty", Title: "The page is empty", Status: http.StatusUnprocessableEntity},
	{Kind: "not-html", Title: "The page is not HTML", Status: http.StatusUnprocessableEntity},
	{Kind: "malformed", Title: "The page cannot be parsed", Status: http.StatusUnprocessableEntity},
	{Kind: "no-content", Title: "The page has no article", Status: http.StatusUnprocessableEntity},
	{Kind: "scripts", Title: "The page is empty without its scripts", Status: http.StatusUnprocessableEntity},
	{Kind: "not-article", Title: "The page is not an article", Status: http.StatusUnprocessableEntity},
	{Kind: "timeout", Title: "The page took too long", Status: http.StatusUnprocessableEntity},
	{Kind: "output", Title: "The article is too large for its page", Status: http.StatusUnprocessableEntity},
	{Kind: "crash", Title: "lede failed", Status: http.StatusInternalServerError},
	// Fetching a page.
	{Kind: "address", Title: "The address is not fetched", Status: http.StatusBadRequest},
	{Kind: "fetch", Title: "The page could not be fetched", Status: http.StatusBadGateway},
	{Kind: "status", Title: "The site answered with an error", Status: http.StatusBadGateway},
}

// statusGone is the status of a request whose client went away, in the log only.
const statusGone = 499

// problemOf returns the problem of any error.
func problemOf(err error) problem {
	kind, detail := request.Describe(err)
	for _, p := range problems {
		if p.Kind != kind || kind == "crash" {
			continue
		}
		p.Type, p.Detail = problemDocs+"#"+kind, detail
		if site := (*fetch.StatusError)(nil); errors.As(err, &site) {
			p.Site = site.Code
		}
		if known := (*lede.FactsError)(nil); errors.As(err, &known) {
			p.Article = encodeFacts(known.Facts())
		}
		switch {
		case errors.Is(err, fetch.ErrPrivateAddress):
			p.Status = http.StatusForbidden
		case errors.Is(err, fetch.ErrTimeout):
			p.Status = http.StatusGatewayTimeout
		case errors.Is(err, fetch.ErrTooLarge):
			p.Status = http.StatusUnprocessableEntity // the request is not too large
		}
		return p
	}
	return problem{ // what happened is in the log
		Type: problemDocs + "#crash", Kind: "crash", Title: "lede failed", Status: http.StatusInternalServerError,
		Detail: "lede failed on this request, which is a bug; please report it with the page",
	}
}

// encodeFacts returns an article without a body in JSON, or nil if that fails.
func encodeFacts(a *lede.Article) json.RawMessage {
	var b bytes.Buffer
	if err := format.JSON(&b, a, format.Options{}); err != nil {
		return nil
	}
	return b.Bytes()
}

// fail writes an error as a problem document, unless the client went away.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p, ok := s.report(w, r, err)
	if !ok {
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(p)
}

// report logs an error if it is one of lede, sets headers, and returns the problem to
// be written, unless the client went away.
func (s *server) report(w http.ResponseWriter, r *http.Request, err error) (p problem, ok bool) {
	v := visitOf(r.Context())
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		v.kind = "gone"
		w.WriteHeader(statusGone)
		return p, false
	}
	p = problemOf(err)
	v.kind = p.Kind
	if p.Kind == "crash" {
		s.opts.Log.Error("lede failed", "path", r.URL.Path, "id", v.id, "error", err)
	}
	w.Header().Set("Cache-Control", "no-store")
	if p.Status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	return p, true
}
