package serve

import (
	"bytes"
	"context"
	"net/http"

	"github.com/lede-news/lede/internal/api/render"
)

// documentPolicy is the content security policy of HTML in responses, whose text and
// markup come from pages.
const documentPolicy = "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

// mediaTypes are the types of the formats.
var mediaTypes = map[string]string{
	"json": "application/json", "md": "text/markdown; charset=utf-8", "text": "text/plain; charset=utf-8",
	"html": "text/html; charset=utf-8", render.Styled: "text/html; charset=utf-8", render.Cleaned: "text/html; charset=utf-8",
}

// extract answers with the article of a page.
func (s *server) extract(w http.ResponseWriter, r *http.Request) {
	negotiate := func(q *pageRequest) error { return q.negotiate(r.Header.Values("Accept")) }
	q, out := s.process(w, r, extractOptions, negotiate, s.write)
	if q == nil {
		return
	}
	h := w.Header()
	h.Add("Vary", "Accept")
	kind := mediaTypes[q.Format]
	h.Set("Content-Type", kind)
	if kind == mediaTypes["html"] {
		h.Set("Content-Security-Policy", documentPolicy)
	}
	send(w, out)
}

// process reads a request about a page, checks it, fetches the page unless it was sent,
// and calls do when there is a worker. It returns the request and what do has written,
// or nil if it has answered with a problem.
func (s *server) process(w http.ResponseWriter, r *http.Request, allowed []string, check func(*pageRequest) error,
	do func(context.Context, *bytes.Buffer, *pageRequest) error) (*pageRequest, *bytes.Buffer) {
	q, free, err := s.readRequest(w, r, allowed)
	var out bytes.Buffer
	if err == nil {
		err = func() error {
			defer free() // before the response is written, which may take long
			if err := check(q); err != nil {
				return err
			}
			if err := s.loadPage(r.Context(), q); err != nil {
				return err
			}
			return s.work(r, func() error { return do(r.Context(), &out, q) })
		}()
	}
	if err != nil {
		s.fail(w, r, err)
		return nil, nil
	}
	return q, &out
}

// negotiate sets the format of a request that does not name one.
func (q *pageRequest) negotiate(accept []string) error {
	if q.Format != "" {
		return nil
	}
	offers := []string{"json", "md", "html", "text"}
	if q.Explain {
		offers = []string{"json", "text"}
	}
	types := make([]string, len(offers))
	for i, f := range offers {
		types[i] = mediaTypes[f]
	}
	i := chooseType(accept, types)
	if i < 0 {
		return newProblem("not-acceptable", "no type in Accept can be given; accept application/json, text/markdown, text/html or text/plain, or name a format with format=")
	}
	q.Format = offers[i]
	return nil
}

// work calls do when there is a worker for it.
func (s *server) work(r *http.Request, do func() error) error {
	leave, err := s.gate.enter(r.Context())
	if err != nil {
		return err
	}
	defer leave()
	return do()
}

// write extracts the page of a request and writes it as asked for.
func (s *server) write(ctx context.Context, out *bytes.Buffer, q *pageRequest) error {
	return s.pages.Write(ctx, out, &q.Page, true)
}

// check returns an error for a page that is too large, which JSON and forms may hold,
// and for options about what is known about sites if there is no such memory.
func (s *server) check(q *pageRequest) error {
	switch {
	case len(q.Content) > s.opts.MaxBytes:
		return tooLarge(int64(s.opts.MaxBytes))
	case s.pages.Sites != nil:
		return nil
	case q.Memory == "use", q.Memory == "learn":
		return newProblem("option", "memory=%s: this service remembers nothing about sites; use memory=off or leave it out", q.Memory)
	case q.Site != "":
		return newProblem("option", "site=%s: this service remembers nothing about sites; leave it out", q.Site)
	}
	return nil
}
