package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/api/request"
)

// problemDocs is the address of the page that describes the kinds of problems.
const problemDocs = "https://github.com/lede-news/lede/blob/main/docs/problems.md"

// problem is an error as clients see it (RFC 9457).
type problem struct {
	kind   string
	title  string
	status int
	detail string
	site   int   // the status with which the site of a page answered, or 0
	err    error // the cause; may be nil
}

func (p *problem) Error() string { return p.detail }
func (p *problem) Unwrap() error { return p.err }

// problems lists the kinds of problems, as docs/problems.md does.
var problems = []problem{
	// The request.
	{kind: "option", title: "Invalid option", status: http.StatusBadRequest},
	{kind: "method", title: "Unknown extraction method", status: http.StatusBadRequest},
	{kind: "charset", title: "Unknown charset", status: http.StatusBadRequest},
	{kind: "json", title: "Invalid JSON", status: http.StatusBadRequest},
	{kind: "body", title: "The request cannot be read", status: http.StatusBadRequest},
	{kind: "media-type", title: "The body is of a type that is not accepted", status: http.StatusUnsupportedMediaType},
	{kind: "not-acceptable", title: "No format is acceptable", status: http.StatusNotAcceptable},
	{kind: "not-found", title: "There is no such path", status: http.StatusNotFound},
	{kind: "method-not-allowed", title: "The path does not allow this HTTP method", status: http.StatusMethodNotAllowed},
	{kind: "too-large", title: "The page is too large", status: http.StatusRequestEntityTooLarge},
	{kind: "slow", title: "The request took too long to arrive", status: http.StatusRequestTimeout},
	// Access and load.
	{kind: "key", title: "A key is needed", status: http.StatusUnauthorized},
	{kind: "forbidden", title: "The request is not allowed", status: http.StatusForbidden},
	{kind: "no-fetch", title: "The service does not fetch pages", status: http.StatusForbidden},
	{kind: "rate", title: "The limit of the key is reached", status: http.StatusTooManyRequests},
	{kind: "busy", title: "The service is busy", status: http.StatusTooManyRequests},
	// The page.
	{kind: "empty", title: "The page is empty", status: http.StatusUnprocessableEntity},
	{kind: "not-html", title: "The page is not HTML", status: http.StatusUnprocessableEntity},
	{kind: "malformed", title: "The page cannot be parsed", status: http.StatusUnprocessableEntity},
	{kind: "no-content", title: "The page has no article", status: http.StatusUnprocessableEntity},
	{kind: "scripts", title: "The page is empty without its scripts", status: http.StatusUnprocessableEntity},
	{kind: "not-article", title: "The page is not an article", status: http.StatusUnprocessableEntity},
	{kind: "timeout", title: "The page took too long", status: http.StatusUnprocessableEntity},
	{kind: "crash", title: "lede failed", status: http.StatusInternalServerError},
	// Fetching a page.
	{kind: "address", title: "The address is not fetched", status: http.StatusBadRequest},
	{kind: "fetch", title: "The page could not be fetched", status: http.StatusBadGateway},
	{kind: "status", title: "The site answered with an error", status: http.StatusBadGateway},
	{kind: "robots", title: "The site does not let programs fetch the page", status: http.StatusForbidden},
	{kind: "wait", title: "The site asks to be left alone", status: http.StatusServiceUnavailable},
	{kind: "stopping", title: "The service is stopping", status: http.StatusServiceUnavailable},
}

// statusGone is the status of a request whose client went away, in the log only.
const statusGone = 499

var errBusy = newProblem("busy", "all workers are busy and the queue is full; try again later")

// newProblem returns an error of the given kind.
func newProblem(kind, detail string, args ...any) error {
	return problemFor(kind, fmt.Sprintf(detail, args...), nil)
}

func problemFor(kind, detail string, err error) *problem {
	for _, p := range problems {
		if p.kind == kind {
			p.detail, p.err = strings.Join(strings.Fields(detail), " "), err
			return &p
		}
	}
	panic("serve: unknown kind of problem " + kind)
}

// problemOf returns the problem of any error.
func problemOf(err error) *problem {
	if p := (*problem)(nil); errors.As(err, &p) {
		return p
	}
	if e := (*request.Error)(nil); errors.As(err, &e) {
		return problemFor(e.Kind, e.Text, err)
	}
	var site *fetch.StatusError
	switch {
	case errors.Is(err, lede.ErrInternal):
		return problemFor("crash", "lede failed on this page, which is a bug; please report it with the page", err)
	case errors.As(err, &site):
		p := problemFor("status", err.Error()+"; open the address in a browser, or send the page itself", err)
		p.site = site.Code
		return p
	case errors.Is(err, fetch.ErrPrivateAddress):
		p := problemFor("address", err.Error()+"; the service fetches public pages only: send the page itself", err)
		p.status = http.StatusForbidden
		return p
	case errors.Is(err, fetch.ErrTimeout):
		p := problemFor("fetch", err.Error()+"; or send the page itself", err)
		p.status = http.StatusGatewayTimeout
		return p
	case errors.Is(err, lede.ErrUnknownMethod):
		return problemFor("method", err.Error(), err)
	case errors.Is(err, lede.ErrOption):
		return problemFor("option", err.Error(), err)
	}
	kind := render.Kind(err)
	hint := ""
	switch kind {
	case "empty":
		hint = "send the page as the body of the request"
	case "not-html":
		hint = "send HTML"
	case "malformed":
		hint = "open it in a browser, save it and send what was saved"
	case "no-content":
		if hint = "try favor=recall, or another method of /v1/methods"; errors.Is(err, lede.ErrScripts) {
			kind, hint = "scripts", "send the page as a browser has it after its scripts have run"
		}
	case "not-article":
		return problemFor(kind, "the page is not an article; leave only_articles out to get its text", err)
	case "timeout":
		hint = "send a smaller page, or try another method of /v1/methods"
	case "address":
		hint = "name an http or https address"
	case "fetch":
		hint = "or send the page itself"
	case "charset":
		hint = "leave charset out, or use a name such as windows-1252"
	case "too-large", "robots", "wait":
	default:
		return problemFor("crash", "lede failed on this request, which is a bug; please report it", err)
	}
	detail := err.Error()
	if hint != "" {
		detail += "; " + hint
	}
	p := problemFor(kind, detail, err)
	if errors.As(err, new(*fetch.Error)) && p.status == http.StatusRequestEntityTooLarge {
		p.status = http.StatusUnprocessableEntity // the request is not too large
	}
	return p
}

// fail writes an error as a problem document, unless the client went away.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := s.report(w, r, err)
	if p == nil {
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
		Kind   string `json:"kind"`
		Site   int    `json:"site_status,omitempty"`
	}{problemDocs + "#" + p.kind, p.title, p.status, p.detail, p.kind, p.site})
	s.drain(w, r)
}

// report logs an error if it is one of lede, sets headers, and returns the problem to
// be written, or nil if the client went away.
func (s *server) report(w http.ResponseWriter, r *http.Request, err error) *problem {
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		visitOf(r.Context()).kind = "gone"
		w.WriteHeader(statusGone)
		return nil
	}
	p := problemOf(err)
	visitOf(r.Context()).kind = p.kind
	if p.kind == "crash" {
		s.opts.Log.LogAttrs(r.Context(), slog.LevelError, "lede failed", slog.String("path", r.URL.Path), slog.Any("error", p.err))
	}
	if isSending(r) && http.NewResponseController(w).EnableFullDuplex() == nil {
		// The answer does not wait for the rest of the request.
		w.Header().Set("Connection", "close")
	}
	w.Header().Set("Cache-Control", "no-store")
	if p.status == http.StatusTooManyRequests && w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", "1")
	}
	return p
}

// unknown answers requests that no other handler of mux takes.
func (s *server) unknown(mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			other := *r
			other.Method = method
			if _, pattern := mux.Handler(&other); pattern != "/" && path.Clean(r.URL.Path) == r.URL.Path {
				if allowed = append(allowed, method); method == http.MethodGet {
					allowed = append(allowed, http.MethodHead)
				}
			}
		}
		if len(allowed) > 0 {
			allow := strings.Join(allowed, ", ")
			w.Header().Set("Allow", allow)
			s.fail(w, r, newProblem("method-not-allowed", "%s does not allow %s; use %s", r.URL.Path, r.Method, allow))
			return
		}
		s.fail(w, r, newProblem("not-found", "there is no %s; the paths of the API are %s, described by /openapi.json", r.URL.Path, strings.Join(apiPaths, ", ")))
	}
}

// apiPaths are the paths of the API.
var apiPaths = []string{
	"/v1/extract", "/v1/batch", "/v1/links", "/v1/compare", "/v1/methods", "/healthz", "/readyz", "/metrics", "/openapi.json",
}
