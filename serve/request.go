package serve

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/lede-news/lede/internal/api/request"
	"github.com/lede-news/lede/internal/crawl/coding"
)

// readPage reads a request with the options of an extraction, and fetches its page if
// that was not sent. Call free when the page is no longer needed.
func (s *server) readPage(w http.ResponseWriter, r *http.Request) (q *pageRequest, free func(), err error) {
	if q, free, err = s.readRequest(w, r, extractOptions); err != nil {
		return nil, nil, err
	}
	if err := s.loadPage(r.Context(), q); err != nil {
		free()
		return nil, nil, err
	}
	return q, free, nil
}

// readRequest reads a request: the options, and the page if it was sent. Call free when
// the page is no longer needed.
func (s *server) readRequest(w http.ResponseWriter, r *http.Request, allowed []string) (q *pageRequest, free func(), err error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, nil, errQuery(err)
	}
	isGet := r.Method == http.MethodGet || r.Method == http.MethodHead
	media, charset := coding.ContentType(r.Header.Get("Content-Type"))
	isJSON := media == "application/json" && !isGet
	if isJSON {
		err = request.CheckNames(values, allowed)
	} else {
		q, err = newRequest(values, allowed)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case isGet && q.URL == "":
		return nil, nil, newProblem("option", "name the page to fetch with ?url=, or send one with POST")
	case isGet:
		return q, func() {}, s.check(q)
	case s.gate.full():
		return nil, nil, errBusy
	case media == "multipart/form-data":
		return nil, nil, errForm
	}
	body, free, err := s.readBody(w, r)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case isJSON:
		q, err = readJSON(values, body, allowed)
	case media == "application/x-www-form-urlencoded" && isFields(body):
		err = errForm
	default:
		q.Content, q.HeaderCharset = body, charset
		if body == nil {
			q.Content = []byte{}
		}
	}
	if err == nil {
		err = s.check(q)
	}
	if err != nil {
		free()
		return nil, nil, err
	}
	return q, free, nil
}

// errQuery returns the problem of a query that cannot be parsed.
func errQuery(err error) error {
	return newProblem("option", "the query of the address is malformed: %v; encode special characters", err)
}

var errNoFetch = newProblem("no-fetch", "this service fetches no pages; send the page itself, as the body or as html in JSON")

var errForm = newProblem("media-type", "the body is a form; send the page itself (curl --data-binary @page.html), or JSON with the fields html and url and Content-Type application/json")

// isFields reports whether a body has the fields of a form. curl calls every body a
// form unless told otherwise, and most are pages.
func isFields(body []byte) bool {
	for _, name := range []string{"url=", "html=", "page="} {
		if bytes.HasPrefix(body, []byte(name)) {
			return true
		}
	}
	return false
}

// readJSON returns the request of a JSON object, and of the query.
func readJSON(query url.Values, body []byte, allowed []string) (*pageRequest, error) {
	if text := bytes.TrimLeft(body, " \t\r\n\ufeff"); len(text) == 0 || text[0] != '{' {
		return nil, newProblem("media-type", "the body is not a JSON object; send a page with Content-Type text/html")
	}
	var html *string
	fields, err := request.ParseJSON(body, allowed, request.Field{Name: "html", Value: &html})
	if bad := (*request.SyntaxError)(nil); errors.As(err, &bad) {
		return nil, newProblem("json", "the body is not valid JSON: %s; send an object with the fields html and url", bad)
	}
	if err != nil {
		return nil, err
	}
	for name, v := range query {
		if other, ok := fields[name]; ok && !slices.Equal(v, other) {
			return nil, newProblem("option", "%s is both in the query and in the JSON, with different values; give it once", name)
		}
		fields[name] = v
	}
	q, err := newRequest(fields, allowed)
	switch {
	case err != nil:
		return nil, err
	case html != nil && q.Charset != "":
		return nil, newProblem("option", "charset=%s: html in JSON is Unicode; leave charset out, or send the page as the body", q.Charset)
	case html != nil:
		q.setText(html)
	case q.URL == "":
		return nil, newProblem("option", "the JSON has neither html nor url; send a page as html, or name the one to fetch as url")
	}
	return q, nil
}

// loadPage fetches the page of a request, unless it was sent. A bounded number is fetched
// at once; no worker waits for a site.
func (s *server) loadPage(ctx context.Context, q *pageRequest) error {
	if q.Content != nil {
		return nil
	}
	if s.opts.Fetch == nil {
		return errNoFetch
	}
	select {
	case s.fetches <- struct{}{}:
		defer func() { <-s.fetches }()
	default:
		return newProblem("busy", "too many pages are being fetched; try again later, or send the page itself")
	}
	resp, err := s.opts.Fetch.Get(ctx, q.URL)
	s.metrics.countFetch(err)
	if err != nil {
		return err
	}
	q.SetFetched(resp)
	return nil
}
