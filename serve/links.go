package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/links"
	"github.com/lede-news/lede/internal/storylinks"
	"github.com/lede-news/lede/site"
)

// links answers with the links of a page, and which of them lead to stories.
func (s *server) links(w http.ResponseWriter, r *http.Request) {
	q, free, err := s.readRequest(w, r, linksOptions)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	types := []string{"application/json", "application/x-ndjson"}
	i := chooseType(r.Header.Values("Accept"), types)
	if i < 0 {
		err = newProblem("not-acceptable", "no type in Accept can be given; accept application/json or application/x-ndjson")
	} else {
		err = s.loadPage(r.Context(), q)
	}
	var out bytes.Buffer
	if err == nil {
		err = s.work(r, func() error { return s.writeLinks(r.Context(), &out, q, i == 1) })
	}
	free()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Vary", "Accept")
	h.Set("Content-Type", types[i])
	_, _ = out.WriteTo(w)
}

// writeLinks writes the links of the page of a request, as an object or as lines.
func (s *server) writeLinks(ctx context.Context, out *bytes.Buffer, q *pageRequest, asLines bool) error {
	ctx, cancel := withPageTime(ctx)
	defer cancel()
	d, err := q.parse(ctx)
	if err != nil {
		return err
	}
	address := cmp.Or(q.URL, site.NewFingerprint(d).URL())
	if links.Base(d, address) == nil && links.MostlyRelative(d) {
		return newProblem("option", "the links of the page are relative and its address is unknown; name it with url=")
	}
	all := storylinks.Elements(d, address)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if asLines {
		for _, v := range all {
			if err := enc.Encode(v); err != nil {
				return err
			}
		}
		return nil
	}
	return enc.Encode(map[string][]storylinks.Verdict{"links": all})
}

// withPageTime returns a context that ends when the time for a page is over.
func withPageTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, lede.DefaultTime, fmt.Errorf("%w: not done after %v", lede.ErrTimeout, lede.DefaultTime))
}

// parse parses the page of a request.
func (q *pageRequest) parse(ctx context.Context) (*dom.Document, error) {
	opts := dom.Options{Charset: q.Charset, HeaderCharset: q.charset}
	if q.HTML != nil {
		opts.Charset = "utf-8"
	}
	return dom.Parse(ctx, q.page, opts)
}
