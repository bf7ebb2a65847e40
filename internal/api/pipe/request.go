package pipe

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/api/request"
)

// job is a request.
type job struct {
	id       int64  // 0 if it cannot be read
	do       string // extract, fetch, links or format
	fragment bool
	page     *request.Page // never nil if err is nil
	err      error         // why the request cannot be answered
}

// readJob reads a request. A body that is not needed is skipped.
func (s *server) readJob(in *bufio.Reader) (*job, error) {
	headSize, size, err := readSizes(in)
	if err != nil {
		return nil, err
	}
	head, err := readFull(in, headSize)
	if err != nil {
		return nil, err
	}
	j := &job{}
	j.err = j.parse(head, size > 0)
	limit := int64(s.opts.MaxBytes)
	if j.do == "format" {
		limit = articleBytes(limit)
	}
	if j.err == nil && size > limit {
		j.err = fmt.Errorf("%w: it has %d bytes, and %d are allowed; raise the limit (--max-bytes)", lede.ErrTooLarge, size, limit)
	}
	if j.err == nil {
		j.err = s.pages.Check(j.page)
	}
	switch {
	case j.err != nil:
		if _, err := io.CopyN(io.Discard, in, size); err != nil {
			return nil, truncated(err)
		}
	case size > 0 || j.do == "extract" || j.do == "format":
		if j.page.Content, err = readFull(in, size); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// articleBytes returns the limit for the JSON of an article, which has the text of its
// page twice, with escapes.
func articleBytes(page int64) int64 { return 4*page + 1<<20 }

// parse parses the head of a request.
func (j *job) parse(head []byte, hasBody bool) error {
	var headerCharset, partial string
	values, err := request.ParseJSON(head, map[string]any{
		"id": &j.id, "do": &j.do, "header_charset": &headerCharset, "partial": &partial, "fragment": &j.fragment,
	})
	if j.id < 1 {
		j.id = 0
		err = cmp.Or(err, request.Errorf("option", "give each request a number from 1 as id, which its answer has"))
	}
	if err != nil {
		return err
	}
	allowed, ok := map[string][]string{
		"extract": request.ExtractOptions, "fetch": request.ExtractOptions, "links": request.LinksOptions, "format": request.FormatOptions,
	}[j.do]
	if !ok {
		return request.Errorf("option", "do=%s: use extract, fetch, links or format", j.do)
	}
	if j.page, err = request.New(values, allowed); err != nil {
		return err
	}
	j.page.HeaderCharset, j.page.Partial = headerCharset, article.PartialReason(partial)
	switch {
	case j.do == "fetch" && hasBody:
		return request.Errorf("option", "do=fetch has a body, but fetches its page; use do=extract for a page that you have")
	case (j.do == "fetch" || j.do == "links" && !hasBody) && j.page.URL == "":
		return request.Errorf("option", "do=%s has neither a page nor url; send the page, or name the one to fetch with url", j.do)
	case j.do == "format" && j.page.Format != "" && !slices.Contains(format.Names(), j.page.Format):
		return request.Errorf("option", "format=%s needs the page: use do=extract, or one of %s", j.page.Format, strings.Join(format.Names(), ", "))
	}
	return nil
}

// do writes what a request asks for.
func (s *server) do(ctx context.Context, j *job, out io.Writer) error {
	q := j.page
	indent := q.Format != ""
	q.Format = cmp.Or(q.Format, "json")
	switch j.do {
	case "links":
		all, err := s.pages.Links(ctx, q)
		if err != nil {
			return err
		}
		return render.Lines(out, all...)
	case "format":
		var a *article.Article
		err := json.Unmarshal(q.Content, &a)
		if err == nil && a == nil {
			err = errors.New("it is null")
		}
		if err != nil {
			return request.Errorf("json", "the body is not the JSON of an article: %s; send what do=extract has answered", request.JSONError(err))
		}
		ctx, cancel := s.pages.WithPageTime(ctx)
		defer cancel()
		return render.Article(ctx, out, a, q.Format, format.Options{
			BodyOnly: q.BodyOnly, Links: slices.Contains(q.With, "links"), Fragment: j.fragment, Indent: indent,
		})
	}
	return s.pages.Write(ctx, out, q, indent)
}
