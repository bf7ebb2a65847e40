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
	ctx, cancel := withPageTime(ctx)
	defer cancel()
	d, err := s.parse(ctx, q)
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
	if !asLines {
		return enc.Encode(map[string][]storylinks.Verdict{"links": all})
	}
	for _, v := range all {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// withPageTime returns a context that ends when the time for a page is over.
func withPageTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, lede.DefaultTime, fmt.Errorf("%w: not done after %v", lede.ErrTimeout, lede.DefaultTime))
}

// parse parses the page of a request.
func (s *server) parse(ctx context.Context, q *pageRequest) (*dom.Document, error) {
	opts := dom.Options{Charset: q.Charset, HeaderCharset: q.charset, Limits: dom.Limits{Bytes: s.opts.MaxBytes}}
	if q.HTML != nil {
		opts.Charset = "utf-8"
	}
	return dom.Parse(ctx, q.page, opts)
}
