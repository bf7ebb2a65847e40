package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/lede-news/lede"
)

// problemDocs is the address of the page that describes the kinds of problems.
const problemDocs = "https://github.com/lede-news/lede/blob/main/docs/problems.md"

// problem is an error as clients see it (RFC 9457).
type problem struct {
	kind   string
	title  string
	status int
	detail string
	err    error // the cause; may be nil
}

func (p *problem) Error() string { return p.detail }
func (p *problem) Unwrap() error { return p.err }

// problems lists the kinds of problems.
var problems = []problem{
	{kind: "busy", title: "The service is busy", status: http.StatusTooManyRequests},
	{kind: "forbidden", title: "The request is not allowed", status: http.StatusForbidden},
	{kind: "option", title: "Invalid option", status: http.StatusBadRequest},
	{kind: "too-large", title: "The page is too large", status: http.StatusRequestEntityTooLarge},
	{kind: "no-content", title: "The page has no article", status: http.StatusUnprocessableEntity},
	{kind: "crash", title: "lede failed", status: http.StatusInternalServerError},
}

var errBusy = newProblem("busy", "all workers are busy and the queue is full; try again later")

// newProblem returns an error of the given kind.
func newProblem(kind, detail string, args ...any) error {
	for _, p := range problems {
		if p.kind == kind {
			p.detail = fmt.Sprintf(detail, args...)
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
	kind := "crash"
	switch {
	case errors.Is(err, lede.ErrNoContent):
		kind = "no-content"
	case errors.Is(err, lede.ErrOption):
		kind = "option"
	}
	p := newProblem(kind, "%s", err).(*problem)
	p.err = err
	return p
}

// fail writes an error as a problem document.
func (s *server) fail(w http.ResponseWriter, _ *http.Request, err error) {
	p := problemOf(err)
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	if p.status == http.StatusTooManyRequests && h.Get("Retry-After") == "" {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(p.status)
	_ = json.NewEncoder(w).Encode(struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
		Kind   string `json:"kind"`
	}{problemDocs + "#" + p.kind, p.title, p.status, p.detail, p.kind})
}
