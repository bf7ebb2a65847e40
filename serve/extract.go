package serve

import (
	"bytes"
	"net/http"

	"github.com/lede-news/lede/format"
)

// extract answers with the article of a page.
func (s *server) extract(w http.ResponseWriter, r *http.Request) {
	q, free, err := s.readPage(w, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer free()
	var out bytes.Buffer
	if err := s.work(r, func() error {
		a, err := s.ex.Extract(r.Context(), bytes.NewReader(q.page), q.options()...)
		if err != nil {
			return err
		}
		return format.JSON(&out, a, format.Options{Indent: true})
	}); err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = out.WriteTo(w)
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
