package serve

import (
	"bytes"
	"context"
	"net/http"

	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/crawl/storylinks"
)

// links answers with the links of a page, and which of them lead to stories.
func (s *server) links(w http.ResponseWriter, r *http.Request) {
	types := []string{"application/json", ndjson}
	chosen := chooseType(r.Header.Values("Accept"), types)
	check := func(*pageRequest) error {
		if chosen < 0 {
			return newProblem("not-acceptable", "no type in Accept can be given; accept application/json or %s", ndjson)
		}
		return nil
	}
	q, out := s.process(w, r, linksOptions, check, func(ctx context.Context, out *bytes.Buffer, q *pageRequest) error {
		return s.writeLinks(ctx, out, q, types[chosen] == ndjson)
	})
	if q == nil {
		return
	}
	w.Header().Add("Vary", "Accept")
	w.Header().Set("Content-Type", types[chosen])
	send(w, out)
}

// writeLinks writes the links of the page of a request, as an object or as lines.
func (s *server) writeLinks(ctx context.Context, out *bytes.Buffer, q *pageRequest, asLines bool) error {
	all, err := s.pages.Links(ctx, &q.Page)
	if err != nil {
		return err
	}
	if asLines {
		return render.Lines(out, all...)
	}
	return render.Lines(out, map[string][]storylinks.Verdict{"links": all})
}
